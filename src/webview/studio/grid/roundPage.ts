import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { StudioSlot } from '../../../protocol/studioModel.js';
import { roundHeader } from '../roundHeader.js';
import type { RoundPlaces } from '../rounds.js';
import type { StudioStore } from '../store.js';
import { imageTile, jobTile } from '../tiles.js';
import { tilesIn, type RoundPage, type RoundPart } from './roundPages.js';

/** Number of tiles beside each other, and the cell with the tab stop. */
interface Placing {
	readonly columns: number;
	readonly active: string | undefined;
}

/** Returns the parts of the store that a page is drawn from. */
export function drawnFrom(store: StudioStore, { parts }: RoundPage): readonly unknown[] {
	const { known, images, broken } = store.library;
	const ids = parts.flatMap(({ slots }) => slots.map(({ id }) => id));
	const hasJobs = parts.some(({ round }) => round.slots.some(({ kind }) => kind === 'job'));
	return [
		...[store.selected.current, store.view.renaming, broken.size],
		hasJobs ? store.jobs.byId : undefined,
		...parts.map(({ round }) => known.get(round.id)),
		...ids.map((id) => images.get(id)),
	];
}

/** Rounds, each with its line and its tiles. */
export function roundPage(
	store: StudioStore,
	{ parts }: RoundPage,
	placing: Placing,
): TemplateResult {
	return html`${repeat(
		parts,
		({ round, slots }) => `${round.id} ${slots[0]?.id ?? ''}`,
		(part) => roundPart(store, part, placing),
	)}`;
}

function roundPart(
	store: StudioStore,
	{ round, slots, isFirst }: RoundPart,
	placing: Placing,
): TemplateResult {
	const { active, columns } = placing;
	const { showsFolder } = store.library;
	const isCollapsed = store.library.isCollapsed(round);
	const isActive = active !== undefined && store.library.roundOf(active) === round;
	return html`
		<div
			class="round"
			role="rowgroup"
			aria-labelledby=${showsFolder ? nothing : `title-${round.id}`}
			data-round=${round.id}
		>
			${isFirst && !showsFolder ? roundHeader(store, round, isCollapsed, isActive) : nothing}
			${
				isCollapsed
					? nothing
					: html`<div class="tiles" role="row">
							${repeat(
								tilesIn(slots, columns, store.jobs.byId),
								([{ id }]) => id,
								(tile) => tileOf(store, round, tile, active),
							)}
						</div>`
			}
		</div>
	`;
}

function tileOf(
	store: StudioStore,
	round: RoundPlaces,
	slots: readonly [StudioSlot, ...StudioSlot[]],
	active: string | undefined,
): TemplateResult {
	const isTabStop = slots.some((slot) => slot.id === active);
	// Where the images of a round have several prompts, each says its own.
	const hasOwnPrompt = (store.library.known.get(round.id)?.prompts ?? 1) > 1;
	const tile = slots[0].kind === 'image' ? imageTile : jobTile;
	return tile(store, { slots, hasOwnPrompt, isTabStop });
}
