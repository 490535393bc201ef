import * as vscode from 'vscode';
import { DocumentReader } from '../documents/reading/reader.js';

let reader: DocumentReader | undefined;

/** What reads documents in a worker thread; all features share it. It is made when it is needed. */
export function documentReader(): DocumentReader {
	if (reader === undefined) {
		const { extensionUri } = vscode.extensions.getExtension('easel.easel')!;
		const script = vscode.Uri.joinPath(extensionUri, 'dist', 'documents.js');
		reader = new DocumentReader(script.fsPath);
	}
	return reader;
}
