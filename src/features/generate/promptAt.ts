import * as vscode from 'vscode';
import { markdownLanguages } from '../../documents/languages.js';
import { firstClause } from '../../images/altText.js';
import { isGenericAlt } from '../../images/genericAlt.js';
import { languageOf } from '../../editor/nearImage.js';
import { documentImageAt, imagesOf } from '../../editor/documentImages.js';
import { beginningOf } from '../../images/shorten.js';
import type { KnownImages } from '../../library/galleryLookup.js';
import { log } from '../../log.js';

/** Length of a line that is looked at, and shown in one, in UTF-16 code units. */
const maxLineLength = 4000;

/** End of the alt text of a prompt that was too long for one. */
const cut = /\s*…$/;

/**
 * Returns the prompt that a place in a document stands for: the selected text, or what the image at
 * the cursor was made of, else its alt text where that says something. Where the alt text of an
 * image of Easel is selected, as it is when that was just inserted, its whole prompt counts.
 */
export async function promptAt(
	editor: vscode.TextEditor | undefined,
	known: KnownImages,
): Promise<string> {
	if (editor === undefined) {
		return '';
	}
	// As they are now: who has given the command may go on meanwhile.
	const { document, selection } = editor;
	const selected = document.getText(selection).trim();
	const image =
		(await documentImageAt(document, selection.start)) ??
		(selection.isEmpty ? undefined : await onlyImageOf(document, selection.start));
	if (image === undefined) {
		return withoutListMarker(selected);
	}
	const target = image.uri.toString();
	const images = await known.list().catch((error: unknown) => {
		log.error('The prompt of an image could not be looked up', error);
		return [];
	});
	const made = images.find((one) => one.target === target);
	if (selection.isEmpty) {
		const { alt } = image;
		return made?.prompt ?? (isGenericAlt(alt) ? '' : alt.replace(cut, ''));
	}
	const isAlt = selected === image.alt || cut.test(selected);
	const isOurs = isAlt || (made !== undefined && firstClause(made.prompt) === inOneLine(selected));
	return isOurs ? (made?.prompt ?? selected.replace(cut, '')) : withoutListMarker(selected);
}

/**
 * Returns the text of one item of a list, a heading or a quotation; several, or paragraphs, stay as
 * they are.
 */
function withoutListMarker(text: string): string {
	const others = text.split('\n').slice(1);
	const isOne = others.every((line) => line.trim() !== '' && !marker.test(line));
	return isOne ? text.replace(marker, '') : text;
}

const marker = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?|#{1,6}\s+|>\s*)/;

/**
 * The image of a line, if it has one alone: except in Markdown nothing but the path of an image is
 * found, and its alt text stands beside that.
 */
async function onlyImageOf(
	document: vscode.TextDocument,
	{ line }: vscode.Position,
): Promise<{ readonly uri: vscode.Uri; readonly alt: string } | undefined> {
	if (markdownLanguages.some(({ ids }) => ids.includes(languageOf(document)))) {
		return undefined;
	}
	const text = document.lineAt(line).text.slice(0, maxLineLength);
	const above = document.getText(new vscode.Range(0, 0, line, 0));
	const [only, ...others] = await imagesOf(text, languageOf(document), document.uri, above);
	return only && others.length === 0 ? { uri: only.uri, alt: '' } : undefined;
}

/**
 * Returns whether a quick input can show all of a prompt: nothing is sent that the user has not
 * seen.
 */
export function fitsOneLine(prompt: string): boolean {
	return prompt.length <= maxLineLength;
}

/** A prompt as a quick input shows it, which has one line. */
export function inOneLine(prompt: string): string {
	return beginningOf(prompt, maxLineLength).replace(/\s+/g, ' ').trim();
}
