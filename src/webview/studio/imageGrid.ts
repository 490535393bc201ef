import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { mostDescribed, type Image } from '../../protocol/studio.js';
import { EventfulElement } from '../eventfulElement.js';
import type { Point } from '../geometry.js';
import { icon } from '../icon.js';
import { hasModifier, rectangleStyle } from '../zoomAndPan.js';
import {
	heightOf,
	layOut,
	placeOf,
	successor,
	tileFor,
	tilesAround,
	tilesBetween,
	type GridLayout,
	type Span,
} from './gridLayout.js';
import { styles } from './imageGrid.styles.js';
import { removes } from './imageActions.js';
import { beginningOf } from './prompts.js';
import { ancestorsIn, scrollAreaOf, scrollTarget, seenOf } from './scrollArea.js';
import { thumbnailImage } from './thumbnailImage.js';

declare global {
	interface HTMLElementTagNameMap {
		'easel-image-grid': ImageGrid;
	}
}

export interface ImageGridEvents {
	/** The images that are seen, and those around them, in order. */
	'easel-grid-seen': CustomEvent<readonly string[]>;
	'easel-grid-open': CustomEvent<string>;
	/** It is to be compared, or no longer. */
	'easel-grid-select': CustomEvent<string>;
	'easel-grid-remove': CustomEvent<string>;
	/** What can be done with it, at a point of the window. `tile` gets the focus back. */
	'easel-grid-menu': CustomEvent<{ id: string; at: Point; tile: HTMLElement }>;
}

/**
 * The images as tiles. It is as high as all of them together, while only those on the screen, one
 * screen around it, and the one with the focus are there; whoever has it may scroll it or let an
 * ancestor do so.
 *
 * There is one tab stop. The tile that has it, and what is seen, stay the same while images come
 * and go above.
 */
export class ImageGrid extends EventfulElement<ImageGridEvents> {
	static override readonly styles = styles;

	@property({ attribute: false }) accessor ids: readonly string[] = [];
	@property({ attribute: false }) accessor images: ReadonlyMap<string, Image> = new Map();
	@property({ attribute: false }) accessor selected: readonly string[] = [];
	/** What the grid is for now; its name for screen readers. */
	@property() accessor label = 'Images';
	/** Of what the page lays over the top of what is seen, in pixels. */
	@property({ attribute: false }) accessor covered = 0;

	/** The tile that the tab key leads to. */
	@state() private accessor active: string | undefined;
	@state() private accessor width = 0;
	@state() private accessor span: Span = { start: 0, end: 0 };
	/** Thumbnails that could not be loaded. */
	@state() private accessor broken: ReadonlySet<string> = new Set();

	@query('.grid') private accessor grid!: HTMLElement;

	#area: Element | undefined;
	#listening = new AbortController();
	readonly #resized = new ResizeObserver(() => this.#onResize());
	/** The first tile that is seen, and how far below the upper edge of what is seen it is. */
	#anchor: { readonly id: string; readonly offset: number } | undefined;
	#told = '';
	/** Before the last update. */
	#hadFocus = false;
	#reporting = 0;

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
		this.#anchor = undefined;
	}

	override connectedCallback(): void {
		super.connectedCallback();
		if (this.hasUpdated) {
			this.#watch();
		}
	}

	override disconnectedCallback(): void {
		super.disconnectedCallback();
		this.#resized.disconnect();
		this.#listening.abort();
		this.#area = undefined;
		cancelAnimationFrame(this.#reporting);
	}

	protected override willUpdate(changed: PropertyValues<this>): void {
		// While the old tiles are still there.
		this.#hadFocus = this.shadowRoot?.activeElement?.matches('.tile') ?? false;
		const before = changed.get('ids');
		if (before !== undefined) {
			// Who had the focus, and what was seen, may have gone.
			if (this.active !== undefined) {
				this.active = successor(this.active, before, this.ids);
			}
			if (this.#anchor !== undefined) {
				const id = successor(this.#anchor.id, before, this.ids);
				this.#anchor = id === undefined ? undefined : { ...this.#anchor, id };
			}
		}
	}

	protected override firstUpdated(): void {
		this.#watch();
	}

	protected override updated(changed: PropertyValues): void {
		if (changed.has('ids') || changed.has('width')) {
			this.#keepPlace();
			this.#measure();
		}
		if (this.#hadFocus && this.shadowRoot?.activeElement === null) {
			this.#focusActive();
		}
		this.#report();
	}

	protected override render(): TemplateResult {
		const layout = this.#layout;
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
		const selected = this.selected.includes(id);
		return html`
			<div
				class="tile"
				role="option"
				tabindex=${id === this.#activeId ? 0 : -1}
				aria-selected=${selected ? 'true' : 'false'}
				aria-setsize=${layout.count}
				aria-posinset=${index + 1}
				title=${image?.name ?? nothing}
				data-id=${id}
				.style=${rectangleStyle(placeOf(layout, index))}
			>
				${this.#picture(image)}
				<span class="prompt" dir="auto"
					>${image === undefined ? nothing : beginningOf(image.prompt)}</span
				>
				<span class="hidden">${image === undefined ? 'Loading…' : image.details}</span>
				<span class="check" aria-hidden="true"></span>
			</div>
		`;
	}

	#picture(image: Image | undefined): TemplateResult {
		if (image === undefined) {
			return html`<span class="picture"></span>`;
		}
		if (!image.exists) {
			return html` <span class="picture missing"> ${notFound} Not found </span> `;
		}
		const { thumbnail } = image;
		return thumbnail === undefined || this.broken.has(thumbnail)
			? html`<span class="picture">${noPicture}</span>`
			: html`
					<span class="picture">
						${thumbnailImage(thumbnail, () => {
							this.broken = new Set([...this.broken, thumbnail]);
						})}
					</span>
				`;
	}

	// --- What follows from the images and the room there is

	get #layout(): GridLayout {
		return layOut(this.width, this.ids.length);
	}

	get #activeId(): string | undefined {
		return this.active ?? this.ids[0];
	}

	/** In order, so that no tile is moved in the tree, which would cost it the focus. */
	get #rendered(): number[] {
		const { start, end } = this.span;
		const indexes = Array.from({ length: end - start }, (_, index) => start + index);
		const active = this.#activeId === undefined ? -1 : this.ids.indexOf(this.#activeId);
		if (active < 0 || (active >= start && active < end)) {
			return indexes;
		}
		return active < start ? [active, ...indexes] : [...indexes, active];
	}

	/** What is seen of the grid, in pixels from its upper edge. */
	get #seen(): { top: number; bottom: number } {
		const { top, bottom } = seenOf(this.#area ?? scrollAreaOf(this));
		const origin = this.grid.getBoundingClientRect().top;
		return { top: top + this.covered - origin, bottom: bottom - origin };
	}

	// --- Where the grid is

	#watch(): void {
		this.#onResize();
	}

	#onResize(): void {
		const area = scrollAreaOf(this);
		if (area !== this.#area) {
			this.#area = area;
			this.#listening.abort();
			this.#listening = new AbortController();
			const { signal } = this.#listening;
			scrollTarget(area).addEventListener('scroll', this.#onScroll, { signal, passive: true });
			window.addEventListener('resize', this.#onScroll, { signal });
			this.#resized.disconnect();
			for (const element of [this.grid, area, ...ancestorsIn(area, this.grid)]) {
				this.#resized.observe(element);
			}
		}
		this.width = this.grid.clientWidth;
		this.#measure();
	}

	readonly #onScroll = (): void => {
		this.#measure();
		this.#setAnchor();
	};

	/** Finds out which tiles have to be there. */
	#measure(): void {
		const { top, bottom } = this.#seen;
		const span = tilesAround(this.#layout, top, bottom, mostDescribed);
		if (span.start !== this.span.start || span.end !== this.span.end) {
			this.span = span;
		}
	}

	#setAnchor(): void {
		const { top, bottom } = this.#seen;
		const layout = this.#layout;
		const index = tilesBetween(layout, top, bottom).start;
		const id = this.ids[index];
		// Where the beginning is seen, it is where new images belong.
		this.#anchor =
			top <= 0 || id === undefined ? undefined : { id, offset: placeOf(layout, index).y - top };
	}

	/** Scrolls so far that what was seen is where it was. */
	#keepPlace(): void {
		if (this.#anchor !== undefined) {
			const index = this.ids.indexOf(this.#anchor.id);
			const by = placeOf(this.#layout, index).y - this.#seen.top - this.#anchor.offset;
			if (index >= 0 && Math.abs(by) >= 1) {
				this.#area?.scrollBy({ top: by, behavior: 'instant' });
			}
		}
	}

	/** Once in a frame, and only what has not been told. */
	#report(): void {
		cancelAnimationFrame(this.#reporting);
		this.#reporting = requestAnimationFrame(() => {
			const { start, end } = this.span;
			const ids = this.ids.slice(start, end);
			const told = ids.join();
			if (told !== this.#told) {
				this.#told = told;
				this.send('easel-grid-seen', ids);
			}
		});
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
			this.#reveal(this.ids.indexOf(id));
			tile.focus({ preventScroll: true });
		}
	}

	/** Scrolls no further than needed. */
	#reveal(index: number): void {
		const { y, height } = placeOf(this.#layout, index);
		const { top, bottom } = this.#seen;
		const margin = 4;
		const by = Math.min(y - margin - top, Math.max(0, y + height + margin - bottom));
		if (by !== 0) {
			this.#area?.scrollBy({ top: by, behavior: 'instant' });
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
			this.send('easel-grid-remove', id);
			return;
		}
		if (hasModifier(event) || event.shiftKey) {
			return;
		}
		const { top, bottom } = this.#seen;
		const to = tileFor(event.key, this.ids.indexOf(id), this.#layout, bottom - top);
		if (to !== undefined) {
			event.preventDefault();
			void this.focusImage(this.ids[to]);
			return;
		}
		const action = this.#keys[event.key];
		if (action !== undefined) {
			event.preventDefault();
			this.send(action, id);
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
			this.send(selects ? 'easel-grid-select' : 'easel-grid-open', id);
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
			this.send('easel-grid-menu', {
				id,
				at: at ?? { x: left + width / 4, y: top + width / 4 },
				tile,
			});
		}
	}
}

customElements.define('easel-image-grid', ImageGrid);

const notFound = icon('M8 2.5A5.5 5.5 0 1 0 8 13.5A5.5 5.5 0 1 0 8 2.5M4.2 4.2L11.8 11.8');
const noPicture = icon('M2.5 3.5H13.5V12.5H2.5ZM2.5 10.5L6 7L9 10L11 8.5L13.5 11');

/** Of the tile that something is in. */
function idOf(target: EventTarget | null): string | undefined {
	return target instanceof Element
		? target.closest<HTMLElement>('.tile')?.dataset['id']
		: undefined;
}
