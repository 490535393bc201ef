import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { linkText } from '../documents/imageLink.js';
import { moved, paragraphEnd, type Span } from '../documents/span.js';
import { readSetting } from '../editor/settings.js';
import type { CommandContext, Insertion } from './order.js';
import type { SavedImage } from './savedImage.js';
import { insideFolder, inTurn, imageLinkIn, write, type Place } from './writing.js';

/**
 * What became of an image link: it stands in the document; its place was deleted; or the document
 * was closed, or the window reloaded, so that nobody followed the place.
 */
export type Inserted = 'inserted' | 'deleted' | 'away';

interface Followed {
	readonly document: vscode.TextDocument;
	/** Those that were deleted are `undefined`. */
	places: readonly (Place | undefined)[];
	/** As they were when the command was given: who has typed since is not to be disturbed. */
	readonly version: number;
	readonly selections: string;
}

type Change = vscode.TextDocumentChangeEvent['contentChanges'];

/** Follows the places where commands were given through the edits of the minutes that follow. */
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
		const places = selections.map((selection): Span => {
			const [start, end] = [document.offsetAt(selection.start), document.offsetAt(selection.end)];
			if (selection.isEmpty || replaces) {
				return { start, end };
			}
			const behind = paragraphEnd(text, end);
			return { start: behind, end: behind };
		});
		const insertion: Insertion = {
			id: crypto.randomUUID(),
			places: withoutDoubles(places),
			block: selections.some((selection) => !selection.isEmpty) && !replaces,
			sha256: hashOf(text),
		};
		this.#followed.set(insertion.id, {
			document,
			places: insertion.places,
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
			const places = () => followed.places.filter((place) => place !== undefined);
			if (document.isClosed) {
				return 'away';
			}
			const written = await write(document, saved, {
				places,
				block: insertion.block,
				editor: () => untouchedEditor(followed),
				apply: (edit) => this.#apply(document, edit),
			});
			return written ? 'inserted' : places().length === 0 ? 'deleted' : 'away';
		});
	}

	/** Makes an edit of our own, behind which comes what else belongs to the same place. */
	async #apply(document: vscode.TextDocument, edit: () => Thenable<boolean>): Promise<boolean> {
		const held: Change[] = [];
		this.#held.set(document, held);
		let done = false;
		try {
			done = await edit();
			return done;
		} finally {
			this.#held.delete(document);
			// VS Code makes it only of the version that it was made for, so it came first.
			held.forEach((change, index) => this.#follow(document, change, done && index === 0));
		}
	}

	#follow(document: vscode.TextDocument, changes: Change, isOurs = false): void {
		for (const followed of this.#followed.values()) {
			if (followed.document !== document) {
				continue;
			}
			// They come last one first, so none moves another; offsets are those of the text before.
			for (const { rangeOffset, rangeLength, text } of changes) {
				const change = {
					start: rangeOffset,
					end: rangeOffset + rangeLength,
					length: text.length,
				};
				followed.places = followed.places.map((place) => {
					if (isOurs && place?.start === change.start) {
						const end = change.start + change.length;
						return { start: end, end, behind: true };
					}
					const now = place && moved(place, change);
					return now && { ...place, ...now };
				});
			}
		}
	}
}

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

/**
 * Inserts the image link where the command was given, if the document is as it was, else at the
 * cursor of the document. Where it is not in front, it is opened first and the user is asked for
 * the place. For images whose place nobody has followed.
 */
export async function insertLater(saved: SavedImage, context: CommandContext): Promise<void> {
	const { insertion, document: uri } = context;
	if (uri === undefined) {
		await insertAtCursor(saved, context);
		return;
	}
	let document: vscode.TextDocument;
	try {
		document = await vscode.workspace.openTextDocument(uri);
	} catch {
		await copyInstead(saved, context, 'The document is gone; the image link was copied.');
		return;
	}
	const before = vscode.window.visibleTextEditors.find((one) => one.document === document);
	const editor = await vscode.window.showTextDocument(document, before?.viewColumn);
	const isAsItWas = () => hashOf(document.getText()) === insertion?.sha256;
	const written =
		insertion !== undefined &&
		(await inTurn(document, () =>
			write(document, saved, {
				places: () => (isAsItWas() ? insertion.places : []),
				block: insertion.block,
				editor: () => editor,
			}),
		));
	if (written) {
		return;
	}
	if (before !== undefined) {
		await insertAtCursor(saved, context);
	} else {
		const here = await vscode.window.showInformationMessage(
			'The document has changed since. Put the cursor where the image belongs.',
			'Insert Here',
		);
		if (here !== undefined) {
			await insertAtCursor(saved, context);
		}
	}
}

/**
 * Inserts the image link at the cursors of the document in front, in one undo step that takes back
 * the link alone. Where no document is open, the image link is copied instead.
 */
export async function insertAtCursor(saved: SavedImage, context: CommandContext): Promise<void> {
	const editors = vscode.window.visibleTextEditors.filter(({ document }) => isWritable(document));
	const editor =
		editors.find((one) => one === vscode.window.activeTextEditor) ??
		editors.find(({ document }) => document.uri.toString() === context.document?.toString()) ??
		editors[0];
	if (editor === undefined) {
		await copyInstead(saved, context, 'No document is open; the image link was copied.');
		return;
	}
	const { document, viewColumn } = editor;
	const written = await inTurn(document, async () => {
		const shown = await vscode.window.showTextDocument(document, viewColumn);
		const places = () =>
			shown.selections.map((selection) => ({
				start: document.offsetAt(selection.start),
				end: document.offsetAt(selection.end),
			}));
		return write(document, saved, { places, block: false, editor: () => shown });
	});
	if (!written) {
		await copyInstead(saved, context, 'The document cannot be changed; the image link was copied.');
	}
}

/** Copies the image link as the document needs it from which the command came. */
export async function copyImageLink(saved: SavedImage, context: CommandContext): Promise<void> {
	await copyInstead(saved, context, '$(check) Easel: the image link is copied');
}

async function copyInstead(
	saved: SavedImage,
	context: CommandContext,
	words: string,
): Promise<void> {
	const open = vscode.workspace.textDocuments.find(
		({ uri }) => uri.toString() === context.document?.toString(),
	);
	const link = await imageLinkIn(saved, {
		uri: context.document ?? insideFolder(context.workspaceFolder) ?? saved.uri,
		languageId: open?.languageId ?? 'markdown',
		textBefore: open?.getText() ?? '',
	});
	await vscode.env.clipboard.writeText(linkText(link));
	vscode.window.setStatusBarMessage(words, 5000);
}

/** Text that a person writes; outputs and older versions of files are text editors too. */
function isWritable({ uri: { scheme } }: vscode.TextDocument): boolean {
	return (
		['file', 'untitled', 'vscode-notebook-cell'].includes(scheme) ||
		vscode.workspace.fs.isWritableFileSystem(scheme) === true
	);
}

function describe(selections: readonly vscode.Selection[]): string {
	return JSON.stringify(selections.map(({ anchor, active }) => [anchor, active]));
}

/** Two selections in one paragraph have the same end of it. */
function withoutDoubles(places: readonly Span[]): Span[] {
	return [
		...new Map(
			places.map((place) => [`${String(place.start)} ${String(place.end)}`, place]),
		).values(),
	];
}

function hashOf(text: string): string {
	return createHash('sha256').update(text).digest('hex');
}
