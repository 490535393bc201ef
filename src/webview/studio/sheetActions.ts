import { maxTogether, type SheetAction, type SheetFile } from '../../protocol/studio.js';
import { hints, labels } from '../messages.js';
import type { Menu, MenuItem } from './easelMenu.js';
import { actionEntries } from './imageActions.js';
import type { StudioStore } from './store.js';

const { edit, addReference, useAsStyle, reveal, open } = actionEntries;

/** What can be done with files of a sheet, as their buttons and menus say it. */
export const sheetEntries: Readonly<Record<SheetAction, Omit<MenuItem, 'run'>>> = {
	edit: { ...edit, label: labels.editWithPrompt },
	addReference,
	useAsStyle,
	compare: { label: labels.compare, icon: 'git-compare' },
	showProvenance: { label: labels.howMade, icon: 'info' },
	open,
	reveal,
};

/** In groups, as they are shown. */
const groups: readonly (readonly SheetAction[])[] = [
	['edit', 'addReference', 'useAsStyle'],
	['compare', 'showProvenance'],
	['open', 'reveal'],
];

/** Returns what can be done with these files, in groups; none of them is empty. */
export function sheetActionsFor(files: readonly SheetFile[]): SheetAction[][] {
	return groups
		.map((actions) => actions.filter((action) => isPossible(action, files)))
		.filter(({ length }) => length > 0);
}

/** Returns those that have a button, the most important one first. */
export function buttonsOf(files: readonly SheetFile[]): SheetAction[] {
	const shown: readonly SheetAction[] = ['compare', 'edit', 'addReference'];
	return shown.filter((action) => isPossible(action, files));
}

/** Returns the menu of what can be done with files. */
export function sheetMenu(store: StudioStore, files: readonly SheetFile[]): Menu {
	const ids = files.map(({ id }) => id);
	return {
		name: files.length === 1 ? files[0]!.name : hints.images(files.length),
		groups: sheetActionsFor(files).map((group) =>
			group.map((action) => ({
				...sheetEntries[action],
				run: () => runSheetAction(store, ids, action),
			})),
		),
	};
}

export function runSheetAction(store: StudioStore, files: string[], action: SheetAction): void {
	if (files.length > 0) {
		void store.ask({ type: 'sheetFiles', files, action });
	}
}

function isPossible(action: SheetAction, files: readonly SheetFile[]): boolean {
	const isOne = files.length === 1;
	switch (action) {
		case 'open':
		case 'reveal':
			return isOne;
		case 'edit':
		case 'useAsStyle':
			return isOne && files.every(canBeSent);
		case 'addReference':
			return files.length > 0 && files.length <= maxTogether && files.every(canBeSent);
		case 'compare':
			return files.length === 2 && files.every(canBeSent);
		case 'showProvenance':
			return isOne && files.every(({ name }) => /\.png$/i.test(name));
	}
}

/** The service takes no GIF. */
function canBeSent({ name }: SheetFile): boolean {
	return /\.(?:png|jpe?g|webp)$/i.test(name);
}
