import { html, type PropertyValues, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import type { Point } from '../geometry.js';
import { hasModifier } from '../keys.js';
import { observeSize } from '../observeSize.js';
import { nextFocus } from './rounds.js';
import { selectOnly, selectTo, toggle, type Selection } from './selection.js';
import type { FocusTarget } from './store.js';
import { StudioElement } from './studioElement.js';

/** Cells that are drawn together, or not at all where it is far from what is seen. */
export interface Page {
	/** Stays the same while others come and go. */
	readonly key: string;
	/** About how high it is before it was drawn, in CSS pixels. */
	readonly height: number;
	/** The ids of what it has for the tab stop, in order. */
	readonly ids: readonly string[];
}

/** Between two cells, in CSS pixels. */
export const gap = 12;

/**
 * Pictures in pages, of which those near what is seen are drawn. One cell has the tab stop; keys lead
 * from one to another by where they stand. Cells are what has a `data-cell`.
 */
export abstract class ImageGrid<P extends Page> extends StudioElement {
	/** Cell with the tab stop, once one had it. */
	@state() accessor active: string | undefined;
	/** Width of the cells' container, in CSS pixels; 0 before it is known. */
	@state() protected accessor width = 0;
	@state() private accessor near: ReadonlySet<string> = new Set();

	#madeFrom: readonly unknown[] = [];
	#pages: readonly P[] = [];
	#ids: readonly string[] = [];
	/** Heights of pages when they were last drawn, in CSS pixels. */
	readonly #heights = new Map<string, number>();
	#hadFocus = false;
	#isFocusWanted = false;
	readonly #seen = new IntersectionObserver((entries) => this.#onSeen(entries), {
		root: this,
		rootMargin: '100% 0px',
	});

	constructor() {
		super();
		this.addEventListener('keydown', this.#onKey);
		this.addEventListener('click', this.#onClick);
		this.addEventListener('contextmenu', this.#onContextMenu);
		this.addEventListener('focusin', ({ target }) => {
			this.active = this.idOf(target) ?? this.active;
		});
		this.addEventListener('scroll', () => this.#look());
		observeSize(
			this,
			() => this,
			() => {
				const { paddingLeft, paddingRight } = getComputedStyle(this);
				this.width = this.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
			},
		);
	}

	override disconnectedCallback(): void {
		super.disconnectedCallback();
		this.#seen.disconnect();
	}

	// --- What it is a grid of

	/** Inputs that the pages are made from: where all of it is the same, they are not made anew. */
	protected abstract readonly madeFrom: readonly unknown[];
	protected abstract makePages(): readonly P[];
	/**
	 * Returns the inputs that a page is drawn from, beside itself: where all of it is the same, it
	 * is not drawn anew.
	 */
	protected abstract shownOn(page: P): readonly unknown[];
	protected abstract renderPage(page: P, active: string | undefined): TemplateResult;
	/** Name of all of them for screen readers, and their role. */
	protected abstract readonly names: { readonly role: string; readonly label: string };
	protected abstract readonly focusTarget: FocusTarget;
	protected abstract selection: Selection;
	protected abstract open(id: string): void;
	/** Opens the menu of a cell, or of what is selected. */
	protected abstract openMenu(id: string, at: Point, cell: HTMLElement): void;
	/** Does what a key means for a cell; returns whether it means something. */
	protected abstract act(event: KeyboardEvent, id: string): boolean;
	/** Asks for what has to be known. @param ids drawn, what is seen first */
	protected abstract look(pages: readonly P[], ids: readonly string[]): void;
	/** True where a cell can be selected. */
	protected canSelect(_id: string): boolean {
		return true;
	}
	/** The id of the cell that shows it now, where several share one. */
	protected cellFor(id: string): string {
		return id;
	}
	/** Returns the cell with the tab stop as long as none had it. */
	protected get first(): string | undefined {
		return this.#ids[0];
	}

	// --- What is drawn

	protected override willUpdate(_changed: PropertyValues): void {
		this.#hadFocus = this.hasFocus;
		const { madeFrom } = this;
		if (madeFrom.some((part, index) => part !== this.#madeFrom[index])) {
			const before = this.#ids;
			this.#madeFrom = madeFrom;
			this.#pages = this.makePages();
			this.#ids = this.#pages.flatMap(({ ids }) => ids);
			this.active &&= nextFocus(this.cellFor(this.active), before, this.#ids);
		}
	}

	protected override render(): TemplateResult {
		const active = this.active ?? this.first;
		const { role, label } = this.names;
		return html`
			<div class="content" role=${role} aria-label=${label} aria-multiselectable="true">
				${
					this.width === 0
						? ''
						: repeat(
								this.#pages,
								({ key }) => key,
								(page, index) => this.#page(page, index, active),
							)
				}
			</div>
		`;
	}

	#page(page: P, index: number, active: string | undefined): unknown {
		const own = active !== undefined && page.ids.includes(active) ? active : undefined;
		// The first one is drawn at once, before anything can be observed.
		const isDrawn =
			own !== undefined || this.near.has(page.key) || (this.near.size === 0 && index === 0);
		const height = this.#heights.get(page.key) ?? page.height;
		return html`<div
			class="page"
			role="presentation"
			data-page=${page.key}
			.style=${isDrawn ? '' : `height: ${String(height)}px`}
		>
			${guard(isDrawn ? [page, own, this.width, ...this.shownOn(page)] : [page.key], () =>
				isDrawn ? this.renderPage(page, own) : '',
			)}
		</div>`;
	}

	protected override updated(): void {
		for (const page of this.querySelectorAll('.page')) {
			// Those that are observed already stay so; one that goes is seen to go.
			this.#seen.observe(page);
		}
		const wanted = this.store.takeFocus(this.focusTarget);
		if (wanted !== undefined) {
			this.focusOn(wanted.id);
		} else if (this.#hadFocus && !this.hasFocus) {
			if (this.#ids.length === 0) {
				this.store.focus(this.focusTarget);
			} else {
				this.focusOn(undefined);
			}
		}
		this.#takeFocus();
		this.#look();
	}

	#onSeen(entries: readonly IntersectionObserverEntry[]): void {
		const near = new Set(this.near);
		for (const { target, isIntersecting, boundingClientRect } of entries) {
			const key = (target as HTMLElement).dataset['page']!;
			if (isIntersecting) {
				near.add(key);
			} else if (near.delete(key) && target.isConnected) {
				this.#heights.set(key, boundingClientRect.height);
			}
		}
		this.near = near;
	}

	/** Looks at the cells; those that are seen come first. */
	#look(): void {
		const { top, bottom } = this.getBoundingClientRect();
		const middle = (top + bottom) / 2;
		const distances = new Map<string, number>();
		for (const cell of this.#cells) {
			const box = cell.getBoundingClientRect();
			distances.set(cell.dataset['cell']!, Math.abs((box.top + box.bottom) / 2 - middle));
		}
		const ids = [...distances.keys()].sort((a, b) => distances.get(a)! - distances.get(b)!);
		const pages = this.#pages.filter((page) => page.ids.some((id) => distances.has(id)));
		this.look(pages, ids);
	}

	// --- The focus

	/** Gives a cell the tab stop and the focus, and scrolls it into view; without an id, the one that has it. */
	focusOn(id: string | undefined): void {
		this.active = id === undefined ? this.active : this.cellFor(id);
		this.#isFocusWanted = true;
		this.requestUpdate();
	}

	/** As soon as the cell is drawn. */
	#takeFocus(): void {
		const { active } = this;
		const isThere = active !== undefined && this.#ids.includes(active);
		const cell = this.elementOf(isThere ? active : this.first);
		if (this.#isFocusWanted && cell !== undefined) {
			this.#isFocusWanted = false;
			cell.scrollIntoView({ block: 'nearest' });
			cell.focus({ preventScroll: true });
		}
	}

	protected idOf(target: EventTarget | null): string | undefined {
		return target instanceof Element
			? target.closest<HTMLElement>('[data-cell]')?.dataset['cell']
			: undefined;
	}

	protected elementOf(id: string | undefined): HTMLElement | undefined {
		const own = id && this.cellFor(id);
		return this.#cells.find(({ dataset }) => dataset['cell'] === own);
	}

	get #selectable(): string[] {
		return this.#ids.filter((id) => this.canSelect(id));
	}

	/** Those that are drawn, in order. */
	get #cells(): HTMLElement[] {
		return [...this.querySelectorAll<HTMLElement>('[data-cell]')];
	}

	// --- Keys and the pointer

	readonly #onKey = (event: KeyboardEvent): void => {
		const { target, key, shiftKey } = event;
		const id = target instanceof HTMLElement ? target.dataset['cell'] : undefined;
		if (event.defaultPrevented) {
			return;
		}
		if (id === undefined) {
			if (key === 'Escape' && !(target instanceof HTMLInputElement) && this.act(event, '')) {
				event.preventDefault();
				return;
			}
			// It is for a button; from those of a round's line, down leads to its pictures.
			const isInLine = target instanceof Element && target.closest('.header') !== null;
			if (key === 'ArrowDown' && isInLine && !(target instanceof HTMLInputElement)) {
				event.preventDefault();
				this.focusOn(undefined);
			}
			return;
		}
		const cell = target as HTMLElement;
		if (key === 'ContextMenu' || (key === 'F10' && shiftKey)) {
			event.preventDefault();
			this.#openMenu(cell, id);
		} else if (this.act(event, id)) {
			event.preventDefault();
		} else if (!hasModifier(event)) {
			this.#move(event, cell, id);
		} else if (key === 'a' && (event.ctrlKey || event.metaKey)) {
			event.preventDefault();
			this.selection = { ids: new Set(this.#selectable), from: undefined };
		}
	};

	#move(event: KeyboardEvent, cell: HTMLElement, id: string): void {
		const { key, shiftKey } = event;
		const to = this.#destination(key, cell, id);
		if (to !== undefined) {
			event.preventDefault();
			if (shiftKey && this.canSelect(to)) {
				this.selection = selectTo(this.selection, to, this.#selectable, id);
			}
			this.focusOn(to);
		} else if (key === ' ' && this.canSelect(id)) {
			event.preventDefault();
			this.selection = toggle(this.selection, id);
		} else if (key === 'Enter' && !event.repeat) {
			event.preventDefault();
			this.open(id);
		}
	}

	/** The cell that a key leads to, `undefined` for other keys. At an edge it is the same one. */
	#destination(key: string, cell: HTMLElement, id: string): string | undefined {
		const cells = this.#cells;
		const index = cells.indexOf(cell);
		const screen = this.clientHeight - cell.clientHeight;
		switch (key) {
			case 'ArrowLeft':
				return cells[index - 1]?.dataset['cell'] ?? id;
			case 'ArrowRight':
				return cells[index + 1]?.dataset['cell'] ?? id;
			case 'ArrowUp':
				return this.#cellBeyond(cell, -1) ?? id;
			case 'ArrowDown':
				return this.#cellBeyond(cell, 1) ?? id;
			case 'PageUp':
				return this.#cellBeyond(cell, -1, screen) ?? id;
			case 'PageDown':
				return this.#cellBeyond(cell, 1, screen) ?? id;
			case 'Home':
				return this.#ids[0];
			case 'End':
				return this.#ids.at(-1);
			default:
				return undefined;
		}
	}

	/**
	 * The cell above (-1) or below (1), in the next row, or in the last one within a distance.
	 *
	 * @param distance in CSS pixels
	 */
	#cellBeyond(from: HTMLElement, by: -1 | 1, distance = 0): string | undefined {
		const { top, left, width } = from.getBoundingClientRect();
		const middle = left + Math.min(width, 80) / 2;
		const places = this.#cells.map((cell) => {
			const box = cell.getBoundingClientRect();
			return {
				id: cell.dataset['cell'],
				away: (box.top - top) * by,
				beside: Math.max(box.left - middle, middle - box.right, 0),
			};
		});
		const beyond = places.filter(({ away }) => away > 1);
		const within = beyond.filter(({ away }) => away <= distance);
		const away =
			within.length > 0
				? Math.max(...within.map((place) => place.away))
				: Math.min(...beyond.map((place) => place.away));
		return beyond
			.filter((place) => Math.abs(place.away - away) < 2)
			.sort((a, b) => a.beside - b.beside)[0]?.id;
	}

	readonly #onClick = (event: MouseEvent): void => {
		const { target } = event;
		const id = this.idOf(target);
		if (id === undefined || !(target instanceof Element) || target.closest('button') !== null) {
			return;
		}
		this.active = id;
		const isSelectable = this.canSelect(id);
		if (isSelectable && event.shiftKey) {
			this.selection = selectTo(this.selection, id, this.#selectable);
		} else if (
			isSelectable &&
			(event.ctrlKey || event.metaKey || target.closest('.check') !== null)
		) {
			this.selection = toggle(this.selection, id);
		} else {
			this.press(id, event);
		}
	};

	/** A click on a cell that does not add it to the selection. */
	protected press(id: string, _event: MouseEvent): void {
		this.selection = selectOnly(id);
	}

	readonly #onContextMenu = (event: MouseEvent): void => {
		const id = this.idOf(event.target);
		const cell = this.elementOf(id);
		if (id !== undefined && cell !== undefined) {
			event.preventDefault();
			// The key has no place of its own.
			const isPointer = event.clientX !== 0 || event.clientY !== 0;
			this.#openMenu(cell, id, isPointer ? { x: event.clientX, y: event.clientY } : undefined);
		}
	};

	#openMenu(cell: HTMLElement, id: string, at?: Point): void {
		const { left, top, width } = cell.getBoundingClientRect();
		this.active = id;
		this.openMenu(id, at ?? { x: left + width / 4, y: top + width / 4 }, cell);
	}
}
