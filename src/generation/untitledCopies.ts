import * as vscode from 'vscode';
import type { AskedPlace } from '../documents/place.js';
import { isWritable } from '../editor/documents.js';
import type { AnchorsInText } from './closedDocumentAnchors.js';

/** Anchors of one command in an open document. */
export interface Followed {
	readonly document: vscode.TextDocument;
	/** Those that were deleted are `undefined`. */
	anchors: readonly (AskedPlace | undefined)[];
	readonly original: AnchorsInText;
}

interface Copied extends Followed {
	/** When the file was saved, as `performance.now` has it. */
	savedAt?: number;
}

/** VS Code closes a saved untitled document within milliseconds, or these on a slow computer. */
const closedAfterSaveMs = 5000;

/**
 * The anchors of untitled documents in the files under whose names they are being saved: VS Code
 * opens the file, puts the text into it out of sight, and saves it before it closes the untitled one.
 */
export class UntitledCopies {
	/** By the identifiers of the commands. */
	readonly #copied = new Map<string, Copied>();

	get all(): Iterable<Followed> {
		return this.#copied.values();
	}

	/** Adds the anchors whose untitled document may be about to get the name of this one. */
	add(document: vscode.TextDocument, followed: ReadonlyMap<string, Followed>): void {
		const untitled = [...followed].filter(([, one]) => isUntitled(one.document));
		if (untitled.length === 0 || !canGetText(document)) {
			return;
		}
		const text = document.getText();
		for (const [id, one] of untitled) {
			if (one.document.getText() === text) {
				this.#copied.set(id, { ...one, document });
			}
		}
	}

	noteSaved(document: vscode.TextDocument): void {
		for (const copied of this.#copied.values()) {
			if (copied.document === document && !isSeen(document)) {
				copied.savedAt = performance.now();
			}
		}
	}

	/**
	 * Takes out the anchors of an untitled document that was closed, and returns those that are in the
	 * file that it was saved as.
	 */
	take(
		closed: vscode.TextDocument,
		followed: ReadonlyMap<string, Followed>,
	): readonly (readonly [id: string, copied: Followed])[] {
		const now = performance.now();
		return [...followed].flatMap(([id, { document }]) => {
			const copied = this.#copied.get(id);
			if (document !== closed || !closed.isClosed || copied === undefined) {
				return [];
			}
			this.#copied.delete(id);
			const { savedAt = -Infinity } = copied;
			const isSaved = !copied.document.isClosed && now - savedAt < closedAfterSaveMs;
			return isSaved ? [[id, copied] as const] : [];
		});
	}

	delete(id: string): void {
		this.#copied.delete(id);
	}
}

function isUntitled({ uri }: vscode.TextDocument): boolean {
	return uri.scheme === 'untitled';
}

/**
 * Returns whether VS Code may put the text of an untitled document there: it does so before it
 * shows it.
 */
function canGetText(document: vscode.TextDocument): boolean {
	return !isUntitled(document) && isWritable(document) && !isSeen(document);
}

function isSeen(document: vscode.TextDocument): boolean {
	return vscode.window.visibleTextEditors.some((editor) => editor.document === document);
}
