import type * as vscode from 'vscode';
import type { Annotations } from './annotations.js';
import type { CallConfirmation } from './confirmCall.js';
import type { Generator } from './generator.js';
import type { History } from './history.js';
import type { PromptEditor } from './promptEditor.js';
import type { RemovedImages } from './removedImages.js';
import type { GeneratorNeeds } from './round.js';

/** What `extension.ts` makes and the features share; each says which of it it uses. */
export interface Parts extends GeneratorNeeds {
	readonly generator: Generator;
	/** The images of the gallery, and those that are known by their own words. */
	readonly history: History;
	/** Asks before money is spent on what nobody has typed. */
	readonly calls: CallConfirmation;
	/** Prompts that are written in an editor. */
	readonly prompts: PromptEditor;
	/** What the user has decided about images and rounds. */
	readonly marks: Annotations;
	/** Where the extension lies. */
	readonly extensionUri: vscode.Uri;
	/** Images that were removed or discarded, and can be brought back. */
	readonly removedImages: RemovedImages;
	/** Our own storage, absolute. */
	readonly storage: string;
}
