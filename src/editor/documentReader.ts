import * as vscode from 'vscode';
import { DocumentReader } from '../documents/reading/reader.js';
import { extensionId } from './extensionId.js';

let reader: DocumentReader | undefined;

/**
 * Returns the reader of documents in a worker thread; all features share it. It is made when it is
 * needed.
 */
export function documentReader(): DocumentReader {
	reader ??= new DocumentReader(readerScript());
	return reader;
}

/** The bundle of that worker thread, absolute: that of `easel check`, which has the same threads. */
export function readerScript(): string {
	const { extensionUri } = vscode.extensions.getExtension(extensionId)!;
	return vscode.Uri.joinPath(extensionUri, 'dist', 'check.js').fsPath;
}
