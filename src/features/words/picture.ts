import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Span } from '../../documents/span.js';
import { documentImageAt } from '../../editor/documentImages.js';
import { notify, runDetached, showStatus } from '../../editor/messages.js';
import { safeName } from '../../editor/untrustedText.js';
import { documentTextAt, type DocumentText } from '../../generation/documentText.js';
import { referenceSource } from '../../generation/referenceImages.js';
import type { Services } from '../../generation/services.js';
import { readBounded } from '../../files/boundedRead.js';
import { inspectImage, maxImageBytes } from '../../images/inspect.js';
import type { ModelImage } from '../../languageModel/protocols.js';
import { wordsMessages } from '../messages.js';

/** An image link at the cursor, as it was when the command was given. */
export interface FoundImage {
	readonly document: vscode.TextDocument;
	readonly uri: vscode.Uri;
	/** Of its file. */
	readonly name: string;
	readonly span: Span;
	/** As it is written. */
	readonly link: string;
	/** The section around it. */
	readonly around: DocumentText;
}

/** Returns the image at the cursor; where there is none, this is shown. */
export async function linkedImageAtCursor(): Promise<FoundImage | undefined> {
	const editor = vscode.window.activeTextEditor;
	const image = editor && (await documentImageAt(editor.document, editor.selection.active));
	if (editor === undefined || image === undefined) {
		runDetached(notify('info', wordsMessages.noImage));
		return undefined;
	}
	const { document, selection } = editor;
	const { span, uri } = image;
	const cursor = new vscode.Range(selection.active, selection.active);
	return {
		document,
		uri,
		name: safeName(uri, 80),
		span,
		link: document.getText().slice(span.start, span.end),
		around: await documentTextAt(document, cursor),
	};
}

/**
 * Reads an image for a language model, scaled to at most 1,024 pixels where that makes it smaller.
 *
 * @throws {ImageError} where it is none
 */
export async function readPicture(
	uri: vscode.Uri,
	{ smallerReferences }: Services,
): Promise<ModelImage> {
	showStatus(wordsMessages.readingPicture, 'loading~spin');
	const [source] = await smallerReferences.sources([referenceSource(uri)], '1024x1024');
	const folder = await mkdtemp(path.join(tmpdir(), 'easel-picture-'));
	try {
		const copy = path.join(folder, 'image');
		await source!.fetch(copy);
		const { contentType } = await inspectImage(copy);
		return { contentType, bytes: await readBounded(copy, { maxBytes: maxImageBytes }) };
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}
