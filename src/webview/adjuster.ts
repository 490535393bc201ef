import { html, type LitElement, type TemplateResult } from 'lit';
import type { View } from '../protocol/compare.js';
import { between, type Adjustment, type Point } from './geometry.js';
import { hasModifier } from './keys.js';
import { hints, pageLabels } from './messages.js';
import { drag, type ZoomAndPan } from './zoomAndPan.js';

interface Host extends LitElement {
	view: View;
}

export const unadjusted: Adjustment = { x: 0, y: 0, scale: 1 };

const scaleStep = 1.01;

/**
 * Lays the right of two images over the left one by hand. While it is on, the pointer, the wheel and
 * the keys move and scale that image instead of both.
 */
export class Adjuster {
	#isOn = false;

	constructor(
		private readonly host: Host,
		private readonly zoom: ZoomAndPan,
	) {}

	button(): TemplateResult {
		return html`
			<button
				aria-pressed=${this.#isOn ? 'true' : 'false'}
				title=${hints.adjust}
				@click=${() => this.#turn(!this.#isOn)}
			>
				${pageLabels.adjust}
			</button>
		`;
	}

	/** Arrow keys move by one pixel of the screen, with Shift by ten. */
	readonly onKey = (event: KeyboardEvent): void => {
		const step = event.shiftKey ? 10 : 1;
		const actions: Readonly<Partial<Record<string, () => void>>> = {
			ArrowLeft: () => this.#moveBy({ x: -step, y: 0 }),
			ArrowRight: () => this.#moveBy({ x: step, y: 0 }),
			ArrowUp: () => this.#moveBy({ x: 0, y: -step }),
			ArrowDown: () => this.#moveBy({ x: 0, y: step }),
			'+': () => this.#scaleBy(scaleStep),
			'=': () => this.#scaleBy(scaleStep),
			'-': () => this.#scaleBy(1 / scaleStep),
			'0': () => this.#look(unadjusted),
			Escape: () => this.#turn(false),
		};
		const action = hasModifier(event) || event.defaultPrevented ? undefined : actions[event.key];
		if (!this.#isOn || action === undefined) {
			this.zoom.onKey(event);
			return;
		}
		event.preventDefault();
		action();
	};

	readonly onWheel = (event: WheelEvent): void => {
		if (!this.#isOn) {
			this.zoom.onWheel(event);
			return;
		}
		event.preventDefault();
		this.#scaleBy(event.deltaY < 0 ? scaleStep : 1 / scaleStep);
	};

	readonly onPointerDown = (event: PointerEvent): void => {
		if (!this.#isOn) {
			this.zoom.onPointerDown(event);
			return;
		}
		let { clientX: x, clientY: y } = event;
		drag(event, ({ clientX, clientY }) => {
			this.#moveBy({ x: clientX - x, y: clientY - y });
			[x, y] = [clientX, clientY];
		});
	};

	#turn(isOn: boolean): void {
		this.#isOn = isOn;
		this.host.requestUpdate();
	}

	/** @param by in pixels of the screen */
	#moveBy(by: Point): void {
		const { x, y, scale } = this.host.view.adjusted;
		const { width, height } = this.zoom.rectangle;
		const within = (value: number) => between(-2, value, 2);
		this.#look({ x: within(x + by.x / width), y: within(y + by.y / height), scale });
	}

	#scaleBy(factor: number): void {
		const { adjusted } = this.host.view;
		this.#look({ ...adjusted, scale: between(0.1, adjusted.scale * factor, 10) });
	}

	#look(adjusted: Adjustment): void {
		this.host.view = { ...this.host.view, adjusted };
	}
}
