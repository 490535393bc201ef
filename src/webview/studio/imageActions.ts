import type { Image } from '../../protocol/studio.js';
import type { ImageAction } from '../../protocol/studioActions.js';
import type { MenuItem } from './easelMenu.js';

/** What can be done with an image in the gallery; the last two the page does by itself. */
export type GalleryAction = Exclude<ImageAction, 'undoRemove'> | 'compare' | 'copyImage';

interface Entry {
	readonly label: string;
	/** A codicon. */
	readonly icon: string;
}

export const actionEntries: Readonly<Record<GalleryAction, Entry>> = {
	insert: { label: 'Insert at Cursor', icon: 'insert' },
	edit: { label: 'Edit with Prompt', icon: 'wand' },
	usePrompt: { label: 'Use This Prompt Again', icon: 'history' },
	makeFinal: { label: 'Make Final', icon: 'star-full' },
	compare: { label: 'Compare With…', icon: 'git-compare' },
	replace: { label: 'Replace Original', icon: 'replace' },
	copyImage: { label: 'Copy Image', icon: 'copy' },
	copyImageLink: { label: 'Copy Image Link', icon: 'link' },
	open: { label: 'Open', icon: 'go-to-file' },
	reveal: { label: 'Reveal', icon: 'folder-opened' },
	saveAs: { label: 'Save As…', icon: 'save-as' },
	remove: { label: 'Remove from Gallery', icon: 'trash' },
};

/** In groups, as they are shown: to use it, to look at it, the file, and to be rid of it. */
const groups: readonly (readonly GalleryAction[])[] = [
	['insert', 'edit', 'usePrompt', 'makeFinal'],
	['compare', 'replace', 'copyImage', 'copyImageLink'],
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
		case 'remove':
			return true;
		case 'makeFinal':
			return !image.final;
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
		case 'copyImageLink':
		case 'saveAs':
			return image.exists;
	}
}
