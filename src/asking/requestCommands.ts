import * as vscode from 'vscode';
import { safeText } from '../editor/untrustedText.js';
import type { UpdatedLinks } from '../generation/generatorServices.js';
import type { GalleryImage } from '../jobs/gallery.js';
import { presetMessages } from '../messages.js';
import { ownReferences, type ImageRequest, type Operation } from '../jobs/request.js';
import type { Draft } from './draft.js';
import { draftAgain } from './target.js';

/**
 * Commands that a feature offers for the images of its operation, so that the caller need not know
 * the feature. They are no commands of VS Code, because other extensions could run those with
 * requests of their own.
 */
interface RequestCommands {
	/** Asks for the request again, with everything as it was. */
	readonly change: (draft: Draft) => Promise<void>;
	/** Puts an image in the place of its original; returns whether it is there now. */
	readonly replaceOriginal: (original: vscode.Uri, made: vscode.Uri) => Promise<boolean>;
	/** Offers to update the links of documents to an image that has another name now. */
	readonly offerLinks: (from: vscode.Uri, to: vscode.Uri) => Promise<void>;
	/**
	 * Makes documents show other images, all in one step to undo.
	 *
	 * @param only the documents that may be changed, as URIs; without it all
	 * @returns those that were changed, and why others could not be
	 */
	readonly updateLinks: (
		changes: readonly LinkChange[],
		only?: readonly string[],
	) => Promise<UpdatedLinks>;
	/**
	 * Moves images to a folder, in one step to undo. Those that a file of the workspace still names
	 * stay.
	 *
	 * @returns those that were moved; `undefined` where the user has cancelled
	 */
	readonly moveUnnamed: (
		images: readonly vscode.Uri[],
		folder: vscode.Uri,
	) => Promise<readonly vscode.Uri[] | undefined>;
	/** Shows an image of the gallery large, to be marked. */
	readonly mark: (image: GalleryImage) => Promise<void>;
	/**
	 * Writes a brief of an image of the gallery.
	 *
	 * @param alternatives that it offers to name, too
	 * @param overlay an image that it was compared with
	 */
	readonly writeBrief: (
		image: GalleryImage,
		alternatives?: readonly GalleryImage[],
		overlay?: Overlay,
	) => Promise<void>;
	/**
	 * Returns the requests of a prompt that was written in an editor; `undefined` where they cannot be
	 * made, which is shown. Where something in it has to be changed, `change` is called, perhaps later.
	 */
	readonly requests: (
		draft: Draft,
		change: (draft: Draft) => Promise<void>,
	) => Promise<ImageRequest[] | undefined>;
}

/** An image that was laid over another one. */
export interface Overlay {
	readonly uri: vscode.Uri;
	/** Part of both in which they differ, 0 to 1; `undefined` where it is not known. */
	readonly part: number | undefined;
	/** Least difference of a color channel that counts, in percent of the largest. */
	readonly threshold: number;
}

/** An image that documents show, and the one of the same folder that they are to show. */
export interface LinkChange {
	readonly from: vscode.Uri;
	readonly to: vscode.Uri;
	/** Name of a file of twice the dimensions, for tags of HTML. */
	readonly twice?: string | undefined;
	/** Image of the same folder that is shown on dark pages; `to` is shown on all others. */
	readonly dark?: vscode.Uri | undefined;
}

type Handler<Name extends keyof RequestCommands> = RequestCommands[Name];

const handlers = new Map<string, unknown>();

export function registerRequestCommand<Name extends keyof RequestCommands>(
	name: Name,
	operation: Operation,
	handler: Handler<Name>,
): vscode.Disposable {
	const key = `${name} ${operation}`;
	handlers.set(key, handler);
	return new vscode.Disposable(() => handlers.delete(key));
}

export async function runRequestCommand<Name extends keyof RequestCommands>(
	name: Name,
	operation: Operation,
	...args: Parameters<Handler<Name>>
): Promise<Awaited<ReturnType<Handler<Name>>>> {
	const handler = handlers.get(`${name} ${operation}`) as
		((...args: Parameters<Handler<Name>>) => ReturnType<Handler<Name>>) | undefined;
	if (handler === undefined) {
		throw new Error(`No feature offers ${name} for ${operation}.`);
	}
	return await handler(...args);
}

/** Has documents show an image on dark pages in the place of another one, in the form of their site. */
export function linkPair(light: vscode.Uri, dark: vscode.Uri): Promise<UpdatedLinks> {
	return runRequestCommand('updateLinks', 'edit', [{ from: light, to: light, dark }]);
}

/** Returns a sentence on the documents that cannot show an export, if there are any. */
export function linksLeftWords({ left }: Pick<UpdatedLinks, 'left'>): readonly string[] {
	const paths = left.map((one) => vscode.workspace.asRelativePath(vscode.Uri.parse(one, true)));
	return paths.length === 0 ? [] : [presetMessages.linksLeft(paths.map((one) => safeText(one)))];
}

/** Lets the user change requests that have failed, one after another, those that are alike once. */
export async function changeRequests(requests: readonly ImageRequest[]): Promise<void> {
	const alike = Map.groupBy(requests, (request) => {
		const { prompt, size, quality, background, withoutStyle, target } = request;
		const sources = ownReferences(request).map(({ source }) => source);
		return JSON.stringify([prompt, size, quality, background, withoutStyle, sources, target.stem]);
	});
	for (const [request, ...others] of alike.values()) {
		if (request !== undefined) {
			const draft = await draftAgain(request, 1 + others.length);
			await runRequestCommand('change', request.operation, draft);
		}
	}
}
