import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Span } from '../documents/span.js';
import { documentImageAt, imagesOf } from '../editor/documentImages.js';
import { imageNamePattern } from '../images/fileName.js';
import { languageOf } from '../editor/nearImage.js';
import { notify, runDetached, withStatus } from '../editor/messages.js';
import { safeName } from '../editor/untrustedText.js';
import { documentTextAt, type DocumentText } from './documentText.js';
import { referenceSource, type SmallerReferences } from '../generation/referenceImages.js';
import { openDocument } from '../editor/documents.js';
import { readBounded } from '../files/boundedRead.js';
import { inspectImage, maxImageBytes } from '../images/inspect.js';
import type { ModelImage } from '../languageModel/protocols.js';
import { messages, phrases } from '../messages.js';

interface PictureServices {
	readonly smallerReferences: SmallerReferences;
}

/** An image link at the cursor, as it was when the command was given. */
export interface ImageAtCursor {
	readonly document: vscode.TextDocument;
	readonly uri: vscode.Uri;
	/** Name of its file. */
	readonly name: string;
	readonly span: Span;
	/** As it is written. */
	readonly link: string;
	/** The section around it. */
	readonly around: DocumentText;
}

/**
 * Returns the image at the cursor, else the given one of the document in front; where there is none,
 * this is shown.
 *
 * @param given what a menu passes, which may be the document itself
 */
export async function linkedImage(given?: vscode.Uri): Promise<ImageAtCursor | undefined> {
	const editor = vscode.window.activeTextEditor;
	const atCursor = editor && (await documentImageAt(editor.document, editor.selection.active));
	const wanted = given && imageNamePattern.test(given.path) ? given : undefined;
	if (atCursor !== undefined && [undefined, atCursor.uri.toString()].includes(wanted?.toString())) {
		return linkIn(editor!.document, atCursor);
	}
	const linked = wanted && (await linkToImage(wanted, editor?.document.uri));
	if (linked === undefined) {
		runDetached(notify('info', messages.noImageAtCursor));
	}
	return linked;
}

/** Returns the first link to an image in a document that is open; `undefined` where it has none. */
export async function linkToImage(
	image: vscode.Uri,
	uri: vscode.Uri | undefined,
): Promise<ImageAtCursor | undefined> {
	const document = openDocument(uri);
	const all = document && (await imagesOf(document.getText(), languageOf(document), document.uri));
	const found = all?.find((one) => one.uri.toString() === image.toString());
	return document && found && linkIn(document, found);
}

async function linkIn(
	document: vscode.TextDocument,
	{ uri, span }: Pick<ImageAtCursor, 'uri' | 'span'>,
): Promise<ImageAtCursor> {
	const start = document.positionAt(span.start);
	return {
		document,
		uri,
		name: safeName(uri, 80),
		span,
		link: document.getText().slice(span.start, span.end),
		around: await documentTextAt(document, new vscode.Range(start, start)),
	};
}

/**
 * Reads an image for a language model, scaled to at most 1,024 pixels where that makes it smaller.
 *
 * @throws {ImageError} where it is none; {@link EaselError} where it is one of print
 */
export function readPicture(uri: vscode.Uri, deps: PictureServices): Promise<ModelImage> {
	return withStatus(phrases.readingPicture, read(uri, deps));
}

async function read(uri: vscode.Uri, { smallerReferences }: PictureServices): Promise<ModelImage> {
	const [source] = await smallerReferences.sources([referenceSource(uri)], '1024x1024');
	if (source?.problem !== undefined) {
		throw source.problem;
	}
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
