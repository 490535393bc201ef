import { maxTogether, type SheetAction, type SheetFile } from '../../protocol/studio.js';
import type { MenuItem } from './easelMenu.js';
import { actionEntries } from './imageActions.js';
import { labels } from '../messages.js';

const { edit, addReference, useAsStyle, reveal, open } = actionEntries;

/** What can be done with files of a sheet, as their buttons and menus say it. */
export const sheetEntries: Readonly<Record<SheetAction, Omit<MenuItem, 'id'>>> = {
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

/** These have a button, where there is room; the others are in a menu. */
const important: ReadonlySet<SheetAction> = new Set(['edit', 'addReference', 'compare']);

/** Returns what can be done with these files, in groups; none of them is empty. */
export function sheetActionsFor(files: readonly SheetFile[]): SheetAction[][] {
	return groups
		.map((actions) => actions.filter((action) => isPossible(action, files)))
		.filter(({ length }) => length > 0);
}

/** Returns those of them that have a button; where there is little room, the first one alone. */
export function buttonsOf(actions: readonly (readonly SheetAction[])[]): SheetAction[] {
	const shown = actions.flat().filter((action) => important.has(action));
	return shown.sort((a, b) => Number(b === 'compare') - Number(a === 'compare'));
}

/** Returns the items of a menu for what can be done. */
export function sheetMenu(actions: readonly (readonly SheetAction[])[]): MenuItem[][] {
	return actions.map((group) => group.map((action) => ({ id: action, ...sheetEntries[action] })));
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
