import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { targetImages } from '../../editor/targetImage.js';
import { confirm, runDetached, showStatus, notify } from '../../editor/messages.js';
import { readableSize } from '../../images/readableSize.js';
import { besideName } from '../../recipes/beside.js';
import { findTraces } from '../../recipes/traces.js';
import { imagesIn, isImage, type ImagesFound } from './imagesIn.js';
import { reportFailed, type Strippings } from './strippings.js';
import { forEachFile } from './forEachFile.js';
import { stripMessages } from '../messages.js';
import { labels } from '../../generation/messages.js';

interface Found {
	/** Images whose own recipe goes. */
	readonly images: readonly vscode.Uri[];
	/** Images whose file beside them goes. */
	readonly besides: readonly vscode.Uri[];
	/** How many images hold a recipe and are signed, so that it stays there. */
	readonly signed: number;
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
	const meant = await targetImages(target, selected);
	if (meant.length === 0) {
		await notify('info', stripMessages.selectImage);
		return;
	}
	if (meant.some(({ scheme }) => scheme !== 'file')) {
		await notify('info', stripMessages.needsLocalFolder);
		return;
	}
	const found = await findRecipes(await filesOf(meant));
	if (found === undefined) {
		return;
	}
	const { images, besides } = found;
	if (images.length + besides.length === 0) {
		await notify('info', [stripMessages.nothing, ...staying(found)].join(' '));
		return;
	}
	const question = stripMessages.question(images.length + besides.length);
	if (await confirm(question, detailOf(found), stripMessages.action)) {
		await strip(found, strippings);
	}
}

async function strip(found: Found, strippings: Strippings): Promise<void> {
	const outcome = await strippings.strip(found.images, found.besides);
	if (outcome === undefined) {
		showStatus(stripMessages.cancelled, 'circle-slash');
		return;
	}
	runDetached(reportFailed(outcome));
	if (outcome.done > 0) {
		const words = stripMessages.removed(outcome.done);
		await notify('info', [words, ...staying(found)].join(' '), [
			{ label: labels.undo, run: async () => reportFailed(await outcome.undo()) },
		]);
	}
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

/** Looks for recipes; `undefined` where the user has cancelled. */
async function findRecipes({ files, unreadable }: ImagesFound): Promise<Found | undefined> {
	const found = {
		images: [] as vscode.Uri[],
		besides: [] as vscode.Uri[],
		signed: 0,
		unreadable: 0,
		bytes: 0,
		unreadableFolders: unreadable,
	};
	const lookAt = async (file: string) => {
		const uri = vscode.Uri.file(file);
		const traces = await findTraces(file).catch(() => undefined);
		if (traces === undefined) {
			found.unreadable += 1;
			return;
		}
		// Others add theirs while a size is waited for.
		const imageBytes = traces.inImage ? await sizeOf(file) : 0;
		const besideBytes = traces.beside ? await sizeOf(besideName(file)) : 0;
		if (traces.inImage && traces.isSigned) {
			found.signed += 1;
		} else if (traces.inImage) {
			found.images.push(uri);
			// With its recipe and without.
			found.bytes += 2 * imageBytes;
		}
		if (traces.beside) {
			found.besides.push(uri);
			found.bytes += besideBytes;
		}
	};
	return (await forEachFile(stripMessages.searching, files, lookAt)) ? found : undefined;
}

/** In bytes; 0 where it has gone meanwhile. */
async function sizeOf(file: string): Promise<number> {
	return stat(file).then(
		({ size }) => size,
		() => 0,
	);
}

function detailOf(found: Found): string {
	const { images, besides, bytes } = found;
	return [
		...(images.length === 0 ? [] : [stripMessages.images(images.length)]),
		...(besides.length === 0 ? [] : [stripMessages.besides(besides.length)]),
		...staying(found),
		stripMessages.undo(readableSize(bytes)),
	].join(' ');
}

/** What the user should know of the images that stay as they are. */
function staying({ signed, unreadable, unreadableFolders }: Found): string[] {
	return [
		...(signed === 0 ? [] : [stripMessages.signed(signed)]),
		...(unreadable === 0 ? [] : [stripMessages.unreadable(unreadable)]),
		...(unreadableFolders === 0 ? [] : [stripMessages.unreadableFolders(unreadableFolders)]),
	];
}
