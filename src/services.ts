import type * as vscode from 'vscode';
import type { Annotations } from './library/annotations.js';
import type { CallConfirmation } from './generation/confirmations.js';
import type { Generator } from './generation/generator.js';
import type { History } from './library/history.js';
import type { NewDrafts } from './library/newDrafts.js';
import type { LanguageModels } from './models/languageModels.js';
import type { PromptEditor } from './asking/promptEditor.js';
import type { Ledger } from './jobs/ledger.js';
import type { GeneratorServices } from './generation/generatorServices.js';
import type { OpenQuestions } from './generation/openQuestions.js';

/** The services that `main.ts` makes and the features share. */
export interface Services extends GeneratorServices {
	readonly generator: Generator;
	/** The images of the gallery, and those of the workspace that have a recipe. */
	readonly history: History;
	/** Records of what was spent. */
	readonly ledger: Ledger;
	/** Asks before a command that the user has not typed costs money. */
	readonly callConfirmation: CallConfirmation;
	/** Words by a language model. */
	readonly models: LanguageModels;
	readonly prompts: PromptEditor;
	/** Questions that wait for the user. */
	readonly questions: OpenQuestions;
	/** Images that arrived and that the user has not decided about. */
	readonly newDrafts: NewDrafts;
	/** Decisions of the user about images and batches. */
	readonly annotations: Annotations;
	readonly extensionUri: vscode.Uri;
	/** Our own storage, absolute. */
	readonly storage: string;
}
