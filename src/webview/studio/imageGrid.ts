import { html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import type { Image } from '../../protocol/studio.js';
import { dispatch } from '../dispatch.js';
import type { Point } from '../geometry.js';
import { hasModifier } from '../keys.js';
import { ask } from './events.js';
import { heightOf, indexesIn, placeOf, successor, tileFor, type GridLayout } from './gridLayout.js';
import { GridWindow } from './gridWindow.js';
import { removes } from './imageActions.js';
import { styles } from './imageGrid.styles.js';
import { idOf, imageTile } from './imageTile.js';
import { pageStyles } from './page.styles.js';
import { Thumbnails } from './thumbnails.js';

declare global {
	interface HTMLElementEventMap {
		/** The images that are seen, and those around them, in order. */
		'easel-grid-seen': CustomEvent<readonly string[]>;
		'easel-grid-open': CustomEvent<string>;
		/** It is to be compared, or no longer. */
		'easel-grid-select': CustomEvent<string>;
		/** What can be done with it, at a point of the window. `tile` gets the focus back. */
		'easel-grid-menu': CustomEvent<{ id: string; at: Point; tile: HTMLElement }>;
	}
}

/**
 * The images as tiles. It is as high as all of them together, while only those on the screen, one
 * screen around it, and the one with the focus are there; whoever has it may scroll it or let an
 * ancestor do so.
 *
 * There is one tab stop. The tile that has it, and what is seen, stay the same while images come
 * and go above.
 */
export class ImageGrid extends LitElement {
	static override readonly styles = [pageStyles, styles];

	@property({ attribute: false }) accessor ids: readonly string[] = [];
	@property({ attribute: false }) accessor images: ReadonlyMap<string, Image> = new Map();
	@property({ attribute: false }) accessor selected: readonly string[] = [];
	/** What the grid is for now; its name for screen readers. */
	@property() accessor label = 'Images';
	/** Of what the page lays over the top of what is seen, in pixels. */
	@property({ attribute: false }) accessor covered = 0;

	/** The tile that the tab key leads to. */
	@state() private accessor active: string | undefined;

	@query('.grid') private accessor grid!: HTMLElement;

	readonly #window = new GridWindow(this, {
		grid: () => this.grid,
		ids: () => this.ids,
		covered: () => this.covered,
		seen: (ids) => dispatch(this, 'easel-grid-seen', ids),
	});
	readonly #thumbnails = new Thumbnails(this);
	/** Before the last update. */
	#hadFocus = false;

	/** Makes a tile the one with the tab stop, scrolls it into view, and gives it the focus. */
	async focusImage(id: string | undefined): Promise<void> {
		const known = id !== undefined && this.ids.includes(id);
		this.active = known ? id : this.#activeId;
		await this.updateComplete;
		this.#focusActive();
	}

	/** Waits until the grid knows how much room it has. */
	async standing(): Promise<void> {
		while (!(await this.updateComplete)) {
			// Its size is known only after it has been there, and leads to another update.
		}
	}

	/** Begins anew: at the top, the first image with the tab stop. */
	reset(): void {
		this.active = undefined;
		this.#window.reset();
	}

	protected override willUpdate(changed: PropertyValues<this>): void {
		// While the old tiles are still there.
		this.#hadFocus = this.shadowRoot?.activeElement?.matches('.tile') ?? false;
		const before = changed.get('ids');
		if (before !== undefined) {
			// Who had the focus may have gone.
			if (this.active !== undefined) {
				this.active = successor(this.active, before, this.ids);
			}
			this.#window.follow(before, this.ids);
		}
	}

	protected override updated(changed: PropertyValues<this>): void {
		this.#window.updated(changed.has('ids'));
		if (this.#hadFocus && this.shadowRoot?.activeElement === null) {
			this.#focusActive();
		}
	}

	protected override render(): TemplateResult {
		const { layout } = this.#window;
		return html`
			<div
				class="grid"
				role="listbox"
				aria-label=${this.label}
				aria-multiselectable="true"
				.style="height: ${heightOf(layout)}px"
				@keydown=${this.#onKey}
				@focusin=${this.#onFocusIn}
				@click=${this.#onClick}
				@contextmenu=${this.#onContextMenu}
			>
				${repeat(
					this.#rendered,
					(index) => this.ids[index],
					(index) => this.#tile(index, layout),
				)}
			</div>
		`;
	}

	#tile(index: number, layout: GridLayout): TemplateResult {
		const id = this.ids[index] ?? '';
		const image = this.images.get(id);
		return imageTile({
			id,
			image,
			index,
			count: layout.count,
			place: placeOf(layout, index),
			isSelected: this.selected.includes(id),
			isTabStop: id === this.#activeId,
			thumbnail: this.#thumbnails.image(image?.thumbnail),
		});
	}

	get #activeId(): string | undefined {
		return this.active ?? this.ids[0];
	}

	get #rendered(): number[] {
		const active = this.#activeId === undefined ? -1 : this.ids.indexOf(this.#activeId);
		return indexesIn(this.#window.span, active);
	}

	// --- The focus

	readonly #onFocusIn = ({ target }: FocusEvent): void => {
		this.active = idOf(target);
	};

	#tileOf(id: string | undefined): HTMLElement | undefined {
		const tiles = this.grid.querySelectorAll<HTMLElement>('.tile');
		return [...tiles].find((tile) => tile.dataset['id'] === id);
	}

	#focusActive(): void {
		const id = this.#activeId;
		const tile = this.#tileOf(id);
		if (id !== undefined && tile !== undefined) {
			this.#window.reveal(this.ids.indexOf(id));
			tile.focus({ preventScroll: true });
		}
	}

	// --- What the user does

	readonly #onKey = (event: KeyboardEvent): void => {
		const id = this.#activeId;
		if (id === undefined) {
			return;
		}
		if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
			event.preventDefault();
			this.#openMenu(id);
			return;
		}
		if (removes(event)) {
			event.preventDefault();
			ask(this, { type: 'image', id, action: 'remove' });
			return;
		}
		if (hasModifier(event) || event.shiftKey) {
			return;
		}
		const { layout, seen } = this.#window;
		const to = tileFor(event.key, this.ids.indexOf(id), layout, seen.bottom - seen.top);
		if (to !== undefined) {
			event.preventDefault();
			void this.focusImage(this.ids[to]);
			return;
		}
		const action = this.#keys[event.key];
		if (action !== undefined) {
			event.preventDefault();
			dispatch(this, action, id);
		}
	};

	readonly #keys: Readonly<Partial<Record<string, 'easel-grid-open' | 'easel-grid-select'>>> = {
		Enter: 'easel-grid-open',
		' ': 'easel-grid-select',
	};

	readonly #onClick = (event: MouseEvent): void => {
		const id = idOf(event.target);
		if (id !== undefined) {
			const selects =
				event.ctrlKey ||
				event.metaKey ||
				(event.target instanceof Element && event.target.matches('.check'));
			dispatch(this, selects ? 'easel-grid-select' : 'easel-grid-open', id);
		}
	};

	readonly #onContextMenu = (event: MouseEvent): void => {
		const id = idOf(event.target);
		if (id !== undefined) {
			event.preventDefault();
			// The key has no place of its own.
			const byPointer = event.clientX !== 0 || event.clientY !== 0;
			this.#openMenu(id, byPointer ? { x: event.clientX, y: event.clientY } : undefined);
		}
	};

	#openMenu(id: string, at?: Point): void {
		const tile = this.#tileOf(id);
		if (tile !== undefined) {
			this.active = id;
			const { left, top, width } = tile.getBoundingClientRect();
			dispatch(this, 'easel-grid-menu', {
				id,
				at: at ?? { x: left + width / 4, y: top + width / 4 },
				tile,
			});
		}
	}
}

customElements.define('easel-image-grid', ImageGrid);
