import { everything } from '../../../protocol/studioModel.js';
import type { Point } from '../../geometry.js';
import { hasModifier } from '../../keys.js';
import { openMenu } from '../easelMenu.js';
import {
	actionsFor,
	isPossible,
	menuOf,
	removes,
	setFavorite,
	type GalleryAction,
} from '../imageActions.js';
import { askJobs } from '../jobActions.js';
import { runRoundAction } from '../roundHeader.js';
import { selectionMenu } from '../selectionBar.js';
import type { StudioStore } from '../store.js';
import { tilesIn } from './roundPages.js';

/** Opens an image large, the card of a job, or a round that is collapsed. */
export function openCell(store: StudioStore, id: string): void {
	if (store.library.isImage(id)) {
		store.view.open(id);
	} else if (store.jobs.byId.has(id)) {
		store.jobs.showCard(id);
	} else {
		runRoundAction(store, id, 'expand');
	}
}

/** Opens the menu of a cell, or of what is selected. */
export function openCellMenu(store: StudioStore, id: string, at: Point, cell: HTMLElement): void {
	const { jobs, library, selected } = store;
	const image = library.images.get(id);
	if (jobs.byId.has(id)) {
		openCell(store, id);
	} else if (selected.ids.size > 1 && selected.ids.has(id)) {
		openMenu(cell, at, selectionMenu(store));
	} else if (image !== undefined) {
		openMenu(cell, at, menuOf(store, id, image.name, actionsFor(image)));
	}
}

/**
 * Does what a key means for a cell.
 *
 * @param id empty where the key is for none
 * @param columns number of tiles beside each other
 * @returns whether it means something
 */
export function actOnCell(
	store: StudioStore,
	event: KeyboardEvent,
	id: string,
	columns: number,
): boolean {
	const { jobs, library, selected, view } = store;
	const isImage = library.isImage(id);
	const image = library.images.get(id);
	const can = (action: GalleryAction) => image === undefined || isPossible(action, image);
	if (removes(event) && ((isImage && can('remove')) || jobs.byId.has(id))) {
		if (isImage) {
			const { ids } = selected;
			void store.ask({ type: 'images', ids: ids.has(id) ? [...ids] : [id], action: 'remove' });
		} else {
			dismiss(store, id, columns);
		}
		return true;
	}
	if (event.key === 'Escape') {
		return escape(store);
	}
	if (hasModifier(event) || event.shiftKey) {
		return false;
	}
	if (event.key === ' ' && jobs.byId.has(id)) {
		jobs.showCard(id);
		return true;
	}
	if (!isImage) {
		return false;
	}
	switch (event.key) {
		case 'k':
		case 'K':
			if (image?.isUnlisted !== true) {
				setFavorite(store, [id], image?.isFavorite !== true);
			}
			return true;
		case 'e':
		case 'E':
			if (can('edit')) {
				void store.ask({ type: 'edit', id, how: 'alone' });
			}
			return true;
		case 'F2':
			if (image?.isUnlisted === true) {
				return false;
			}
			view.open(id);
			store.focus.request('detail', 'anywhere', 'title');
			return true;
		default:
			return false;
	}
}

/** Takes back the narrowest thing: the selection, then the text, then the folder. */
function escape({ search, selected }: StudioStore): boolean {
	const { query } = search;
	if (selected.ids.size > 0) {
		selected.clear();
	} else if (query.text !== '') {
		search.run({ ...query, text: '' });
	} else if (query.among === 'files') {
		search.run(everything);
	} else {
		return false;
	}
	return true;
}

/** Forgets all that the tile stands for. */
function dismiss(store: StudioStore, id: string, columns: number): void {
	const { jobs, library } = store;
	const tile = tilesIn(library.slotsBeside(id), columns, jobs.byId).find((slots) =>
		slots.some((one) => one.id === id),
	);
	const ids = (tile ?? []).map((slot) => slot.id);
	if (ids.every((one) => jobs.byId.get(one)?.actions.includes('dismiss'))) {
		askJobs(store, ids, 'dismiss');
	}
}
