import { posix } from 'node:path';
import * as vscode from 'vscode';
import { imageLinkFor } from '../documents/writeImageLink.js';
import { linkText, type ImageLink } from '../documents/imageLink.js';
import { linkPlace, placed } from '../documents/linkPlace.js';
import type { AskedPlace, LinkForm } from '../documents/place.js';
import { imagesOf } from '../editor/documentImages.js';
import { languageOf } from '../editor/nearImage.js';
import { readSetting } from '../editor/settings.js';
import { stepDone } from '../editor/walkthrough.js';
import { notify, showStatus } from '../editor/messages.js';
import type { SavedImage } from './savedImage.js';
import { hashOf } from './closedDocumentAnchors.js';
import { parseUri, type CommandContext } from '../editor/imageRequest.js';
import { labels, messages, phrases } from '../messages.js';
import { Serial } from '../files/serial.js';
import { firstClause } from '../images/altText.js';
import type { Origin } from '../jobs/gallery.js';
import {
	documentAt,
	insideFolder,
	isWritable,
	linkContextOf,
	openDocument,
	spanOf,
} from '../editor/documents.js';

const writes = new Serial();

/** Writes into a document when all that came before is written: each moves the anchors of the next. */
export function inTurn<T>(document: vscode.TextDocument, task: () => Promise<T>): Promise<T> {
	return writes.run(task, document);
}

interface WriteOptions {
	/** Returns the places of the link, in the text as it is then. */
	readonly anchors: () => readonly AskedPlace[];
	/** A paragraph of its own, also in formats that do not demand it. */
	readonly block: boolean;
	/**
	 * The editor in which the alt text is selected for typing over; the cursor moves there. Missing
	 * where the image arrives while the user does something else.
	 */
	readonly editor?: () => vscode.TextEditor | undefined;
	/** Makes the edit; `places` maps the offset of each anchor to where its link is written. */
	readonly apply?: (
		edit: () => Thenable<boolean>,
		places: ReadonlyMap<number, number>,
	) => Promise<boolean>;
}

/** An image link that was written, and the text that was there before. */
export interface Written {
	readonly text: string;
	readonly replaced: string;
}

/**
 * Writes the image link, however often the user types meanwhile: an edit is refused where the text
 * has changed. Returns what was written last; `undefined` where nothing can be.
 */
export async function writeLink(
	document: vscode.TextDocument,
	saved: SavedImage,
	{ anchors, block, editor, apply = (edit) => Promise.resolve(edit()) }: WriteOptions,
): Promise<Written | undefined> {
	for (let select = true; ;) {
		const { version } = document;
		const asked = await piecesOf(document, anchors(), saved, block);
		const pieces = onceEach(asked);
		const [first, ...others] = pieces;
		if (first === undefined || document.isClosed) {
			return undefined;
		}
		if (document.version !== version) {
			continue;
		}
		const alike = others.every(({ text }) => text === first.text);
		const selectIn = select && alike ? editor?.() : undefined;
		const { text, range } = pieces.at(-1) ?? first;
		const replaced = document.getText(range);
		const places = new Map(asked.map((piece) => [piece.asked, piece.at]));
		const done = await apply(
			() =>
				selectIn === undefined
					? replaceIn(document, pieces)
					: insertIn(selectIn, snippetOf(first.link), pieces),
			places,
		);
		if (done) {
			stepDone('insert');
			return { text, replaced };
		}
		if (document.version === version) {
			if (selectIn === undefined) {
				return undefined;
			}
			// The editor is not there any more, but the document is.
			select = false;
		}
	}
}

interface Piece {
	/** Offsets of the anchor, and of where it is written. */
	readonly asked: number;
	readonly at: number;
	readonly range: vscode.Range;
	readonly link: ImageLink;
	readonly text: string;
}

async function piecesOf(
	document: vscode.TextDocument,
	anchors: readonly AskedPlace[],
	saved: SavedImage,
	block: boolean,
): Promise<Piece[]> {
	const text = document.getText();
	const { uri } = document;
	const languageId = languageOf(document);
	return Promise.all(
		anchors.map(async (anchor) => {
			// Before anything is waited for: the document may change then.
			const place = linkPlace(languageId, text, anchor, block);
			const { start, end } = place.span;
			const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
			const { form } = place;
			const link = placed(
				await imageLinkIn(saved, { uri, languageId, text, at: start, form }),
				place,
			);
			return { asked: anchor.start, at: start, range, link, text: linkText(link) };
		}),
	);
}

/** Several cursors may come to one place, as in one paragraph. */
function onceEach(pieces: readonly Piece[]): Piece[] {
	const places = pieces.map((piece): [string, Piece] => {
		const { start, end } = piece.range;
		return [`${piece.at} ${start.line} ${end.line} ${end.character}`, piece];
	});
	return [...new Map(places).values()];
}

async function replaceIn(
	document: vscode.TextDocument,
	pieces: readonly Piece[],
): Promise<boolean> {
	const edit = new vscode.WorkspaceEdit();
	for (const { range, text } of pieces) {
		edit.replace(document.uri, range, text);
	}
	const editors = vscode.window.visibleTextEditors.filter((one) => one.document === document);
	const carets = editors.map((editor) => ({ editor, before: editor.selections }));
	const isDone = await vscode.workspace.applyEdit(edit);
	for (const { editor, before } of isDone ? carets : []) {
		const selections = editor.selections.map((now, index) =>
			caretBefore(document, pieces, before[index], now),
		);
		if (selections.some((one, index) => one !== editor.selections[index])) {
			editor.selections = selections;
		}
	}
	return isDone;
}

/**
 * Returns a caret in front of the text that was inserted where it stood: VS Code moves it behind, and
 * what the writer types next would stand beside the image.
 */
function caretBefore(
	document: vscode.TextDocument,
	pieces: readonly Piece[],
	before: vscode.Selection | undefined,
	now: vscode.Selection,
): vscode.Selection {
	const piece = pieces.find(({ range }) => before?.isEmpty && range.start.isEqual(before.active));
	const text = piece?.text.replaceAll('\n', document.eol === vscode.EndOfLine.LF ? '\n' : '\r\n');
	const end = document.offsetAt(now.active);
	const start = document.positionAt(end - (text?.length ?? 0));
	// Unless the writer has moved on in between.
	return text !== undefined && document.getText(new vscode.Range(start, now.active)) === text
		? new vscode.Selection(start, start)
		: now;
}

/** `false` also where the editor was closed meanwhile. */
async function insertIn(
	editor: vscode.TextEditor,
	snippet: vscode.SnippetString,
	pieces: readonly Piece[],
): Promise<boolean> {
	const ranges = pieces.map(({ range }) => range);
	// One step to undo, and no indentation beside that of the link's own place.
	const options = { undoStopBefore: true, undoStopAfter: true, keepWhitespace: true };
	try {
		return await editor.insertSnippet(snippet, ranges, options);
	} catch {
		return false;
	}
}

function snippetOf({ before, alt, after }: ImageLink): vscode.SnippetString {
	const snippet = new vscode.SnippetString().appendText(before);
	if (alt === '') {
		snippet.appendTabstop();
	} else if (alt !== undefined) {
		snippet.appendPlaceholder((inner) => inner.appendText(alt));
	}
	return snippet.appendText(after).appendTabstop(0);
}

export async function imageLinkIn(
	saved: SavedImage,
	document: { uri: vscode.Uri; languageId: string; text: string; at: number; form?: LinkForm },
): Promise<ImageLink> {
	const context = await linkContextOf(document.uri, document.text.slice(0, document.at));
	const { document: uri } = context;
	const width = readSetting('documents.imageWidth', uri);
	return imageLinkFor(document.languageId, {
		...context,
		image: saved.published ?? saved.uri,
		alt: await altTextFor(saved, { ...document, uri }),
		// No wider than the image, which would be blurred.
		htmlWidth: width === 0 ? undefined : Math.min(saved.image.width, width),
		form: document.form,
	});
}

/**
 * Returns the alt text: the title, else what the prompt says that the image shows. An edit shows
 * its original, so it has the alt text of that in the document, else that of its prompt, else the
 * words of its file name; never what was to be changed.
 */
export async function altTextFor(
	{ prompt, title, origin }: SavedImage,
	document: { readonly uri: vscode.Uri; readonly languageId: string; readonly text: string },
): Promise<string> {
	if (readSetting('documents.altText', document.uri) === 'empty') {
		return '';
	}
	if (title !== undefined && title !== '') {
		return title;
	}
	if (origin === undefined) {
		return firstClause(prompt);
	}
	const shown = await shownAlt(origin, document);
	return shown ?? (origin.prompt === undefined ? nameIn(origin) : firstClause(origin.prompt));
}

/** The alt text in the document of the nearest image that the edit was made from. */
async function shownAlt(
	{ files }: Origin,
	{ uri, languageId, text }: { uri: vscode.Uri; languageId: string; text: string },
): Promise<string | undefined> {
	// What cannot be read says nothing.
	const images = await imagesOf(text, languageId, uri).catch(() => []);
	const [nearest] = files.flatMap(
		(file) => images.find((image) => image.alt !== '' && image.uri.toString() === file) ?? [],
	);
	return nearest?.alt;
}

function nameIn({ files }: Origin): string {
	const { name } = posix.parse(vscode.Uri.parse(files.at(-1) ?? '', true).path);
	return name.replace(/[\s_-]+/g, ' ').trim();
}

/**
 * Inserts the image link where the command was given, if the document is as it was, else at its
 * cursor; the user is asked for the place where it was not in front.
 */
export async function insertLater(saved: SavedImage, context: CommandContext): Promise<void> {
	const { insertion } = context;
	const uri = parseUri(context.document);
	if (uri === undefined) {
		await insertAtCursor(saved, context);
		return;
	}
	const document = await documentAt(uri);
	if (document === undefined) {
		await copyInstead(saved, context, messages.documentGone);
		return;
	}
	const before = vscode.window.visibleTextEditors.find((one) => one.document === document);
	const editor = await vscode.window.showTextDocument(document, before?.viewColumn);
	const isAsItWas = () => hashOf(document.getText()) === insertion?.sha256;
	const written =
		insertion !== undefined &&
		(await inTurn(document, () =>
			writeLink(document, saved, {
				anchors: () => (isAsItWas() ? insertion.places : []),
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
		await notify('info', messages.placeUnknown, [
			{ label: labels.insertHere, run: () => insertAtCursor(saved, context) },
		]);
	}
}

/** Inserts the image link at the cursors of the document in front; without one it is copied. */
export async function insertAtCursor(saved: SavedImage, context: CommandContext): Promise<void> {
	const editors = vscode.window.visibleTextEditors.filter(({ document }) => isWritable(document));
	const editor =
		editors.find((one) => one === vscode.window.activeTextEditor) ??
		editors.find(({ document }) => document.uri.toString() === context.document) ??
		editors[0];
	if (editor === undefined) {
		await copyInstead(saved, context, messages.noDocument);
		return;
	}
	const { document, viewColumn } = editor;
	const written = await inTurn(document, async () => {
		const shown = await vscode.window.showTextDocument(document, viewColumn);
		const anchors = () => shown.selections.map((selection) => spanOf(document, selection));
		return writeLink(document, saved, { anchors, block: false, editor: () => shown });
	});
	if (!written) {
		await copyInstead(saved, context, messages.readOnlyDocument);
	}
}

/** Copies the image link as the document needs it from which the command came. */
export async function copyImageLink(saved: SavedImage, context: CommandContext): Promise<void> {
	await copyInstead(saved, context, phrases.linkCopied, 'check');
}

async function copyInstead(
	saved: SavedImage,
	context: CommandContext,
	words: string,
	icon?: string,
): Promise<void> {
	const uri = parseUri(context.document);
	const open = openDocument(uri);
	const link = await imageLinkIn(saved, {
		uri: uri ?? insideFolder(parseUri(context.workspaceFolder)) ?? saved.uri,
		languageId: open === undefined ? 'markdown' : languageOf(open),
		text: open?.getText() ?? '',
		at: open?.getText().length ?? 0,
	});
	await vscode.env.clipboard.writeText(linkText(link));
	showStatus(words, icon);
}
