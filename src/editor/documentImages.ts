import * as vscode from 'vscode';
import type { FoundImage } from '../documents/findImages.js';
import { imagePaths } from '../documents/imagePaths.js';
import { markdownLanguages } from '../documents/languages.js';
import { localPaths, type LinkingDocument } from '../documents/localPath.js';
import type { ImagePlace } from '../documents/reading/reader.js';
import { linkFolders } from '../documents/writeImageLink.js';
import { documentReader } from './documentReader.js';
import { findFileByName, findSites } from './documentSites.js';
import { mayExist } from './files.js';
import { languageOf, mayShowImage, mayShowImageAt } from './nearImage.js';
import { readSetting, settingOr } from './settings.js';

/** An image that a document refers to, by a file that may or may not exist. */
interface DocumentImage {
	readonly uri: vscode.Uri;
	/** Plain text; empty where there is none, or the format is not Markdown. */
	readonly alt: string;
	/** Offsets in the text of the whole image, and of its path as it is written. */
	readonly span: FoundImage['span'];
	readonly pathSpan: FoundImage['span'];
}

/**
 * The images of a document's text, in their order.
 *
 * @param textAbove what of the document is above that text; it may say where images lie
 * @throws {ReadingTooSlowError} where the text is not written to be read
 */
export async function imagesOf(
	text: string,
	languageId: string,
	document: vscode.Uri,
	textAbove = '',
): Promise<DocumentImage[]> {
	const places = await placesIn(text, languageId);
	const within = { uri: document, languageId, text: textAbove + text, start: textAbove.length };
	const files = await filesOf(places, within);
	return places.flatMap(({ alt, span, destinationSpan: pathSpan }, index) => {
		const uri = files[index];
		return uri === undefined ? [] : [{ uri, alt, span, pathSpan }];
	});
}

/**
 * Returns the image at a place of a document, in Markdown with its alt text, whether the place is on its
 * path, and whether that is a relative one. Of a long document, what is near is looked at: an image is
 * also found where something far above hides it.
 */
export async function documentImageAt(document: vscode.TextDocument, position: vscode.Position) {
	if (!mayShowImageAt(document, position)) {
		return undefined;
	}
	const offset = document.offsetAt(position);
	const piece = pieceAround(document, position, offset);
	const places = await known(document, piece.range);
	const at = offset - piece.start;
	const place = places.find(({ span }) => span.start <= at && at <= span.end);
	if (place === undefined) {
		return undefined;
	}
	const { uri } = document;
	const languageId = languageOf(document);
	const text = document.getText().slice(0, piece.start + place.span.end);
	const [file] = await filesOf([place], { uri, languageId, text, start: piece.start });
	const { start, end } = place.destinationSpan;
	const span = { start: piece.start + place.span.start, end: piece.start + place.span.end };
	const isRelative = !text.startsWith('/', piece.start + start);
	const isOnPath = start <= at && at <= end;
	return file && { uri: file, alt: place.alt, span, isOnPath, isRelative };
}

/** The least that is looked at on either side of the cursor, in UTF-16 code units. */
const pieceLength = 64 * 1024;

/** Whole lines, in a long document the same for many places: moving the cursor reads nothing. */
function pieceAround(document: vscode.TextDocument, position: vscode.Position, offset: number) {
	const step = pieceLength / 2;
	const first = Math.max(0, Math.floor(offset / step) * step - pieceLength);
	const last = Math.ceil(offset / step) * step + pieceLength;
	const from = document.positionAt(first);
	const isWithin = from.character > 0 && from.line < position.line;
	const start = isWithin ? from.with(from.line + 1, 0) : from;
	const range = new vscode.Range(start, document.positionAt(last));
	return { start: document.offsetAt(start), range };
}

/** Images found last in a document, as long as it is as it was. */
const found = new WeakMap<vscode.TextDocument, { key: string; places: Promise<ImagePlace[]> }>();

async function known(document: vscode.TextDocument, range: vscode.Range): Promise<ImagePlace[]> {
	const { version } = document;
	const languageId = languageOf(document);
	const key = JSON.stringify([languageId, version, range]);
	const last = found.get(document);
	if (last?.key === key) {
		return last.places;
	}
	// What cannot be read has no image; it is not tried again before it changes.
	const places = placesIn(document.getText(range), languageId).catch(() => []);
	found.set(document, { key, places });
	return places;
}

async function placesIn(text: string, languageId: string): Promise<ImagePlace[]> {
	if (!mayShowImage(text)) {
		return [];
	}
	return markdownLanguages.some(({ ids }) => ids.includes(languageId))
		? [...(await documentReader().read('images', { text }))]
		: imagePaths(text).map(({ path: href, ...span }) => ({
				alt: '',
				href,
				span,
				destinationSpan: span,
			}));
}

interface Within {
	/** URI of the document. */
	readonly uri: vscode.Uri;
	readonly languageId: string;
	/** Text of the document, from its beginning. */
	readonly text: string;
	/** Offset in it that the places count from. */
	readonly start: number;
}

/** The files that images of a document refer to, in their order; `undefined` for what names none. */
async function filesOf(
	places: readonly ImagePlace[],
	{ uri, languageId, text, start }: Within,
): Promise<(vscode.Uri | undefined)[]> {
	const document = fileOfDocument(uri);
	const workspaceFolder = vscode.workspace.getWorkspaceFolder(document)?.uri;
	// A mistake in the setting is shown where a link is written, or a missing image made.
	const publicFolder = settingOr(() => readSetting('documents.publicFolder', document));
	const foldersAt = linkFolders(languageId, text, { document, workspaceFolder, publicFolder });
	const linking = {
		document: document.fsPath,
		workspaceFolder: workspaceFolder?.fsPath,
		publicFolder,
		sites: await findSites(document),
	};
	/** Files by path and folders, so that each is looked for once. */
	const known = new Map<string, Promise<vscode.Uri | undefined>>();
	return Promise.all(
		places.map(({ href, destinationSpan }) => {
			const folders = foldersAt(start + destinationSpan.start);
			const key = [href, ...folders].join('\0');
			const file = known.get(key) ?? fileOf(href, document, { ...linking, folders });
			known.set(key, file);
			return file;
		}),
	);
}

async function fileOf(
	href: string,
	document: vscode.Uri,
	{ folders, ...linking }: LinkingDocument & { readonly folders: readonly string[] },
): Promise<vscode.Uri | undefined> {
	const inPaths = folders.map((folder) => document.with({ path: folder }).fsPath);
	const [likeliest, ...others] = localPaths({ href }, { ...linking, folders: inPaths }).map(
		(file) => document.with({ path: vscode.Uri.file(file).path }),
	);
	// Without a choice there is nothing to look for.
	if (likeliest === undefined || others.length === 0) {
		return likeliest;
	}
	for (const uri of [likeliest, ...others]) {
		if (await mayExist(uri)) {
			return uri;
		}
	}
	const named = await findFileByName(href, linking.sites ?? []).catch(() => undefined);
	return named ?? likeliest;
}

/** The file that a document belongs to: of a notebook's cell the notebook. */
export function fileOfDocument(document: vscode.Uri): vscode.Uri {
	const isInIt = (cell: vscode.NotebookCell) =>
		cell.document.uri.toString() === document.toString();
	const notebook =
		document.scheme === 'vscode-notebook-cell'
			? vscode.workspace.notebookDocuments.find((one) => one.getCells().some(isInIt))
			: undefined;
	return notebook?.uri ?? document;
}
