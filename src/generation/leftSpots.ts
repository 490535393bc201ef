import { createHash } from 'node:crypto';
import type * as vscode from 'vscode';
import type { AskedPlace } from '../documents/place.js';

/** Spots in a text, which is known by its hash. */
export interface SpotsIn {
	readonly spots: readonly AskedPlace[];
	/** SHA-256 of the text, hexadecimal. */
	readonly sha256: string;
}

/** Where a command was given: the latest text for which its spots are known, and the first one. */
export interface KnownSpots {
	readonly latest: SpotsIn;
	/** As it was when the command was given. */
	readonly original: SpotsIn;
}

/** The spots of commands in documents that are closed. They are found again in a text that is known. */
export class LeftSpots {
	readonly #left = new Map<string, KnownSpots & { readonly uri: string }>();

	has(id: string): boolean {
		return this.#left.has(id);
	}

	leave(id: string, document: vscode.Uri, known: KnownSpots): void {
		this.#left.set(id, { ...known, uri: document.toString() });
	}

	forget(id: string): void {
		this.#left.delete(id);
	}

	/** Takes out those that are known in the text of this document, each with where they are in it. */
	take(document: vscode.TextDocument): readonly (KnownSpots & { readonly id: string })[] {
		const uri = document.uri.toString();
		const ofDocument = [...this.#left].filter(([, left]) => left.uri === uri);
		const sha256 = ofDocument.length === 0 ? '' : hashOf(document.getText());
		return ofDocument.flatMap(([id, { latest, original }]) => {
			const found = [latest, original].find((known) => known.sha256 === sha256);
			if (found === undefined) {
				return [];
			}
			this.#left.delete(id);
			return [{ id, latest: found, original }];
		});
	}
}

/** SHA-256 of a document's text, hexadecimal: tells whether the offsets in it still hold. */
export function hashOf(text: string): string {
	return createHash('sha256').update(text).digest('hex');
}
