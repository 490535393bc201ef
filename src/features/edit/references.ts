import { posix } from 'node:path';
import * as vscode from 'vscode';
import { decodePercent } from '../../documents/localPath.js';
import { type documentLanguages, imagesOf } from '../../editor/documentImages.js';

/** The changes that one document needs. */
export interface DocumentEdits {
	readonly uri: vscode.Uri;
	readonly edits: vscode.TextEdit[];
}

const languagesByExtension: Readonly<Record<string, string>> = {
	md: 'markdown',
	markdown: 'markdown',
	mdx: 'mdx',
	html: 'html',
	htm: 'html',
	adoc: 'asciidoc',
	asciidoc: 'asciidoc',
	rst: 'restructuredtext',
	tex: 'latex',
	typ: 'typst',
} satisfies Record<string, (typeof documentLanguages)[number]>;

/** The changes that make the workspace's documents show `target`, of another name, for `original`. */
export async function referencesTo(
	original: vscode.Uri,
	target: vscode.Uri,
): Promise<DocumentEdits[]> {
	const extensions = Object.keys(languagesByExtension).join(',');
	const documents = await vscode.workspace.findFiles(`**/*.{${extensions}}`);
	const found: DocumentEdits[] = [];
	for (const uri of documents) {
		const edits = await editsFor(uri, original, target);
		if (edits.length > 0) {
			found.push({ uri, edits });
		}
	}
	return found;
}

async function editsFor(
	uri: vscode.Uri,
	original: vscode.Uri,
	target: vscode.Uri,
): Promise<vscode.TextEdit[]> {
	const oldName = posix.basename(original.path);
	const bytes = await vscode.workspace.fs.readFile(uri);
	// Most documents do not name the file; only those that do are opened.
	if (!decodePercent(new TextDecoder().decode(bytes)).includes(posix.parse(oldName).name)) {
		return [];
	}
	const document = await vscode.workspace.openTextDocument(uri);
	const language = languagesByExtension[posix.extname(uri.path).slice(1)] ?? document.languageId;
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

/** Puts the new extension into a path as it is written, and leaves the rest of it alone. */
function withName(written: string, target: vscode.Uri): string {
	const [, folder = '', end = ''] = /^(.*\/|<?)[^/]*?([?#>].*|)$/s.exec(written) ?? [];
	return (
		folder + encodeURI(posix.basename(target.path)).replace(/[?#()]/g, encodeURIComponent) + end
	);
}
