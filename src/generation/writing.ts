import * as vscode from 'vscode';
import { promptLanguage } from '../documents/languages.js';
import { imageLinkFor, type LinkContext } from '../documents/writeImageLink.js';
import { linkText, type ImageLink } from '../documents/imageLink.js';
import { linkPlace, placed } from '../documents/linkPlace.js';
import type { AskedPlace, LinkForm } from '../documents/place.js';
import type { Span } from '../documents/span.js';
import { fileOfDocument, imagesOf } from '../editor/documentImages.js';
import { languageOf } from '../editor/nearImage.js';
import { findSitesForWriting } from '../editor/documentSites.js';
import { readSetting } from '../editor/settings.js';
import { stepDone } from '../editor/walkthrough.js';
import type { SavedImage } from './savedImage.js';
import { posix } from 'node:path';
import { subjectOf } from '../images/subject.js';
import type { Origin } from '../jobs/gallery.js';

const turns = new WeakMap<vscode.TextDocument, Promise<unknown>>();

/** Writes into a document when all that came before is written: each moves the anchors of the next. */
export function inTurn<T>(document: vscode.TextDocument, task: () => Promise<T>): Promise<T> {
	const mine = (turns.get(document) ?? Promise.resolve()).then(task);
	turns.set(
		document,
		mine.catch(() => undefined),
	);
	return mine;
}

interface WriteOptions {
	/** Where it goes, in the text as it is then. */
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
 * has changed since it was made. Returns what was written last; `undefined` where there is no anchor,
 * or nothing can be written.
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
					: insertIn(
							selectIn,
							snippetOf(first.link),
							pieces.map(({ range }) => range),
						),
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
			const plain = await imageLinkIn(saved, {
				uri,
				languageId,
				text,
				at: start,
				form: place.form,
			});
			const link = placed(plain, place);
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

function replaceIn(document: vscode.TextDocument, pieces: readonly Piece[]): Thenable<boolean> {
	const edit = new vscode.WorkspaceEdit();
	for (const { range, text } of pieces) {
		edit.replace(document.uri, range, text);
	}
	return vscode.workspace.applyEdit(edit);
}

/** `false` also where the editor was closed meanwhile. */
async function insertIn(
	editor: vscode.TextEditor,
	snippet: vscode.SnippetString,
	ranges: readonly vscode.Range[],
): Promise<boolean> {
	try {
		return await editor.insertSnippet(snippet, ranges, withoutMore);
	} catch {
		return false;
	}
}

/** One step to undo, and no indentation beside that of the link's own place. */
const withoutMore = { undoStopBefore: true, undoStopAfter: true, keepWhitespace: true };

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
	return imageLinkFor(document.languageId, {
		...context,
		image: saved.uri,
		alt: await altTextFor(saved, { ...document, uri }),
		htmlWidth: htmlWidth(saved, uri),
		form: document.form,
	});
}

/**
 * What decides how a document names the images that it links to.
 *
 * @param textBefore the document up to the link
 * @throws {SettingError} where `easel.documents.publicFolder` is not what it can be
 */
export async function linkContextOf(
	document: vscode.Uri,
	textBefore: string,
): Promise<LinkContext & { readonly document: vscode.Uri }> {
	const uri = fileOf(document);
	return {
		document: uri,
		workspaceFolder: vscode.workspace.getWorkspaceFolder(uri)?.uri,
		textBefore,
		publicFolder: readSetting('documents.publicFolder', uri),
		isCaption: readSetting('documents.altText', uri) === 'caption',
		sites: await findSitesForWriting(uri),
	};
}

/** As the settings say; no wider than the image, which would be blurred. */
function htmlWidth({ image }: SavedImage, document: vscode.Uri): number | undefined {
	return readSetting('documents.markdownImage', document) === 'html'
		? Math.min(image.width, readSetting('documents.imageWidth', document))
		: undefined;
}

/** The file that an image link is relative to: of a notebook's cell the notebook's. */
export function fileOf(document: vscode.Uri): vscode.Uri {
	if (document.scheme === 'untitled') {
		return insideFolder(vscode.workspace.workspaceFolders?.[0]?.uri) ?? document;
	}
	return fileOfDocument(document);
}

/** Stands for any file of a folder, where something is to be relative to that folder. */
export function insideFolder(folder: vscode.Uri | undefined): vscode.Uri | undefined {
	return folder && vscode.Uri.joinPath(folder, 'README.md');
}

export function openDocument(uri: vscode.Uri | undefined): vscode.TextDocument | undefined {
	return vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri?.toString());
}

/**
 * The document with this URI, which is opened where it is not open; `undefined` where it is gone. One
 * that was never saved is there as long as it is open: what VS Code opens then is another one.
 */
export async function documentAt(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
	const open = openDocument(uri);
	if (open !== undefined || uri.scheme === 'untitled') {
		return open;
	}
	try {
		return await vscode.workspace.openTextDocument(uri);
	} catch {
		return undefined;
	}
}

/**
 * Whether the user writes it, and images belong there: outputs and older versions of files have text
 * editors too, and so have prompts.
 */
export function isWritable({ languageId, uri: { scheme } }: vscode.TextDocument): boolean {
	if (languageId === promptLanguage) {
		return false;
	}
	return (
		['file', 'untitled', 'vscode-notebook-cell'].includes(scheme) ||
		vscode.workspace.fs.isWritableFileSystem(scheme) === true
	);
}

export function spanOf(document: vscode.TextDocument, { start, end }: vscode.Range): Span {
	return { start: document.offsetAt(start), end: document.offsetAt(end) };
}

/**
 * What the alt text of an image is made of, as `easel.documents.altText` says: the title that the user
 * gave it, else what its prompt says that it shows. An edit still shows
 * its original, so it has the alt text that the original has in the document, else that of the
 * original's own prompt, else the words of its file name; never what was to be changed.
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
		return subjectOf(prompt);
	}
	const shown = await shownAlt(origin, document);
	return shown ?? (origin.prompt === undefined ? nameIn(origin) : subjectOf(origin.prompt));
}

/** The alt text in the document of the nearest image that the edit was made from. */
async function shownAlt(
	{ files }: Origin,
	{ uri, languageId, text }: { uri: vscode.Uri; languageId: string; text: string },
): Promise<string | undefined> {
	// What cannot be read says nothing.
	const images = await imagesOf(text, languageId, uri).catch(() => []);
	for (const file of files) {
		const found = images.find((image) => image.alt !== '' && image.uri.toString() === file);
		if (found !== undefined) {
			return found.alt;
		}
	}
	return undefined;
}

function nameIn({ files }: Origin): string {
	const { name } = posix.parse(vscode.Uri.parse(files.at(-1) ?? '', true).path);
	return name.replace(/[\s_-]+/g, ' ').trim();
}
