import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import { codicon, type IconName } from '../codicon.js';
import type { Image, Slot } from '../../protocol/studio.js';
import { dispatch } from '../dispatch.js';
import { hasModifier, isWriting } from '../keys.js';
import { observeSize } from '../observeSize.js';
import { wholeImage, ZoomAndPan, type Look } from '../zoomAndPan.js';
import { backButton } from './backButton.js';
import { DetailPicture } from './detailPicture.js';
import { removes, type GalleryAction } from './imageActions.js';
import { styles } from './imageDetail.styles.js';
import { detailPanel } from './detailPanel.js';
import { ask } from './events.js';
import './filmstrip.js';
import { pageStyles } from './page.styles.js';
import type { Result } from './result.js';
import { hints, labels } from '../messages.js';

declare global {
	interface HTMLElementEventMap {
		'easel-detail-back': CustomEvent<undefined>;
		/** To the one before (-1) or after (1). */
		'easel-detail-step': CustomEvent<-1 | 1>;
		/** To another image, of its round or one that it comes from. */
		'easel-detail-show': CustomEvent<string>;
		'easel-detail-action': CustomEvent<GalleryAction>;
		/** What does not fit has to come in a menu, which is to stand below `button`. */
		'easel-detail-more': CustomEvent<{
			actions: readonly (readonly GalleryAction[])[];
			button: HTMLElement;
		}>;
	}
}

/** From this width on, in pixels, the words stand beside the image. */
const wide = 720;

/** One image, to look at closely, with all that is known of it and can be done with it. */
export class ImageDetail extends LitElement {
	static override readonly styles = [pageStyles, styles];

	/** Missing while it is not known yet. */
	@property({ attribute: false }) accessor image: Image | undefined;
	/** The images of its round, it among them. */
	@property({ attribute: false }) accessor slots: readonly Slot[] = [];
	/** What is known of them. */
	@property({ attribute: false }) accessor images: ReadonlyMap<string, Image> = new Map();
	/** Its place among all, from 0; -1 where it is none of them. */
	@property({ attribute: false }) accessor index = -1;
	@property({ attribute: false }) accessor count = 0;
	/** What has come of the last action, if the page itself did it. */
	@property({ attribute: false }) accessor result: Result | undefined;

	@state() private accessor look: Look = wholeImage;
	/** Whether the words stand beside the image. */
	@property({ type: Boolean, reflect: true, attribute: 'wide' }) accessor isWide = true;

	@query('.stage') private accessor stage!: HTMLElement | null;
	@query('.back') private accessor back!: HTMLElement;

	readonly #zoom = new ZoomAndPan(this, {
		pane: () => this.stage,
		box: () => this.image ?? { width: 1, height: 1 },
		look: () => this.look,
		change: (look) => {
			this.look = look;
		},
	});
	readonly #picture = new DetailPicture(this, this.#zoom);
	/** Before the last update. */
	#hadFocus = false;

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

	/** Gives the focus to the image, or where there is none, to what leads back. */
	async focusWithin(): Promise<void> {
		await this.updateComplete;
		(this.stage ?? this.back).focus({ preventScroll: true });
	}

	protected override willUpdate(changed: PropertyValues<this>): void {
		this.#hadFocus = this.shadowRoot?.activeElement != null;
		if (changed.has('image') && changed.get('image')?.id !== this.image?.id) {
			this.look = wholeImage;
		}
	}

	protected override updated(): void {
		// What had the focus may have gone with the image that it was about.
		if (this.#hadFocus && this.shadowRoot?.activeElement === null) {
			(this.stage ?? this.back).focus({ preventScroll: true });
		}
	}

	protected override render(): TemplateResult {
		const { image } = this;
		return html`
			<div class="top toolbar">
				${backButton(() => dispatch(this, 'easel-detail-back', undefined))}
				<div class="buttons" role="group" aria-label="Images">
					${this.#step(labels.previousImage, 'chevron-left', -1)}
					<span class="place"
						>${this.index < 0 ? nothing : `${this.index + 1} of ${this.count}`}</span
					>
					${this.#step(labels.nextImage, 'chevron-right', 1)}
				</div>
				${this.#picture.sourceOf(image) === undefined ? nothing : this.#zoom.buttons()}
			</div>
			<div class="content ${this.isWide ? 'wide' : ''}">
				<div class="view">
					${this.#view()}
					<easel-filmstrip
						.slots=${this.slots}
						.images=${this.images}
						.current=${image?.id ?? ''}
					></easel-filmstrip>
				</div>
				${image === undefined ? nothing : this.#words(image)}
			</div>
		`;
	}

	#step(name: string, icon: IconName, by: -1 | 1): TemplateResult {
		const to = this.index + by;
		return html`
			<button
				class="icon"
				aria-label=${name}
				title="${name} (${by < 0 ? '←' : '→'})"
				aria-disabled=${this.index < 0 || to < 0 || to >= this.count ? 'true' : 'false'}
				@click=${() => dispatch(this, 'easel-detail-step', by)}
			>
				${codicon(icon)}
			</button>
		`;
	}

	#view(): TemplateResult {
		const { image } = this;
		if (image === undefined) {
			return html`<div class="none" role="status">${hints.loading}</div>`;
		}
		if (this.#picture.sourceOf(image) === undefined) {
			return html`
				<div class="none">
					${codicon(image.exists ? 'file-media' : 'circle-slash', 32)}
					<p>${this.#picture.noteOn(image)}</p>
				</div>
			`;
		}
		return html`
			<div
				class="stage ${this.#zoom.dragging ? 'dragging' : ''}"
				role="group"
				aria-label="Image ${image.name}. Plus and minus zoom, 0 fits, 1 shows actual pixels. Arrow keys move it where it is zoomed, else left and right go to other images."
				tabindex="0"
				@keydown=${this.#onStageKey}
				@wheel=${this.#onWheel}
				@pointerdown=${this.#zoom.onPointerDown}
			>
				${keyed(image.id, this.#picture.render(image))}
			</div>
		`;
	}

	#words(image: Image): TemplateResult {
		return detailPanel({
			image,
			// Where nothing is shown, it stands in its place.
			note: this.#picture.sourceOf(image) === undefined ? '' : this.#picture.noteOn(image),
			result: this.result,
			isWide: this.isWide,
			show: (id) => dispatch(this, 'easel-detail-show', id),
			run: (action) => dispatch(this, 'easel-detail-action', action),
			more: (actions, button) => dispatch(this, 'easel-detail-more', { actions, button }),
		});
	}

	// --- What the user does

	readonly #onStageKey = (event: KeyboardEvent): void => {
		// What fits cannot be moved: then these keys lead to other images.
		const isStep = event.key === 'ArrowLeft' || event.key === 'ArrowRight';
		if (!isStep || this.look.zoom !== 'fit') {
			this.#zoom.onKey(event);
		}
	};

	/** The wheel alone scrolls the page, which may be longer than the window. */
	readonly #onWheel = (event: WheelEvent): void => {
		if (event.ctrlKey && this.stage !== null) {
			const { left, top } = this.stage.getBoundingClientRect();
			this.#zoom.zoomByWheel(event, { x: event.clientX - left, y: event.clientY - top });
		}
	};

	readonly #onKey = (event: KeyboardEvent): void => {
		if (isWriting(event)) {
			return;
		}
		if (removes(event)) {
			event.preventDefault();
			dispatch(this, 'easel-detail-action', 'remove');
			return;
		}
		if (event.defaultPrevented || hasModifier(event) || event.shiftKey) {
			return;
		}
		const action = this.#keys[event.key];
		if (action !== undefined) {
			event.preventDefault();
			action();
		}
	};

	readonly #keys: Readonly<Partial<Record<string, () => void>>> = {
		ArrowLeft: () => dispatch(this, 'easel-detail-step', -1),
		ArrowRight: () => dispatch(this, 'easel-detail-step', 1),
		Escape: () => dispatch(this, 'easel-detail-back', undefined),
		e: () => {
			if (this.image?.exists === true) {
				dispatch(this, 'easel-detail-action', 'edit');
			}
		},
		k: () => {
			if (this.image !== undefined) {
				const { id, kept } = this.image;
				ask(this, { type: 'markImage', id, kept: !kept });
			}
		},
	};
}

customElements.define('easel-image-detail', ImageDetail);
