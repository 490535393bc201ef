import { html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import type { Image, Job, Round } from '../../protocol/studio.js';
import { dispatch } from '../dispatch.js';
import type { Point } from '../geometry.js';
import { askJobs } from './events.js';
import { isWithin, onScreen, type OnScreen } from './onScreen.js';
import { jobTileStyles } from './jobTile.styles.js';
import { buttonStyles, pageStyles } from './page.styles.js';
import type { RoundAction } from './roundHeader.js';
import { styles } from './roundList.styles.js';
import { RoundListActions } from './roundListActions.js';
import { RoundListInput } from './roundListInput.js';
import { roundView } from './roundView.js';
import { cellWith, type PlacedCell } from './streamKeys.js';
import { cellsOf, type Block } from './streamLayout.js';
import { indexesIn } from './streamSpan.js';
import { StreamPlaces } from './streamPlaces.js';
import { activeAfter, type RoundPlaces } from './streamRounds.js';
import { StreamWindow } from './streamWindow.js';
import { Thumbnails } from './thumbnails.js';
import { tileStyles } from './imageTile.styles.js';

declare global {
	interface HTMLElementEventMap {
		'easel-list-seen': CustomEvent<OnScreen>;
		'easel-list-open': CustomEvent<string>;
		/** It is to be compared, or no longer. */
		'easel-list-select': CustomEvent<string>;
		'easel-list-compare': CustomEvent<readonly string[]>;
		/** All words and buttons of a job are wanted. `tile` gets the focus back. */
		'easel-list-job': CustomEvent<{ id: string; tile: HTMLElement }>;
		/** What can be done with an image, at a point of the window. `tile` gets the focus back. */
		'easel-grid-menu': CustomEvent<{ id: string; at: Point; tile: HTMLElement }>;
		/** What the header of a round has no room for, below `button`. */
		'easel-list-more': CustomEvent<{
			id: string;
			actions: readonly RoundAction[];
			button: HTMLElement;
		}>;
		/** An image is to be shown in its place. */
		'easel-show': CustomEvent<string>;
	}
}

/** Of what is said of a selection, over the lower edge, in pixels. */
const selectionHeight = 54;

/**
 * The rounds, newest first, each with its tiles. All of them can be scrolled to, while only those on
 * the screen, one screen around it, and what has the focus are there.
 *
 * One tile has the tab stop, with its buttons and those of its round. It and what is seen stay the
 * same while rounds come above, and while images come into the places that wait for them.
 */
export class RoundList extends LitElement {
	static override readonly styles = [pageStyles, buttonStyles, styles, tileStyles, jobTileStyles];

	/** Newest first. */
	@property({ attribute: false }) accessor rounds: readonly RoundPlaces[] = [];
	@property({ attribute: false }) accessor known: ReadonlyMap<string, Round> = new Map();
	@property({ attribute: false }) accessor images: ReadonlyMap<string, Image> = new Map();
	@property({ attribute: false }) accessor jobs: ReadonlyMap<string, Job> = new Map();
	/** The images that are to be compared. */
	@property({ attribute: false }) accessor selected: readonly string[] = [];

	/** Who had the tab stop last: a slot, or a round that is collapsed. */
	@state() private accessor active: string | undefined;

	@query('.area') private accessor area!: HTMLElement;
	@query('.content') private accessor content!: HTMLElement;

	readonly #places = new StreamPlaces();
	#hadFocus = false;
	readonly #window = new StreamWindow(this, {
		area: () => this.area,
		content: () => this.content,
		rounds: () => this.#places.shapes,
		seen: () => this.#send(),
	});
	readonly #input = new RoundListInput(this, {
		active: () => this.#active,
		image: (id) => this.images.get(id),
		isImage: (id) => this.#places.isImage(id),
		isCollapsed: (id) => this.#places.isCollapsed(id),
		layout: () => this.#window.layout,
		screen: () => this.#window.seen.bottom - this.#window.seen.top,
		element: (id) => this.#elementOf(id),
		focus: (id) => void this.focusOn(id),
		activate: (id) => this.#activate(id),
		openJob: (id) => this.#actions.openJob(id),
		dismiss: (id) => this.#dismiss(id),
	});
	readonly #actions = new RoundListActions(this, {
		slots: (round) => this.#places.slots(round),
		hold: (round) => this.#window.hold(round),
		element: (id) => this.#elementOf(id),
	});
	readonly #thumbnails = new Thumbnails(this);

	/** Makes a tile the one with the tab stop, scrolls it into view, and gives it the focus. */
	async focusOn(id: string | undefined): Promise<void> {
		this.active = id ?? this.active;
		await this.updateComplete;
		this.#focusActive();
	}

	/** Begins anew: at the top, the first tile with the tab stop. */
	reset(): void {
		this.active = undefined;
		this.#window.reset();
	}

	/** Does what the line of a round or its menu offers. */
	runRound(id: string, action: RoundAction): void {
		this.#actions.runRound(id, action);
	}

	/** Has a round shown as a whole. */
	unfold(id: string): void {
		if (this.#places.isCollapsed(id)) {
			this.#actions.runRound(id, 'expand');
		}
	}

	protected override willUpdate(changed: PropertyValues<this>): void {
		// Before the update, while the old tiles are still there.
		this.#hadFocus = this.shadowRoot?.activeElement?.closest('.round') != null;
		if (
			changed.has('rounds') ||
			changed.has('jobs') ||
			(changed.has('known') && this.#places.isFoldedOtherwise(this.known))
		) {
			const before = this.#places.shapes;
			if (this.#places.take(this.rounds, this.known, this.jobs.values())) {
				this.#window.follow(before, this.#places.shapes);
				this.active = activeAfter(this.active, before, this.#places.shapes);
			}
		}
	}

	protected override updated(): void {
		this.#window.updated();
		if (this.#hadFocus && this.shadowRoot?.activeElement === null) {
			this.#focusActive();
		}
	}

	protected override render(): TemplateResult {
		const { layout, span } = this.#window;
		const active = this.#active;
		return html`
			<div class="area ${this.selected.length > 0 ? 'roomy' : ''}" @scroll=${this.#window.onScroll}>
				<div
					class="content"
					role="grid"
					aria-label="Images"
					aria-multiselectable="true"
					.style="height: ${layout.height}px"
					@keydown=${this.#input.onKey}
					@focusin=${this.#input.onFocusIn}
					@click=${this.#input.onClick}
					@contextmenu=${this.#input.onContextMenu}
				>
					${repeat(
						indexesIn(span, active?.round),
						(index) => layout.blocks[index]!.round.id,
						(index) =>
							this.#round(layout.blocks[index]!, index === active?.round ? active : undefined),
					)}
				</div>
			</div>
		`;
	}

	/** Drawn anew only where something of it is new: most of what is there is not. */
	#round(block: Block, active: PlacedCell | undefined): unknown {
		const { known, images, jobs, selected } = this;
		const { renaming, runRound, more, renamed, runJobs, openJob, keep, edit } = this.#actions;
		const { id } = block.round;
		const cells = cellsOf(this.#window.layout, block).filter(
			(cell) => isWithin(cell, this.#window.ready) || cell.ids[0] === active?.cell.ids[0],
		);
		const slots = this.#places.slots(id);
		const shown = cells.flatMap(({ ids }) => ids);
		const hasJobs = slots.some(({ kind }) => kind === 'job');
		const shows = [
			...[block, slots, active?.cell.ids[0], known.get(id), renaming === id],
			...[selected, hasJobs ? jobs : undefined, this.#thumbnails.broken],
			...[shown.join(), ...shown.map((one) => images.get(one))],
		];
		return guard(shows, () =>
			roundView(block, slots, cells, active, {
				...{ known, images, jobs, selected, renaming },
				...{ runRound, more, renamed, runJobs, openJob, keep, edit },
				thumbnail: (source) => this.#thumbnails.image(source),
			}),
		);
	}

	#send(): void {
		const { layout, ready, seen } = this.#window;
		dispatch(
			this,
			'easel-list-seen',
			onScreen(layout, ready, seen, (id) => this.#places.isImage(id)),
		);
	}

	// --- The focus

	get #active(): PlacedCell | undefined {
		return cellWith(this.#window.layout, this.#places.indexOf(this.active), this.active);
	}

	#activate(id: string): void {
		const round = this.#active?.round;
		const isHere = round !== undefined && this.#places.shapes[round]?.id === id;
		if (!isHere || this.#places.isImage(id)) {
			this.active = id;
		}
	}

	#elementOf(id: string | undefined): HTMLElement | undefined {
		const cells = this.content.querySelectorAll<HTMLElement>('[data-cell]');
		return [...cells].find(({ dataset }) => dataset['cell'] === id);
	}

	#focusActive(): void {
		const active = this.#active;
		const element = this.#elementOf(active?.cell.ids[0]);
		if (active !== undefined && element !== undefined) {
			this.#window.reveal(active.cell, this.selected.length > 0 ? selectionHeight : 0);
			element.focus({ preventScroll: true });
		}
	}

	#dismiss(id: string): void {
		// All that the tile stands for.
		const ids = this.#active?.cell.ids ?? [id];
		if (ids.every((one) => this.jobs.get(one)?.actions.includes('dismiss'))) {
			askJobs(this, ids, 'dismiss');
		}
	}
}

customElements.define('easel-round-list', RoundList);
