import { posix } from 'node:path';
import * as vscode from 'vscode';
import { languageOfFile, languages } from '../../documents/languages.js';
import { decodePercent } from '../../documents/localPath.js';
import { SearchStalledError } from '../../documents/reading/search.js';
import { imagesOf } from '../../editor/documentImages.js';
import { findWorkspaceFiles } from '../../editor/searchExcludes.js';
import { codeOf } from '../../files/refusal.js';
import { nameOf } from './replacementMessages.js';

/** The changes that one document needs. */
export interface DocumentEdits {
	readonly uri: vscode.Uri;
	readonly edits: vscode.TextEdit[];
}

/** Looking through more would take longer than anybody waits. */
const mostDocuments = 10_000;

/** Nobody writes a larger document by hand, and reading it would hold up the editor. In bytes. */
const largestDocument = 1024 * 1024;

/** So many documents are read at the same time. */
const readAtOnce = 16;

/**
 * The changes that make the workspace's documents show `target`, of another name, for `original`.
 * Documents of packages, those that the settings leave out of searches, larger ones than 1 MiB and
 * those that cannot be read are left alone.
 *
 * @param most how many documents are looked through
 */
export async function referencesTo(
	original: vscode.Uri,
	target: vscode.Uri,
	most = mostDocuments,
): Promise<DocumentEdits[]> {
	const extensions = languages.flatMap((language) => language.extensions);
	const documents = await findWorkspaceFiles(extensions, most);
	const found: DocumentEdits[] = [];
	for (let start = 0; start < documents.length; start += readAtOnce) {
		const some = documents.slice(start, start + readAtOnce);
		const all = await Promise.all(
			some.map(async (uri) => ({ uri, edits: await editsFor(uri, original, target) })),
		);
		found.push(...all.filter(({ edits }) => edits.length > 0));
	}
	return found;
}

/**
 * Makes the changes of {@link referencesTo}. The editor's undo leaves out documents that it does not
 * have in memory any more.
 *
 * @returns what people should know of it
 */
export async function updateReferences(
	original: vscode.Uri,
	target: vscode.Uri,
): Promise<string[]> {
	const failed = `References to ${nameOf(original)} could not be updated to ${nameOf(target)}.`;
	let documents: DocumentEdits[];
	try {
		documents = await referencesTo(original, target);
	} catch (error) {
		if (error instanceof SearchStalledError) {
			return [`${failed} ${error.message}`];
		}
		throw error;
	}
	if (documents.length === 0) {
		return [];
	}
	const edit = new vscode.WorkspaceEdit();
	changeAll(edit, documents, { needsConfirmation: false, label: `Show ${nameOf(target)}` });
	return (await vscode.workspace.applyEdit(edit, { isRefactoring: true })) ? [] : [failed];
}

/** Adds the changes to an edit of the workspace. */
export function changeAll(
	edit: vscode.WorkspaceEdit,
	documents: readonly DocumentEdits[],
	metadata: vscode.WorkspaceEditEntryMetadata,
): void {
	for (const { uri, edits } of documents) {
		edit.set(
			uri,
			edits.map((one): [vscode.TextEdit, vscode.WorkspaceEditEntryMetadata] => [one, metadata]),
		);
	}
}

async function editsFor(
	uri: vscode.Uri,
	original: vscode.Uri,
	target: vscode.Uri,
): Promise<vscode.TextEdit[]> {
	const oldName = posix.basename(original.path);
	const bytes = await readSmall(uri);
	// Most documents do not name the file; only those that do are opened.
	if (
		bytes === undefined ||
		!decodePercent(new TextDecoder().decode(bytes)).includes(posix.parse(oldName).name)
	) {
		return [];
	}
	const document = await vscode.workspace.openTextDocument(uri);
	const language = languageOfFile(uri.path) ?? document.languageId;
	const images = await imagesOf(document.getText(), language, uri);
	return images
		.filter((image) => image.uri.toString() === original.toString())
		.map(({ pathSpan }) => {
			const range = new vscode.Range(
				document.positionAt(pathSpan.start),
				document.positionAt(pathSpan.end),
			);
			return vscode.TextEdit.replace(range, withName(document.getText(range), target));
		});
}

/** `undefined` for what is no document that could be changed. */
async function readSmall(uri: vscode.Uri): Promise<Uint8Array | undefined> {
	try {
		const { type, size } = await vscode.workspace.fs.stat(uri);
		return (type & vscode.FileType.File) !== 0 && size <= largestDocument
			? await vscode.workspace.fs.readFile(uri)
			: undefined;
	} catch (error) {
		if (['FileNotFound', 'NoPermissions'].includes(codeOf(error))) {
			return undefined;
		}
		throw error;
	}
}

/** Puts the new name into a path as it is written, and leaves the rest of it alone. */
function withName(written: string, target: vscode.Uri): string {
	const [, folder = '', end = ''] = /^(.*\/|<?)[^/]*?([?#>].*|)$/s.exec(written) ?? [];
	return (
		folder + encodeURI(posix.basename(target.path)).replace(/[?#()]/g, encodeURIComponent) + end
	);
}
