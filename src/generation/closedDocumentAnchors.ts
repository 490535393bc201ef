import { createHash } from 'node:crypto';
import type * as vscode from 'vscode';
import type { AskedPlace } from '../documents/place.js';

export interface AnchorsInText {
	readonly anchors: readonly AskedPlace[];
	/** SHA-256 of the text, hexadecimal. */
	readonly sha256: string;
}

/** Anchors of a command: the latest text for which its anchors are known, and the first one. */
export interface KnownAnchors {
	readonly latest: AnchorsInText;
	/** As it was when the command was given. */
	readonly original: AnchorsInText;
}

/** The anchors of commands in documents that are closed. They are found again in a text that is known. */
export class ClosedDocumentAnchors {
	readonly #left = new Map<string, KnownAnchors & { readonly uri: vscode.Uri }>();

	has(id: string): boolean {
		return this.#left.has(id);
	}

	leave(id: string, document: vscode.Uri, known: KnownAnchors): void {
		this.#left.set(id, { ...known, uri: document });
	}

	/** The document where they were left, by the name that it has now; `undefined` for none. */
	documentOf(id: string): vscode.Uri | undefined {
		return this.#left.get(id)?.uri;
	}

	/** A file or folder has another name; returns whether anchors were left there. */
	rename(from: vscode.Uri, to: vscode.Uri): boolean {
		let any = false;
		for (const [id, left] of this.#left) {
			const uri = renamed(left.uri, from, to);
			if (uri !== undefined) {
				this.#left.set(id, { ...left, uri });
				any = true;
			}
		}
		return any;
	}

	delete(id: string): void {
		this.#left.delete(id);
	}

	/** Takes out those that are known in the text of this document, each with where they are in it. */
	take(document: vscode.TextDocument): readonly (KnownAnchors & { readonly id: string })[] {
		const uri = document.uri.toString();
		const ofDocument = [...this.#left].filter(([, left]) => left.uri.toString() === uri);
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

/** The new name of what has another one, or lies in a folder that has; `undefined` for all others. */
export function renamed(uri: vscode.Uri, from: vscode.Uri, to: vscode.Uri): vscode.Uri | undefined {
	if (uri.toString() === from.toString()) {
		return to;
	}
	const isInside =
		uri.scheme === from.scheme &&
		uri.authority === from.authority &&
		uri.path.startsWith(`${from.path}/`);
	return isInside ? to.with({ path: `${to.path}${uri.path.slice(from.path.length)}` }) : undefined;
}

/** SHA-256 of a document's text, hexadecimal: the offsets in it hold as long as it is the same. */
export function hashOf(text: string): string {
	return createHash('sha256').update(text).digest('hex');
}
