import path from 'node:path';
import * as vscode from 'vscode';
import { ageWords } from '../../editor/age.js';
import { foreignText, shortened } from '../../editor/foreignText.js';
import { readableDimensions, readableSize } from '../../images/readableSize.js';
import { originalOf } from '../../generation/madeImages.js';
import { isNotThere } from '../../files/refusal.js';
import type { GalleryImage } from '../../jobs/gallery.js';
import type { Image } from '../../protocol/studio.js';

/** Longest prompt that goes to the page, in UTF-16 code units; the whole one is kept here. */
const longestShown = 20_000;

/** Those whose prompt has all the words that were searched for, in any order and case. */
export function search(images: readonly GalleryImage[], text: string): readonly GalleryImage[] {
	const words = text.toLowerCase().split(/\s+/).filter(Boolean);
	return words.length === 0
		? images
		: images.filter(({ prompt, target }) => {
				const searched = `${prompt} ${path.posix.basename(target)}`.toLowerCase();
				return words.every((word) => searched.includes(word));
			});
}

export interface Description {
	readonly shown: Image;
	/** Of its bytes, where the file looks as it was saved. */
	readonly sha256: string | undefined;
}

/**
 * What the page shows of an image, as its file is now.
 *
 * @param sourceOf where the page loads a file from; `undefined` where it may not
 */
export async function describe(
	image: GalleryImage,
	sourceOf: (uri: vscode.Uri, version: number) => string | undefined,
): Promise<Description> {
	const uri = vscode.Uri.parse(image.target, true);
	const found = await lookAt(uri);
	const source = typeof found === 'object' ? sourceOf(uri, found.mtime) : undefined;
	const relative = vscode.workspace.asRelativePath(uri);
	const name = path.posix.basename(uri.path);
	const madeAt = new Date(image.savedAt);
	const { width, height, quality, references } = image;
	const shown = {
		id: image.id,
		prompt: shownPrompt(image.prompt),
		name: foreignText(name),
		// A path outside of the workspace is none of the page's business.
		path: foreignText(relative === uri.fsPath ? name : relative, 2000),
		details: [
			readableDimensions(image),
			readableSize(typeof found === 'object' ? found.size : image.bytes),
			ageWords(madeAt),
		].join(' · '),
		width,
		height,
		madeAt: madeAt.getTime(),
		final: quality === 'high' || references.length > 0,
		hasOriginal: isBesideOriginal(image),
		exists: found !== 'not there',
		...(source === undefined ? {} : { source }),
	};
	const isAsSaved = typeof found === 'object' && found.size === image.bytes;
	return { shown, sha256: isAsSaved ? image.sha256 : undefined };
}

/** Not where it has taken that place already. */
function isBesideOriginal(image: GalleryImage): boolean {
	const original = originalOf(image)?.toString();
	return original !== undefined && original !== image.target;
}

/** A prompt that fits into a message. */
export function shownPrompt(prompt: string): string {
	return shortened(prompt, longestShown);
}

async function lookAt(uri: vscode.Uri): Promise<vscode.FileStat | 'not there' | 'not known'> {
	try {
		return await vscode.workspace.fs.stat(uri);
	} catch (error) {
		return isNotThere(error) ? 'not there' : 'not known';
	}
}
