import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { maxCompared, type Image, type Job, type Round, type Slot } from '../../protocol/studio.js';
import type { JobAction } from '../../protocol/studioActions.js';
import { rectangleStyle } from '../geometry.js';
import { failureOf } from './failures.js';
import { imageTile } from './imageTile.js';
import { jobTile } from './jobTile.js';
import { roomForPrompt, roundHeader, type RoundAction } from './roundHeader.js';
import type { PlacedCell } from './streamKeys.js';
import type { Block, Cell } from './streamLayout.js';

/** What is known of everything, and what happens when something is done. */
export interface RoundContext {
	readonly known: ReadonlyMap<string, Round>;
	readonly images: ReadonlyMap<string, Image>;
	readonly jobs: ReadonlyMap<string, Job>;
	readonly selected: readonly string[];
	/** The round whose name is being written. */
	readonly renaming: string | undefined;
	readonly thumbnail: (source: string | undefined) => TemplateResult | undefined;
	readonly runRound: (id: string, action: RoundAction) => void;
	readonly more: (id: string, actions: readonly RoundAction[], button: HTMLElement) => void;
	readonly renamed: (id: string, name: string | undefined) => void;
	readonly runJobs: (ids: readonly string[], action: JobAction) => void;
	readonly openJob: (id: string) => void;
	readonly keep: (id: string, kept: boolean) => void;
	readonly edit: (id: string) => void;
}

/**
 * One round: its line, and its tiles in rows.
 *
 * @param cells those that have to be there
 * @param active with the tab stop; missing where it is in another round
 */
export function roundView(
	block: Block,
	slots: readonly Slot[],
	cells: readonly Cell[],
	active: PlacedCell | undefined,
	context: RoundContext,
): TemplateResult {
	const { id, collapsed } = block.round;
	const round = context.known.get(id);
	return html`
		<div
			class="round"
			role="rowgroup"
			aria-labelledby="title-${id}"
			data-round=${id}
			.style=${rectangleStyle(block)}
		>
			${roundHeader({
				id,
				round,
				collapsed,
				count: slots.length,
				isTabStop: active !== undefined,
				compared: comparedOf(slots, context.images),
				width: block.lineWidth,
				isRenaming: context.renaming === id,
				run: (action) => context.runRound(id, action),
				more: (actions, button) => context.more(id, actions, button),
				renamed: (name) => context.renamed(id, name),
			})}
			${collapsed ? nothing : rowsOf(block, slots, cells, active, context)}
		</div>
	`;
}

/** The images of a round that can be compared; none where these are more than can be at once. */
export function comparedOf(
	slots: readonly Slot[],
	images: ReadonlyMap<string, Image>,
): readonly string[] {
	const there = slots.flatMap(({ id, kind }) =>
		kind === 'image' && images.get(id)?.exists !== false ? [id] : [],
	);
	return there.length <= maxCompared ? there : [];
}

function rowsOf(
	block: Block,
	slots: readonly Slot[],
	cells: readonly Cell[],
	active: PlacedCell | undefined,
	context: RoundContext,
): unknown {
	const rows = Map.groupBy(cells, ({ row }) => row);
	return repeat(
		rows,
		([row]) => row,
		([, tiles]) => html`
			<div role="row">
				${repeat(
					tiles,
					({ ids }) => ids[0],
					(cell) => tileOf(block, slots, cell, active?.cell.ids[0] === cell.ids[0], context),
				)}
			</div>
		`,
	);
}

function tileOf(
	block: Block,
	slots: readonly Slot[],
	cell: Cell,
	isTabStop: boolean,
	context: RoundContext,
): TemplateResult {
	const id = cell.ids[0] ?? '';
	const place = { ...cell, x: cell.x - block.x, y: cell.y - block.y };
	const known = context.known.get(block.round.id);
	const hasOwnPrompt = (known?.prompts ?? 1) > 1 || block.lineWidth < roomForPrompt;
	if (slots.find((slot) => slot.id === id)?.kind === 'image') {
		const image = context.images.get(id);
		return imageTile({
			id,
			image,
			place,
			hasOwnPrompt,
			isSelected: context.selected.includes(id),
			isTabStop,
			thumbnail: context.thumbnail(image?.thumbnail),
			keep: (kept) => context.keep(id, kept),
			edit: () => context.edit(id),
		});
	}
	const job = context.jobs.get(id);
	const failure = job && failureOf(job, slots, context.jobs);
	return jobTile({
		id,
		hasOwnPrompt,
		labels: cell.ids.map((one) => context.jobs.get(one)?.label ?? ''),
		job,
		failure,
		place,
		isTabStop,
		run: (action) => context.runJobs([id], action),
		runAll: (action) => context.runJobs(failure?.ids ?? [id], action),
		open: () => context.openJob(id),
	});
}
