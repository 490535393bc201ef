import { html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import type { SheetFile, SheetPicture } from '../../protocol/studio.js';
import { dispatch } from '../dispatch.js';
import type { Point } from '../geometry.js';
import { observeSize } from '../observeSize.js';
import { pageStyles } from './page.styles.js';
import { sheetCell } from './sheetCell.js';
import { styles } from './sheetGrid.styles.js';
import { idOf, SheetInput } from './sheetInput.js';
import {
	cellsBetween,
	layOutSheet,
	placeOf,
	type CellSize,
	type SheetLayout,
} from './sheetLayout.js';
import { SheetLooking } from './sheetLooking.js';
import { nothingSelected, type SheetSelection } from './sheetSelection.js';
import { indexesIn } from './streamSpan.js';
import { successor } from './successor.js';
import { Thumbnails } from './thumbnails.js';

declare global {
	interface HTMLElementEventMap {
		'easel-sheet-select': CustomEvent<SheetSelection>;
		'easel-sheet-open': CustomEvent<string>;
		/** The file that has the tab stop now. */
		'easel-sheet-active': CustomEvent<string>;
		/** What can be done with what is selected, at a point of the window. `cell` gets the focus back. */
		'easel-sheet-menu': CustomEvent<{ at: Point; cell: HTMLElement }>;
	}
}

/**
 * The images of a sheet in cells of one size. All of them can be scrolled to, while only those on the
 * screen, one screen around it, and the one with the tab stop are there.
 */
export class SheetGrid extends LitElement {
	static override readonly styles = [pageStyles, styles];

	@property({ attribute: false }) accessor files: readonly SheetFile[] = [];
	@property({ attribute: false }) accessor pictures: ReadonlyMap<string, SheetPicture> = new Map();
	@property({ attribute: false }) accessor selection: SheetSelection = nothingSelected;
	@property({ attribute: false }) accessor size: CellSize = 'medium';
	/** What a screen reader calls all of them. */
	@property({ attribute: false }) accessor name = '';
	/** The name of the file that has the tab stop at first. */
	@property({ attribute: false }) accessor at = '';

	/** Who has the tab stop. */
	@state() private accessor active: string | undefined;
	@state() private accessor width = 0;

	@query('.area') private accessor area!: HTMLElement;
	@query('.content') private accessor content!: HTMLElement;

	#layout: SheetLayout = layOutSheet(0, 0, 'medium');
	/** What is seen first, and how far below the edge it is: it stays there while others come and go. */
	#anchor: { readonly id: string; readonly below: number } | undefined;
	#hadFocus = false;
	/** Whether it has been scrolled to where a person was. */
	#isPlaced = false;
	readonly #looking = new SheetLooking(this, {
		area: () => this.area,
		layout: () => this.#layout,
		files: () => this.files,
	});
	readonly #input = new SheetInput(this, {
		active: () => this.#activeIndex,
		layout: () => this.#layout,
		screen: () => this.#looking.seen.bottom - this.#looking.seen.top,
		focus: (id) => {
			this.active = id;
			void this.focusActive();
		},
		cell: (id) => this.#cellOf(id),
	});
	readonly #thumbnails = new Thumbnails(this);

	constructor() {
		super();
		observeSize(
			this,
			() => this.content,
			() => {
				this.width = this.content.clientWidth;
				this.#looking.measure();
			},
		);
	}

	/** Scrolls the cell with the tab stop into view, and gives it the focus. */
	async focusActive(): Promise<void> {
		await this.updateComplete;
		const index = this.#activeIndex;
		const cell = this.#cellOf(this.files[index]?.id);
		if (cell !== undefined) {
			this.#reveal(index);
			cell.focus({ preventScroll: true });
		}
	}

	protected override willUpdate(changed: PropertyValues<this>): void {
		this.#hadFocus = this.shadowRoot?.activeElement != null;
		if (changed.has('files')) {
			const before = (changed.get('files') ?? []).map(({ id }) => id);
			const now = this.files.map(({ id }) => id);
			this.active =
				this.active === undefined
					? this.files.find(({ name }) => name === this.at)?.id
					: successor(this.active, before, now);
			const anchor = this.#anchor && successor(this.#anchor.id, before, now);
			this.#anchor = anchor === undefined ? undefined : { id: anchor, below: this.#anchor!.below };
		}
		this.#layout = layOutSheet(this.files.length, this.width, this.size);
	}

	protected override updated(changed: PropertyValues): void {
		if (changed.has('files') || changed.has('size') || changed.has('width')) {
			this.#keepPlace(changed.has('files'));
			this.#place();
			this.#looking.measure();
		}
		this.#looking.updated();
		if (changed.has('active') && this.active !== undefined) {
			dispatch(this, 'easel-sheet-active', this.active);
		}
		if (this.#hadFocus && this.shadowRoot?.activeElement === null) {
			void this.focusActive();
		}
	}

	protected override render(): TemplateResult {
		const { start, end } = cellsBetween(this.#layout, this.#looking.ready);
		const active = this.#activeIndex;
		const { selection } = this;
		return html`
			<div class="area ${selection.ids.size > 0 ? 'roomy' : ''}" @scroll=${this.#onScroll}>
				<div
					class="content"
					role="listbox"
					aria-label=${this.name}
					aria-multiselectable="true"
					.style="height: ${this.#layout.height}px"
					@keydown=${this.#input.onKey}
					@focusin=${this.#onFocusIn}
					@click=${this.#input.onClick}
					@dblclick=${this.#input.onDoubleClick}
					@contextmenu=${this.#input.onContextMenu}
				>
					${repeat(
						indexesIn({ start, end }, active < 0 ? undefined : active),
						(index) => this.files[index]!.id,
						(index) => this.#cell(index, index === active),
					)}
				</div>
			</div>
		`;
	}

	/** Drawn anew only where something of it is new. */
	#cell(index: number, isTabStop: boolean): unknown {
		const file = this.files[index]!;
		const picture = this.pictures.get(file.id);
		const isSelected = this.selection.ids.has(file.id);
		const place = placeOf(this.#layout, index);
		const shows = [
			...[file, picture, isSelected, isTabStop, index, this.files.length],
			...[place.x, place.y, place.width, this.#thumbnails.broken],
		];
		const { length: count } = this.files;
		return guard(shows, () => {
			const thumbnail = this.#thumbnails.image(picture?.thumbnail);
			return sheetCell({ file, picture, place, index, count, isSelected, isTabStop, thumbnail });
		});
	}

	// --- The focus and the place

	/** The first one where nobody has had it yet; -1 where there is none. */
	get #activeIndex(): number {
		const index = this.files.findIndex(({ id }) => id === this.active);
		return index < 0 && this.files.length > 0 ? 0 : index;
	}

	#cellOf(id: string | undefined): HTMLElement | undefined {
		const cells = this.content.querySelectorAll<HTMLElement>('.cell');
		return [...cells].find(({ dataset }) => dataset['cell'] === id);
	}

	/** No further than needed. */
	#reveal(index: number): void {
		const { y, height } = placeOf(this.#layout, index);
		const { top, bottom } = this.#looking.seen;
		const covered = this.selection.ids.size > 0 ? selectionHeight : 0;
		const margin = 6;
		const by = Math.min(y - margin - top, Math.max(0, y + height + margin + covered - bottom));
		this.area.scrollBy({ top: by, behavior: 'instant' });
	}

	/** @param isExact whether it stays to the pixel; cells of another size begin with a whole one */
	#keepPlace(isExact: boolean): void {
		const anchor = this.#anchor;
		const index = anchor === undefined ? -1 : this.files.findIndex(({ id }) => id === anchor.id);
		if (anchor !== undefined && index >= 0) {
			const { y } = placeOf(this.#layout, index);
			const below = isExact ? anchor.below : Math.max(anchor.below, 0);
			const by = y - below - this.#looking.seen.top;
			this.area.scrollBy({ top: by, behavior: 'instant' });
		}
	}

	/** At first, to where a person was. */
	#place(): void {
		if (!this.#isPlaced && this.width > 0) {
			this.#isPlaced = true;
			this.#reveal(this.#activeIndex);
		}
	}

	readonly #onScroll = (): void => {
		const { top, bottom } = this.#looking.seen;
		const { start } = cellsBetween(this.#layout, { top, bottom });
		const id = top <= 0 ? undefined : this.files[start]?.id;
		const below = placeOf(this.#layout, start).y - top;
		this.#anchor = id === undefined ? undefined : { id, below };
		this.#looking.measure();
	};

	readonly #onFocusIn = ({ target }: FocusEvent): void => {
		const id = idOf(target);
		if (id !== undefined) {
			this.active = id;
		}
	};
}

customElements.define('easel-sheet-grid', SheetGrid);

/** Of what is said of a selection, over the lower edge, in pixels. */
const selectionHeight = 54;
