import type { LitElement } from 'lit';
import { everything, type Image, type Slot, maxCompared } from '../../protocol/studio.js';
import { dispatch } from '../dispatch.js';
import { announce, ask } from './events.js';
import type { GalleryComparison } from './galleryComparison.js';
import type { ImageDetail } from './imageDetail.js';
import type { RoundList } from './roundList.js';
import { imagesIn, isSame, isSearching, type Rounds } from './streamRounds.js';
import { selectionWords, toggled, viewWithout, type StreamView } from './streamView.js';
import { hints, messages } from '../messages.js';

declare global {
	interface HTMLElementEventMap {
		/** The user looks at something else; the stream's `view` has it already. */
		'easel-view-change': CustomEvent<StreamView>;
		/** What had the focus has gone, and there is nothing like it. */
		'easel-focus-lost': CustomEvent<undefined>;
	}
}

/** The stream, as far as its navigation needs it. */
export interface NavigatedStream extends LitElement {
	readonly rounds: Rounds | undefined;
	readonly images: ReadonlyMap<string, Image>;
	view: StreamView;
}

/** How a person gets from all rounds to one image, to several compared, and back, with the focus. */
export class StreamNavigation {
	/** The images that are to be compared, in the order in which they were selected. */
	selected: readonly string[] = [];

	/** Whether one more was to be selected than can be compared. */
	isFull = false;

	/** The image that the comparison leads back to, if it was begun there. */
	#cameFrom: string | undefined;
	/** The image that is shown as soon as it is among those that are found. */
	#awaited: string | undefined;

	/** @param onAction called when the user does something else than before */
	constructor(
		private readonly host: NavigatedStream,
		private readonly onAction: () => void,
	) {}

	change(part: Partial<StreamView>): void {
		this.host.view = { ...this.host.view, ...part };
		dispatch(this.host, 'easel-view-change', this.host.view);
	}

	open(id: string): void {
		void this.#show({ shown: id, compared: undefined });
	}

	/** Selects an image to be compared, or no longer. */
	select(id: string): void {
		this.onAction();
		const max = this.outdated === undefined ? maxCompared : Infinity;
		const selected = toggled(this.selected, id, max);
		if (selected === undefined) {
			announce(this.host, messages.full(maxCompared), true);
			this.isFull = true;
			this.host.requestUpdate();
			return;
		}
		this.#choose(selected);
		announce(this.host, selectionWords(selected.length));
	}

	/** Selects these images, and no others. */
	selectAll(ids: readonly string[]): void {
		if (ids.length + this.selected.length > 0) {
			this.#choose(ids);
			announce(this.host, selectionWords(ids.length));
		}
	}

	/** Selects an image, so that others can be selected to be compared with it. */
	async beginComparing(id: string): Promise<void> {
		this.#choose([id]);
		announce(this.host, messages.selectOthers);
		this.change({ shown: undefined, compared: undefined });
		await this.#focusList(id);
	}

	async unselect(): Promise<void> {
		const [first] = this.selected;
		this.#choose([]);
		await this.#focusList(first);
	}

	readonly compareSelected = (): void => this.compare(this.selected);

	compare(ids: readonly string[]): void {
		this.#cameFrom = this.host.view.shown;
		void this.#show({ shown: undefined, compared: [...ids] });
	}

	/** To the image before the one that is shown (-1), or after it (1). */
	step(by: -1 | 1): void {
		const { images, view } = this.host;
		const ids = this.ids;
		const index = ids.indexOf(view.shown ?? '');
		const shown = index < 0 ? undefined : ids[index + by];
		if (shown !== undefined) {
			this.onAction();
			this.change({ shown });
			const image = images.get(shown);
			const name =
				image === undefined ? hints.image : `${image.label}, ${image.title ?? image.name}`;
			announce(this.host, `${name}, ${index + by + 1} of ${ids.length}`);
		}
	}

	readonly showAll = async (): Promise<void> => {
		const { shown } = this.host.view;
		this.change({ shown: undefined, compared: undefined });
		await this.#focusList(shown);
	};

	readonly leaveComparison = (): void => {
		const [first] = this.host.view.compared ?? [];
		if (this.#cameFrom !== undefined) {
			void this.#show({ shown: this.#cameFrom, compared: undefined });
		} else {
			this.change({ shown: undefined, compared: undefined });
			void this.#focusList(first);
		}
	};

	/** Shows an image closely where one is shown so, else in its place; searches all if need be. */
	async reveal(id: string): Promise<void> {
		const { rounds, view } = this.host;
		const round = rounds?.rounds.find(({ slots }) => slots.some((slot) => slot.id === id));
		if (round === undefined) {
			if (rounds === undefined || isSame(rounds.query, everything)) {
				announce(this.host, messages.gone, true);
				return;
			}
			this.#awaited = id;
			this.change({ query: everything });
			ask(this.host, { type: 'search', query: everything });
			return;
		}
		const isImage = round.slots.some((slot) => slot.id === id && slot.kind === 'image');
		if (view.shown !== undefined && isImage) {
			this.onAction();
			this.change({ shown: id });
			return;
		}
		this.change({ shown: undefined, compared: undefined });
		this.#list?.unfold(round.id);
		await this.#focusList(id);
	}

	/** Shows the newest round, and leaves the focus where it is. */
	showNewest(): void {
		this.change({ shown: undefined, compared: undefined });
		this.#list?.reset();
	}

	get view(): StreamView {
		return this.host.view;
	}

	/** All images that are found, as they stand in the stream. */
	get ids(): readonly string[] {
		return imagesIn(this.host.rounds?.rounds ?? []);
	}

	/** Those that can be made again with the style of now; `undefined` where others are looked for. */
	get outdated(): readonly string[] | undefined {
		return this.host.rounds?.query.among === 'older' ? this.ids : undefined;
	}

	/** The places of the round in which an image is. */
	slotsBeside(id: string): readonly Slot[] {
		const rounds = this.host.rounds?.rounds ?? [];
		return rounds.find(({ slots }) => slots.some((slot) => slot.id === id))?.slots ?? [];
	}

	/** Leaves what has gone. To be called before the update that shows other rounds. */
	follow(before: Rounds | undefined, now: Rounds): void {
		const hasOtherQuery = before !== undefined && !isSame(before.query, now.query);
		if (hasOtherQuery) {
			this.#list?.reset();
		}
		if (now.rounds.length === 0 && this.#list?.matches(':focus-within') === true) {
			void this.host.updateComplete.then(() => dispatch(this.host, 'easel-focus-lost', undefined));
		}
		const awaited = this.#awaited;
		if (awaited !== undefined && isSame(now.query, everything)) {
			this.#awaited = undefined;
			void this.host.updateComplete.then(() => this.reveal(awaited));
		}
		const { view } = this.host;
		// With another search, what is missing may still be there.
		if (hasOtherQuery || isSearching(now, view.query)) {
			return;
		}
		const ids = imagesIn(now.rounds);
		const idsBefore = before && imagesIn(before.rounds);
		// Only what has gone: what another search does not find is still selected.
		const isGone = (id: string) => !ids.includes(id) && idsBefore?.includes(id) !== false;
		this.#choose(this.selected.filter((id) => !isGone(id)));
		const instead = viewWithout(view, idsBefore, ids);
		if (instead !== undefined) {
			// Nobody who is at work elsewhere in the page is called away.
			const hadFocus = this.host.matches(':focus-within');
			this.change(instead);
			if (hadFocus && instead.shown === undefined && instead.compared === undefined) {
				void this.#focusList(undefined);
			}
		}
	}

	get #list(): RoundList | null {
		return this.host.renderRoot.querySelector<RoundList>('easel-round-list');
	}

	#choose(selected: readonly string[]): void {
		this.selected = selected;
		this.isFull = false;
		this.host.requestUpdate();
	}

	/** Shows one image or several in place of all. */
	async #show(part: Partial<StreamView>): Promise<void> {
		this.onAction();
		this.change(part);
		await this.host.updateComplete;
		await this.host.renderRoot
			.querySelector<ImageDetail | GalleryComparison>(
				'easel-image-detail, easel-gallery-comparison',
			)
			?.focusWithin();
	}

	async #focusList(id: string | undefined): Promise<void> {
		await this.host.updateComplete;
		await this.#list?.focusOn(id);
	}
}
