import type { LitElement } from 'lit';
import { between, type Point, type Size } from '../geometry.js';

/** Between what is over the page and the edge of the window, in pixels. */
const margin = 4;

/** Returns where something comes to lie so that it is seen, as near to `at` as that allows. */
export function withinWindow(at: Point, { width, height }: Size, window: Size): Point {
	return {
		x: between(margin, at.x, Math.max(margin, window.width - width - margin)),
		y: between(margin, at.y, Math.max(margin, window.height - height - margin)),
	};
}

/**
 * What lies over the page until a person turns to something else. A popover that closes by itself
 * would take the release of the right button that has opened it for that.
 */
export class Popup {
	/** Where the focus goes back to. */
	#from: HTMLElement | undefined;
	#opened = new AbortController();

	constructor(
		private readonly host: LitElement,
		private readonly options: {
			/** An element with `popover="manual"` and `position: fixed` in the upper left corner. */
			element(): HTMLElement;
			/** It is closed, whoever has done it. */
			closed?(): void;
		},
	) {
		host.addController({ hostDisconnected: () => this.dismiss() });
	}

	/**
	 * @param place where its upper left corner is, in pixels of the window
	 * @param from what has the focus when it is closed by a key or a choice
	 */
	open(place: (size: Size, window: Size) => Point, from: HTMLElement): void {
		this.dismiss();
		this.#from = from;
		this.#opened = new AbortController();
		const { signal } = this.#opened;
		const element = this.options.element();
		element.showPopover();
		signal.addEventListener('abort', () => {
			element.hidePopover();
			this.options.closed?.();
		});
		this.#dismissWhereOthersDo(signal);
		const { innerWidth: width, innerHeight: height } = window;
		const { x, y } = place(element.getBoundingClientRect(), { width, height });
		// A property: the page's policy allows no style attributes.
		element.style.translate = `${x}px ${y}px`;
	}

	/** Closes it and gives the focus back. */
	close(): void {
		this.dismiss();
		this.#from?.focus({ preventScroll: true });
	}

	/** Closes it and leaves the focus to who has it. */
	dismiss(): void {
		this.#opened.abort();
	}

	#dismissWhereOthersDo(signal: AbortSignal): void {
		const dismiss = (event: Event) => {
			const isOwn = event.composedPath().includes(this.host);
			// What loses the focus when it is opened says so here as well as the window.
			const isElement = event.type === 'blur' && event.target !== window;
			if (!isOwn && !isElement) {
				this.dismiss();
			}
		};
		for (const type of ['pointerdown', 'wheel', 'resize', 'blur', 'focusin']) {
			window.addEventListener(type, dismiss, { signal, capture: true, passive: true });
		}
	}
}
