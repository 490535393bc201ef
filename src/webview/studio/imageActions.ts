import {
	type Image,
	imagesAction,
	type ImageAction,
	type ImagesAction,
} from '../../protocol/studioModel.js';
import type { IconName } from '../codicon.js';
import { hints, pageLabels, pageMessages } from '../messages.js';
import { copyImage } from './copyImage.js';
import type { Menu } from './easelMenu.js';
import type { StudioStore } from './store.js';

/** Action on an image of the gallery; the last four the page does in its own way. */
export type GalleryAction =
	ImageAction | ImagesAction | 'edit' | 'copyImage' | 'addFavorite' | 'removeFavorite';

interface Entry {
	readonly label: string;
	readonly icon: IconName;
	/** Returns whether it can be done now; missing where that takes the file and nothing else. */
	readonly isPossible?: (image: Image) => boolean;
}

const always = () => true;
/** These happen in the page, which has to have the image itself. */
const isLoadable = ({ exists, source }: Image) => exists && source !== undefined;

export const actionEntries: Readonly<Record<GalleryAction, Entry>> = {
	insert: { label: pageLabels.insertAtCursor, icon: 'insert' },
	edit: { label: pageLabels.edit, icon: 'edit' },
	addReference: { label: pageLabels.addAsReference, icon: 'add' },
	useAsStyle: { label: pageLabels.addToStyleGuide, icon: 'symbol-color' },
	usePrompt: { label: pageLabels.reusePrompt, icon: 'history', isPossible: always },
	useInHighQuality: {
		label: pageLabels.generateHighQuality,
		icon: 'refresh',
		isPossible: ({ final }) => !final,
	},
	addFavorite: {
		label: pageLabels.star,
		icon: 'star-empty',
		isPossible: ({ isFavorite }) => !isFavorite,
	},
	removeFavorite: {
		label: pageLabels.removeStar,
		icon: 'star-full',
		isPossible: ({ isFavorite }) => isFavorite,
	},
	compare: { label: pageLabels.compareWith, icon: 'git-compare', isPossible: isLoadable },
	replace: {
		label: pageLabels.replaceOriginal,
		icon: 'replace',
		isPossible: ({ exists, hasOriginal }) => exists && hasOriginal === true,
	},
	keepRest: {
		label: pageLabels.keepRest,
		icon: 'layers',
		isPossible: ({ exists, lacksRest }) => exists && lacksRest === true,
	},
	copyImage: { label: pageLabels.copyImage, icon: 'copy', isPossible: isLoadable },
	copyImageLink: { label: pageLabels.copyImageLink, icon: 'link' },
	copyPrompt: { label: pageLabels.copyPrompt, icon: 'quote', isPossible: always },
	writeBrief: { label: pageLabels.writeBrief, icon: 'export' },
	showProvenance: {
		label: pageLabels.howMade,
		icon: 'info',
		// Of another one, the page shows it.
		isPossible: ({ isUnlisted, name }) => isUnlisted === true && /\.(png|jpe?g|webp)$/i.test(name),
	},
	export: { label: pageLabels.export, icon: 'file-media' },
	makeDark: { label: pageLabels.makeDark, icon: 'color-mode' },
	open: { label: pageLabels.openFile, icon: 'go-to-file' },
	reveal: { label: pageLabels.revealInExplorer, icon: 'folder-opened' },
	saveAs: { label: pageLabels.saveAs, icon: 'save-as' },
	remove: { label: pageLabels.deleteImage, icon: 'trash', isPossible: always },
};

/** In groups, as they are shown: to go on, to decide, to give it on, the file, and to be rid of it. */
const groups: readonly (readonly GalleryAction[])[] = [
	['insert', 'edit', 'addReference', 'useAsStyle', 'usePrompt', 'useInHighQuality'],
	['addFavorite', 'removeFavorite', 'compare', 'replace', 'keepRest'],
	['copyImage', 'copyImageLink', 'copyPrompt', 'writeBrief'],
	['showProvenance', 'export', 'makeDark', 'open', 'reveal', 'saveAs'],
	['remove'],
];

/** Those that a file which is not in the gallery has too. */
const unlistedActions: ReadonlySet<GalleryAction> = new Set([
	...['edit', 'addReference', 'useAsStyle', 'compare', 'copyImage'],
	...['showProvenance', 'export', 'makeDark', 'open', 'reveal', 'saveAs'],
] as const);
/** The service takes no GIF. */
const sendActions: ReadonlySet<GalleryAction> = new Set([
	...['edit', 'addReference', 'useAsStyle', 'compare', 'export', 'makeDark'],
] as const);

/** Actions that have a button even where there is little room. The others are in a menu. */
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

/** Returns a menu of what can be done with an image. */
export function menuOf(
	store: StudioStore,
	id: string,
	name: string,
	actions: readonly (readonly GalleryAction[])[],
): Menu {
	return {
		name,
		groups: actions.map((group) =>
			group.map((action) => ({
				...actionEntries[action],
				run: () => runAction(store, id, action),
			})),
		),
	};
}

/** Does what was chosen for an image. */
export function runAction(store: StudioStore, id: string, action: GalleryAction): void {
	if (action === 'compare') {
		store.view.beginComparing(id);
	} else if (action === 'edit') {
		void store.ask({ type: 'edit', id, how: 'alone' });
	} else if (action === 'copyImage') {
		void copyImage(store, id);
	} else if (action === 'addFavorite' || action === 'removeFavorite') {
		setFavorite(store, [id], action === 'addFavorite');
	} else if (isForAll(action)) {
		void store.ask({ type: 'images', ids: [id], action });
	} else {
		void store.ask({ type: 'image', id, action });
	}
}

/** Puts a star on images, or takes it from them, and announces it. */
export function setFavorite(store: StudioStore, ids: readonly string[], isFavorite: boolean): void {
	void store.ask({ type: 'annotateImages', ids: [...ids], isFavorite });
	const label = ids.length === 1 ? store.library.images.get(ids[0]!)?.label : undefined;
	const name = label ?? hints.images(ids.length);
	store.notices.announce(
		isFavorite ? `${name}: ${pageMessages.starred}` : pageMessages.starRemovedFrom(name),
	);
}

function isForAll(action: GalleryAction): action is ImagesAction {
	return (imagesAction.options as readonly string[]).includes(action);
}

/**
 * Returns whether a key removes an image. Keyboards of a Mac have no Delete key: there it is ⌘⌫.
 */
export function removes({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
	return (
		!ctrlKey &&
		!altKey &&
		!shiftKey &&
		((key === 'Delete' && !metaKey) || (key === 'Backspace' && metaKey))
	);
}

/** Returns whether something can be done with an image now. */
export function isPossible(action: GalleryAction, image: Image): boolean {
	const { isPossible = ({ exists }) => exists } = actionEntries[action];
	const isOffered =
		image.isUnlisted !== true ||
		(unlistedActions.has(action) && !(sendActions.has(action) && /\.gif$/i.test(image.name)));
	return isOffered && isPossible(image);
}
