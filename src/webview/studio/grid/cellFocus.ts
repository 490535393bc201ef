import type { ReactiveController } from 'lit';
import type { StudioElement } from '../studioElement.js';
import { cellIdOf, drawnCells } from './cells.js';

/** A grid of cells, of which those near what is seen are drawn. */
export interface CellGrid extends StudioElement {
	/** All cells, in order. */
	readonly ids: readonly string[];
	/** The id of the cell that shows it now, where several share one. */
	cellFor(id: string): string;
}

/** The one cell of the grid that has the tab stop, and the focus that goes to it. */
export class CellFocus implements ReactiveController {
	#active: string | undefined;
	#hadFocus = false;
	#isWanted = false;

	constructor(private readonly host: CellGrid) {
		host.addController(this);
		host.addEventListener('focusin', ({ target }) => {
			this.active = cellIdOf(target) ?? this.active;
		});
	}

	/** Cell with the tab stop, once one had it. */
	get active(): string | undefined {
		return this.#active;
	}

	set active(id: string | undefined) {
		if (id !== this.#active) {
			this.#active = id;
			this.host.requestUpdate();
		}
	}

	/** Cell with the tab stop; the first one as long as none had it. */
	get tabStop(): string | undefined {
		return this.active ?? this.host.ids[0];
	}

	/** Gives a cell the tab stop and the focus, and scrolls it into view; without an id, the one that has it. */
	focusOn(id: string | undefined): void {
		this.active = id === undefined ? this.active : this.host.cellFor(id);
		this.#isWanted = true;
		this.host.requestUpdate();
	}

	hostUpdate(): void {
		this.#hadFocus = this.#hasFocus;
	}

	/** Takes the focus after an update where the grid is to have it, or had it in what has gone. */
	take(): void {
		const { store, ids } = this.host;
		const wanted = store.focus.take('grid');
		if (wanted !== undefined) {
			this.focusOn(wanted.id);
		} else if (this.#hadFocus && !this.#hasFocus) {
			if (ids.length === 0) {
				store.focus.request('grid');
			} else {
				this.focusOn(undefined);
			}
		}
		this.#giveToCell();
	}

	/** The cell that shows something; `undefined` while it is not drawn. */
	elementOf(id: string | undefined): HTMLElement | undefined {
		const own = id && this.host.cellFor(id);
		return drawnCells(this.host).find(({ dataset }) => dataset['cell'] === own);
	}

	/** As soon as the cell is drawn. */
	#giveToCell(): void {
		const { active } = this;
		const isThere = active !== undefined && this.host.ids.includes(active);
		const cell = this.elementOf(isThere ? active : this.host.ids[0]);
		if (this.#isWanted && cell !== undefined) {
			this.#isWanted = false;
			cell.scrollIntoView({ block: 'nearest' });
			cell.focus({ preventScroll: true });
		}
	}

	get #hasFocus(): boolean {
		return this.host.contains(document.activeElement);
	}
}
