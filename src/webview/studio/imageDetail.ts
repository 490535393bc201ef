import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { query, state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import type { Image, Slot } from '../../protocol/studio.js';
import { codicon, type IconName } from '../codicon.js';
import { hasModifier, isWriting } from '../keys.js';
import { hints, labels, messages } from '../messages.js';
import { observeSize } from '../observeSize.js';
import type { Size } from '../geometry.js';
import { wholeImage, ZoomAndPan, type Look, type Picture } from '../zoomAndPan.js';
import { backButton, thumbnail } from './parts.js';
import { openMenuBelow } from './easelMenu.js';
import {
	actionEntries,
	actionsFor,
	divideActions,
	isPossible,
	menuOf,
	removes,
	runAction,
	type GalleryAction,
} from './imageActions.js';
import './imageMarks.js';
import { beginningOf } from './prompts.js';
import { besideIn, chainOf, stripAround } from './rounds.js';
import { StudioElement } from './studioElement.js';

/** From this width on, in CSS pixels, the words stand beside the image. */
const wide = 720;

/** One image, to look at closely, with all that is known of it and can be done with it. */
export class ImageDetail extends StudioElement {
	@state() accessor view: Look = wholeImage;
	/** True where the words stand beside the image. */
	@state() private accessor isWide = true;

	@query('.stage') accessor pane!: HTMLElement | null;
	@query('.back') private accessor back!: HTMLElement;

	readonly #zoom = new ZoomAndPan(this);
	/** Before the last update: what it was in. */
	#focused: 'strip' | 'elsewhere' | undefined;
	#shown: string | undefined;

	constructor() {
		super();
		this.addEventListener('keydown', this.#onKey);
		observeSize(
			this,
			() => this,
			() => {
				// The scroll bar that one of the two layouts may need must not lead to the other.
				this.isWide = this.clientWidth >= (this.isWide ? wide - 20 : wide);
			},
		);
	}

	get box(): Size {
		return this.#image ?? { width: 1, height: 1 };
	}

	/** Missing while it is not known yet. */
	get #image(): Image | undefined {
		return this.store.library.images.get(this.store.view.shown ?? '');
	}

	protected override willUpdate(_changed: PropertyValues): void {
		const { activeElement } = document;
		this.#focused = !this.hasFocus
			? undefined
			: activeElement?.closest('.strip') === null
				? 'elsewhere'
				: 'strip';
		if (this.#shown !== this.store.view.shown) {
			this.view = wholeImage;
		}
	}

	protected override updated(): void {
		const { store } = this;
		const { shown } = store.saved;
		const wanted = store.focus.take('detail');
		if (wanted?.id === 'title') {
			this.querySelector<HTMLElement>('#title')?.focus();
		} else if (wanted !== undefined || (this.#focused !== undefined && !this.hasFocus)) {
			// What had the focus may have gone with the image that it was about.
			(this.pane ?? this.back).focus({ preventScroll: true });
		}
		if (shown !== this.#shown) {
			this.#shown = shown;
			this.#centerInStrip();
		}
		this.#look();
	}

	/** Its neighbors are probably looked at next. */
	#look(): void {
		const { shown, imageIds, slots } = { ...this.store.saved, ...this.#places };
		if (shown !== undefined) {
			const index = imageIds.indexOf(shown);
			const near = index < 0 ? [] : imageIds.slice(Math.max(index - 1, 0), index + 2);
			const strip = slots.flatMap(({ id, kind }) => (kind === 'image' ? [id] : []));
			this.store.descriptions.request({ images: [...new Set([shown, ...near, ...strip])] });
		}
	}

	get #places() {
		const { imageIds, saved } = this.store;
		const shown = saved.shown ?? '';
		return { imageIds, slots: stripAround(this.store.library.slotsBeside(shown), shown) };
	}

	protected override render(): TemplateResult {
		const image = this.#image;
		const { imageIds, slots } = this.#places;
		const index = imageIds.indexOf(this.store.view.shown ?? '');
		const picture = image && this.#pictureOf(image);
		return html`
			<div class="top toolbar row">
				${backButton(() => this.store.view.goBack())}
				<div class="buttons" role="group" aria-label="Images">
					${this.#step(labels.previousImage, 'chevron-left', -1, index)}
					<span class="place">${index < 0 ? nothing : `${index + 1} of ${imageIds.length}`}</span>
					${this.#step(labels.nextImage, 'chevron-right', 1, index)}
				</div>
				${picture === undefined ? nothing : this.#zoom.buttons()}
			</div>
			<div class="content column ${this.isWide ? 'wide' : ''}">
				<div class="view column">${this.#view(image, picture)} ${this.#strip(slots)}</div>
				${image === undefined ? nothing : this.#words(image, picture !== undefined)}
			</div>
		`;
	}

	#step(name: string, icon: IconName, by: -1 | 1, index: number): TemplateResult {
		const to = index + by;
		return html`
			<button
				class="icon"
				aria-label=${name}
				title="${name} (${by < 0 ? '←' : '→'})"
				aria-disabled=${index < 0 || to < 0 || to >= this.store.library.imageIds.length ? 'true' : 'false'}
				@click=${() => this.store.view.step(by)}
			>
				${codicon(icon)}
			</button>
		`;
	}

	#view(image: Image | undefined, picture: Picture | undefined): TemplateResult {
		if (image === undefined) {
			return html`<div class="none empty column" role="status">${hints.loading}</div>`;
		}
		if (picture === undefined) {
			return html`
				<div class="none empty column">
					${codicon(image.exists ? 'file-media' : 'circle-slash', 32)}
					<p>${this.#noteOn(image)}</p>
				</div>
			`;
		}
		const onUndecodable = () => {
			this.store.library.noteBroken(image.source ?? '');
			void this.store.ask({ type: 'undecodable', id: image.id });
		};
		return html`
			<div
				class="stage pane"
				role="group"
				aria-label="Image ${image.name}. Plus and minus zoom, 0 fits, Z shows actual pixels. Arrow keys move it where it is zoomed, else left and right go to other images."
				tabindex="0"
				@keydown=${this.#onStageKey}
				@wheel=${this.#onWheel}
				@pointerdown=${this.#zoom.onPointerDown}
			>
				${keyed(image.id, this.#zoom.picture(picture, onUndecodable))}
			</div>
		`;
	}

	#isDamaged({ source }: Image): boolean {
		return source !== undefined && this.store.library.broken.has(source);
	}

	/** Returns the picture to look at; `undefined` where that is nothing. */
	#pictureOf(image: Image): Picture | undefined {
		const picture = { ...image, source: this.#isDamaged(image) ? undefined : image.source };
		return image.exists && (picture.source ?? picture.thumbnail) !== undefined
			? picture
			: undefined;
	}

	/** Returns words on what is shown instead of the image; empty if that is shown. */
	#noteOn(image: Image): string {
		if (!image.exists) {
			return messages.missing;
		}
		if (image.problem !== undefined) {
			return image.problem;
		}
		if (this.#isDamaged(image)) {
			return messages.damaged;
		}
		if (image.source === undefined) {
			return image.thumbnail === undefined ? messages.outside : messages.preview;
		}
		return '';
	}

	// --- The images of its round

	#strip(slots: readonly Slot[]): TemplateResult | typeof nothing {
		return slots.length === 0
			? nothing
			: html`
					<div
						class="strip"
						role="group"
						aria-label="Images of This Round"
						@keydown=${this.#onStripKey}
					>
						${slots.map((slot) => (slot.kind === 'job' ? coming(slot) : this.#frame(slot)))}
					</div>
				`;
	}

	#frame({ id, ratio }: Slot): TemplateResult {
		const { store } = this;
		const image = store.library.images.get(id);
		const isCurrent = id === store.view.shown;
		const title = image?.isUnlisted === true ? image.name : image?.title;
		const words = [
			image?.label || undefined,
			title,
			image?.isFavorite === true ? hints.starred : undefined,
		];
		const name = words.filter((word) => word !== undefined).join(', ');
		return html`
			<button
				class="frame"
				tabindex=${isCurrent ? 0 : -1}
				aria-current=${isCurrent ? 'true' : nothing}
				aria-label=${name === '' ? hints.image : name}
				title=${name}
				.style="aspect-ratio: ${ratio}"
				@click=${() => store.view.reveal(id)}
			>
				${thumbnail(store, image?.thumbnail) ?? nothing}
				${image && image.label !== '' ? html`<span class="label" aria-hidden="true">${image.label}</span>` : nothing}
			</button>
		`;
	}

	/** Within the strip alone: the page stays where it is. */
	#centerInStrip(): void {
		const frame = this.querySelector<HTMLElement>('.frame[aria-current]');
		if (frame !== null) {
			const { offsetLeft, offsetWidth, parentElement: strip } = frame;
			strip?.scrollTo({ left: offsetLeft - (strip.clientWidth - offsetWidth) / 2 });
			if (this.#focused === 'strip') {
				frame.focus({ preventScroll: true });
			}
		}
	}

	// --- What stands beside the image

	#words(image: Image, hasPicture: boolean): TemplateResult {
		const { label, name, prompt, path, details, isUnlisted } = image;
		const title = isUnlisted === true ? name : image.title;
		// Where nothing is shown, it stands in its place.
		const note = hasPicture ? this.#noteOn(image) : '';
		return html`
			<div class="words column">
				<h2 class="row">
					${label === '' ? nothing : html`<span class="quiet">${label}</span>`}
					<bdi class="cut" title=${title ?? prompt}>${title ?? beginningOf(prompt)}</bdi>
				</h2>
				${this.#chain(image)}
				${
					isUnlisted === true
						? nothing
						: html`
								<easel-image-marks .store=${this.store} .image=${image}></easel-image-marks>
								<div
									class="prompt"
									role="group"
									aria-label="Prompt"
									tabindex="0"
									dir="auto"
									.textContent=${prompt}
								></div>
							`
				}
				<p class="quiet">${details}</p>
				<p class="quiet"><bdi>${path}</bdi></p>
				${note === '' ? nothing : html`<p class="note">${note}</p>`} ${this.#actions(image)}
			</div>
		`;
	}

	/** `1c → 2b → 3a`, each a way there where there is one. */
	#chain(image: Image): TemplateResult | typeof nothing {
		const links = chainOf(image);
		return links.length === 0
			? nothing
			: html`
					<ol class="chain row" aria-label="Comes from">
						${links.map(({ label, id }, index) =>
							index === links.length - 1
								? html`<li class="row" aria-current="true">${label}</li>`
								: html`<li class="row">
										${
											id === undefined
												? html`<bdi class="cut">${label}</bdi>`
												: html`<button
														class="link"
														title="Go to ${label}"
														@click=${() => this.store.view.reveal(id)}
													>
														${label}
													</button>`
										}
										<span class="arrow quiet" aria-hidden="true">→</span>
									</li>`,
						)}
					</ol>
				`;
	}

	/** All of them where there is room; else some are in a menu. The star stands above them. */
	#actions(image: Image): TemplateResult {
		const actions = actionsFor(image)
			.map((group) =>
				group.filter((action) => action !== 'addFavorite' && action !== 'removeFavorite'),
			)
			.filter((group) => group.length > 0);
		const buttonsOf = (group: readonly GalleryAction[]) =>
			group.map((action, index) => this.#action(image, action, index === 0 && action === 'insert'));
		if (this.isWide) {
			return html`
				<div class="actions list">
					${actions.map((group) => html`<div class="group column">${buttonsOf(group)}</div>`)}
				</div>
			`;
		}
		const [buttons, menu] = divideActions(actions);
		return html`
			<div class="actions">
				${buttonsOf(buttons)}
				<button
					class="action"
					aria-haspopup="menu"
					@click=${(event: Event) =>
						openMenuBelow(event, menuOf(this.store, image.id, labels.more, menu))}
				>
					${codicon('ellipsis')} ${labels.more}
				</button>
			</div>
		`;
	}

	#action({ id }: Image, action: GalleryAction, isPrimary: boolean): TemplateResult {
		const { label, icon } = actionEntries[action];
		return html`
			<button
				class="action ${isPrimary ? 'primary' : this.isWide ? 'plain' : ''}"
				@click=${() => runAction(this.store, id, action)}
			>
				${codicon(icon)} ${label}
			</button>
		`;
	}

	// --- What the user does

	readonly #onStageKey = (event: KeyboardEvent): void => {
		// What fits cannot be moved: then these keys lead to other images.
		const isStep = event.key === 'ArrowLeft' || event.key === 'ArrowRight';
		if (!isStep || this.view.zoom !== 'fit') {
			this.#zoom.onKey(event);
		}
	};

	/** The wheel alone scrolls the page, which may be longer than the window. */
	readonly #onWheel = (event: WheelEvent): void => {
		if (event.ctrlKey) {
			this.#zoom.onWheel(event);
		}
	};

	/** In the strip the arrows stay in the round. */
	readonly #onStripKey = (event: KeyboardEvent): void => {
		const { shown = '' } = this.store.saved;
		if (!hasModifier(event) && !event.shiftKey && /^Arrow(Left|Right)$/.test(event.key)) {
			event.preventDefault();
			const by = event.key === 'ArrowLeft' ? -1 : 1;
			const id = besideIn(this.store.library.slotsBeside(shown), shown, by);
			if (id !== undefined) {
				this.store.view.reveal(id);
			}
		}
	};

	readonly #onKey = (event: KeyboardEvent): void => {
		const image = this.#image;
		if (isWriting(event)) {
			return;
		}
		if (removes(event) && image !== undefined && isPossible('remove', image)) {
			event.preventDefault();
			runAction(this.store, image.id, 'remove');
			return;
		}
		if (event.defaultPrevented || hasModifier(event) || event.shiftKey) {
			return;
		}
		const act = this.#keys[event.key];
		if (act !== undefined) {
			event.preventDefault();
			act(image);
		}
	};

	readonly #keys: Readonly<Partial<Record<string, (image: Image | undefined) => void>>> = {
		ArrowLeft: () => this.store.view.step(-1),
		ArrowRight: () => this.store.view.step(1),
		Escape: () => this.store.view.goBack(),
		F2: () => this.querySelector<HTMLElement>('#title')?.focus(),
		e: (image) => {
			if (image !== undefined && isPossible('edit', image)) {
				runAction(this.store, image.id, 'edit');
			}
		},
		k: (image) => {
			if (image !== undefined && image.isUnlisted !== true) {
				setFavorite(this.store, [image.id], !image.isFavorite);
			}
		},
	};
}

customElements.define('easel-image-detail', ImageDetail);

/** The place of an image that is not there yet. */
function coming({ ratio }: Slot): TemplateResult {
	return html`<span
		class="frame coming"
		title="Not there yet"
		.style="aspect-ratio: ${ratio}"
	></span>`;
}
