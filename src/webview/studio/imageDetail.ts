import { html, nothing, type TemplateResult } from 'lit';
import { query, state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import type { Image } from '../../protocol/studioModel.js';
import { codicon, type IconName } from '../codicon.js';
import { hasModifier, isWriting } from '../keys.js';
import { hints, pageLabels, pageMessages } from '../messages.js';
import { observeSize } from '../observeSize.js';
import type { Mark } from '../../images/marks.js';
import { containIn, type Extent } from '../geometry.js';
import { wholeImage, ZoomAndPan, type Look, type ViewedPicture } from '../zoomAndPan.js';
import { centerInStrip, imageStrip } from './detail/imageStrip.js';
import { imageWords } from './detail/imageWords.js';
import { pictureNote, shownPicture } from './detail/shownPicture.js';
import './marks/easelMarks.js';
import type { EaselMarks } from './marks/easelMarks.js';
import { markBar, markTools, onMarkingKey, showMarksButton } from './marks/markBar.js';
import { isPossible, removes, runAction, setFavorite } from './imageActions.js';
import { backButton } from './parts.js';
import { stripAround } from './rounds.js';
import type { ImageLibrary } from './store/imageLibrary.js';
import { StudioElement } from './studioElement.js';

/** From this width on, in CSS pixels, the words stand beside the image. */
const wide = 720;

/** One image, to look at closely, with all that is known of it and can be done with it. */
export class ImageDetail extends StudioElement {
	@state() accessor view: Look = wholeImage;
	/** True where the words stand beside the image. */
	@state() private accessor isWide = true;

	/** True while the image is shown that was edited, with the marks of that edit. */
	@state() private accessor showsMarks = false;

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

	get box(): Extent {
		return this.#image ?? { width: 1, height: 1 };
	}

	/** Missing while it is not known yet. */
	get #image(): Image | undefined {
		return this.store.library.images.get(this.store.view.shown ?? '');
	}

	protected override willUpdate(): void {
		const { activeElement } = document;
		this.#focused = !this.hasFocus
			? undefined
			: activeElement?.closest('.strip') === null
				? 'elsewhere'
				: 'strip';
		if (this.#shown !== this.store.view.shown) {
			this.view = wholeImage;
			this.showsMarks = false;
		}
	}

	protected override updated(): void {
		const { store } = this;
		const { shown } = store.view;
		if (store.focus.take('markNote') !== undefined) {
			this.querySelector<HTMLElement>('#mark-note')?.focus();
		}
		const wanted = store.focus.take('detail');
		if (wanted?.id === 'title') {
			this.querySelector<HTMLElement>('#title')?.focus();
		} else if (wanted !== undefined || (this.#focused !== undefined && !this.hasFocus)) {
			// What had the focus may have gone with the image that it was about.
			(this.pane ?? this.back).focus({ preventScroll: true });
		}
		if (shown !== this.#shown) {
			this.#shown = shown;
			centerInStrip(this, this.#focused === 'strip');
		}
		this.#requestDescriptions();
	}

	/** Its neighbors are probably looked at next. */
	#requestDescriptions(): void {
		const { shown } = this.store.view;
		const { imageIds, slots } = this.#places;
		if (shown !== undefined) {
			const index = imageIds.indexOf(shown);
			const near = index < 0 ? [] : imageIds.slice(Math.max(index - 1, 0), index + 2);
			const strip = slots.flatMap(({ id, kind }) => (kind === 'image' ? [id] : []));
			const edited = this.#image?.marked?.on ?? shown;
			const images = [...new Set([shown, edited, ...near, ...strip])];
			this.store.descriptions.request({ images });
		}
	}

	get #places() {
		const { library, view } = this.store;
		const { shown = '' } = view;
		return { imageIds: library.imageIds, slots: stripAround(library.slotsBeside(shown), shown) };
	}

	protected override render(): TemplateResult {
		const { isWide, store } = this;
		const image = this.#image;
		const { imageIds, slots } = this.#places;
		const index = imageIds.indexOf(store.view.shown ?? '');
		const picture = image && shownPicture(image, store.library);
		const isMarked = image?.marked !== undefined && picture !== undefined;
		const shown = isMarked && this.showsMarks ? editedWithMarks(image, store.library) : undefined;
		// Where nothing is shown, it stands in its place.
		const note = image && picture ? (shown?.note ?? pictureNote(image, store.library)) : '';
		const toggleMarks = () => {
			if (store.marking.tool !== undefined) {
				store.marking.end();
			}
			this.showsMarks = !this.showsMarks;
		};
		return html`
			<div class="top toolbar row">
				${backButton(() => store.view.goBack())}
				<div class="buttons" role="group" aria-label="Images">
					${this.#step(pageLabels.previousImage, 'chevron-left', -1, index)}
					<span class="place">${index < 0 ? nothing : `${index + 1} of ${imageIds.length}`}</span>
					${this.#step(pageLabels.nextImage, 'chevron-right', 1, index)}
				</div>
				${image && this.#canMark(image, picture) ? markTools(store, image.id) : nothing}
				${isMarked ? showMarksButton(shown !== undefined, toggleMarks) : nothing}
				${picture === undefined ? nothing : this.#zoom.buttons()}
			</div>
			<div class="content column ${isWide ? 'wide' : ''}">
				<div class="view column">
					${this.#view(shown?.image ?? image, shown?.picture ?? picture, shown?.marks)}
					${markBar(store)} ${imageStrip(store, slots)}
				</div>
				${image === undefined ? nothing : imageWords(store, image, { note, isWide })}
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

	/** @param marks of an earlier edit, to be shown alone */
	#view(
		image: Image | undefined,
		picture: ViewedPicture | undefined,
		marks?: readonly Mark[],
	): TemplateResult {
		if (image === undefined) {
			return html`<div class="none empty column" role="status">${hints.loading}</div>`;
		}
		if (picture === undefined) {
			return html`
				<div class="none empty column">
					${codicon(image.exists ? 'file-media' : 'circle-slash', 32)}
					<p>${pictureNote(image, this.store.library)}</p>
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
				aria-label="Image ${image.name}. Plus and minus zoom, 0 fits, Z shows actual pixels. Arrow keys move it where it is zoomed, else left and right go to other images. M marks what to change on it."
				tabindex="0"
				@keydown=${this.#onStageKey}
				@wheel=${this.#onWheel}
				@pointerdown=${this.#zoom.onPointerDown}
			>
				${keyed(image.id, this.#zoom.picture(picture, onUndecodable))}
				<easel-marks
					.store=${this.store}
					.image=${image.id}
					.picture=${containIn(picture, this.#zoom.rectangle)}
					.fixed=${marks}
				></easel-marks>
			</div>
		`;
	}

	/** A mark says what to change in an edit. */
	#canMark(image: Image, picture: ViewedPicture | undefined): boolean {
		return !this.showsMarks && picture !== undefined && isPossible('edit', image);
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

	readonly #onKey = (event: KeyboardEvent): void => {
		const image = this.#image;
		const marks = this.querySelector<EaselMarks>('easel-marks');
		if (isWriting(event) || onMarkingKey(this.store, event, marks)) {
			return;
		}
		const { marking } = this.store;
		if (marking.tool !== undefined && /^(?:Delete|Backspace|Arrow\w+)$/.test(event.key)) {
			// Meant for a mark, not for the image.
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
		m: (image) => {
			if (image && this.#canMark(image, shownPicture(image, this.store.library))) {
				this.store.marking.begin(image.id);
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

/**
 * Returns the image that an image was made from, with the marks of that edit; where it is missing, the
 * marks alone.
 */
function editedWithMarks({ marked }: Image, library: ImageLibrary) {
	const image = library.images.get(marked?.on ?? '');
	const picture = image && shownPicture(image, library);
	const shown = picture === undefined ? {} : { image, picture };
	const isMissing = picture === undefined && (image !== undefined || marked?.on === undefined);
	const name = image && (image.label || image.name);
	const note = isMissing ? pageMessages.marksOnEdited : name && hints.marksOf(name);
	return { ...shown, marks: marked?.marks ?? [], note: note ?? '' };
}
