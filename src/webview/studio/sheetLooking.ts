import type { LitElement, ReactiveController } from 'lit';
import { maxLookedAt, type SheetFile } from '../../protocol/studio.js';
import { ask } from './events.js';
import type { Heights } from './onScreen.js';
import { cellsBetween, type SheetLayout } from './sheetLayout.js';

interface Options {
	/** What scrolls; there once the host has been rendered. */
	area(): HTMLElement;
	layout(): SheetLayout;
	files(): readonly SheetFile[];
}

/** How long nothing is asked for after something was, in milliseconds: who scrolls on needs none of it. */
const pauseMs = 100;

/** What is seen of a sheet and around it: that has to be there, and no more is asked for. */
export class SheetLooking implements ReactiveController {
	/** Between these heights everything has to be there. */
	ready: Heights = { top: 0, bottom: 0 };

	#asked = '';
	#waiting: ReturnType<typeof setTimeout> | undefined;
	#lastAsked = 0;

	constructor(
		private readonly host: LitElement,
		private readonly options: Options,
	) {
		host.addController(this);
	}

	hostDisconnected(): void {
		clearTimeout(this.#waiting);
		this.#waiting = undefined;
	}

	get seen(): Heights {
		const { scrollTop, clientHeight } = this.options.area();
		return { top: scrollTop, bottom: scrollTop + clientHeight };
	}

	/** Finds out what has to be there: one screen more above and below, once half of that is used up. */
	measure(): void {
		const { top, bottom } = this.seen;
		const screen = Math.max(bottom - top, 0);
		const { ready } = this;
		const isEnough =
			(ready.top <= 0 || top - screen / 2 >= ready.top) &&
			(ready.bottom >= this.options.layout().height || bottom + screen / 2 <= ready.bottom);
		if (!isEnough || top < ready.top || bottom > ready.bottom) {
			this.ready = { top: top - screen, bottom: bottom + screen };
			this.host.requestUpdate();
		}
	}

	/** To be called after every update. */
	updated(): void {
		const rest = this.#lastAsked + pauseMs - performance.now();
		this.#waiting ??= setTimeout(
			() => {
				this.#waiting = undefined;
				this.#ask();
			},
			Math.max(rest, 0),
		);
	}

	#ask(): void {
		const layout = this.options.layout();
		const files = this.options.files();
		const seen = cellsBetween(layout, this.seen);
		const ready = cellsBetween(layout, this.ready);
		const named = [
			...files.slice(seen.start, seen.end),
			...files.slice(seen.end, ready.end),
			...files.slice(ready.start, Math.max(ready.start, seen.start)),
		]
			.slice(0, maxLookedAt)
			.map(({ id }) => id);
		const asked = named.join();
		if (asked !== this.#asked) {
			this.#asked = asked;
			this.#lastAsked = performance.now();
			ask(this.host, { type: 'lookAt', files: named });
		}
	}
}
