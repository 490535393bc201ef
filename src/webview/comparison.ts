import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import { defaultView, type Mode, type View } from '../protocol/compare.js';
import { Adjuster } from './adjuster.js';
import {
	acrossIn,
	adjustedIn,
	between,
	columnsFor,
	commonBox,
	containIn,
	sliderPosition,
	sliderTrack,
	type Extent,
	type Rectangle,
} from './geometry.js';
import { icon } from './icon.js';
import { hasModifier } from './keys.js';
import { hints } from './messages.js';
import { PageElement } from './pageElement.js';
import { viewButtons } from './viewButtons.js';
import { drag, ZoomAndPan, type ViewedPicture } from './zoomAndPan.js';

/** One of the images that are compared. */
export interface Compared {
	/** Stays the same where only its file changes. */
	readonly id: string;
	/** Name for screen readers. */
	readonly name: string;
	/** Caption above it. */
	readonly caption: TemplateResult;
	/** Missing where it cannot be shown; `problem` says why. */
	readonly picture?: ViewedPicture | undefined;
	readonly problem: string;
	/** Draws over it, given where it lies; seen whole, also where another image lies over it. */
	readonly over?: ((place: Rectangle) => TemplateResult) | undefined;
}

/** Step of a key on the slider, in percent. */
const sliderSteps: Readonly<Partial<Record<string, number>>> = {
	ArrowLeft: -1,
	ArrowDown: -1,
	ArrowRight: 1,
	ArrowUp: 1,
	PageDown: -10,
	PageUp: 10,
	Home: -100,
	End: 100,
};

/**
 * Two to four images at the same zoom and place: side by side, two of them also with a slider between
 * them, one over the other, or as what differs between them.
 *
 * It sends `easel-compare-change` when the user looks in another way or turns to another image, and
 * `easel-compare-undecodable` with the id of an image that the browser could not decode.
 */
export class Comparison extends PageElement {
	@property({ attribute: false }) accessor images: readonly Compared[] = [];
	/** All that the user decides, so that a page can keep it. */
	@property({ attribute: false }) accessor view: View = defaultView;
	/** The place of the image that keys are about: the user has turned to it last. */
	@property({ attribute: false }) accessor current = 0;
	/** True where one is chosen among them: they are the options of a list then. */
	@property({ attribute: false }) accessor isChoice = false;
	/** Name of all of them for screen readers. */
	@property({ attribute: false }) accessor label = '';
	/** Beginning of the toolbar. */
	@property({ attribute: false }) accessor heading: unknown = nothing;

	/** Sources that the browser could not decode. */
	@state() private accessor undecodable: ReadonlySet<string> = new Set();

	@query('.pane') accessor pane!: HTMLElement | null;
	@query('.stage') private accessor stage!: HTMLElement | null;

	readonly #zoom = new ZoomAndPan(this);
	readonly #adjuster = new Adjuster(this, this.#zoom);

	/** In which all of them are shown. */
	get box(): Extent {
		const pictures = this.images.map((image) => this.#pictureOf(image));
		return commonBox(pictures, this.view.fit === 'width' && this.#mode(pictures) !== 'side');
	}

	override focus(options?: FocusOptions): void {
		this.stage?.focus(options);
	}

	protected override updated(changed: PropertyValues<this>): void {
		if (changed.has('view') || changed.has('current')) {
			this.dispatchEvent(new Event('easel-compare-change'));
		}
	}

	protected override render(): TemplateResult {
		const { images, stage, isChoice } = this;
		const pictures = images.map((image) => this.#pictureOf(image));
		const mode = this.#mode(pictures);
		const room = { width: stage?.clientWidth ?? 1, height: stage?.clientHeight ?? 1 };
		const columns = columnsFor(images.length, this.box, room);
		const [first, ...others] = pictures.filter((picture) => picture !== undefined);
		const isSame = ({ width, height }: Extent) => width === first?.width && height === first.height;
		return html`
			<div class="toolbar row">
				${this.heading} ${images.length === 2 ? this.#buttons(mode, pictures) : nothing}
				<p class="note quiet">${others.every(isSame) ? nothing : hints.differentSizes}</p>
				${this.#zoom.buttons()}
			</div>
			<div
				class="stage ${mode} ${mode === 'overlay' && this.view.blink > 0 ? 'blinking' : ''}"
				role=${isChoice ? 'listbox' : 'group'}
				aria-label=${this.label}
				aria-activedescendant=${isChoice ? `image-${this.current}` : nothing}
				tabindex="0"
				.style=${mode === 'side' ? `grid-template-columns: repeat(${columns}, minmax(0, 1fr))` : ''}
				@keydown=${this.#adjuster.onKey}
			>
				${images.map((image, place) => keyed(image.id, this.#cell(image, place, mode)))}
				${mode === 'slider' ? this.#handle() : nothing}
				${
					mode === 'difference'
						? html`<div class="threshold" .style=${`--gain: ${50 / this.view.threshold}`}></div>`
						: nothing
				}
			</div>
		`;
	}

	#buttons(mode: Mode, pictures: readonly (Extent | undefined)[]): TemplateResult {
		const [left, right] = pictures;
		const isPossible = left !== undefined && right !== undefined;
		const areDifferent = isPossible && left.width * right.height !== right.width * left.height;
		const { view, images } = this;
		const name = images[1]?.name ?? '';
		return html`
			${viewButtons({ view, mode, name, isPossible, areDifferent }, (part) => this.#look(part))}
			${mode === 'side' ? nothing : this.#adjuster.button()}
		`;
	}

	#cell(image: Compared, place: number, mode: Mode): TemplateResult {
		const { isChoice } = this;
		const picture = this.#pictureOf(image);
		const rectangle = picture && placeInBox(picture, place, mode, this.view, this.#zoom.rectangle);
		const turnTo = () => {
			this.current = place;
		};
		return html`
			<div
				class="cell"
				id="image-${place}"
				role=${isChoice ? 'option' : 'group'}
				aria-label=${image.name}
				aria-selected=${isChoice ? String(place === this.current) : nothing}
				@focusin=${turnTo}
				@pointerdown=${turnTo}
			>
				<div class="caption row">${image.caption}</div>
				<div
					class="pane"
					.style=${paneStyle(place, mode, this.view, this.#slider.at)}
					@wheel=${this.#adjuster.onWheel}
					@pointerdown=${this.#adjuster.onPointerDown}
				>
					${
						picture === undefined
							? html`<p class="problem" role="status">${image.problem}</p>`
							: this.#zoom.picture(picture, () => this.#onUndecodable(image), rectangle)
					}
				</div>
				${
					rectangle === undefined || image.over === undefined
						? nothing
						: html`<div
								class="layer"
								@wheel=${this.#adjuster.onWheel}
								@pointerdown=${this.#adjuster.onPointerDown}
							>
								${image.over(rectangle)}
							</div>`
				}
			</div>
		`;
	}

	// --- The slider

	/** Its track, and where it stands on it, in pixels from the left edge of the pane. */
	get #slider(): { readonly track: ReturnType<typeof sliderTrack>; readonly at: number } {
		const track = sliderTrack(this.#zoom.rectangle, this.#zoom.pane);
		return { track, at: track.start + ((track.end - track.start) * this.view.position) / 100 };
	}

	#handle(): TemplateResult {
		const value = Math.round(this.view.position);
		const [left, right] = this.images;
		return html`
			<div
				class="handle"
				role="slider"
				tabindex="0"
				aria-orientation="horizontal"
				aria-label="Slider between ${left?.name} and ${right?.name}"
				aria-valuemin="0"
				aria-valuemax="100"
				aria-valuenow=${value}
				aria-valuetext="${value} % left image, ${100 - value} % right image"
				.style="left: ${this.#slider.at}px"
				@keydown=${this.#onSliderKey}
				@pointerdown=${this.#onSliderDown}
			>
				<span class="grip">${grip}</span>
			</div>
		`;
	}

	readonly #onSliderKey = (event: KeyboardEvent): void => {
		const step = hasModifier(event) ? undefined : sliderSteps[event.key];
		if (step !== undefined) {
			event.preventDefault();
			const times = event.shiftKey && Math.abs(step) === 1 ? 10 : 1;
			this.#look({ position: between(0, this.view.position + step * times, 100) });
		}
	};

	readonly #onSliderDown = (event: PointerEvent): void => {
		// Where the handle was taken, so that it does not jump under the pointer.
		const offset = this.#slider.at - event.clientX;
		drag(event, ({ clientX }) =>
			this.#look({ position: sliderPosition(clientX + offset, this.#slider.track) }),
		);
	};

	// --- What can be shown, and how

	#pictureOf({ picture }: Compared): ViewedPicture | undefined {
		if (!this.undecodable.has(picture?.source ?? '')) {
			return picture;
		}
		return picture?.thumbnail === undefined ? undefined : { ...picture, source: undefined };
	}

	/** Only two can be put over each other; if one cannot be shown, each place says what it has. */
	#mode(pictures: readonly unknown[]): Mode {
		return pictures.length === 2 && !pictures.includes(undefined) ? this.view.mode : 'side';
	}

	#look(part: Partial<View>): void {
		this.view = { ...this.view, ...part };
	}

	#onUndecodable({ id, picture }: Compared): void {
		this.undecodable = new Set([...this.undecodable, picture?.source ?? '']);
		this.dispatchEvent(new CustomEvent('easel-compare-undecodable', { detail: id }));
	}
}

/** Two images are both cut, so that the left one does not shine through where the right is transparent. */
function paneStyle(place: number, mode: Mode, { opacity, blink }: View, at: number): string {
	switch (mode) {
		case 'slider':
			return `clip-path: inset(${place === 0 ? `0 calc(100% - ${at}px) 0 0` : `0 0 0 ${at}px`})`;
		case 'overlay':
			return blink === 0
				? `opacity: ${place === 0 ? 100 - opacity : opacity}%`
				: `animation-duration: ${2 / blink}s`;
		case 'side':
		case 'difference':
			return '';
	}
}

/** Returns where an image lies in its pane; side by side each has its own. */
export function placeInBox(
	picture: Extent,
	place: number,
	mode: Mode,
	{ fit, adjusted }: View,
	box: Rectangle,
): Rectangle {
	if (mode === 'side') {
		return containIn(picture, box);
	}
	const fitted = fit === 'width' ? acrossIn(picture, box) : containIn(picture, box);
	return place === 0 ? fitted : adjustedIn(fitted, adjusted, box);
}

customElements.define('easel-comparison', Comparison);

const grip = icon('M6 4L2 8L6 12M10 4L14 8L10 12');
