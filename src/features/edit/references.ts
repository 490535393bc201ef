import { posix } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { languageOfFile, languages } from '../../documents/languages.js';
import { decodePercent } from '../../documents/localPath.js';
import { SearchStalledError } from '../../documents/reading/search.js';
import { isNotebook, partsOf } from '../../documents/notebook.js';
import { renamedReferences } from '../../documents/renamedReferences.js';
import { withTwice } from '../../documents/srcset.js';
import type { Span } from '../../documents/span.js';
import { WordedError, wordsOf } from '../../editor/errorTexts.js';
import { imagesOf } from '../../editor/documentImages.js';
import { notify } from '../../editor/messages.js';
import { withJobProgress } from '../../editor/progress.js';
import { findWorkspaceFiles } from '../../editor/searchExcludes.js';
import { readEditorSetting } from '../../editor/settings.js';
import { safeName } from '../../editor/untrustedText.js';
import { codeOf } from '../../files/fsErrors.js';
import type { UpdatedLinks } from '../../asking/requestCommands.js';
import { replaceMessages } from '../messages.js';

/** The changes that one document needs, as it was when they were worked out. */
interface DocumentEdits {
	readonly document: vscode.TextDocument;
	readonly version: number;
	/** Empty where the editor has not yet seen what another program has written into the file. */
	readonly edits: vscode.TextEdit[];
	readonly twice?: string | undefined;
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
	const shown: vscode.Uri[] = [];
	const left: vscode.Uri[] = [];
	const name = posix.basename(image.path);
	await lookThrough(image, [...documentExtensions, ...otherExtensions], {}, async (uri, text) => {
		// What is no document is not changed, whatever looks like a path in it.
		const images = languageOf(uri) === '' ? [] : await imagesInFile(text, uri);
		if (images.some((one) => isSameFile(one.uri, image))) {
			shown.push(uri);
		}
		// Images of that name elsewhere are other ones.
		const rest = images.reduceRight(
			(all, { pathSpan: { start, end } }) => `${all.slice(0, start)} ${all.slice(end)}`,
			text,
		);
		if (mayName(rest, name)) {
			left.push(uri);
		}
		return undefined;
	});
	const byPath = (one: vscode.Uri, other: vscode.Uri) => (one.path < other.path ? -1 : 1);
	return { shown: shown.sort(byPath), left: left.sort(byPath) };
}

const documentExtensions = [...languages.flatMap(({ extensions }) => extensions), 'ipynb'];

/**
 * The changes that make the workspace's documents show `target`, of another name, for `original`. Of
 * a document that is not saved, the text in the editor counts. Documents of packages, those that the
 * settings leave out of searches, larger ones than 1 MiB and those that cannot be read are left alone.
 *
 * What takes long is shown, and can be cancelled.
 *
 * @param max how many documents are looked through
 * @param quietMs how long nothing is shown
 * @throws {SearchStalledError} where a pattern of the settings takes too long
 * @throws {SearchCancelledError}
 * @throws {RangeError} where a document has references that cannot be changed together
 */
export async function referencesTo(
	original: vscode.Uri,
	target: vscode.Uri,
	change: LinkChange = {},
): Promise<DocumentEdits[]> {
	return lookThrough(original, documentExtensions, change, (uri, text) =>
		editsFor(uri, text, original, target, change.twice),
	);
}

interface SearchLimits {
	readonly max?: number | undefined;
	readonly quietMs?: number | undefined;
}

interface LinkChange extends SearchLimits {
	readonly twice?: string | undefined;
}

/**
 * Looks through the files of the workspace that name an image. What takes long is shown, and can be
 * cancelled at once: the search comes to its end alone.
 *
 * @throws {SearchCancelledError}
 */
async function lookThrough<T>(
	image: vscode.Uri,
	extensions: readonly string[],
	{ max = maxDocuments, quietMs = quietForMs }: SearchLimits,
	look: (uri: vscode.Uri, text: string) => Promise<T | undefined>,
): Promise<T[]> {
	let words = '';
	let isCancelled = false;
	const name = posix.basename(image.path);
	const search = async () => {
		const files = await findWorkspaceFiles(extensions, max);
		const unsaved = unsavedTexts();
		const found: T[] = [];
		for (let start = 0; start < files.length && !isCancelled; start += readAtOnce) {
			words = replaceMessages.searched(start, files.length);
			const some = files.slice(start, start + readAtOnce).map(async (uri) => {
				const text = await textNaming(name, uri, unsaved);
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
	return withJobProgress(replaceMessages.searching(name), progressWords, (changed, signal) => {
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
	name: string,
	uri: vscode.Uri,
	unsaved: ReadonlyMap<string, string>,
): Promise<string | undefined> {
	const text = unsaved.get(uri.toString()) ?? (await readSmall(uri));
	return text !== undefined && text.length <= maxDocumentBytes && mayName(text, name)
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
export async function upToDate(
	found: readonly DocumentEdits[],
	original: vscode.Uri,
	target: vscode.Uri,
): Promise<DocumentEdits[]> {
	let all = found;
	while (all.some(isStale)) {
		const unsaved = unsavedTexts();
		const now = all.map(async (one) => {
			const { uri } = one.document;
			if (!isStale(one)) {
				return one;
			}
			const text = await textNaming(posix.basename(original.path), uri, unsaved);
			return text === undefined ? undefined : editsFor(uri, text, original, target, one.twice);
		});
		all = (await Promise.all(now)).filter((one) => one !== undefined);
	}
	return all.filter(({ edits }) => edits.length > 0);
}

function isStale({ document, version }: DocumentEdits): boolean {
	return document.isClosed || document.version !== version;
}

/**
 * Makes the changes of {@link referencesTo}. The editor's undo leaves out closed documents.
 *
 * @param only the documents that may be changed, as URIs; without it all
 * @param twice name of a file of twice the dimensions, for tags of HTML
 */
export async function updateReferences(
	original: vscode.Uri,
	target: vscode.Uri,
	only?: readonly string[],
	twice?: string,
): Promise<UpdatedLinks> {
	const failed = replaceMessages.referencesFailed(safeName(original), safeName(target));
	let documents: DocumentEdits[];
	try {
		const found = await referencesTo(original, target, { twice });
		const all = await upToDate(found, original, target);
		documents = all.filter(({ document }) => only?.includes(document.uri.toString()) ?? true);
	} catch (error) {
		if (error instanceof SearchStalledError || error instanceof SearchCancelledError) {
			return { documents: [], notes: [`${failed} ${wordsOf(error)}`] };
		}
		throw error;
	}
	if (documents.length === 0) {
		return { documents: [], notes: [] };
	}
	const edit = new vscode.WorkspaceEdit();
	changeReferences(edit, documents, {
		needsConfirmation: false,
		label: replaceMessages.undoReferences(safeName(target)),
	});
	const isDone = await vscode.workspace.applyEdit(edit, { isRefactoring: true });
	return isDone
		? { documents: documents.map(({ document }) => document.uri.toString()), notes: [] }
		: { documents: [], notes: [failed] };
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
	const documents = await upToDate(await referencesTo(from, to), from, to);
	if (documents.length === 0) {
		return;
	}
	const update = async () => {
		const { documents: updated, notes } = await updateReferences(from, to);
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
	original: vscode.Uri,
	target: vscode.Uri,
	twice?: string,
): Promise<DocumentEdits | undefined> {
	// Only documents that show the image are opened: the editor takes its time with each.
	if ((await placesOf(original, text, uri)).length === 0) {
		return undefined;
	}
	// As the editor reads it: it knows of encodings, and may have been written in since.
	const document = await vscode.workspace.openTextDocument(uri);
	const { version } = document;
	const now = document.getText();
	const places = await placesOf(original, now, uri);
	const names = { from: posix.basename(original.path), to: posix.basename(target.path) };
	const language = languageOf(uri);
	const renamed = renamedReferences(now, places, language, names).map((one) =>
		twice === undefined ? one : withTwice(now, one, language, { ...names, twice }),
	);
	const edits = renamed.map(({ start, end, newText }) =>
		vscode.TextEdit.replace(
			new vscode.Range(document.positionAt(start), document.positionAt(end)),
			newText,
		),
	);
	return { document, version, edits, twice };
}

async function placesOf(image: vscode.Uri, text: string, document: vscode.Uri): Promise<Span[]> {
	const images = await imagesInFile(text, document);
	return images.filter(({ uri }) => isSameFile(uri, image)).map(({ pathSpan }) => pathSpan);
}

/** The images of a document's file, of a notebook those of its Markdown cells. */
async function imagesInFile(
	text: string,
	uri: vscode.Uri,
): Promise<readonly { readonly uri: vscode.Uri; readonly pathSpan: Span }[]> {
	const parts = partsOf(uri.path, text).map(async (part) =>
		(await imagesOf(part.text, languageOf(uri), uri)).map((image) => ({
			uri: image.uri,
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
 * Returns whether a text has a name, as it is or with escapes: a quick look that spares the
 * reading.
 */
function mayName(text: string, name: string): boolean {
	const unescaped = text.replace(/\\(?=[!-/:-@[-`{-~])/g, '').replaceAll('&amp;', '&');
	const forms = [name, name.normalize('NFC'), name.normalize('NFD')].map((form) =>
		form.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'),
	);
	// A longer name is another one.
	const letter = String.raw`[\p{L}\p{M}\p{N}_-]`;
	const whole = new RegExp(`(?<!${letter})(?:${forms.join('|')})(?!${letter})`, 'u');
	return [text, unescaped].map(decodePercent).some((one) => whole.test(one));
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
