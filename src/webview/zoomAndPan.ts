import { html, type ReactiveControllerHost, type TemplateResult } from 'lit';
import {
	clamp,
	fittingScale,
	pan,
	rectangleOf,
	zoomAt,
	type Placement,
	type Point,
	type Rectangle,
	type Size,
} from './geometry.js';
import { icon } from './icon.js';
import { hasModifier } from './keys.js';
import { observeSize } from './observeSize.js';

/** Where somebody looks, and how closely. */
export interface Look {
	/** Pixels of the screen for one of the image; `fit` follows the room that there is. */
	readonly zoom: 'fit' | number;
	/** The point in the middle of the pane, in fractions of width and height. */
	readonly center: Point;
}

export const wholeImage: Look = { zoom: 'fit', center: { x: 0.5, y: 0.5 } };

/** What an element says of itself; each is asked whenever it is needed. */
interface Options {
	/** What the image is shown in; `null` where there is none now. */
	pane(): HTMLElement | null;
	/** The size of what is looked at, in its own pixels. */
	box(): Size;
	look(): Look;
	/** The user looks at it in another way. */
	change(look: Look): void;
	/** The key for actual pixels, where `1` stands for something else. */
	readonly actualPixelsKey?: string;
}

const zoomStep = 1.25;
/** How far an arrow key moves the images, in pixels of the screen. */
const panStep = 40;

/**
 * Zoom and pan by pointer, wheel, keys and buttons, the same for all elements that show images.
 * Where somebody looks is kept by the element, so that a page can keep it too.
 */
export class ZoomAndPan {
	/** The size of the pane. */
	pane: Size = { width: 0, height: 0 };
	/** Whether something is dragged now. */
	dragging = false;

	constructor(
		private readonly host: ReactiveControllerHost,
		private readonly options: Options,
	) {
		observeSize(
			host,
			() => options.pane(),
			([entry]) => this.#measure(entry!.target),
		);
	}

	get placement(): Placement {
		const { zoom, center } = this.options.look();
		const box = this.options.box();
		const scale = zoom === 'fit' ? fittingScale(box, this.pane) : zoom;
		return clamp({ scale, center }, box, this.pane);
	}

	/** Where the image lies in the pane. */
	get rectangle(): Rectangle {
		return rectangleOf(this.placement, this.options.box(), this.pane);
	}

	/** Whether the image is so large that its pixels are shown as what they are. */
	get pixelated(): boolean {
		return this.placement.scale >= 3;
	}

	/** The buttons, and the zoom in percent. For a `.toolbar`. */
	buttons(): TemplateResult {
		return html`
			<div class="buttons zoom" role="group" aria-label="Zoom">
				${zoomButton('Zoom Out (-)', minus, () => this.#zoomBy(1 / zoomStep))}
				<output aria-label="Zoom">${percent(this.placement.scale)}</output>
				${zoomButton('Zoom In (+)', plus, () => this.#zoomBy(zoomStep))}
				<button
					aria-pressed=${this.options.look().zoom === 'fit' ? 'true' : 'false'}
					title="Fit (0)"
					@click=${this.#fit}
				>
					Fit
				</button>
				<button
					aria-label="1:1, Actual Pixels"
					title="Actual Pixels (${(this.options.actualPixelsKey ?? '1').toUpperCase()})"
					@click=${this.#actualPixels}
				>
					1:1
				</button>
			</div>
		`;
	}

	/** Does what a key stands for. What another listener has taken already is left to it. */
	readonly onKey = (event: KeyboardEvent): void => {
		const action = hasModifier(event) ? undefined : this.#actionFor(event.key);
		if (action !== undefined && !event.defaultPrevented) {
			event.preventDefault();
			action();
		}
	};

	/** @param at where the pointer is, in pixels from the upper left corner of the pane */
	zoomByWheel(event: WheelEvent, at: Point): void {
		event.preventDefault();
		const pixels = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : 30;
		// A pinch comes as a wheel with the control key, in small steps.
		const factor = Math.exp(-event.deltaY * pixels * (event.ctrlKey ? 0.01 : 0.002));
		const { placement } = this;
		this.#place(zoomAt(placement, placement.scale * factor, at, this.options.box(), this.pane));
	}

	/** Moves the images with the pointer. */
	readonly onPointerDown = (event: PointerEvent): void => {
		if (event.button !== 0) {
			return;
		}
		// Not by `movementX`: some systems count it in other pixels.
		let { clientX: x, clientY: y } = event;
		this.drag(event, ({ clientX, clientY }) => {
			this.#panBy({ x: clientX - x, y: clientY - y });
			[x, y] = [clientX, clientY];
		});
	};

	/** Calls `move` until the pointer that went down is let go. */
	drag(start: PointerEvent, move: (event: PointerEvent) => void): void {
		const target = start.currentTarget as HTMLElement;
		const ended = new AbortController();
		const end = () => {
			this.#setDragging(false);
			ended.abort();
		};
		const { signal } = ended;
		target.setPointerCapture(start.pointerId);
		this.#setDragging(true);
		target.addEventListener('pointermove', move, { signal });
		target.addEventListener('lostpointercapture', end, { signal });
	}

	readonly #fit = (): void => {
		this.options.change(wholeImage);
	};

	readonly #actualPixels = (): void => {
		this.#place(clamp({ ...this.placement, scale: 1 }, this.options.box(), this.pane));
	};

	#actionFor(key: string): (() => void) | undefined {
		return key === (this.options.actualPixelsKey ?? '1') ? this.#actualPixels : this.#keys[key];
	}

	readonly #keys: Readonly<Partial<Record<string, () => void>>> = {
		'+': () => this.#zoomBy(zoomStep),
		'=': () => this.#zoomBy(zoomStep),
		'-': () => this.#zoomBy(1 / zoomStep),
		'0': this.#fit,
		ArrowLeft: () => this.#panBy({ x: panStep, y: 0 }),
		ArrowRight: () => this.#panBy({ x: -panStep, y: 0 }),
		ArrowUp: () => this.#panBy({ x: 0, y: panStep }),
		ArrowDown: () => this.#panBy({ x: 0, y: -panStep }),
	};

	#place({ scale, center }: Placement): void {
		this.options.change({ zoom: scale, center });
	}

	/** Zooms around the middle. */
	#zoomBy(factor: number): void {
		const { placement, pane } = this;
		const middle = { x: pane.width / 2, y: pane.height / 2 };
		this.#place(zoomAt(placement, placement.scale * factor, middle, this.options.box(), pane));
	}

	#panBy(by: Point): void {
		const placement = pan(this.placement, by, this.options.box(), this.pane);
		// What fits cannot be moved, and goes on to follow the panel.
		if (this.options.look().zoom !== 'fit') {
			this.#place(placement);
		}
	}

	#measure({ clientWidth: width, clientHeight: height }: Element): void {
		if (width !== this.pane.width || height !== this.pane.height) {
			this.pane = { width, height };
			this.host.requestUpdate();
		}
	}

	#setDragging(dragging: boolean): void {
		this.dragging = dragging;
		this.host.requestUpdate();
	}
}

const minus = icon('M3 8H13');
const plus = icon('M3 8H13M8 3V13');

function percent(scale: number): string {
	return `${Math.round(scale * 100)} %`;
}

function zoomButton(name: string, icon: TemplateResult, action: () => void): TemplateResult {
	return html`<button
		class="icon"
		aria-label=${name.replace(/ \(.*/, '')}
		title=${name}
		@click=${action}
	>
		${icon}
	</button>`;
}
