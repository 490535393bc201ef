import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { imageMeant } from '../../editor/imageMeant.js';
import { confirm, inBackground, mention, notify } from '../../editor/messages.js';
import { readableSize } from '../../images/readableSize.js';
import { besideName } from '../../recipes/beside.js';
import { findTraces } from '../../recipes/traces.js';
import { imagesIn, isImage, type ImagesFound } from './imagesIn.js';
import { tellFailed, type Strippings } from './strippings.js';
import { watched } from './watched.js';

/** What is to be changed, and what stays as it is. */
interface Found {
	/** Images whose own recipe goes. */
	readonly images: readonly vscode.Uri[];
	/** Images whose file beside them goes. */
	readonly besides: readonly vscode.Uri[];
	/** How many images hold a recipe and are signed, so that it stays there. */
	readonly signed: number;
	/** How many could not be read. */
	readonly unreadable: number;
	/** What the copies of the files that are to be changed take. */
	readonly bytes: number;
	/** How many folders could not be read, with whatever is in them. */
	readonly unreadableFolders: number;
}

/**
 * "Remove Prompt from File…": removes what Easel has written of how images were made, after a question that
 * says of how many, and in one step that can be undone. A signed image is never changed.
 *
 * @param target what a menu names; without it the image in front is meant
 * @param selected all that are selected with it
 */
export async function stripRecipes(
	target: unknown,
	selected: unknown,
	strippings: Strippings,
): Promise<void> {
	const meant = await targetsOf(target, selected);
	if (meant.length === 0) {
		await notify('info', 'Open or select the image whose recipe is to be removed.');
		return;
	}
	if (meant.some(({ scheme }) => scheme !== 'file')) {
		await notify('info', 'Recipes can be removed from files on a disk only.');
		return;
	}
	const { files: all, unreadable: unreadableFolders } = await filesOf(meant);
	const looked = await look(all);
	if (looked === undefined) {
		return;
	}
	const found = { ...looked, unreadableFolders };
	const { images, besides } = found;
	if (images.length + besides.length === 0) {
		await notify('info', ['There is no recipe of Easel to remove.', ...staying(found)].join(' '));
		return;
	}
	if (await confirm(questionOf(found), detailOf(found), 'Strip Recipe')) {
		await strip(found, strippings);
	}
}

async function strip(found: Found, strippings: Strippings): Promise<void> {
	const outcome = await strippings.strip(found.images, found.besides);
	if (outcome === undefined) {
		mention('Easel: Nothing was stripped.', 'circle-slash');
		return;
	}
	inBackground(tellFailed(outcome));
	if (outcome.done.length > 0) {
		const words = `Removed the recipe from ${files(outcome.done.length)}.`;
		await notify('info', [words, ...staying(found)].join(' '), [
			{ label: 'Undo', run: async () => tellFailed(await outcome.undo()) },
		]);
	}
}

async function targetsOf(target: unknown, selected: unknown): Promise<readonly vscode.Uri[]> {
	const meant = await imageMeant(target);
	const all: unknown[] = Array.isArray(selected) ? selected : [];
	const uris = all.filter((one) => one instanceof vscode.Uri);
	// A right click outside the selection is meant for that one file.
	return meant === undefined || uris.some((uri) => uri.toString() === meant.toString())
		? uris
		: [meant];
}

/** The images among them, and in the folders among them. */
async function filesOf(meant: readonly vscode.Uri[]): Promise<ImagesFound> {
	const found = await Promise.all(
		meant.map(async ({ fsPath }): Promise<ImagesFound> =>
			(await stat(fsPath)).isDirectory()
				? imagesIn(fsPath)
				: { files: isImage.test(fsPath) ? [fsPath] : [], unreadable: 0 },
		),
	);
	return {
		files: [...new Set(found.flatMap(({ files }) => files))],
		unreadable: found.reduce((sum, { unreadable }) => sum + unreadable, 0),
	};
}

/** @returns `undefined` where the user has cancelled */
async function look(all: readonly string[]): Promise<Omit<Found, 'unreadableFolders'> | undefined> {
	const images: vscode.Uri[] = [];
	const besides: vscode.Uri[] = [];
	let signed = 0;
	let unreadable = 0;
	let bytes = 0;
	const lookAt = async (file: string) => {
		const traces = await findTraces(file).catch(() => undefined);
		const uri = vscode.Uri.file(file);
		unreadable += traces === undefined ? 1 : 0;
		signed += traces?.inImage && traces.isSigned ? 1 : 0;
		if (traces?.inImage && !traces.isSigned) {
			images.push(uri);
			// Others add theirs meanwhile.
			const size = await sizeOf(file);
			// With its recipe and without.
			bytes += 2 * size;
		}
		if (traces?.beside) {
			besides.push(uri);
			const size = await sizeOf(besideName(file));
			bytes += size;
		}
	};
	return (await watched('Looking for recipes', all, lookAt))
		? { images, besides, signed, unreadable, bytes }
		: undefined;
}

/** In bytes; 0 where it has gone meanwhile. */
async function sizeOf(file: string): Promise<number> {
	return stat(file).then(
		({ size }) => size,
		() => 0,
	);
}

function questionOf({ images, besides }: Found): string {
	return `Strip the recipe from ${files(images.length + besides.length)}?`;
}

function detailOf(found: Found): string {
	const { images, besides, bytes } = found;
	return [
		...(images.length === 0
			? []
			: [`It goes from ${files(images.length, 'image')}; the pictures stay as they are.`]),
		...(besides.length === 0 ? [] : [`${files(besides.length)} beside images will be removed.`]),
		...staying(found),
		'This can be undone:',
		`Easel keeps copies for 30 days (${readableSize(bytes)}).`,
	].join(' ');
}

/** What people should know of the images that stay as they are. */
function staying({ signed, unreadable, unreadableFolders }: Found): string[] {
	return [
		...(signed === 0
			? []
			: [`${files(signed, 'signed image')} cannot be changed without breaking the signature.`]),
		...(unreadable === 0 ? [] : [`${files(unreadable)} could not be read.`]),
		...(unreadableFolders === 0
			? []
			: [`${files(unreadableFolders, 'folder')} could not be read, and what is in them stays.`]),
	];
}

function files(count: number, what = 'file'): string {
	return `${String(count)} ${what}${count === 1 ? '' : 's'}`;
}
