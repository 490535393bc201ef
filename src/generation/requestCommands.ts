import * as vscode from 'vscode';
import type { GalleryImage } from '../jobs/gallery.js';
import type { ImageRequest, Operation } from '../jobs/request.js';
import type { Draft } from './draft.js';

/**
 * What a feature offers about images that were asked for by it, perhaps in another window, with what
 * it takes: the one who tells of an image need not know the feature. They are no commands of VS Code,
 * because those can be given by everybody, with an order of their own making.
 */
interface RequestCommands {
	/** Asks for the request again, with everything as it was. */
	readonly change: (draft: Draft) => Promise<void>;
	/**
	 * Puts an image in the place of the one that it was made or regenerated from. `onReplaced`
	 * is called when it is there.
	 */
	readonly replaceOriginal: (
		original: vscode.Uri,
		made: vscode.Uri,
		onReplaced?: () => void,
	) => Promise<void>;
	/** Writes a brief of an image of the gallery for whoever goes on with it. */
	readonly handOver: (image: GalleryImage) => Promise<void>;
	/**
	 * Returns the requests of a prompt that was written in an editor; `undefined` where they cannot be
	 * made, which is shown. Where something in it has to be changed, `change` is called, perhaps later.
	 */
	readonly requests: (
		draft: Draft,
		change: (draft: Draft) => Promise<void>,
	) => Promise<ImageRequest[] | undefined>;
}

type Handler<Name extends keyof RequestCommands> = RequestCommands[Name];

const handlers: { readonly [Name in keyof RequestCommands]: Map<Operation, Handler<Name>> } = {
	change: new Map(),
	replaceOriginal: new Map(),
	handOver: new Map(),
	requests: new Map(),
};

/** Registers what the feature of an operation offers. */
export function registerRequestCommand<Name extends keyof RequestCommands>(
	name: Name,
	operation: Operation,
	handler: Handler<Name>,
): vscode.Disposable {
	const ofName = handlers[name];
	ofName.set(operation, handler);
	return new vscode.Disposable(() => ofName.delete(operation));
}

/** Runs it. */
export async function runRequestCommand<Name extends keyof RequestCommands>(
	name: Name,
	operation: Operation,
	...args: Parameters<RequestCommands[Name]>
): Promise<Awaited<ReturnType<RequestCommands[Name]>>> {
	const handler = handlers[name].get(operation) as
		((...args: Parameters<RequestCommands[Name]>) => ReturnType<RequestCommands[Name]>) | undefined;
	if (handler === undefined) {
		throw new Error(`No feature offers ${name} for ${operation}.`);
	}
	return await handler(...args);
}
