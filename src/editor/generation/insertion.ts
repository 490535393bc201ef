import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import * as vscode from 'vscode';
import { altText } from '../../documents/altText.js';
import { imageReference } from '../../documents/imageReference.js';
import { referenceText, type ImageReference } from '../../documents/reference.js';
import { moved, paragraphEnd, surrounded, type TextPlace } from '../../documents/textPlace.js';
import type { GenerationRequest } from '../../jobs/request.js';
import { readSetting } from '../settings.js';
import type { Origin } from './origin.js';
import type { SavedImage } from './report.js';

/** Where the command was given, as the journal keeps it. */
export type Insertion = NonNullable<GenerationRequest['insertion']>;

/**
 * What became of a reference: it stands in the document; its place was deleted; or the document
 * was closed, or the window reloaded, so that nobody followed the place.
 */
export type Inserted = 'inserted' | 'deleted' | 'away';

interface Followed {
	readonly document: vscode.TextDocument;
	/** Those that were deleted are `undefined`. */
	places: readonly (TextPlace | undefined)[];
	/** As they were when the command was given: who has typed since is not to be disturbed. */
	readonly version: number;
	readonly selections: string;
	/** While we write ourselves, what comes next belongs behind it. */
	writing: boolean;
	written: number;
}

/** Follows the places where commands were given through the edits of the minutes that follow. */
export class Insertions implements vscode.Disposable {
	readonly #followed = new Map<string, Followed>();
	readonly #listeners: vscode.Disposable[];

	constructor() {
		this.#listeners = [
			vscode.workspace.onDidChangeTextDocument((event) => {
				this.#follow(event);
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
		const places = selections.map((selection): TextPlace => {
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
			writing: false,
			written: 0,
		});
		return insertion;
	}

	/** Stops to follow: there will be no image. */
	forget(insertion: Insertion | undefined): void {
		this.#followed.delete(insertion?.id ?? '');
	}

	/** Writes the reference where the command was given, in one undo step that takes it back. */
	async insert(saved: SavedImage, origin: Origin): Promise<Inserted> {
		const { insertion } = origin;
		const followed = insertion && this.#followed.get(insertion.id);
		if (insertion === undefined || followed === undefined || followed.document.isClosed) {
			return 'away';
		}
		const places = followed.places.filter((place) => place !== undefined);
		if (places.length === 0) {
			return 'deleted';
		}
		const { document, version, selections } = followed;
		const editor = vscode.window.visibleTextEditors.find((one) => one.document === document);
		const untouched =
			document.version === version && editor && describe(editor.selections) === selections;
		followed.writing = true;
		try {
			const done = await write(document, places, saved, {
				block: insertion.block,
				separate: followed.written > 0,
				selectIn: untouched ? editor : undefined,
			});
			followed.written += 1;
			return done ? 'inserted' : 'away';
		} finally {
			followed.writing = false;
		}
	}

	#follow({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
		for (const followed of this.#followed.values()) {
			if (followed.document !== document) {
				continue;
			}
			// They come last one first, so none moves another; offsets are those of the text before.
			for (const { rangeOffset, rangeLength, text } of contentChanges) {
				const change = {
					start: rangeOffset,
					end: rangeOffset + rangeLength,
					length: text.length,
				};
				followed.places = followed.places.map((place) => {
					const isOurs = followed.writing && place?.start === change.start;
					const behind = change.start + change.length;
					return isOurs ? { start: behind, end: behind } : place && moved(place, change);
				});
			}
		}
	}
}

/**
 * Inserts the reference where the command was given, if the document is as it was, else at the
 * cursor of the document. Where it is not in front, it is opened first and the user is asked for
 * the place. For images whose place nobody has followed.
 */
export async function insertLater(saved: SavedImage, origin: Origin): Promise<void> {
	const { insertion, document: uri } = origin;
	if (uri === undefined) {
		await insertAtCursor(saved, origin);
		return;
	}
	let document: vscode.TextDocument;
	try {
		document = await vscode.workspace.openTextDocument(uri);
	} catch {
		await copyInstead(saved, origin, 'The document is gone; the reference was copied.');
		return;
	}
	const before = vscode.window.visibleTextEditors.find((one) => one.document === document);
	const editor = await vscode.window.showTextDocument(document, before?.viewColumn);
	if (insertion !== undefined && hashOf(document.getText()) === insertion.sha256) {
		await write(document, insertion.places, saved, {
			block: insertion.block,
			selectIn: editor,
		});
	} else if (before !== undefined) {
		await insertAtCursor(saved, origin);
	} else {
		const here = await vscode.window.showInformationMessage(
			'The document has changed since. Put the cursor where the image belongs.',
			'Insert Here',
		);
		if (here !== undefined) {
			await insertAtCursor(saved, origin);
		}
	}
}

/**
 * Inserts the reference at the cursors of the document in front, in one undo step that takes back
 * the reference alone. Where no document is open, the reference is copied instead.
 */
export async function insertAtCursor(saved: SavedImage, origin: Origin): Promise<void> {
	const editors = vscode.window.visibleTextEditors.filter(({ document }) => isWritable(document));
	const editor =
		editors.find((one) => one === vscode.window.activeTextEditor) ??
		editors.find(({ document }) => document.uri.toString() === origin.document?.toString()) ??
		editors[0];
	if (editor === undefined) {
		await copyInstead(saved, origin, 'No document is open; the reference was copied.');
		return;
	}
	const { document, selections, viewColumn } = editor;
	const places = selections.map((selection) => ({
		start: document.offsetAt(selection.start),
		end: document.offsetAt(selection.end),
	}));
	await vscode.window.showTextDocument(document, viewColumn);
	await write(document, places, saved, { block: false, selectIn: editor });
}

/** Copies the reference as the document needs it from which the command came. */
export async function copyReference(saved: SavedImage, origin: Origin): Promise<void> {
	await copyInstead(saved, origin, '$(check) Easel: the reference is copied');
}

async function copyInstead(saved: SavedImage, origin: Origin, words: string): Promise<void> {
	const open = vscode.workspace.textDocuments.find(
		({ uri }) => uri.toString() === origin.document?.toString(),
	);
	const reference = await referenceFor(saved, {
		uri: origin.document ?? insideFolder(origin.workspaceFolder) ?? saved.uri,
		languageId: open?.languageId ?? 'markdown',
		textBefore: open?.getText() ?? '',
	});
	await vscode.env.clipboard.writeText(referenceText(reference));
	vscode.window.setStatusBarMessage(words, 5000);
}

interface WriteOptions {
	/** A paragraph of its own, also in formats that do not demand it. */
	readonly block: boolean;
	/** Another reference stands just before. */
	readonly separate?: boolean;
	/** The editor in which the alt text is selected for typing over; the cursor moves there. */
	readonly selectIn?: vscode.TextEditor | undefined;
}

async function write(
	document: vscode.TextDocument,
	places: readonly TextPlace[],
	saved: SavedImage,
	{ block, separate = false, selectIn }: WriteOptions,
): Promise<boolean> {
	const text = document.getText();
	const pieces: { range: vscode.Range; reference: ImageReference }[] = [];
	for (const place of places) {
		const plain = await referenceFor(saved, {
			uri: document.uri,
			languageId: document.languageId,
			textBefore: text.slice(0, place.start),
		});
		const reference = surrounded(plain, text, place, block || plain.block);
		const before = separate && !block && !plain.block ? `\n${reference.before}` : reference.before;
		const range = new vscode.Range(
			document.positionAt(place.start),
			document.positionAt(place.end),
		);
		pieces.push({ range, reference: { ...reference, before } });
	}
	const [first, ...others] = pieces;
	if (first === undefined) {
		return false;
	}
	const alike = others.every(
		({ reference }) => referenceText(reference) === referenceText(first.reference),
	);
	if (selectIn !== undefined && alike) {
		return selectIn.insertSnippet(
			snippetOf(first.reference),
			pieces.map(({ range }) => range),
		);
	}
	const edit = new vscode.WorkspaceEdit();
	for (const { range, reference } of pieces) {
		edit.replace(document.uri, range, referenceText(reference));
	}
	return vscode.workspace.applyEdit(edit);
}

function snippetOf({ before, alt, after }: ImageReference): vscode.SnippetString {
	const snippet = new vscode.SnippetString().appendText(before);
	if (alt !== '') {
		snippet.appendPlaceholder((inner) => inner.appendText(alt));
	}
	return snippet.appendText(after).appendTabstop(0);
}

async function referenceFor(
	{ uri: image, prompt }: SavedImage,
	document: { uri: vscode.Uri; languageId: string; textBefore: string },
): Promise<ImageReference> {
	const uri = fileOf(document.uri);
	const workspaceFolder = vscode.workspace.getWorkspaceFolder(uri)?.uri;
	return imageReference(document.languageId, {
		document: uri,
		image,
		alt: altText(prompt),
		workspaceFolder,
		textBefore: document.textBefore,
		publicFolder: readSetting('documents.publicFolder', uri),
		forSphinx: document.languageId === 'restructuredtext' && (await isSphinx(uri, workspaceFolder)),
	});
}

/** The file that a reference is relative to: of a notebook's cell the notebook's. */
export function fileOf(document: vscode.Uri): vscode.Uri {
	if (document.scheme === 'untitled') {
		return insideFolder(vscode.workspace.workspaceFolders?.[0]?.uri) ?? document;
	}
	return document.scheme === 'vscode-notebook-cell'
		? (vscode.workspace.notebookDocuments.find((notebook) =>
				notebook.getCells().some((cell) => cell.document.uri.toString() === document.toString()),
			)?.uri ?? document)
		: document;
}

function insideFolder(folder: vscode.Uri | undefined): vscode.Uri | undefined {
	return folder && vscode.Uri.joinPath(folder, 'README.md');
}

/** Sphinx takes names as they are, where Docutils takes URIs; it is known by its `conf.py`. */
async function isSphinx(document: vscode.Uri, root: vscode.Uri | undefined): Promise<boolean> {
	for (let folder = posix.dirname(document.path); ; folder = posix.dirname(folder)) {
		try {
			await vscode.workspace.fs.stat(document.with({ path: posix.join(folder, 'conf.py') }));
			return true;
		} catch {
			if (root === undefined || folder === root.path || folder === posix.dirname(folder)) {
				return false;
			}
		}
	}
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
function withoutDoubles(places: readonly TextPlace[]): TextPlace[] {
	return [
		...new Map(
			places.map((place) => [`${String(place.start)} ${String(place.end)}`, place]),
		).values(),
	];
}

function hashOf(text: string): string {
	return createHash('sha256').update(text).digest('hex');
}
