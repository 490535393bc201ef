import type { Job, StudioSlot } from '../../../protocol/studioModel.js';
import type { RoundPlaces } from '../rounds.js';
import type { FolderState } from '../store/imageSearch.js';
import type { Page } from './visiblePages.js';

/** A round, or a part of one that has very many images. */
export interface RoundPart {
	readonly round: RoundPlaces;
	readonly slots: readonly StudioSlot[];
	/** True where it is the first part, with the line of the round. */
	readonly isFirst: boolean;
}

export interface RoundPage extends Page {
	readonly parts: readonly RoundPart[];
}

/** Between two tiles, in CSS pixels. */
const gap = 12;
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
 * Returns how many tiles of a round stand beside each other. Three would leave the last of four alone.
 *
 * @param width in CSS pixels
 */
export function tilesPerRow(width: number): number {
	if (width < 536) {
		return width < 240 ? 1 : 2;
	}
	return Math.max(4, Math.floor((width + gap) / (360 + gap) + 0.7));
}

/** Returns how many images of a folder stand beside each other. @param width in CSS pixels */
export function filesPerRow(width: number, cells: FolderState['cells'] = 'medium'): number {
	return Math.max(1, Math.floor((width + gap) / (minWidth[cells] + gap)));
}

/** Room that the tiles have, and which of them are shown. */
interface Layout {
	/** In CSS pixels. */
	readonly width: number;
	readonly columns: number;
	readonly showsFolder: boolean;
	readonly isCollapsed: (round: RoundPlaces) => boolean;
}

/**
 * Divides rounds into pages; from the oldest on, so that a new round changes the first page alone.
 *
 * @param rounds newest first
 */
export function pagesOf(rounds: readonly RoundPlaces[], layout: Layout): readonly RoundPage[] {
	const pages: RoundPage[] = [];
	let parts: RoundPart[] = [];
	let size = 0;
	const step = layout.showsFolder ? layout.columns * rowsOfPart : partSize;
	const close = () => {
		pages.push(pageOf(parts.toReversed(), layout));
		parts = [];
		size = 0;
	};
	for (const round of rounds.toReversed()) {
		for (let start = lastPart(round, step); start >= 0; start -= step) {
			const slots = round.slots.slice(start, start + step);
			parts.push({ round, slots, isFirst: start === 0 });
			size += layout.isCollapsed(round) ? 1 : slots.length;
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

function pageOf(parts: readonly RoundPart[], { width, columns, isCollapsed }: Layout): RoundPage {
	const last = parts.at(-1)!;
	const tile = (width - gap * (columns - 1)) / columns;
	const heights = parts.map(({ round, slots, isFirst }) => {
		const rows = isCollapsed(round) ? 0 : Math.ceil(slots.length / columns);
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
			isCollapsed(round) ? [round.id] : slots.map(({ id }) => id),
		),
	};
}

/** Returns the start of the last part of a round. @param size of a part, in images */
function lastPart({ slots }: RoundPlaces, size: number): number {
	return Math.floor((slots.length - 1) / size) * size;
}

/** One for each place; neighbors in a row that have failed for the same reason share one. */
export function tilesIn(
	slots: readonly StudioSlot[],
	columns: number,
	jobs: ReadonlyMap<string, Job>,
): (readonly [StudioSlot, ...StudioSlot[]])[] {
	const tiles: [StudioSlot, ...StudioSlot[]][] = [];
	const causeOf = ({ id, kind }: StudioSlot) => {
		const job = kind === 'job' ? jobs.get(id) : undefined;
		return job?.state === 'failed' ? job.cause : undefined;
	};
	for (const [index, slot] of slots.entries()) {
		const last = tiles.at(-1);
		const cause = causeOf(slot);
		const isInRow = index % columns !== 0;
		if (isInRow && last !== undefined && cause !== undefined && causeOf(last[0]) === cause) {
			last.push(slot);
		} else {
			tiles.push([slot]);
		}
	}
	return tiles;
}
