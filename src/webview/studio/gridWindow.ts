import type { LitElement, ReactiveController } from 'lit';
import { mostDescribed } from '../../protocol/studio.js';
import {
	layOut,
	placeOf,
	successor,
	tilesAround,
	tilesBetween,
	type GridLayout,
	type Span,
} from './gridLayout.js';
import { ancestorsIn, scrollAreaOf, scrollTarget, seenOf, type Seen } from './scrollArea.js';

/** What the grid says of itself; each is asked whenever it is needed. */
interface Options {
	/** What the tiles lie in; there once the host has been rendered. */
	grid(): HTMLElement;
	ids(): readonly string[];
	/** What the page lays over the top of what is seen, in pixels. */
	covered(): number;
	/** Takes the images that have to be known: those that are seen, and those around them, in order. */
	seen(ids: readonly string[]): void;
}

/**
 * What is seen of the grid in whatever scrolls it: which tiles have to be there, and that those that
 * are seen stay where they are while images come and go above.
 */
export class GridWindow implements ReactiveController {
	/** The tiles that have to be there. */
	span: Span = { start: 0, end: 0 };

	/** Of the grid, in pixels. */
	#width = 0;
	/** Whether the width is another since the last update. */
	#isStale = false;
	#area: Element | undefined;
	#listening = new AbortController();
	readonly #resized = new ResizeObserver(() => this.#onResize());
	/** The first tile that is seen, and how far below the upper edge of what is seen it is. */
	#anchor: { readonly id: string; readonly offset: number } | undefined;
	#telling = 0;

	constructor(
		private readonly host: LitElement,
		private readonly options: Options,
	) {
		host.addController(this);
	}

	hostConnected(): void {
		if (this.host.hasUpdated) {
			this.#onResize();
		}
	}

	hostDisconnected(): void {
		this.#resized.disconnect();
		this.#listening.abort();
		this.#area = undefined;
		cancelAnimationFrame(this.#telling);
	}

	hostUpdated(): void {
		if (!this.host.hasUpdated) {
			this.#onResize();
		}
	}

	get layout(): GridLayout {
		return layOut(this.#width, this.options.ids().length);
	}

	/** What is seen of the grid, in pixels from its upper edge. */
	get seen(): Seen {
		const { top, bottom } = seenOf(this.#area ?? scrollAreaOf(this.host));
		const origin = this.options.grid().getBoundingClientRect().top;
		return { top: top + this.options.covered() - origin, bottom: bottom - origin };
	}

	/** Begins anew, at the top. */
	reset(): void {
		this.#anchor = undefined;
	}

	/** Images have come and gone: what was seen may be among these. To be called before the update. */
	follow(before: readonly string[], now: readonly string[]): void {
		if (this.#anchor !== undefined) {
			const id = successor(this.#anchor.id, before, now);
			this.#anchor = id === undefined ? undefined : { ...this.#anchor, id };
		}
	}

	/** To be called after every update. @param isOther whether there are other images than before it */
	updated(isOther: boolean): void {
		if (isOther || this.#isStale) {
			this.#isStale = false;
			this.#keepPlace();
			this.#measure();
		}
		this.#tell();
	}

	/** Scrolls a tile into view, no further than needed. */
	reveal(index: number): void {
		const { y, height } = placeOf(this.layout, index);
		const { top, bottom } = this.seen;
		const margin = 4;
		const by = Math.min(y - margin - top, Math.max(0, y + height + margin - bottom));
		if (by !== 0) {
			this.#scrollBy(by);
		}
	}

	#onResize(): void {
		const grid = this.options.grid();
		const area = scrollAreaOf(this.host);
		if (area !== this.#area) {
			this.#area = area;
			this.#listening.abort();
			this.#listening = new AbortController();
			const { signal } = this.#listening;
			scrollTarget(area).addEventListener('scroll', this.#onScroll, { signal, passive: true });
			window.addEventListener('resize', this.#onScroll, { signal });
			this.#resized.disconnect();
			for (const element of [grid, area, ...ancestorsIn(area, grid)]) {
				this.#resized.observe(element);
			}
		}
		if (grid.clientWidth !== this.#width) {
			this.#width = grid.clientWidth;
			this.#isStale = true;
			this.host.requestUpdate();
		}
		this.#measure();
	}

	readonly #onScroll = (): void => {
		this.#measure();
		this.#setAnchor();
	};

	/** Finds out which tiles have to be there. */
	#measure(): void {
		const { top, bottom } = this.seen;
		const span = tilesAround(this.layout, top, bottom, mostDescribed);
		if (span.start !== this.span.start || span.end !== this.span.end) {
			this.span = span;
			this.host.requestUpdate();
		}
	}

	#setAnchor(): void {
		const { top, bottom } = this.seen;
		const { layout } = this;
		const index = tilesBetween(layout, top, bottom).start;
		const id = this.options.ids()[index];
		// Where the beginning is seen, it is where new images belong.
		this.#anchor =
			top <= 0 || id === undefined ? undefined : { id, offset: placeOf(layout, index).y - top };
	}

	/** Scrolls so far that what was seen is where it was. */
	#keepPlace(): void {
		if (this.#anchor !== undefined) {
			const index = this.options.ids().indexOf(this.#anchor.id);
			const by = placeOf(this.layout, index).y - this.seen.top - this.#anchor.offset;
			if (index >= 0 && Math.abs(by) >= 1) {
				this.#scrollBy(by);
			}
		}
	}

	#scrollBy(top: number): void {
		this.#area?.scrollBy({ top, behavior: 'instant' });
	}

	/** Once in a frame. */
	#tell(): void {
		cancelAnimationFrame(this.#telling);
		this.#telling = requestAnimationFrame(() => {
			this.options.seen(this.options.ids().slice(this.span.start, this.span.end));
		});
	}
}
