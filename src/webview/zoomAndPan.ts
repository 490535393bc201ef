import { html, nothing, type LitElement, type TemplateResult } from 'lit';
import {
	clamp,
	containIn,
	fittingScale,
	pan,
	rectangleOf,
	rectangleStyle,
	zoomAt,
	type Placement,
	type Point,
	type Rectangle,
	type Extent,
} from './geometry.js';
import { icon } from './icon.js';
import { hasModifier } from './keys.js';
import { observeSize } from './observeSize.js';

/** Part of the image that the user looks at, and its zoom. */
export interface Look {
	/** Pixels of the screen for one of the image; `fit` follows the room that there is. */
	readonly zoom: 'fit' | number;
	/** The point in the middle of the pane, in fractions of width and height. */
	readonly center: Point;
}

export const wholeImage: Look = { zoom: 'fit', center: { x: 0.5, y: 0.5 } };

/** An image, as far as it can be shown: `width` and `height` in its own pixels. */
export interface ViewedPicture extends Extent {
	readonly name: string;
	readonly source?: string | undefined;
	readonly thumbnail?: string | undefined;
}

/** An element that shows images zoomed and moved, all of them alike. */
interface Host extends LitElement {
	view: Look;
	/** The size of what is looked at, in its own pixels. */
	readonly box: Extent;
	/** Pane that shows an image; `null` where there is none now. */
	readonly pane: HTMLElement | null;
}

const zoomStep = 1.25;
/** Step of an arrow key, in pixels of the screen. */
const panStep = 40;

/** Zoom and pan by pointer, wheel, keys and buttons, the same for all elements that show images. */
export class ZoomAndPan {
	/** The size of the pane. */
	pane: Extent = { width: 0, height: 0 };

	constructor(private readonly host: Host) {
		observeSize(
			host,
			() => host.pane,
			([entry]) => this.#measure(entry!.target),
		);
	}

	get placement(): Placement {
		const { view, box } = this.host;
		const scale = view.zoom === 'fit' ? fittingScale(box, this.pane) : view.zoom;
		return clamp({ scale, center: view.center }, box, this.pane);
	}

	/** Rectangle of the image in the pane. */
	get rectangle(): Rectangle {
		return rectangleOf(this.placement, this.host.box, this.pane);
	}

	/** The buttons, and the zoom in percent. For a `.toolbar`. */
	buttons(): TemplateResult {
		return html`
			<div class="buttons zoom" role="group" aria-label="Zoom">
				${zoomButton('Zoom Out (-)', minus, () => this.#zoomBy(1 / zoomStep))}
				<output aria-label="Zoom">${Math.round(this.placement.scale * 100)} %</output>
				${zoomButton('Zoom In (+)', plus, () => this.#zoomBy(zoomStep))}
				<button
					aria-pressed=${this.host.view.zoom === 'fit' ? 'true' : 'false'}
					title="Fit (0)"
					@click=${this.#fit}
				>
					Fit
				</button>
				<button
					aria-label="1:1, Actual Pixels"
					title="Actual Pixels (Z)"
					@click=${this.#actualPixels}
				>
					1:1
				</button>
			</div>
		`;
	}

	/**
	 * An image in its place. Its thumbnail stays below it until it has been decoded.
	 *
	 * @param rectangle in the pane; the middle of the box by default
	 */
	picture(
		picture: ViewedPicture,
		onUndecodable: () => void,
		rectangle = containIn(picture, this.rectangle),
	): TemplateResult {
		const { name, source, thumbnail } = picture;
		// Set as a property: the page's policy allows no style attributes.
		const place = rectangleStyle(rectangle);
		return html`
			${
				thumbnail === undefined
					? nothing
					: html`<img
							class="thumbnail"
							src=${thumbnail}
							alt=${source === undefined ? name : ''}
							draggable="false"
							.style=${place}
						/>`
			}
			${
				source === undefined
					? nothing
					: html`<img
							class="loading"
							src=${source}
							alt=${name}
							decoding="async"
							draggable="false"
							.style="${place}; image-rendering: ${this.placement.scale >= 3 ? 'pixelated' : 'auto'}"
							@load=${onLoad}
							@error=${onUndecodable}
						/>`
			}
		`;
	}

	/** Does what a key stands for. What another listener has taken already is left to it. */
	readonly onKey = (event: KeyboardEvent): void => {
		const action = hasModifier(event) ? undefined : this.#keys[event.key];
		if (action !== undefined && !event.defaultPrevented) {
			event.preventDefault();
			action();
		}
	};

	/** Zooms around the pointer. For a pane. */
	readonly onWheel = (event: WheelEvent): void => {
		event.preventDefault();
		const { left, top } = (event.currentTarget as HTMLElement).getBoundingClientRect();
		const pixels = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : 30;
		// A pinch comes as a wheel with the control key, in small steps.
		const factor = Math.exp(-event.deltaY * pixels * (event.ctrlKey ? 0.01 : 0.002));
		this.#zoomBy(factor, { x: event.clientX - left, y: event.clientY - top });
	};

	/** Moves the images with the pointer. */
	readonly onPointerDown = (event: PointerEvent): void => {
		// Not by `movementX`: some systems count it in other pixels.
		let { clientX: x, clientY: y } = event;
		drag(event, ({ clientX, clientY }) => {
			this.#panBy({ x: clientX - x, y: clientY - y });
			[x, y] = [clientX, clientY];
		});
	};

	readonly #fit = (): void => this.#look(wholeImage);

	readonly #actualPixels = (): void => {
		this.#place(clamp({ ...this.placement, scale: 1 }, this.host.box, this.pane));
	};

	readonly #keys: Readonly<Partial<Record<string, () => void>>> = {
		'+': () => this.#zoomBy(zoomStep),
		'=': () => this.#zoomBy(zoomStep),
		'-': () => this.#zoomBy(1 / zoomStep),
		'0': this.#fit,
		'1': this.#actualPixels,
		z: this.#actualPixels,
		ArrowLeft: () => this.#panBy({ x: panStep, y: 0 }),
		ArrowRight: () => this.#panBy({ x: -panStep, y: 0 }),
		ArrowUp: () => this.#panBy({ x: 0, y: panStep }),
		ArrowDown: () => this.#panBy({ x: 0, y: -panStep }),
	};

	#look(look: Look): void {
		this.host.view = { ...this.host.view, ...look };
	}

	#place({ scale, center }: Placement): void {
		this.#look({ zoom: scale, center });
	}

	/** @param at in pixels from the upper left corner of the pane */
	#zoomBy(factor: number, at = { x: this.pane.width / 2, y: this.pane.height / 2 }): void {
		const { placement, pane } = this;
		this.#place(zoomAt(placement, placement.scale * factor, at, this.host.box, pane));
	}

	#panBy(by: Point): void {
		// What fits cannot be moved, and goes on to follow the panel.
		if (this.host.view.zoom !== 'fit') {
			this.#place(pan(this.placement, by, this.host.box, this.pane));
		}
	}

	#measure({ clientWidth: width, clientHeight: height }: Element): void {
		if (width !== this.pane.width || height !== this.pane.height) {
			this.pane = { width, height };
			this.host.requestUpdate();
		}
	}
}

/** Calls `move` until the pointer that went down is let go, then `end`. */
export function drag(
	start: PointerEvent,
	move: (event: PointerEvent) => void,
	end?: () => void,
): void {
	if (start.button !== 0) {
		return;
	}
	const target = start.currentTarget as HTMLElement;
	const ended = new AbortController();
	const { signal } = ended;
	target.setPointerCapture(start.pointerId);
	target.addEventListener('pointermove', move, { signal });
	const onEnd = () => {
		ended.abort();
		end?.();
	};
	target.addEventListener('lostpointercapture', onEnd, { signal });
}

const minus = icon('M3 8H13');
const plus = icon('M3 8H13M8 3V13');

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

/** Loaded is not yet decoded: without the thumbnail there would be nothing for a moment. */
async function onLoad({ currentTarget }: Event): Promise<void> {
	const image = currentTarget as HTMLImageElement;
	await image.decode().catch(() => undefined);
	image.classList.remove('loading');
}
