import { posix } from 'node:path';
import type * as vscode from 'vscode';
import { refusalWords } from '../../editor/files.js';
import { safeText, sentence } from '../../editor/untrustedText.js';
import type { Button } from '../../editor/messages.js';
import { openImage } from '../../generation/savedImage.js';
import { replaceMessages } from '../messages.js';
import { labels } from '../../generation/messages.js';

/** A notification that is not shown yet. */
export interface Message {
	readonly severity: 'info' | 'warning' | 'error';
	readonly text: string;
	readonly buttons: readonly Button[];
}

/** What did not work. */
export type Failure = 'notReplaced' | 'notRestored' | 'notSaved';

/** What people should know of a step that needs no message otherwise. */
export function notesMessage(notes: readonly string[], image: vscode.Uri): Message | undefined {
	return notes.length === 0
		? undefined
		: { severity: 'warning', text: notes.join(' '), buttons: [showButton(image)] };
}

/** Why an image stays as it is: it is not the one that was put there. */
export function changedText(image: vscode.Uri, found: string | undefined): string {
	return found === undefined
		? replaceMessages.missing(nameOf(image))
		: replaceMessages.changed(nameOf(image));
}

/** Says what did not work with an image, and why. */
export function failedText(image: vscode.Uri, what: Failure, error: unknown): string {
	return replaceMessages[what](nameOf(image), reasonOf(error));
}

/** A failure, with a button to try again before the others. */
export function failedMessage(
	image: vscode.Uri,
	what: Failure,
	error: unknown,
	again: () => Promise<void>,
	buttons: readonly Button[],
): Message {
	return {
		severity: 'error',
		text: failedText(image, what, error),
		buttons: [{ label: labels.retry, run: again }, ...buttons],
	};
}

export function showButton(image: vscode.Uri): Button {
	return { label: replaceMessages.showImage, run: () => openImage(image) };
}

/** The name of a file, as a notification can show it. */
export function nameOf(uri: vscode.Uri): string {
	return safeText(posix.basename(uri.path));
}

/** What has gone wrong, as a sentence of its own. */
export function reasonOf(error: unknown): string {
	const words = sentence(safeText(refusalWords(error)));
	// Words of ours only: what begins with a file's name keeps its letters.
	return words.replace(/^(?:there|the|a) /, (word) => word[0]!.toUpperCase() + word.slice(1));
}
