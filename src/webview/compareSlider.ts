import { html, type TemplateResult } from 'lit';
import { between, sliderPosition, sliderTrack } from './geometry.js';
import { icon } from './icon.js';
import { hasModifier } from './keys.js';
import type { ZoomAndPan } from './zoomAndPan.js';

/** In percent. */
const smallStep = 1;
const largeStep = 10;

/** What the comparison says of itself; each is asked whenever it is needed. */
interface Options {
	/** How much of the visible width shows the left image, in percent. */
	position(): number;
	/** The user has moved the slider, to a position from 0 to 100. */
	change(position: number): void;
}

/** The slider between two images that lie over each other. */
export class CompareSlider {
	constructor(
		private readonly zoom: ZoomAndPan,
		private readonly options: Options,
	) {}

	/** Where the left image ends and the right one begins, in pixels from the left edge of the stage. */
	get place(): number {
		const { start, end } = this.#track;
		return start + ((end - start) * this.options.position()) / 100;
	}

	/**
	 * @param left the name of the image on the left
	 * @param right that of the one on the right
	 */
	handle(left: string, right: string): TemplateResult {
		const value = Math.round(this.options.position());
		return html`
			<div
				class="handle"
				role="slider"
				tabindex="0"
				aria-orientation="horizontal"
				aria-label="Slider between ${left} and ${right}"
				aria-valuemin="0"
				aria-valuemax="100"
				aria-valuenow=${value}
				aria-valuetext="${value} % left image, ${100 - value} % right image"
				.style="left: ${this.place}px"
				@keydown=${this.#onKey}
				@pointerdown=${this.#onPointerDown}
			>
				<span class="grip">${grip}</span>
			</div>
		`;
	}

	get #track(): { start: number; end: number } {
		return sliderTrack(this.zoom.rectangle, this.zoom.pane);
	}

	readonly #onKey = (event: KeyboardEvent): void => {
		const position = hasModifier(event) ? undefined : this.#positionFor(event);
		if (position !== undefined) {
			event.preventDefault();
			this.options.change(between(0, position, 100));
		}
	};

	/** Where a key sends the slider; `undefined` for any other key. */
	#positionFor({ key, shiftKey }: KeyboardEvent): number | undefined {
		const position = this.options.position();
		const step = shiftKey ? largeStep : smallStep;
		switch (key) {
			case 'ArrowLeft':
			case 'ArrowDown':
				return position - step;
			case 'ArrowRight':
			case 'ArrowUp':
				return position + step;
			case 'PageDown':
				return position - largeStep;
			case 'PageUp':
				return position + largeStep;
			case 'Home':
				return 0;
			case 'End':
				return 100;
			default:
				return undefined;
		}
	}

	readonly #onPointerDown = (event: PointerEvent): void => {
		if (event.button !== 0) {
			return;
		}
		// Where the handle was taken, so that it does not jump under the pointer.
		const offset = this.place - event.clientX;
		event.stopPropagation();
		this.zoom.drag(event, ({ clientX }) => {
			this.options.change(sliderPosition(clientX + offset, this.#track));
		});
	};
}

const grip = icon('M6 4L2 8L6 12M10 4L14 8L10 12');
