import * as vscode from 'vscode';
import type { Finding } from '../documents/check/finding.js';
import { isNotebook } from '../documents/notebook.js';
import { replaceAlt } from '../documents/replaceAlt.js';
import { languageOf } from './nearImage.js';

/** An image link as it stood in a document a while ago. */
export interface LinkInText {
	readonly link: string;
	readonly start: number;
}

/** Returns where a link stands in a document now; `undefined` where it does not any more. */
export function offsetOfLink(
	document: vscode.TextDocument,
	{ link, start }: LinkInText,
): number | undefined {
	const text = document.getText();
	const at = text.startsWith(link, start) ? start : text.indexOf(link);
	return at < 0 || link === '' ? undefined : at;
}

/**
 * Returns the edit that gives an image an alt text, in the syntax of its document; `undefined` where
 * the link is gone, or has no place for it.
 *
 * @param alt plain text; empty for a decorative image
 */
export function altEdit(
	document: vscode.TextDocument,
	link: LinkInText,
	alt: string,
): vscode.TextEdit | undefined {
	const at = offsetOfLink(document, link);
	const isJson = isNotebook(document.uri.path) && document.uri.scheme === 'file';
	// In a file of JSON, escapes would be read as those of Markdown.
	if (at === undefined || (isJson && /["\\]/.test(link.link))) {
		return undefined;
	}
	const text = document.getText();
	const found = replaceAlt(
		{
			link: link.link,
			languageId: isJson ? 'markdown' : languageOf(document),
			before: text.slice(text.lastIndexOf('\n', at - 1) + 1, at),
			behind: text.slice(at + link.link.length, at + link.link.length + 10),
		},
		alt,
	);
	if (found === undefined) {
		return undefined;
	}
	const [start, end] = [found.start, found.end].map((offset) => document.positionAt(at + offset));
	const written = isJson ? JSON.stringify(found.text).slice(1, -1) : found.text;
	return vscode.TextEdit.replace(new vscode.Range(start!, end!), written);
}

/** Returns the edit that marks an image as decorative; `undefined` where that cannot be said. */
export function decorativeEdit(
	document: vscode.TextDocument,
	{ link, linkStart: start, decorative }: Finding,
): vscode.TextEdit | undefined {
	const at = offsetOfLink(document, { link, start });
	const found = altEdit(document, { link, start }, '');
	if (found !== undefined || decorative === undefined || at === undefined) {
		return found;
	}
	const range = new vscode.Range(document.positionAt(at), document.positionAt(at + link.length));
	const isJson = isNotebook(document.uri.path) && document.uri.scheme === 'file';
	return vscode.TextEdit.replace(
		range,
		isJson ? JSON.stringify(decorative).slice(1, -1) : decorative,
	);
}
