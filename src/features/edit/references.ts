import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { darkPairs, type LinkToPair } from '../../documents/darkPair.js';
import { languageOfFile, languages, takesImageFile } from '../../documents/languages.js';
import { decodePercent } from '../../documents/localPath.js';
import { SearchStalledError } from '../../documents/reading/search.js';
import { isNotebook, partsOf } from '../../documents/notebook.js';
import { renamedReferences } from '../../documents/renamedReferences.js';
import { withTwice } from '../../documents/srcset.js';
import type { Span } from '../../documents/span.js';
import { WordedError, wordsOf } from '../../editor/errorTexts.js';
import { imagesOf } from '../../editor/documentImages.js';
import { documentAt, linkContextOf } from '../../editor/documents.js';
import { mayExist } from '../../editor/files.js';
import { notify } from '../../editor/messages.js';
import { withJobProgress } from '../../editor/progress.js';
import { findWorkspaceFiles } from '../../editor/searchExcludes.js';
import { readEditorSetting } from '../../editor/settings.js';
import { safeName, sentence } from '../../editor/untrustedText.js';
import { codeOf } from '../../files/fsErrors.js';
import type { LinkChange } from '../../asking/requestCommands.js';
import type { UpdatedLinks } from '../../generation/generatorServices.js';
import { log } from '../../log.js';
import { replaceMessages } from '../messages.js';

/** The changes that one document needs, as it was when they were worked out. */
interface DocumentEdits {
	readonly document: vscode.TextDocument;
	readonly version: number;
	/** Empty where the editor has not yet seen what another program has written into the file. */
	readonly edits: vscode.TextEdit[];
	/** Number of links that stay as they are, because they have no form for it. */
	readonly left: number;
	readonly changes: readonly LinkChange[];
}

/** The user has cancelled the search for references. */
export class SearchCancelledError extends WordedError {
	override readonly name = 'SearchCancelledError';

	constructor() {
		super(replaceMessages.searchCancelled);
	}
}

/** Looking through more would take longer than users wait. */
const maxDocuments = 10_000;

/** Larger documents are not written by hand, and reading them would hold up the editor. In bytes. */
const maxDocumentBytes = 1024 * 1024;

const readAtOnce = 16;

/** A search is shown when it has taken so long, in milliseconds. */
const quietForMs = 1000;

export interface Mentions {
	/** Documents that show it: {@link referencesTo} changes them. */
	readonly shown: readonly vscode.Uri[];
	/** Files that name it, or another one of its name, in a way that stays as it is. */
	readonly left: readonly vscode.Uri[];
}

/** Extensions of text files in which programs name images, beside documents. */
const otherExtensions = [
	...['css', 'scss', 'sass', 'less', 'js', 'mjs', 'cjs', 'jsx', 'ts', 'mts', 'cts', 'tsx'],
	...['json', 'jsonc', 'yaml', 'yml', 'toml', 'xml', 'csv', 'txt', 'svg', 'py', 'rb', 'php', 'org'],
	...['njk', 'liquid', 'ejs', 'pug', 'erb', 'twig', 'webmanifest'],
];

/**
 * Finds the files that name an image: the same documents as {@link referencesTo}, and other text files
 * under the same limits.
 *
 * @throws {SearchStalledError} where a pattern of the settings takes too long
 * @throws {SearchCancelledError}
 */
export async function mentionsOf(image: vscode.Uri): Promise<Mentions> {
	const [found] = await mentionsOfAll([image]);
	return found!;
}

/**
 * Finds the files that name images, in one search: of each what {@link mentionsOf} returns.
 *
 * @throws as {@link mentionsOf}
 */
export async function mentionsOfAll(images: readonly vscode.Uri[]): Promise<readonly Mentions[]> {
	const all = images.map((image) => ({
		image,
		isNamedIn: nameFinder([image]),
		shown: [] as vscode.Uri[],
		left: [] as vscode.Uri[],
	}));
	await lookThrough(images, [...documentExtensions, ...otherExtensions], {}, async (uri, text) => {
		// What is no document is not changed, whatever looks like a path in it.
		const found = languageOf(uri) === '' ? [] : await imagesInFile(text, uri);
		// Images of that name elsewhere are other ones.
		const rest = found.reduceRight(
			(all, { pathSpan: { start, end } }) => `${all.slice(0, start)} ${all.slice(end)}`,
			text,
		);
		for (const { image, isNamedIn, shown, left } of all) {
			if (found.some((one) => isSameFile(one.uri, image))) {
				shown.push(uri);
			}
			if (isNamedIn(rest)) {
				left.push(uri);
			}
		}
		return undefined;
	});
	const byPath = (one: vscode.Uri, other: vscode.Uri) => (one.path < other.path ? -1 : 1);
	return all.map(({ shown, left }) => ({ shown: shown.sort(byPath), left: left.sort(byPath) }));
}

const documentExtensions = [...languages.flatMap(({ extensions }) => extensions), 'ipynb'];

/**
 * The changes that make the workspace's documents show images of other names, of the same folders. Of
 * a document that is not saved, the text in the editor counts. Documents of packages, those that the
 * settings leave out of searches, larger ones than 1 MiB and those that cannot be read are left alone.
 *
 * What takes long is shown, and can be cancelled.
 *
 * @param limits how many documents are looked through, and how long nothing is shown
 * @throws {SearchStalledError} where a pattern of the settings takes too long
 * @throws {SearchCancelledError}
 * @throws {RangeError} where a document has references that cannot be changed together
 */
export async function referencesTo(
	changes: readonly LinkChange[],
	limits: SearchLimits = {},
): Promise<DocumentEdits[]> {
	const images = changes.map(({ from }) => from);
	return lookThrough(images, documentExtensions, limits, (uri, text) =>
		editsFor(uri, text, changes),
	);
}

interface SearchLimits {
	readonly max?: number | undefined;
	readonly quietMs?: number | undefined;
}

/**
 * Looks through the files of the workspace that name one of the images. What takes long is shown, and can be
 * cancelled at once: the search comes to its end alone.
 *
 * @throws {SearchCancelledError}
 */
async function lookThrough<T>(
	images: readonly vscode.Uri[],
	extensions: readonly string[],
	{ max = maxDocuments, quietMs = quietForMs }: SearchLimits,
	look: (uri: vscode.Uri, text: string) => Promise<T | undefined>,
): Promise<T[]> {
	let words = '';
	let isCancelled = false;
	const isNamedIn = nameFinder(images);
	const search = async () => {
		const files = await findWorkspaceFiles(extensions, max);
		const unsaved = unsavedTexts();
		const found: T[] = [];
		for (let start = 0; start < files.length && !isCancelled; start += readAtOnce) {
			words = replaceMessages.searched(start, files.length);
			const some = files.slice(start, start + readAtOnce).map(async (uri) => {
				const text = await textNaming(isNamedIn, uri, unsaved);
				return text === undefined ? undefined : look(uri, text);
			});
			found.push(...(await Promise.all(some)).filter((one) => one !== undefined));
		}
		return found;
	};
	const running = search();
	const quiet = delay(quietMs, false, { ref: false });
	if (await Promise.race([running.then(() => true), quiet])) {
		return running;
	}
	const progressWords = () => words;
	const names = images.map(({ path }) => posix.basename(path));
	return withJobProgress(replaceMessages.searching(names), progressWords, (changed, signal) => {
		const cancelled = Promise.withResolvers<never>();
		signal.addEventListener('abort', () => {
			isCancelled = true;
			cancelled.reject(new SearchCancelledError());
		});
		changed();
		return Promise.race([running, cancelled.promise]);
	});
}

/** The text of a file; `undefined` where it does not have the name of an image, or is no text to read. */
async function textNaming(
	isNamedIn: (text: string) => boolean,
	uri: vscode.Uri,
	unsaved: ReadonlyMap<string, string>,
): Promise<string | undefined> {
	const text = unsaved.get(uri.toString()) ?? (await readSmall(uri));
	return text !== undefined && text.length <= maxDocumentBytes && isNamedIn(text)
		? text
		: undefined;
}

/**
 * The changes of {@link referencesTo} for the documents as they are now: in one that has changed
 * since, they would be written elsewhere. They hold until something else is waited for.
 *
 * @returns those that have something to change
 * @throws {RangeError} where a document has references that cannot be changed together
 * @throws the system's error where a document that has changed cannot be read
 */
export async function upToDate(found: readonly DocumentEdits[]): Promise<DocumentEdits[]> {
	let all = found;
	while (all.some(isStale)) {
		const unsaved = unsavedTexts();
		const now = all.map(async (one) => {
			const { uri } = one.document;
			if (!isStale(one)) {
				return one;
			}
			const isNamedIn = nameFinder(one.changes.map(({ from }) => from));
			const text = await textNaming(isNamedIn, uri, unsaved);
			return text === undefined ? undefined : editsFor(uri, text, one.changes);
		});
		all = (await Promise.all(now)).filter((one) => one !== undefined);
	}
	return all.filter(({ edits, left }) => edits.length + left > 0);
}

function isStale({ document, version }: DocumentEdits): boolean {
	return document.isClosed || document.version !== version;
}

/**
 * Makes the changes of {@link referencesTo}, all in one step to undo. The editor's undo leaves out
 * closed documents.
 *
 * @param only the documents that may be changed, as URIs; without it all
 */
export async function updateReferences(
	changes: readonly LinkChange[],
	only?: readonly string[],
): Promise<UpdatedLinks> {
	const names = changes.map(({ from, to }) => [safeName(from), safeName(to)] as const);
	const failed = replaceMessages.referencesFailed(names);
	const none = { documents: [], left: [], undo: () => Promise.resolve([]) };
	let documents: DocumentEdits[];
	let left: readonly string[];
	try {
		const all = (await upToDate(await referencesTo(changes))).filter(
			({ document }) => only?.includes(document.uri.toString()) ?? true,
		);
		documents = all.filter(({ edits }) => edits.length > 0);
		left = all.filter((one) => one.left > 0).map(({ document }) => document.uri.toString());
	} catch (error) {
		if (!(error instanceof SearchStalledError || error instanceof SearchCancelledError)) {
			log.error('The links of documents could not be updated', error);
		}
		// Callers have saved images before, and go on to offer Undo.
		return { ...none, notes: [`${failed} ${sentence(wordsOf(error))}`] };
	}
	if (documents.length === 0) {
		return { ...none, left, notes: [] };
	}
	const back = documents.map(inverseOf);
	const label = replaceMessages.undoReferences(names.map(([, to]) => to));
	const edit = new vscode.WorkspaceEdit();
	changeReferences(edit, documents, { needsConfirmation: false, label });
	if (!(await vscode.workspace.applyEdit(edit, { isRefactoring: true }))) {
		return { ...none, notes: [failed] };
	}
	return {
		documents: documents.map(({ document }) => document.uri.toString()),
		left,
		notes: [],
		undo: () => undoReferences(back, label),
	};
}

/** The way back from the changes of a document. */
interface InverseEdits {
	readonly uri: vscode.Uri;
	/** Texts of the document without the changes and with them, as SHA-256. */
	readonly before: string;
	readonly after: string;
	/** By offsets in the changed text. */
	readonly edits: readonly (Span & { readonly newText: string })[];
}

function inverseOf({ document, edits }: DocumentEdits): InverseEdits {
	const text = document.getText();
	let after = '';
	let end = 0;
	const inverse = [...edits]
		.sort((one, other) => one.range.start.compareTo(other.range.start))
		.map(({ range, newText }) => {
			const [from, to] = [document.offsetAt(range.start), document.offsetAt(range.end)];
			after += text.slice(end, from) + newText;
			end = to;
			return {
				start: after.length - newText.length,
				end: after.length,
				newText: text.slice(from, to),
			};
		});
	after += text.slice(end);
	return { uri: document.uri, before: hashOf(text), after: hashOf(after), edits: inverse };
}

/** Returns the documents that have changed since, as URIs: those stay as they are. */
async function undoReferences(
	back: readonly InverseEdits[],
	label: string,
): Promise<readonly string[]> {
	const changed: string[] = [];
	const edit = new vscode.WorkspaceEdit();
	for (const { uri, before, after, edits } of back) {
		const document = await documentAt(uri);
		// The editor holds the text of a file for a while that was moved or deleted.
		if (document === undefined || !(document.isDirty || (await mayExist(uri)))) {
			changed.push(uri.toString());
			continue;
		}
		const now = hashOf(document.getText());
		if (now === after) {
			for (const { start, end, newText } of edits) {
				const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
				edit.replace(uri, range, newText, { needsConfirmation: false, label });
			}
		} else if (now !== before) {
			changed.push(uri.toString());
		}
	}
	const isDone = await vscode.workspace.applyEdit(edit, { isRefactoring: true });
	return isDone ? changed : back.map(({ uri }) => uri.toString());
}

function hashOf(text: string): string {
	return createHash('sha256').update(text).digest('hex');
}

/**
 * Offers to update the documents that show an image which was renamed. Nothing is offered where it has
 * also moved, where no document shows it, or where VS Code's own setting does it. Use New
 * changes the extension, or gives a file its own name again, and updates what it has to.
 */
export async function offerToUpdateReferences(from: vscode.Uri, to: vscode.Uri): Promise<void> {
	const { enabled = 'never' } = readEditorSetting('markdown.updateLinksOnFileMove', to);
	const [before, after] = [posix.parse(from.path), posix.parse(to.path)];
	const isRename = before.dir === after.dir && before.ext === after.ext;
	if (!isRename || before.name === after.name || enabled !== 'never') {
		return;
	}
	const documents = await upToDate(await referencesTo([{ from, to }]));
	if (documents.length === 0) {
		return;
	}
	const update = async () => {
		const { documents: updated, notes } = await updateReferences([{ from, to }]);
		await notify('info', [replaceMessages.updated(updated.length), ...notes].join(' '));
	};
	const words = replaceMessages.renamed(safeName(from), safeName(to), documents.length);
	await notify('info', words, [{ label: replaceMessages.updateReferences, run: update }]);
}

export function changeReferences(
	edit: vscode.WorkspaceEdit,
	documents: readonly DocumentEdits[],
	metadata: vscode.WorkspaceEditEntryMetadata,
): void {
	for (const { document, edits } of documents) {
		edit.set(
			document.uri,
			edits.map((one): [vscode.TextEdit, vscode.WorkspaceEditEntryMetadata] => [one, metadata]),
		);
	}
}

function unsavedTexts(): ReadonlyMap<string, string> {
	const unsaved = vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty);
	return new Map(unsaved.map((document) => [document.uri.toString(), document.getText()]));
}

async function editsFor(
	uri: vscode.Uri,
	text: string,
	changes: readonly LinkChange[],
): Promise<DocumentEdits | undefined> {
	// Only documents that show an image are opened: the editor takes its time with each.
	const shown = await imagesInFile(text, uri);
	if (!shown.some((image) => changes.some(({ from }) => isSameFile(image.uri, from)))) {
		return undefined;
	}
	// As the editor reads it: it knows of encodings, and may have been written in since.
	const document = await vscode.workspace.openTextDocument(uri);
	const { version } = document;
	const now = document.getText();
	const images = await imagesInFile(now, uri);
	const language = languageOf(uri);
	const edits: (Span & { readonly newText: string })[] = [];
	let left = 0;
	for (const { from, to, twice, dark } of changes) {
		const places = images.filter((image) => isSameFile(image.uri, from));
		if (dark !== undefined) {
			const context = await linkContextOf(uri, now);
			// Text of a notebook has the escapes of JSON.
			const pairs = isNotebook(uri.path)
				? { changes: [], left: places.length }
				: darkPairs(now, places, language, { ...context, light: from, dark });
			edits.push(...pairs.changes);
			left += pairs.left;
			continue;
		}
		if (!takesImageFile(language, to.path)) {
			left += places.length;
			continue;
		}
		const spans = places.map(({ pathSpan }) => pathSpan);
		const names = { from: posix.basename(from.path), to: posix.basename(to.path) };
		const renamed = renamedReferences(now, spans, language, names).map((one) =>
			twice === undefined ? one : withTwice(now, one, language, { ...names, twice }),
		);
		edits.push(...renamed);
	}
	const written = edits.map(({ start, end, newText }) =>
		vscode.TextEdit.replace(
			new vscode.Range(document.positionAt(start), document.positionAt(end)),
			newText,
		),
	);
	return { document, version, edits: written, left, changes };
}

interface ImageInFile extends LinkToPair {
	readonly uri: vscode.Uri;
}

/** The images of a document's file, of a notebook those of its Markdown cells. */
async function imagesInFile(text: string, uri: vscode.Uri): Promise<readonly ImageInFile[]> {
	const parts = partsOf(uri.path, text).map(async (part) =>
		(await imagesOf(part.text, languageOf(uri), uri)).map((image) => ({
			...image,
			span: part.place(image.span),
			pathSpan: part.place(image.pathSpan),
		})),
	);
	return (await Promise.all(parts)).flat();
}

function languageOf(uri: vscode.Uri): string {
	return isNotebook(uri.path) ? 'markdown' : (languageOfFile(uri.path) ?? '');
}

/** Some systems take letters of either case, and of any form of Unicode, for the same. */
function isSameFile(one: vscode.Uri, other: vscode.Uri): boolean {
	const form = (uri: vscode.Uri) =>
		ignoresForms ? uri.path.toLowerCase().normalize('NFC') : uri.toString();
	return form(one) === form(other);
}

const ignoresForms = process.platform === 'darwin' || process.platform === 'win32';

/**
 * Returns what says whether a text has the name of one of the images, as it is or with escapes: a
 * quick look that spares the reading.
 */
function nameFinder(images: readonly vscode.Uri[]): (text: string) => boolean {
	const forms = images.flatMap(({ path }) => {
		const name = posix.basename(path);
		return [name, name.normalize('NFC'), name.normalize('NFD')].map((form) =>
			form.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'),
		);
	});
	// A longer name is another one.
	const letter = String.raw`[\p{L}\p{M}\p{N}_-]`;
	const whole = new RegExp(`(?<!${letter})(?:${[...new Set(forms)].join('|')})(?!${letter})`, 'u');
	return (text) => {
		const unescaped = text.replace(/\\(?=[!-/:-@[-`{-~])/g, '').replaceAll('&amp;', '&');
		return [text, unescaped].map(decodePercent).some((one) => whole.test(one));
	};
}

/** `undefined` for what is no document that could be changed. */
async function readSmall(uri: vscode.Uri): Promise<string | undefined> {
	try {
		const { type, size } = await vscode.workspace.fs.stat(uri);
		return (type & vscode.FileType.File) !== 0 && size <= maxDocumentBytes
			? new TextDecoder().decode(await vscode.workspace.fs.readFile(uri))
			: undefined;
	} catch (error) {
		if (['FileNotFound', 'NoPermissions'].includes(codeOf(error))) {
			return undefined;
		}
		throw error;
	}
}
