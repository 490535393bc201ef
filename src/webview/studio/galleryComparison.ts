import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import { maxCompared, type Image } from '../../protocol/studio.js';
import { dispatch } from '../dispatch.js';
import { columnsFor, commonBox, type Size } from '../geometry.js';
import { hasModifier } from '../keys.js';
import { observeSize } from '../observeSize.js';
import { shortenedName } from '../shortenedName.js';
import { wholeImage, ZoomAndPan, type Look } from '../zoomAndPan.js';
import { backButton } from './backButton.js';
import { DetailPicture } from './detailPicture.js';
import { announce, ask } from './events.js';
import { styles } from './galleryComparison.styles.js';
import { keepButton } from './keepButton.js';
import { pageStyles } from './page.styles.js';
import { hints, messages } from '../messages.js';

declare global {
	interface HTMLElementEventMap {
		'easel-comparison-back': CustomEvent<undefined>;
	}
}

/** Two to four images, all at the same zoom and place, each to be kept. With the way back. */
export class GalleryComparison extends LitElement {
	static override readonly styles = [pageStyles, styles];

	/** The images, two to four. */
	@property({ attribute: false }) accessor ids: readonly string[] = [];
	@property({ attribute: false }) accessor images: ReadonlyMap<string, Image> = new Map();

	@state() private accessor look: Look = wholeImage;
	/** For all of them together. */
	@state() private accessor room: Size = { width: 1, height: 1 };

	@query('.grid') private accessor grid!: HTMLElement;
	@query('.stage') private accessor firstStage!: HTMLElement | null;

	readonly #zoom = new ZoomAndPan(this, {
		// All of them have the same size.
		pane: () => this.firstStage,
		box: () => this.#box,
		look: () => this.look,
		change: (look) => {
			this.look = look;
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

	/** Gives the focus to the images. */
	async focusWithin(): Promise<void> {
		await this.updateComplete;
		this.grid.focus({ preventScroll: true });
	}

	protected override render(): TemplateResult {
		const shown = this.ids.slice(0, maxCompared);
		const columns = columnsFor(shown.length, this.#box, this.room);
		return html`
			<div class="comparison" @keydown=${this.#onKey}>
				<div class="top toolbar">
					${backButton(this.#goBack)}
					<h2>Compare ${shown.length} Images</h2>
					${this.#zoom.buttons()}
				</div>
				<div
					class="grid ${this.#zoom.dragging ? 'dragging' : ''}"
					role="group"
					tabindex="0"
					aria-label="Images. Arrow keys move all of them, plus and minus zoom, 0 fits, Z shows actual pixels. 1 to ${shown.length} star one."
					.style="grid-template-columns: repeat(${columns}, minmax(0, 1fr))"
					@keydown=${this.#zoom.onKey}
				>
					${shown.map((id, place) => keyed(id, this.#cell(this.images.get(id), place)))}
				</div>
			</div>
		`;
	}

	/** The box that all of them fill. */
	get #box(): Size {
		return commonBox(this.ids.map((id) => this.images.get(id)));
	}

	/** @param image missing while it is not known yet */
	#cell(image: Image | undefined, place: number): TemplateResult {
		return html`
			<div
				class="cell"
				role="group"
				aria-label=${image === undefined ? hints.loading : nameOf(image)}
			>
				<div class="caption">
					${
						image === undefined
							? html`<span class="quiet">${hints.loading}</span>`
							: html`<span class="own">${image.label}</span>
									${shortenedName(image.title ?? image.name)}
									${keepButton({
										label: image.label,
										kept: image.kept,
										key: String(place + 1),
										toggle: () => this.#keep(image),
									})}`
					}
				</div>
				<div class="stage" @wheel=${this.#onWheel} @pointerdown=${this.#zoom.onPointerDown}>
					${image === undefined ? nothing : this.#picture(image, place)}
				</div>
			</div>
		`;
	}

	#picture(image: Image, place: number): TemplateResult {
		const picture = this.#pictures[place]!;
		return picture.sourceOf(image) === undefined
			? html`<p class="problem">${picture.noteOn(image)}</p>`
			: picture.render(image);
	}

	// --- What the user does

	#keep({ id, label, kept }: Image): void {
		ask(this, { type: 'markImage', id, kept: !kept });
		announce(this, kept ? messages.starRemovedFrom(label) : `${label}: ${messages.starred}`);
	}

	readonly #goBack = (): void => {
		dispatch(this, 'easel-comparison-back', undefined);
	};

	readonly #onWheel = (event: WheelEvent): void => {
		const { left, top } = (event.currentTarget as HTMLElement).getBoundingClientRect();
		this.#zoom.zoomByWheel(event, { x: event.clientX - left, y: event.clientY - top });
	};

	readonly #onKey = (event: KeyboardEvent): void => {
		if (event.defaultPrevented || hasModifier(event)) {
			return;
		}
		const image = this.images.get(this.ids[Number(event.key) - 1] ?? '');
		if (event.key === 'Escape') {
			event.preventDefault();
			this.#goBack();
		} else if (image !== undefined && !event.repeat) {
			event.preventDefault();
			this.#keep(image);
		}
	};
}

customElements.define('easel-gallery-comparison', GalleryComparison);

function nameOf({ label, title, name }: Image): string {
	return `${label}, ${title ?? name}`;
}
