import * as vscode from 'vscode';
import type { FoundImage } from '../documents/findImages.js';
import { imagePaths } from '../documents/imagePaths.js';
import { languageIds, markdownLanguages } from '../documents/languages.js';
import { localPath } from '../documents/localPath.js';

/** An image that a document refers to, by a file that may or may not exist. */
interface DocumentImage {
	readonly uri: vscode.Uri;
	/** Offsets in the text of the whole image, and of its path as it is written. */
	readonly span: FoundImage['span'];
	readonly pathSpan: FoundImage['span'];
}

/** Whether a text can have an image at all; a quick look that spares the reading. */
export function mayShowImage(text: string): boolean {
	return /!\[|<img|\.(?:png|jpe?g|webp)/i.test(text);
}

/** The images of a document's text, in their order. The Markdown parser is loaded when needed. */
export async function imagesOf(
	text: string,
	languageId: string,
	document: vscode.Uri,
): Promise<DocumentImage[]> {
	if (!mayShowImage(text)) {
		return [];
	}
	const root = vscode.workspace.getWorkspaceFolder(document)?.uri.fsPath;
	const found = markdownLanguages.some(({ ids }) => ids.includes(languageId))
		? (await import('../documents/findImages.js'))
				.findImages(text)
				.map(({ href, span, destinationSpan }) => ({ href, span, pathSpan: destinationSpan }))
		: imagePaths(text).map(({ path: href, ...span }) => ({ href, span, pathSpan: span }));
	return found.flatMap(({ href, span, pathSpan }) => {
		const file = localPath({ href }, document.fsPath, root);
		return file === undefined
			? []
			: [{ uri: document.with({ path: vscode.Uri.file(file).path }), span, pathSpan }];
	});
}

/** The image at a place of a document, or `undefined` where there is none. */
export async function imageAt(
	document: vscode.TextDocument,
	position: vscode.Position,
): Promise<vscode.Uri | undefined> {
	if (!languageIds.includes(document.languageId) || !mayShowImage(document.lineAt(position).text)) {
		return undefined;
	}
	const offset = document.offsetAt(position);
	const images = await imagesOf(document.getText(), document.languageId, document.uri);
	return images.find(({ span }) => span.start <= offset && offset <= span.end)?.uri;
}
