import type * as vscode from 'vscode';
import type { GenerationRequest, RoundPlace } from '../jobs/request.js';
import type { Quality, Size } from '../service/contract.js';

/** What the user has asked for: an image, or a change of the first of the reference images. */
export type Operation = GenerationRequest['operation'];

/** What a person decides about an image. */
export interface Choices {
	prompt: string;
	size: Size;
	quality: Quality | 'unset';
	count: number;
	references: readonly vscode.Uri[];
}

/** The cursors where the command was given, as the journal keeps them. */
export type Insertion = NonNullable<GenerationRequest['insertion']>;

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
}

/** What is asked for: everything that an image needs, so that it can be asked for again. */
export interface Order {
	readonly operation: Operation;
	readonly choices: Choices;
	readonly context: CommandContext;
	readonly target: Target;
	/** Whether scaled copies of the references are sent. */
	readonly smallerReferences?: true | undefined;
	/** Where it stands among what was asked for with it: of what is sent again alone. */
	readonly round?: RoundPlace | undefined;
	/** The image that this one is another try of. */
	readonly anotherTryOf?: vscode.Uri | undefined;
}

/** The same order for a single image. */
export function onlyOne(order: Order): Order {
	return { ...order, choices: { ...order.choices, count: 1 } };
}
