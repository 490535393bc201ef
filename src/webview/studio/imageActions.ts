import type { Image } from '../../protocol/studio.js';
import type { ImageAction } from '../../protocol/studioActions.js';
import type { IconName } from '../codicon.js';
import type { MenuItem } from './easelMenu.js';

/** What can be done with an image in the gallery; the last four the page does in its own way. */
export type GalleryAction =
	Exclude<ImageAction, 'editInstead' | 'undoRemove'> | 'compare' | 'copyImage' | 'keep' | 'unkeep';

interface Entry {
	readonly label: string;
	readonly icon: IconName;
}

export const actionEntries: Readonly<Record<GalleryAction, Entry>> = {
	insert: { label: 'Insert at Cursor', icon: 'insert' },
	edit: { label: 'Edit', icon: 'edit' },
	addReference: { label: 'Add as Reference', icon: 'add' },
	useAsStyle: { label: 'Add to Style Guide…', icon: 'symbol-color' },
	usePrompt: { label: 'Use This Prompt Again', icon: 'history' },
	useInHighQuality: { label: 'Generate Again in High Quality…', icon: 'refresh' },
	keep: { label: 'Keep', icon: 'star-empty' },
	unkeep: { label: 'Stop Keeping', icon: 'star-full' },
	compare: { label: 'Compare With…', icon: 'git-compare' },
	replace: { label: 'Replace Original', icon: 'replace' },
	copyImage: { label: 'Copy Image', icon: 'copy' },
	copyImageLink: { label: 'Copy Image Link', icon: 'link' },
	copyPrompt: { label: 'Copy Prompt', icon: 'quote' },
	handOver: { label: 'Hand Over…', icon: 'export' },
	open: { label: 'Open', icon: 'go-to-file' },
	reveal: { label: 'Reveal', icon: 'folder-opened' },
	saveAs: { label: 'Save As…', icon: 'save-as' },
	remove: { label: 'Delete Image…', icon: 'trash' },
};

/** In groups, as they are shown: to go on, to decide, to give it on, the file, and to be rid of it. */
const groups: readonly (readonly GalleryAction[])[] = [
	['insert', 'edit', 'addReference', 'useAsStyle', 'usePrompt', 'useInHighQuality'],
	['keep', 'unkeep', 'compare', 'replace'],
	['copyImage', 'copyImageLink', 'copyPrompt', 'handOver'],
	['open', 'reveal', 'saveAs'],
	['remove'],
];

/** Where there is little room, these still have a button. The others are in a menu. */
const important: ReadonlySet<GalleryAction> = new Set(['insert', 'edit', 'usePrompt']);

/** Returns what can be done with an image now, in groups; none of them is empty. */
export function actionsFor(image: Image): GalleryAction[][] {
	return groups
		.map((actions) => actions.filter((action) => isPossible(action, image)))
		.filter((actions) => actions.length > 0);
}

/** Divides what can be done into what has a button, and what is in the menu where it is narrow. */
export function divideActions(
	actions: readonly (readonly GalleryAction[])[],
): [buttons: GalleryAction[], menu: GalleryAction[][]] {
	return [
		actions.flat().filter((action) => important.has(action)),
		actions
			.map((group) => group.filter((action) => !important.has(action)))
			.filter((group) => group.length > 0),
	];
}

/** Returns the items of a menu for what can be done. */
export function menuOf(actions: readonly (readonly GalleryAction[])[]): MenuItem[][] {
	return actions.map((group) => group.map((action) => ({ id: action, ...actionEntries[action] })));
}

/** Whether a key removes an image. Keyboards of a Mac have no Delete key: there it is ⌘⌫. */
export function removes({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
	return (
		!ctrlKey &&
		!altKey &&
		!shiftKey &&
		((key === 'Delete' && !metaKey) || (key === 'Backspace' && metaKey))
	);
}

function isPossible(action: GalleryAction, image: Image): boolean {
	switch (action) {
		case 'usePrompt':
		case 'copyPrompt':
		case 'remove':
			return true;
		case 'useInHighQuality':
			return !image.final;
		case 'keep':
			return !image.kept;
		case 'unkeep':
			return image.kept;
		case 'replace':
			return image.exists && image.hasOriginal === true;
		case 'compare':
		case 'copyImage':
			// These happen in the page, which has to have the image itself.
			return image.exists && image.source !== undefined;
		case 'open':
		case 'reveal':
		case 'insert':
		case 'edit':
		case 'addReference':
		case 'useAsStyle':
		case 'copyImageLink':
		case 'handOver':
		case 'saveAs':
			return image.exists;
	}
}
