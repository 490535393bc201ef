import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import type { AskedPlace } from '../documents/place.js';
import { moved, paragraphEnd, type Span } from '../documents/span.js';
import { readSetting } from '../editor/settings.js';
import type { CommandContext, Insertion } from './order.js';
import type { SavedImage } from './savedImage.js';
import { inTurn, isWritable, spanOf, writeLink } from './writing.js';

/**
 * What became of an image link: it stands in the document; the spot where it belonged was deleted;
 * or the document was closed, or the window reloaded, so that nobody followed the spot.
 */
export type Inserted = 'inserted' | 'deleted' | 'away';

interface Followed {
	readonly document: vscode.TextDocument;
	/** Those that were deleted are `undefined`. */
	spots: readonly (AskedPlace | undefined)[];
	/** As they were when the command was given: who has typed since is not to be disturbed. */
	readonly version: number;
	readonly selections: string;
}

type Change = vscode.TextDocumentChangeEvent['contentChanges'];

/** Follows the spots where commands were given through the edits of the minutes until the image. */
export class Insertions implements vscode.Disposable {
	readonly #followed = new Map<string, Followed>();
	/** What has changed in documents since we have begun to write there. */
	readonly #held = new Map<vscode.TextDocument, Change[]>();
	readonly #listeners: vscode.Disposable[];

	constructor() {
		this.#listeners = [
			vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
				const held = this.#held.get(document);
				if (contentChanges.length > 0 && held !== undefined) {
					held.push(contentChanges);
				} else {
					this.#follow(document, contentChanges);
				}
			}),
			vscode.workspace.onDidCloseTextDocument((document) => {
				for (const [id, followed] of this.#followed) {
					if (followed.document === document) {
						this.#followed.delete(id);
					}
				}
			}),
		];
	}

	dispose(): void {
		vscode.Disposable.from(...this.#listeners).dispose();
	}

	/** Starts to follow the cursors of an editor; `undefined` where nothing can be written there. */
	track(editor: vscode.TextEditor): Insertion | undefined {
		const { document, selections } = editor;
		if (!isWritable(document)) {
			return undefined;
		}
		const text = document.getText();
		const replaces = readSetting('documents.selection', document.uri) === 'replace';
		const spots = selections.map((selection): Span => {
			const span = spanOf(document, selection);
			if (selection.isEmpty || replaces) {
				return span;
			}
			const behind = paragraphEnd(text, span.end);
			return { start: behind, end: behind };
		});
		const insertion: Insertion = {
			id: crypto.randomUUID(),
			places: withoutDoubles(spots),
			block: selections.some((selection) => !selection.isEmpty) && !replaces,
			sha256: hashOf(text),
		};
		this.#followed.set(insertion.id, {
			document,
			spots: insertion.places,
			version: document.version,
			selections: describe(selections),
		});
		return insertion;
	}

	/** Stops to follow: there will be no image. */
	forget(insertion: Insertion | undefined): void {
		this.#followed.delete(insertion?.id ?? '');
	}

	/**
	 * Writes the image link where the command was given, in one undo step that takes it back. Those
	 * that come at the same time stand in the order in which they came.
	 */
	async insert(saved: SavedImage, { insertion }: CommandContext): Promise<Inserted> {
		const followed = insertion && this.#followed.get(insertion.id);
		if (insertion === undefined || followed === undefined) {
			return 'away';
		}
		const { document } = followed;
		return inTurn(document, async () => {
			const spots = () => followed.spots.filter((spot) => spot !== undefined);
			if (document.isClosed) {
				return 'away';
			}
			const written = await writeLink(document, saved, {
				spots,
				block: insertion.block,
				editor: () => untouchedEditor(followed),
				apply: (edit, places) => this.#apply(document, edit, places),
			});
			return written ? 'inserted' : spots().length === 0 ? 'deleted' : 'away';
		});
	}

	/** Makes an edit of our own, behind which comes what else belongs to the same spot. */
	async #apply(
		document: vscode.TextDocument,
		edit: () => Thenable<boolean>,
		places: ReadonlyMap<number, number>,
	): Promise<boolean> {
		const held: Change[] = [];
		this.#held.set(document, held);
		let done = false;
		try {
			done = await edit();
			return done;
		} finally {
			this.#held.delete(document);
			// VS Code makes it only of the version that it was made for, so it came first.
			held.forEach((change, index) =>
				this.#follow(document, change, done && index === 0 ? places : nowhere),
			);
		}
	}

	/** @param places of an edit of our own, where the link of each spot was written */
	#follow(document: vscode.TextDocument, changes: Change, places = nowhere): void {
		for (const followed of this.#followed.values()) {
			if (followed.document !== document) {
				continue;
			}
			followed.spots = followed.spots.map(
				(spot) => spot && afterChanges(spot, changes, places.get(spot.start)),
			);
		}
	}
}

/**
 * @param at where the link of this spot was written by one of the changes; the spot is behind it
 * @returns `undefined` where the text around it was deleted
 */
function afterChanges(spot: AskedPlace, changes: Change, at?: number): AskedPlace | undefined {
	let now: AskedPlace | undefined = spot;
	let isWritten = false;
	// They come last one first, so none moves another; offsets are those of the text before.
	for (const { rangeOffset: start, rangeLength, text } of changes) {
		if (!isWritten && start === at) {
			const end = start + text.length;
			now = { start: end, end, behind: true };
			isWritten = true;
		} else {
			const change = { start, end: start + rangeLength, length: text.length };
			const span: Span | undefined = now && moved(now, change);
			now = now && span && { ...now, ...span };
		}
	}
	return now;
}

const nowhere: ReadonlyMap<number, number> = new Map();

/** The editor in which nobody has typed or moved the cursor since the command was given. */
function untouchedEditor({
	document,
	version,
	selections,
}: Followed): vscode.TextEditor | undefined {
	const editor = vscode.window.visibleTextEditors.find((one) => one.document === document);
	const untouched = document.version === version && editor;
	return untouched && describe(editor.selections) === selections ? editor : undefined;
}

function describe(selections: readonly vscode.Selection[]): string {
	return JSON.stringify(selections.map(({ anchor, active }) => [anchor, active]));
}

/** Two selections in one paragraph have the same end of it. */
function withoutDoubles(spots: readonly Span[]): Span[] {
	return [
		...new Map(spots.map((spot) => [`${String(spot.start)} ${String(spot.end)}`, spot])).values(),
	];
}

/** SHA-256 of a document's text, hexadecimal: tells whether the offsets in it still hold. */
export function hashOf(text: string): string {
	return createHash('sha256').update(text).digest('hex');
}
