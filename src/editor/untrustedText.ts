import { posix } from 'node:path';
import type * as vscode from 'vscode';
import { shorten } from '../images/shorten.js';

/** Longer beginnings are never shown, and are not looked through. */
const maxReadLength = 64 * 1024;

/** As much of a whole message as VS Code shows, in graphemes. */
export const maxMessageLength = 1000;

/**
 * Makes foreign text (from the service, a model, a file name, a document, a setting of a workspace)
 * fit to be shown by VS Code, which makes links of `[x](command:…)` in notifications and below input
 * boxes, and icons of `$(x)` in lists and the status bar: both lose their power, the rest is that of
 * `flattened`. Text that has been through it stays as it is.
 *
 * Each part of a message goes through here where the message is put together, so that no part pushes
 * the others out; the whole goes through again at the door, because two parts can make a link.
 *
 * @param maxLength in graphemes; what is cut ends with `…`
 */
export function safeText(text: string, maxLength = 300): string {
	if (text.length <= maxLength && !doubtful.test(text)) {
		return text.trim();
	}
	const plain = flattened(text)
		.replaceAll('](', '] \u200b(')
		.replaceAll('$(', '$\u200b(')
		.replace(/\b(command|vscode|javascript|data|file)(?=:)/gi, '$1\u200b');
	// A single grapheme can have any number of marks.
	const fits = (maxGraphemes: number) => (beginning: string, graphemes: number) =>
		graphemes <= maxGraphemes && beginning.length <= maxLength * 8;
	return shorten(plain, fits(maxLength)) === plain
		? plain
		: `${shorten(plain, fits(maxLength - 1))}…`;
}

/** The name of a file as {@link safeText}, without its folder. */
export function safeName({ path }: { readonly path: string }, maxLength?: number): string {
	return safeText(posix.basename(path), maxLength);
}

/** A text behind an icon of VS Code, such as `sparkle`. */
export function withIcon(icon: string | undefined, text: string): string {
	const words = safeText(text);
	return icon === undefined ? words : `$(${icon}) ${words}`;
}

/** An item of a list. Its texts are shown as they are; an icon is named apart from them. */
export interface PickItem extends vscode.QuickPickItem {
	/** Icon of VS Code before the label: `sparkle`. */
	readonly icon?: string;
}

/** An item as a list shows it, and the one that was given, which the caller gets back. */
export type ShownItem<Item> = vscode.QuickPickItem & { readonly given: Item };

/** Makes an item fit for a list: VS Code makes icons of `$(x)` wherever that is in its texts. */
export function shownItem<Item extends PickItem>(given: Item): ShownItem<Item> {
	const { icon, label, description, detail, ...others }: PickItem = given;
	return {
		...others,
		label: withIcon(icon, label),
		description: description && safeText(description),
		detail: detail && safeText(detail),
		given,
	};
}

/**
 * Characters that need a look. Most names and paths have none of it, and lists of thousands are
 * shown.
 */
const doubtful =
	// eslint-disable-next-line no-control-regex -- these are the characters that must go
	/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\]$:]/;

/**
 * The text in one line: without the sequences that color a terminal, without the marks that turn
 * the direction of what follows, and with `lineBreak` for each line break.
 */
export function flattened(text: string, lineBreak = ' '): string {
	return text
		.slice(0, maxReadLength)
		.toWellFormed()
		.replace(terminalSequence, '')
		.replace(/\p{Bidi_Control}/gu, '')
		.replace(/[\n\r\u2028\u2029]+/g, lineBreak)
		.replace(/\p{Cc}+/gu, ' ')
		.trim();
}

/** Node's `stripVTControlCharacters` takes minutes for a mebibyte of beginnings without an end. */
// eslint-disable-next-line no-control-regex -- these are the characters that must go
const terminalSequence = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]/g;

/**
 * Foreign text in one line as Markdown shows it, character by character: what is no letter, digit,
 * space or sign without a meaning there is written by its number, and begins no link, tag or list.
 *
 * @param maxLength in UTF-16 code units
 */
export function markdownText(text: string, maxLength: number): string {
	return shortened(flattened(text), maxLength).replace(
		/[^\p{L}\p{N} ,·×]/gu,
		(sign) => `&#${String(sign.codePointAt(0))};`,
	);
}

/** The text where it fits, else its beginning and `…`: so many UTF-16 code units at most. */
export function shortened(text: string, maxLength: number): string {
	return text.length > maxLength
		? `${shorten(text, (beginning) => beginning.length < maxLength)}…`
		: text;
}

/** The words with a full stop, where they have no end of a sentence yet. */
export function sentence(words: string): string {
	return /[.!?。！？…]$/.test(words) ? words : `${words}.`;
}
