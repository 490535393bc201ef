import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { everything, type Slot } from '../../protocol/studio.js';
import type { Point } from '../geometry.js';
import { hasModifier } from '../keys.js';
import { gap, ImageGrid, type Page } from './imageGrid.js';
import { actionsFor, isPossible, menuOf, removes, type GalleryAction } from './imageActions.js';
import { imageTile, jobTile } from './tiles.js';
import { openMenu } from './easelMenu.js';
import { roundHeader, runRoundAction } from './roundHeader.js';
import type { RoundPlaces, Rounds } from './rounds.js';
import type { Selection } from './selection.js';
import { askJobs } from './jobActions.js';
import { selectionMenu } from './selectionBar.js';
import type { FolderState } from './store.js';

/** A round, or a part of one that has very many images. */
interface Part {
	readonly round: RoundPlaces;
	readonly slots: readonly Slot[];
	/** True where it is the first part, with the line of the round. */
	readonly isFirst: boolean;
}

interface RoundPage extends Page {
	readonly parts: readonly Part[];
}

/** Number of images that are drawn together, about; a round of more than that is divided. */
const pageSize = 24;
/** Divides rows of 1 to 6 evenly. */
const partSize = 60;
/** The least that an image of a folder is wide, in CSS pixels. */
const minWidth: Readonly<Record<FolderState['cells'], number>> = {
	small: 88,
	medium: 148,
	large: 220,
};
/** Number of rows of a folder that are drawn together. */
const rowsOfPart = 4;
/** Heights of the line of a round, and of a caption, in CSS pixels. */
const [lineHeight, captionHeight] = [32, 28];

/**
 * Returns how many tiles stand beside each other. Three would leave the last of four alone.
 *
 * @param width in CSS pixels
 */
export function columnsFor(width: number): number {
	if (width < 536) {
		return width < 240 ? 1 : 2;
	}
	return Math.max(4, Math.floor((width + gap) / (360 + gap) + 0.7));
}

/** The rounds, newest first, each with its line and its tiles. */
export class RoundGrid extends ImageGrid<RoundPage> {
	protected readonly names = { role: 'grid', label: 'Images' };
	protected readonly focusTarget = 'grid';
	#renaming: string | undefined;
	#top = 0;
	/** Set until it is scrolled to where the user was before the page was loaded anew. */
	#isReturning = false;

	protected get selection(): Selection {
		return this.store.selection;
	}

	protected set selection(selection: Selection) {
		this.store.select(selection);
	}

	constructor() {
		super();
		// From the line of a round, keys lead to its pictures.
		this.addEventListener('focusin', ({ target }) => {
			const line = (target as Element).closest('.header');
			const id = line?.closest<HTMLElement>('[data-round]')?.dataset['round'];
			const active = this.active ?? this.first ?? '';
			if (id !== undefined && this.store.roundOf(active)?.id !== id) {
				this.active = this.cellFor(id);
			}
		});
	}

	protected override canSelect(id: string): boolean {
		return this.store.isImage(id);
	}

	protected override cellFor(id: string): string {
		const { store } = this;
		const round = store.roundOf(id) ?? store.rounds?.rounds.find((one) => one.id === id);
		if (round === undefined) {
			return id;
		}
		if (store.isCollapsed(round)) {
			return round.id;
		}
		const tiles = round.slots.some((slot) => slot.id === id) ? this.#tiles(round.slots) : [];
		const tile = tiles.find((slots) => slots.some((slot) => slot.id === id));
		return (tile ?? round.slots)[0]?.id ?? id;
	}

	protected override willUpdate(changed: PropertyValues): void {
		const { saved, showsFolder } = this.store;
		const { at } = saved.folder ?? {};
		if (showsFolder && this.active === undefined && at !== undefined && this.store.isImage(at)) {
			this.active = at;
			this.#isReturning = true;
		}
		super.willUpdate(changed);
	}

	protected override updated(): void {
		if (this.#top !== this.store.scrolledToTop) {
			this.#top = this.store.scrolledToTop;
			this.active = undefined;
			this.scrollTo({ top: 0, behavior: 'instant' });
		}
		super.updated();
		if (this.store.renaming !== this.#renaming) {
			this.#renaming = this.store.renaming;
			const field = this.querySelector<HTMLInputElement>('.rename');
			field?.focus();
			field?.select();
		}
		this.#savePlace();
		this.classList.toggle('folder', this.store.showsFolder);
		this.classList.toggle('roomy', this.selection.ids.size > 0);
		this.style.setProperty('--columns', String(this.#columns));
	}

	/** Saves where the user is in a folder, which may have thousands of images, and returns there. */
	#savePlace(): void {
		const { saved, showsFolder } = this.store;
		const { active } = this;
		if (!showsFolder || active === undefined) {
			return;
		}
		const cell = this.#isReturning ? this.elementOf(active) : undefined;
		if (cell !== undefined) {
			this.#isReturning = false;
			cell.scrollIntoView({ block: 'center' });
		}
		if (active !== saved.folder?.at && this.store.isImage(active)) {
			this.store.saveFolder({ at: active });
		}
	}

	// --- The pages

	get #columns(): number {
		const { saved, showsFolder } = this.store;
		return showsFolder
			? Math.max(
					1,
					Math.floor((this.width + gap) / (minWidth[saved.folder?.cells ?? 'medium'] + gap)),
				)
			: columnsFor(this.width);
	}

	/** Number of images of a round that are drawn together. */
	get #partSize(): number {
		return this.store.showsFolder ? this.#columns * rowsOfPart : partSize;
	}

	get #rounds(): Rounds['rounds'] {
		return this.store.rounds?.rounds ?? [];
	}

	protected get madeFrom(): readonly unknown[] {
		const folded = this.#rounds.filter((round) => this.store.isCollapsed(round));
		return [this.store.rounds?.rounds, folded.map(({ id }) => id).join(), this.#columns];
	}

	/** From the oldest on, so that a new round changes the first page alone. */
	protected makePages(): readonly RoundPage[] {
		const { store } = this;
		const pages: RoundPage[] = [];
		let parts: Part[] = [];
		let size = 0;
		const step = this.#partSize;
		const close = () => {
			pages.push(this.#page(parts.toReversed(), this.#columns));
			parts = [];
			size = 0;
		};
		for (const round of this.#rounds.toReversed()) {
			for (let start = lastPart(round, step); start >= 0; start -= step) {
				const slots = round.slots.slice(start, start + step);
				parts.push({ round, slots, isFirst: start === 0 });
				size += store.isCollapsed(round) ? 1 : slots.length;
				if (size >= pageSize) {
					close();
				}
			}
		}
		if (parts.length > 0) {
			close();
		}
		return pages.reverse();
	}

	#page(parts: readonly Part[], columns: number): RoundPage {
		const last = parts.at(-1)!;
		const tile = (this.width - gap * (columns - 1)) / columns;
		const heights = parts.map(({ round, slots, isFirst }) => {
			const rows = this.store.isCollapsed(round) ? 0 : Math.ceil(slots.length / columns);
			const ratio = Math.max(slots[0]?.ratio ?? 1, 2 / 3);
			return (
				(isFirst ? lineHeight + 10 : 0) + rows * (Math.min(tile / ratio, 400) + captionHeight + gap)
			);
		});
		return {
			key: `${last.round.id} ${last.slots[0]?.id ?? ''}`,
			parts,
			height: Math.max(
				heights.reduce((sum, height) => sum + height, 0),
				1,
			),
			ids: parts.flatMap(({ round, slots }) =>
				this.store.isCollapsed(round) ? [round.id] : slots.map(({ id }) => id),
			),
		};
	}

	protected shownOn({ parts }: RoundPage): readonly unknown[] {
		const { known, images, jobs, selection, broken } = this.store;
		const ids = parts.flatMap(({ slots }) => slots.map(({ id }) => id));
		const hasJobs = parts.some(({ round }) => round.slots.some(({ kind }) => kind === 'job'));
		return [
			...[selection, this.store.renaming, broken.size, hasJobs ? jobs : undefined],
			...parts.map(({ round }) => known.get(round.id)),
			...ids.map((id) => images.get(id)),
		];
	}

	protected renderPage({ parts }: RoundPage, active: string | undefined): TemplateResult {
		return html`${repeat(
			parts,
			({ round, slots }) => `${round.id} ${slots[0]?.id ?? ''}`,
			(part) => this.#part(part, active),
		)}`;
	}

	#part({ round, slots, isFirst }: Part, active: string | undefined): TemplateResult {
		const isCollapsed = this.store.isCollapsed(round);
		const isActive = active !== undefined && this.store.roundOf(active) === round;
		const { showsFolder } = this.store;
		return html`
			<div
				class="round"
				role="rowgroup"
				aria-labelledby=${showsFolder ? nothing : `title-${round.id}`}
				data-round=${round.id}
			>
				${isFirst && !showsFolder ? roundHeader(this.store, round, isCollapsed, isActive) : nothing}
				${
					isCollapsed
						? nothing
						: html`<div class="tiles" role="row">
								${repeat(
									this.#tiles(slots),
									([{ id }]) => id,
									(tile) => this.#tile(round, tile, active),
								)}
							</div>`
				}
			</div>
		`;
	}

	/** One for each place; neighbors in a row that have failed for the same reason share one. */
	#tiles(slots: readonly Slot[]): (readonly [Slot, ...Slot[]])[] {
		const tiles: [Slot, ...Slot[]][] = [];
		const causeOf = ({ id, kind }: Slot) => {
			const job = kind === 'job' ? this.store.jobs.get(id) : undefined;
			return job?.state === 'failed' ? job.cause : undefined;
		};
		for (const [index, slot] of slots.entries()) {
			const last = tiles.at(-1);
			const cause = causeOf(slot);
			const isInRow = index % this.#columns !== 0;
			if (isInRow && last !== undefined && cause !== undefined && causeOf(last[0]) === cause) {
				last.push(slot);
			} else {
				tiles.push([slot]);
			}
		}
		return tiles;
	}

	#tile(
		round: RoundPlaces,
		slots: readonly [Slot, ...Slot[]],
		active: string | undefined,
	): TemplateResult {
		const { store } = this;
		const isTabStop = slots.some((slot) => slot.id === active);
		// Where the images of a round have several prompts, each says its own.
		const hasOwnPrompt = (store.known.get(round.id)?.prompts ?? 1) > 1;
		const tile = slots[0].kind === 'image' ? imageTile : jobTile;
		return tile(store, { slots, hasOwnPrompt, isTabStop });
	}

	protected override look(pages: readonly RoundPage[], ids: readonly string[]): void {
		const { store } = this;
		if (!store.isCovered) {
			const rounds = pages.flatMap(({ parts }) => parts.map(({ round }) => round.id));
			store.look({
				rounds: [...new Set(rounds)],
				images: ids.filter((id) => store.isImage(id)),
			});
		}
	}

	// --- What the user does

	protected open(id: string): void {
		if (this.store.isImage(id)) {
			this.store.open(id);
		} else if (this.store.jobs.has(id)) {
			this.store.set({ card: id });
		} else {
			runRoundAction(this.store, id, 'expand');
		}
	}

	protected override press(id: string): void {
		this.open(id);
	}

	protected openMenu(id: string, at: Point, cell: HTMLElement): void {
		const { store } = this;
		const image = store.images.get(id);
		if (store.jobs.has(id)) {
			this.open(id);
		} else if (store.selection.ids.size > 1 && store.selection.ids.has(id)) {
			openMenu(cell, at, selectionMenu(store));
		} else if (image !== undefined) {
			openMenu(cell, at, menuOf(store, id, image.name, actionsFor(image)));
		}
	}

	protected act(event: KeyboardEvent, id: string): boolean {
		const { store } = this;
		const isImage = store.isImage(id);
		const image = store.images.get(id);
		const can = (action: GalleryAction) => image === undefined || isPossible(action, image);
		if (removes(event) && ((isImage && can('remove')) || store.jobs.has(id))) {
			if (isImage) {
				const { ids } = store.selection;
				void store.ask({ type: 'images', ids: ids.has(id) ? [...ids] : [id], action: 'remove' });
			} else {
				this.#dismiss(id);
			}
			return true;
		}
		if (event.key === 'Escape') {
			return this.#escape();
		}
		if (hasModifier(event) || event.shiftKey) {
			return false;
		}
		if (event.key === ' ' && store.jobs.has(id)) {
			store.set({ card: id });
			return true;
		}
		if (!isImage) {
			return false;
		}
		switch (event.key) {
			case 'k':
			case 'K':
				if (image?.isUnlisted !== true) {
					store.setFavorite([id], image?.isFavorite !== true);
				}
				return true;
			case 'e':
			case 'E':
				if (can('edit')) {
					void store.ask({ type: 'edit', id, how: 'alone' });
				}
				return true;
			case 'F2':
				if (image?.isUnlisted === true) {
					return false;
				}
				store.open(id);
				store.focus('detail', 'anywhere', 'title');
				return true;
			default:
				return false;
		}
	}

	#escape(): boolean {
		const { store } = this;
		const { query } = store.saved;
		if (store.selection.ids.size > 0) {
			store.unselect();
		} else if (query.text !== '') {
			store.search({ ...query, text: '' });
		} else if (query.among === 'files') {
			store.search(everything);
		} else {
			return false;
		}
		return true;
	}

	/** Forgets all that the tile stands for. */
	#dismiss(id: string): void {
		const { store } = this;
		const round = store.roundOf(id);
		const tile = this.#tiles(round?.slots ?? []).find((slots) =>
			slots.some((one) => one.id === id),
		);
		const ids = (tile ?? []).map((slot) => slot.id);
		if (ids.every((one) => store.jobs.get(one)?.actions.includes('dismiss'))) {
			askJobs(store, ids, 'dismiss');
		}
	}
}

customElements.define('easel-round-list', RoundGrid);

/** Returns the start of the last part of a round. @param size of a part, in images */
function lastPart({ slots }: RoundPlaces, size: number): number {
	return Math.floor((slots.length - 1) / size) * size;
}
