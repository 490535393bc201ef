import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import { defaultView, type Mode, type View } from '../protocol/compare.js';
import {
	between,
	columnsFor,
	commonBox,
	sliderPosition,
	sliderTrack,
	type Extent,
} from './geometry.js';
import { icon } from './icon.js';
import { hasModifier } from './keys.js';
import { hints, pageLabels } from './messages.js';
import { PageElement } from './pageElement.js';
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
}

const modeNames = Object.entries({
	slider: pageLabels.slider,
	side: pageLabels.sideBySide,
	overlay: pageLabels.overlay,
} satisfies Record<Mode, string>) as [Mode, string][];

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
 * them, or one over the other.
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

	/** In which all of them are shown. */
	get box(): Extent {
		return commonBox(this.images.map((image) => this.#pictureOf(image)));
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
				${this.heading} ${images.length === 2 ? this.#modes(mode, pictures) : nothing}
				<p class="note quiet">${others.every(isSame) ? nothing : hints.differentSizes}</p>
				${this.#zoom.buttons()}
			</div>
			<div
				class="stage ${mode}"
				role=${isChoice ? 'listbox' : 'group'}
				aria-label=${this.label}
				aria-activedescendant=${isChoice ? `image-${this.current}` : nothing}
				tabindex="0"
				.style=${mode === 'side' ? `grid-template-columns: repeat(${columns}, minmax(0, 1fr))` : ''}
				@keydown=${this.#zoom.onKey}
			>
				${images.map((image, place) => keyed(image.id, this.#cell(image, place, mode)))}
				${mode === 'slider' ? this.#handle() : nothing}
			</div>
		`;
	}

	#modes(mode: Mode, pictures: readonly unknown[]): TemplateResult {
		const name = this.images[1]?.name ?? '';
		return html`
			<div class="buttons" role="group" aria-label="Comparison">
				${modeNames.map(
					([value, label]) => html`
						<button
							aria-pressed=${value === mode ? 'true' : 'false'}
							?disabled=${pictures.includes(undefined)}
							@click=${() => this.#look({ mode: value })}
						>
							${label}
						</button>
					`,
				)}
			</div>
			${
				mode === 'overlay'
					? html`<input
							class="opacity"
							type="range"
							aria-label="Opacity of ${name}"
							aria-valuetext="${Math.round(this.view.opacity)} %"
							title="Opacity of ${name}"
							.value=${String(this.view.opacity)}
							@input=${({ target }: InputEvent) =>
								this.#look({ opacity: (target as HTMLInputElement).valueAsNumber })}
						/>`
					: nothing
			}
		`;
	}

	#cell(image: Compared, place: number, mode: Mode): TemplateResult {
		const { isChoice } = this;
		const picture = this.#pictureOf(image);
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
					.style=${this.#paneStyle(place, mode)}
					@wheel=${this.#zoom.onWheel}
					@pointerdown=${this.#zoom.onPointerDown}
				>
					${
						picture === undefined
							? html`<p class="problem" role="status">${image.problem}</p>`
							: this.#zoom.picture(picture, () => this.#onUndecodable(image))
					}
				</div>
			</div>
		`;
	}

	/** Two images are both cut, so that the left one does not shine through where the right is transparent. */
	#paneStyle(place: number, mode: Mode): string {
		const { opacity } = this.view;
		const { at } = this.#slider;
		switch (mode) {
			case 'slider':
				return `clip-path: inset(${place === 0 ? `0 calc(100% - ${at}px) 0 0` : `0 0 0 ${at}px`})`;
			case 'overlay':
				return `opacity: ${place === 0 ? 100 - opacity : opacity}%`;
			case 'side':
				return '';
		}
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

customElements.define('easel-comparison', Comparison);

const grip = icon('M6 4L2 8L6 12M10 4L14 8L10 12');
