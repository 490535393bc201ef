import * as vscode from 'vscode';
import {
	ownReferences,
	type ImageRequest,
	type Insertion,
	type Operation,
} from '../jobs/request.js';
import type { Quality, Size } from '../service/contract.js';
import { posix } from 'node:path';
import type { GalleryImage } from '../jobs/gallery.js';

export interface Choices {
	prompt: string;
	size: Size;
	quality: Quality | 'unset';
	/** How many images, each a request of its own. */
	count: number;
	/** Without those of the style. */
	references: readonly vscode.Uri[];
	withoutStyle?: boolean | undefined;
}

/** Where a command was given: what it means for where the image and its link go. */
export interface CommandContext {
	/** The document of the text editor in front; it may be untitled. */
	readonly document: vscode.Uri | undefined;
	/** Where the image link goes, if it goes anywhere by itself. */
	readonly insertion?: Insertion | undefined;
	readonly workspaceFolder: vscode.Uri | undefined;
}

/** Where images go; known before anything is sent, so that a mistake costs nothing. */
export interface Target {
	readonly folder: vscode.Uri;
	/** The workspace folder that the target folder must not leave. */
	readonly root: vscode.Uri | undefined;
	/** The file name without its extension, which is that of the image that comes. */
	readonly stem: string;
	/** Behind it, where several of one name were asked for together. */
	readonly number?: number | undefined;
}

/** The file name of a target, without its extension. */
export function nameOf({ stem, number }: Pick<Target, 'stem' | 'number'>): string {
	return number === undefined ? stem : `${stem}-${String(number)}`;
}

/** What a user is about to ask for, as long as something of it may change. */
export interface Draft {
	readonly operation: Operation;
	readonly choices: Choices;
	readonly context: CommandContext;
	/** As the command's argument names it. */
	readonly output?: vscode.Uri | string | undefined;
	/** Where the image goes, if that is decided already. */
	readonly target?: Target | undefined;
	readonly regeneratedFrom?: vscode.Uri | undefined;
}

export function requestsOf(draft: Draft, target: Target): ImageRequest[] {
	const { operation, choices, context, regeneratedFrom } = draft;
	const { prompt, size, quality, count, references, withoutStyle } = choices;
	const request: ImageRequest = {
		operation,
		prompt,
		size,
		quality: quality === 'unset' ? undefined : quality,
		references: references.map((uri) => ({ source: uri.toString() })),
		withoutStyle: withoutStyle === true || undefined,
		...storedContext(context),
		target: storedTarget(target),
		regeneratedFrom: regeneratedFrom?.toString(),
	};
	return Array.from({ length: count }, () => request);
}

/** Returns the draft of a request, to ask for it again; its place is looked for anew. */
export function draftOf(request: ImageRequest, count = 1): Draft {
	const { operation, prompt, size, quality = 'unset', withoutStyle, regeneratedFrom } = request;
	const references = ownReferences(request).map(({ source }) => vscode.Uri.parse(source, true));
	return {
		operation,
		choices: { prompt, size, quality, count, references, withoutStyle },
		context: contextOf(request),
		regeneratedFrom: parseUri(regeneratedFrom),
	};
}

/** Returns the folder whose last size is offered again: that of the document, else the workspace's. */
export function sizeFolder({ document, workspaceFolder }: CommandContext): vscode.Uri | undefined {
	return document?.scheme === 'file' ? vscode.Uri.joinPath(document, '..') : workspaceFolder;
}

type StoredContext = Pick<ImageRequest, 'document' | 'insertion' | 'workspaceFolder'>;

export function storedContext(context: CommandContext): StoredContext {
	const { document, insertion, workspaceFolder } = context;
	return {
		document: document?.toString(),
		insertion,
		workspaceFolder: workspaceFolder?.toString(),
	};
}

export function contextOf({ document, insertion, workspaceFolder }: StoredContext): CommandContext {
	return { document: parseUri(document), insertion, workspaceFolder: parseUri(workspaceFolder) };
}

export function storedTarget({ folder, root, stem }: Target): ImageRequest['target'] {
	return { folder: folder.toString(), root: root?.toString(), stem };
}

export function targetOf({ folder, root, stem, number }: ImageRequest['target']): Target {
	return { folder: vscode.Uri.parse(folder, true), root: parseUri(root), stem, number };
}

export function parseUri(text: string | undefined): vscode.Uri | undefined {
	return text === undefined ? undefined : vscode.Uri.parse(text, true);
}

/** Returns the request of an image as it was, for a place beside the file that it is now. */
export function requestToRegenerate(uri: vscode.Uri, image: GalleryImage): ImageRequest {
	const { operation, prompt, size, quality, withoutStyle, references } = image;
	const { context, target } = besideImage(uri);
	return {
		operation,
		prompt,
		size,
		quality,
		withoutStyle,
		references: references.map((source) => ({ source })),
		...storedContext(context),
		target: storedTarget(target),
		regeneratedFrom: uri.toString(),
	};
}

/** Where an image goes that is asked for because of another one: beside that. */
export function besideImage(image: vscode.Uri): { context: CommandContext; target: Target } {
	const root = vscode.workspace.getWorkspaceFolder(image)?.uri;
	return {
		context: {
			document: undefined,
			workspaceFolder: root ?? vscode.workspace.workspaceFolders?.[0]?.uri,
		},
		target: {
			folder: vscode.Uri.joinPath(image, '..'),
			// The user has pointed at that very file, so its folder may lie anywhere.
			root,
			stem: posix.parse(image.path).name,
		},
	};
}
