import { html, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { observeSize } from '../observeSize.js';
import { CellFocus } from './grid/cellFocus.js';
import { handleCellInput } from './grid/cellInput.js';
import { cellsBySight } from './grid/cells.js';
import { drawnFrom, roundPage } from './grid/roundPage.js';
import { filesPerRow, pagesOf, tilesIn, tilesPerRow, type RoundPage } from './grid/roundPages.js';
import { VisiblePages } from './grid/visiblePages.js';
import { nextFocus } from './rounds.js';
import { StudioElement } from './studioElement.js';

/**
 * The rounds, newest first, each with its line and its tiles. One cell has the tab stop; keys lead
 * from one to another by where they stand.
 */
export class RoundGrid extends StudioElement {
	/** Width of the tiles' container, in CSS pixels; 0 before it is known. */
	@state() private accessor width = 0;

	/** All cells, in order. */
	ids: readonly string[] = [];

	readonly #visible = new VisiblePages(this);
	readonly #focus = new CellFocus(this);
	#pages: readonly RoundPage[] = [];
	/** Inputs that the pages are made from: where all of it is the same, they are not made anew. */
	#madeFrom: readonly unknown[] = [];
	#renaming: string | undefined;
	#top = 0;
	/** Set until it is scrolled to where the user was before the page was loaded anew. */
	#isReturning = false;

	constructor() {
		super();
		handleCellInput(this, this.#focus);
		// From the line of a round, keys lead to its pictures.
		this.addEventListener('focusin', ({ target }) => {
			const line = (target as Element).closest('.header');
			const id = line?.closest<HTMLElement>('[data-round]')?.dataset['round'];
			const active = this.#focus.tabStop ?? '';
			if (id !== undefined && this.store.library.roundOf(active)?.id !== id) {
				this.#focus.active = this.cellFor(id);
			}
		});
		this.addEventListener('scroll', () => this.#requestDescriptions());
		observeSize(
			this,
			() => this,
			() => {
				const { paddingLeft, paddingRight } = getComputedStyle(this);
				this.width = this.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
			},
		);
	}

	/** Number of tiles beside each other. */
	get columns(): number {
		const { library, search } = this.store;
		return library.showsFolder
			? filesPerRow(this.width, search.folder?.cells)
			: tilesPerRow(this.width);
	}

	/** The id of the cell that shows it now, where several share one. */
	cellFor(id: string): string {
		const { jobs, library } = this.store;
		const round = library.roundOf(id);
		if (round === undefined) {
			return id;
		}
		if (library.isCollapsed(round)) {
			return round.id;
		}
		const isTile = round.slots.some((slot) => slot.id === id);
		const tiles = isTile ? tilesIn(round.slots, this.columns, jobs.byId) : [];
		const tile = tiles.find((slots) => slots.some((slot) => slot.id === id));
		return (tile ?? round.slots)[0]?.id ?? id;
	}

	protected override willUpdate(): void {
		const { library, search } = this.store;
		const { at } = search.folder ?? {};
		const isNew = library.showsFolder && this.#focus.active === undefined;
		if (isNew && at !== undefined && library.isImage(at)) {
			this.#focus.active = at;
			this.#isReturning = true;
		}
		this.#makePages();
	}

	#makePages(): void {
		const { library } = this.store;
		const { columns, width } = this;
		const { showsFolder } = library;
		const rounds = library.rounds?.rounds ?? [];
		const folded = rounds.filter((round) => library.isCollapsed(round)).map(({ id }) => id);
		const madeFrom = [library.rounds?.rounds, folded.join(), columns];
		if (madeFrom.some((part, index) => part !== this.#madeFrom[index])) {
			const before = this.ids;
			const isCollapsed = library.isCollapsed.bind(library);
			this.#madeFrom = madeFrom;
			this.#pages = pagesOf(rounds, { width, columns, showsFolder, isCollapsed });
			this.ids = this.#pages.flatMap(({ ids }) => ids);
			this.#focus.active &&= nextFocus(this.cellFor(this.#focus.active), before, this.ids);
		}
	}

	protected override render(): TemplateResult {
		const { columns, store, width } = this;
		return html`
			<div class="content" role="grid" aria-label="Images" aria-multiselectable="true">
				${
					width === 0
						? ''
						: this.#visible.render(this.#pages, {
								active: this.#focus.tabStop,
								inputsOf: (page) => [width, ...drawnFrom(store, page)],
								draw: (page, active) => roundPage(store, page, { columns, active }),
							})
				}
			</div>
		`;
	}

	protected override updated(): void {
		const { library, selected, view } = this.store;
		if (this.#top !== view.scrolledToTop) {
			this.#top = view.scrolledToTop;
			this.#focus.active = undefined;
			this.scrollTo({ top: 0, behavior: 'instant' });
		}
		this.#focus.take();
		this.#requestDescriptions();
		if (view.renaming !== this.#renaming) {
			this.#renaming = view.renaming;
			const field = this.querySelector<HTMLInputElement>('.rename');
			field?.focus();
			field?.select();
		}
		this.#savePlace();
		this.classList.toggle('folder', library.showsFolder);
		this.classList.toggle('roomy', selected.ids.size > 0);
		this.style.setProperty('--columns', String(this.columns));
	}

	/** Saves where the user is in a folder, which may have thousands of images, and returns there. */
	#savePlace(): void {
		const { library, search } = this.store;
		const { active } = this.#focus;
		if (!library.showsFolder || active === undefined) {
			return;
		}
		const cell = this.#isReturning ? this.#focus.elementOf(active) : undefined;
		if (cell !== undefined) {
			this.#isReturning = false;
			cell.scrollIntoView({ block: 'center' });
		}
		if (active !== search.folder?.at && library.isImage(active)) {
			search.saveFolder({ at: active });
		}
	}

	/** Asks for what is drawn; what is seen comes first. */
	#requestDescriptions(): void {
		const { descriptions, library, view } = this.store;
		if (!view.isCovered) {
			const images = cellsBySight(this);
			const drawn = new Set(images);
			const pages = this.#pages.filter(({ ids }) => ids.some((id) => drawn.has(id)));
			const rounds = pages.flatMap(({ parts }) => parts.map(({ round }) => round.id));
			descriptions.request({
				rounds: [...new Set(rounds)],
				images: images.filter((id) => library.isImage(id)),
			});
		}
	}
}

customElements.define('easel-round-list', RoundGrid);
