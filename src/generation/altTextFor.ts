import { posix } from 'node:path';
import * as vscode from 'vscode';
import { subjectOf } from '../images/subject.js';
import { imagesOf } from '../editor/documentImages.js';
import { readSetting } from '../editor/settings.js';
import type { Origin } from '../jobs/origin.js';
import type { SavedImage } from './savedImage.js';

/**
 * What the alt text of an image is made of, as `easel.documents.altText` says: the title that the user
 * gave it, else what its prompt says that it shows. An edit still shows
 * its original, so it has the alt text that the original has in the document, else that of the
 * original's own prompt, else the words of its file name; never what was to be changed.
 */
export async function altTextFor(
	{ prompt, title, origin }: SavedImage,
	document: { readonly uri: vscode.Uri; readonly languageId: string; readonly text: string },
): Promise<string> {
	if (readSetting('documents.altText', document.uri) === 'empty') {
		return '';
	}
	if (title !== undefined && title !== '') {
		return title;
	}
	if (origin === undefined) {
		return subjectOf(prompt);
	}
	const shown = await shownAlt(origin, document);
	return shown ?? (origin.prompt === undefined ? nameIn(origin) : subjectOf(origin.prompt));
}

/** The alt text in the document of the nearest image that the edit was made from. */
async function shownAlt(
	{ files }: Origin,
	{ uri, languageId, text }: { uri: vscode.Uri; languageId: string; text: string },
): Promise<string | undefined> {
	// What cannot be read says nothing.
	const images = await imagesOf(text, languageId, uri).catch(() => []);
	for (const file of files) {
		const found = images.find((image) => image.alt !== '' && image.uri.toString() === file);
		if (found !== undefined) {
			return found.alt;
		}
	}
	return undefined;
}

function nameIn({ files }: Origin): string {
	const { name } = posix.parse(vscode.Uri.parse(files.at(-1) ?? '', true).path);
	return name.replace(/[\s_-]+/g, ' ').trim();
}
