import { html, nothing, type TemplateResult } from 'lit';
import { query, state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import { maxCompared, type Image } from '../../protocol/studio.js';
import { columnsFor, commonBox, type Size } from '../geometry.js';
import { hasModifier } from '../keys.js';
import { hints, labels } from '../messages.js';
import { observeSize } from '../observeSize.js';
import { wholeImage, ZoomAndPan, type Look } from '../zoomAndPan.js';
import { backButton } from './backButton.js';
import { DetailPicture } from './detailPicture.js';
import { iconButton } from './iconButton.js';
import { runAction } from './imageActions.js';
import { beginningOf } from './prompts.js';
import { byAge } from './rounds.js';
import { starButton } from './starButton.js';
import { StudioElement } from './studioElement.js';

/**
 * Two to four images, all at the same zoom and place. Here is decided: each can be starred, continued
 * and inserted, and the others deleted.
 */
export class GalleryComparison extends StudioElement {
	@state() private accessor view: Look = wholeImage;
	/** For all of them together. */
	@state() private accessor room: Size = { width: 1, height: 1 };
	/** The place of the image that keys are about. */
	@state() private accessor current = 0;

	@query('.grid') private accessor grid!: HTMLElement;
	@query('.stage') private accessor firstStage!: HTMLElement | null;

	readonly #zoom = new ZoomAndPan(this, {
		// All of them have the same size.
		pane: () => this.firstStage,
		box: () => this.#box,
		look: () => this.view,
		change: (view) => {
			this.view = view;
		},
		actualPixelsKey: 'z',
	});
	/** One for each place. */
	readonly #pictures = Array.from(
		{ length: maxCompared },
		() => new DetailPicture(this, this.#zoom),
	);

	constructor() {
		super();
		observeSize(
			this,
			() => this.grid,
			() => {
				const { clientWidth: width, clientHeight: height } = this.grid;
				this.room = { width, height };
			},
		);
	}

	get #ids(): readonly string[] {
		const { saved, rounds } = this.store;
		return byAge(saved.compared ?? [], rounds?.rounds ?? []);
	}

	/** Those that are known. */
	get #images(): readonly Image[] {
		return this.#ids.flatMap((id) => this.store.images.get(id) ?? []);
	}

	/** The box that all of them fill. */
	get #box(): Size {
		return commonBox(this.#images);
	}

	protected override updated(): void {
		if (this.store.takeFocus('comparison') !== undefined) {
			this.grid.focus({ preventScroll: true });
		}
		this.store.look({ rounds: [], images: this.#ids });
	}

	protected override render(): TemplateResult {
		const ids = this.#ids;
		const columns = columnsFor(ids.length, this.#box, this.room);
		const prompts = new Set(this.#images.map(({ prompt }) => prompt));
		return html`
			<div class="comparison" @keydown=${this.#onKey}>
				<div class="top toolbar">
					${backButton(() => this.store.goBack())}
					<h2>Compare ${ids.length} Images</h2>
					${this.#zoom.buttons()}
				</div>
				${prompts.size === 1 ? html`<p class="prompt quiet" dir="auto" title=${[...prompts][0]}>${beginningOf([...prompts][0]!)}</p>` : nothing}
				<div
					class="grid ${this.#zoom.dragging ? 'dragging' : ''}"
					role="group"
					tabindex="0"
					aria-label="Images. Arrow keys move all of them, plus and minus zoom, 0 fits, Z shows actual pixels. 1 to ${ids.length} star one; E edits the one that was starred last."
					.style="grid-template-columns: repeat(${columns}, minmax(0, 1fr))"
					@keydown=${this.#zoom.onKey}
				>
					${ids.map((id, place) => keyed(id, this.#cell(id, place, prompts.size > 1)))}
				</div>
			</div>
		`;
	}

	#cell(id: string, place: number, hasOwnPrompt: boolean): TemplateResult {
		const image = this.store.images.get(id);
		const picture = this.#pictures[place]!;
		return html`
			<div
				class="cell ${place === this.current ? 'current' : ''}"
				role="group"
				aria-label=${image === undefined ? hints.loading : nameOf(image)}
				@focusin=${() => {
					this.current = place;
				}}
			>
				<div class="caption">
					${image === undefined ? html`<span class="quiet">${hints.loading}</span>` : this.#caption(image, place)}
				</div>
				${hasOwnPrompt && image !== undefined ? html`<p class="prompt quiet" dir="auto" title=${image.prompt}>${beginningOf(image.prompt)}</p>` : nothing}
				<div
					class="stage"
					@wheel=${this.#onWheel}
					@pointerdown=${(event: PointerEvent) => {
						this.current = place;
						this.#zoom.onPointerDown(event);
					}}
				>
					${
						image === undefined
							? nothing
							: picture.sourceOf(image) === undefined
								? html`<p class="problem">${picture.noteOn(image)}</p>`
								: picture.render(image)
					}
				</div>
			</div>
		`;
	}

	#caption(image: Image, place: number): TemplateResult {
		const { id, label, title, exists } = image;
		const act = (action: string) => () => runAction(this.store, id, action);
		return html`
			<span class="own">${label}</span>
			<bdi class="name">${title}</bdi>
			${exists ? iconButton(labels.insertName(label), 'insert', act('insert'), { title: labels.insertAtCursor }) : nothing}
			${exists ? iconButton(labels.editImage(label), 'edit', act('edit'), { title: `${labels.edit} (E)` }) : nothing}
			${iconButton(labels.deleteOthers(label), 'check', () => this.#deleteOthers(id), { title: labels.deleteOthers(label) })}
			${starButton(this.store, image, String(place + 1))}
		`;
	}

	// --- What the user does

	#deleteOthers(id: string): void {
		const ids = this.#ids.filter((other) => other !== id);
		void this.store.ask({ type: 'images', ids, action: 'remove' });
	}

	readonly #onWheel = (event: WheelEvent): void => {
		const { left, top } = (event.currentTarget as HTMLElement).getBoundingClientRect();
		this.#zoom.zoomByWheel(event, { x: event.clientX - left, y: event.clientY - top });
	};

	readonly #onKey = (event: KeyboardEvent): void => {
		if (event.defaultPrevented || hasModifier(event) || event.repeat) {
			return;
		}
		const { store } = this;
		const place = Number(event.key) - 1;
		const image = store.images.get(this.#ids[place] ?? '');
		if (event.key === 'Escape') {
			store.goBack();
		} else if (event.key === 'e') {
			runAction(store, this.#ids[this.current] ?? '', 'edit');
		} else if (image !== undefined) {
			this.current = place;
			store.star([image.id], !image.kept);
		} else {
			return;
		}
		event.preventDefault();
	};
}

customElements.define('easel-gallery-comparison', GalleryComparison);

function nameOf({ label, title, name }: Image): string {
	return `${label}, ${title ?? name}`;
}
