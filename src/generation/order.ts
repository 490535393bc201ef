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
	/** Without those of the style. */
	references: readonly vscode.Uri[];
	/** Whether the style guide of the workspace is left out. */
	withoutStyle?: boolean | undefined;
}

/** A reference image that a style guide names, as it was when the guide was read. */
export interface StyleReference {
	readonly uri: vscode.Uri;
	/** SHA-256 of its bytes, hexadecimal: others are not sent. */
	readonly sha256: string;
}

/** The style guide as it is applied to an order. */
export interface OrderStyle {
	/** Of the guide, relative to the workspace folder. */
	readonly path: string;
	/** SHA-256 of all that it applies, hexadecimal. */
	readonly sha256: string;
	/** What is sent in the place of the prompt. */
	readonly effectivePrompt: string;
	readonly references: readonly StyleReference[];
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
	/** The style that is applied, or that none is; missing as long as nobody has looked for one. */
	readonly style?: OrderStyle | 'none' | undefined;
	/** Where it stands among what was asked for with it: of what is sent again alone. */
	readonly round?: RoundPlace | undefined;
	/** That of all that is told together with it, although each is a round of its own. */
	readonly together?: string | undefined;
	/** The image that this one is another try of. */
	readonly anotherTryOf?: vscode.Uri | undefined;
}

/** The same order for a single image. */
export function onlyOne(order: Order): Order {
	return { ...order, choices: { ...order.choices, count: 1 } };
}
