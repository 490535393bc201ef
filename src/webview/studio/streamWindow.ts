import type { LitElement, ReactiveController } from 'lit';
import type { Rectangle } from '../geometry.js';
import type { Heights } from './onScreen.js';
import { successor } from './successor.js';
import {
	cellsOf,
	headerHeight,
	layOut,
	type Block,
	type RoundShape,
	type Span,
	type StreamLayout,
} from './streamLayout.js';
import { roundsBetween } from './streamSpan.js';

/** What the stream says of itself; each is asked whenever it is needed. */
interface Options {
	/** What scrolls, and what lies in it; there once the host has been rendered. */
	area(): HTMLElement;
	content(): HTMLElement;
	/** Another array whenever something of the layout is another. */
	rounds(): readonly RoundShape[];
	/** Called once in a frame after what has to be known may be another. */
	seen(): void;
}

/**
 * What is seen of the stream: which rounds have to be there, and that those that are seen stay where
 * they are while others come and go above.
 */
export class StreamWindow implements ReactiveController {
	/** Between these heights everything has to be there. */
	ready: Heights = { top: 0, bottom: 0 };

	#width = 0;
	#layout: StreamLayout = layOut([], 0);
	#laidOut: readonly RoundShape[] = [];
	/** As it was at the last update. */
	#shown = this.#layout;
	readonly #resized = new ResizeObserver(() => this.#onResize());
	/** What is seen first, or was held: its round, its slot, and how far below the edge these are. */
	#anchor: Anchor | undefined;
	#sending = 0;

	constructor(
		private readonly host: LitElement,
		private readonly options: Options,
	) {
		host.addController(this);
	}

	hostConnected(): void {
		if (this.host.hasUpdated) {
			this.#observe();
		}
	}

	hostDisconnected(): void {
		this.#resized.disconnect();
		cancelAnimationFrame(this.#sending);
	}

	hostUpdated(): void {
		if (!this.host.hasUpdated) {
			this.#observe();
		}
	}

	get layout(): StreamLayout {
		const rounds = this.options.rounds();
		if (rounds !== this.#laidOut) {
			this.#laidOut = rounds;
			this.#layout = layOut(rounds, this.#width);
		}
		return this.#layout;
	}

	get seen(): Heights {
		const { scrollTop, clientHeight } = this.options.area();
		const origin = this.options.content().offsetTop;
		return { top: scrollTop - origin, bottom: scrollTop - origin + clientHeight };
	}

	/** The rounds of which something has to be there. */
	get span(): Span {
		return roundsBetween(this.layout, this.ready.top, this.ready.bottom);
	}

	/** Begins anew, at the top. */
	reset(): void {
		this.#anchor = undefined;
		this.options.area().scrollTo({ top: 0, behavior: 'instant' });
	}

	/** Keeps a round where it is during the next update, whatever is seen above it. */
	hold(id: string): void {
		const block = this.layout.blocks.find(({ round }) => round.id === id);
		if (block !== undefined) {
			this.#anchor = { round: id, below: block.y - this.seen.top };
		}
	}

	/** Rounds have come and gone: what was seen may be among these. To be called before the update. */
	follow(before: readonly RoundShape[], now: readonly RoundShape[]): void {
		if (this.#anchor !== undefined) {
			const ids = (rounds: readonly RoundShape[]) => rounds.map(({ id }) => id);
			const round = successor(this.#anchor.round, ids(before), ids(now));
			this.#anchor =
				round === undefined
					? undefined
					: round === this.#anchor.round
						? this.#anchor
						: { round, below: this.#anchor.below };
		}
	}

	/** To be called after every update. */
	updated(): void {
		if (this.layout !== this.#shown) {
			this.#shown = this.layout;
			this.#keepPlace();
			this.#setAnchor();
			this.#measure();
		}
		this.#send();
	}

	/**
	 * Scrolls a rectangle of the stream into view, no further than needed.
	 *
	 * @param covered how much lies over the lower edge of what is seen, in pixels
	 */
	reveal({ y, height }: Pick<Rectangle, 'y' | 'height'>, covered: number): void {
		const { top, bottom } = this.seen;
		const margin = 6;
		const by = Math.min(y - margin - top, Math.max(0, y + height + margin + covered - bottom));
		if (by !== 0) {
			this.#scrollBy(by);
		}
	}

	/** Says once in a frame that what has to be known may be another. */
	#send(): void {
		cancelAnimationFrame(this.#sending);
		this.#sending = requestAnimationFrame(() => this.options.seen());
	}

	readonly onScroll = (): void => {
		this.#setAnchor();
		this.#measure();
	};

	#observe(): void {
		this.#resized.disconnect();
		this.#resized.observe(this.options.area());
		this.#resized.observe(this.options.content());
		this.#onResize();
	}

	#onResize(): void {
		const { clientWidth } = this.options.content();
		if (clientWidth !== this.#width) {
			this.#width = clientWidth;
			this.#layout = layOut(this.options.rounds(), clientWidth);
			this.#laidOut = this.options.rounds();
			this.host.requestUpdate();
		}
		this.#measure();
	}

	/**
	 * Finds out what has to be there: one screen more above and below. It is found out again when a
	 * quarter of that is used up: not at every turn of the wheel, and not for too much at once.
	 */
	#measure(): void {
		const { top, bottom } = this.seen;
		const screen = Math.max(bottom - top, 0);
		const { ready } = this;
		const isEnough =
			(ready.top <= 0 || top - (screen * 3) / 4 >= ready.top) &&
			(ready.bottom >= this.layout.height || bottom + (screen * 3) / 4 <= ready.bottom);
		if (!isEnough || top < ready.top || bottom - top > ready.bottom - ready.top) {
			this.ready = { top: top - screen, bottom: bottom + screen };
			this.host.requestUpdate();
		}
	}

	#setAnchor(): void {
		const { top, bottom } = this.seen;
		const { layout } = this;
		const block = layout.blocks[roundsBetween(layout, top, bottom).start];
		// Where the beginning is seen, it is where new rounds belong.
		this.#anchor = top <= 0 || block === undefined ? undefined : anchorAt(layout, block, top);
	}

	/** Scrolls so far that what was seen is where it was. */
	#keepPlace(): void {
		const anchor = this.#anchor;
		const block = anchor && this.layout.blocks.find(({ round: { id } }) => id === anchor.round);
		if (anchor === undefined || block === undefined) {
			return;
		}
		const { slot } = anchor;
		const cell = slot && cellsOf(this.layout, block).find(({ ids }) => ids.includes(slot.id));
		const by = this.seen.top - (cell && slot ? cell.y - slot.below : block.y - anchor.below);
		if (Math.abs(by) >= 1) {
			this.#scrollBy(-by);
		}
	}

	#scrollBy(top: number): void {
		this.options.area().scrollBy({ top, behavior: 'instant' });
	}
}

interface Anchor {
	readonly round: string;
	/** How far below the upper edge of what is seen it is; less than 0 where it begins above. */
	readonly below: number;
	/** Where the round's header is not seen any more: its first tile that is. */
	readonly slot?: { readonly id: string; readonly below: number };
}

function anchorAt(layout: StreamLayout, block: Block, top: number): Anchor {
	const anchor = { round: block.round.id, below: block.y - top };
	const cell =
		block.y + headerHeight > top
			? undefined
			: cellsOf(layout, block).find(({ y, height }) => y + height > top);
	return cell === undefined
		? anchor
		: { ...anchor, slot: { id: cell.ids[0]!, below: cell.y - top } };
}
