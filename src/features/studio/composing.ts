import * as vscode from 'vscode';
import { notify, runDetached } from '../../editor/messages.js';
import { safeText } from '../../editor/untrustedText.js';
import { documentTextAt } from '../../generation/documentText.js';
import { areModelsOn, receiveAnswer, type ModelTask } from '../../generation/languageModels.js';
import { drafting } from '../../generation/messages.js';
import { draftTask, improveTask, promptIn } from '../../generation/promptTasks.js';
import type { GalleryImage } from '../../jobs/gallery.js';
import type { ModelTaskName, StudioEvent } from '../../protocol/studio.js';
import { sourceBeside } from './besideStudio.js';
import type { StudioDeps } from './deps.js';
import type { DraftReferences } from './references.js';
import { studioMessages } from '../messages.js';

/** A request that the composer begins with. */
export type Composed = Pick<
	GalleryImage,
	'operation' | 'prompt' | 'size' | 'references' | 'withoutStyle'
> & {
	readonly quality?: 'high' | 'low' | 'unset' | undefined;
};

/** What the composer is told to begin with, beside its reference images. */
export type SentDraft = Omit<Extract<StudioEvent, { readonly type: 'compose' }>, 'references'>;

/**
 * The image becomes the one that is edited. What is written stays: it may be about it, and is easily
 * written over.
 *
 * @throws {RefusedReference} where its file cannot be used
 */
export async function toEdit(image: vscode.Uri, references: DraftReferences): Promise<SentDraft> {
	await references.edit(image);
	return { type: 'compose', count: 1 };
}

/** What a language model can be asked for now. */
export function possibleModelTasks(): ModelTaskName[] {
	if (!areModelsOn()) {
		return [];
	}
	return sourceBeside() === undefined ? ['improve'] : ['draft', 'improve'];
}

/**
 * Has a language model write a prompt: for the section at the cursor beside the studio, or a better
 * one; `undefined` where nothing is to be sent, or the user cancels.
 */
export async function promptByModel(
	task: ModelTaskName,
	written: string,
	{ models, styles }: StudioDeps,
): Promise<string | undefined> {
	const question =
		task === 'draft' ? await taskForDocument(sourceBeside(), styles) : improveTask(written);
	if (question === undefined) {
		const words = task === 'draft' ? drafting.nothingToDraftFrom : drafting.promptEmpty;
		runDetached(notify('info', words));
		return undefined;
	}
	const send = await models.ask(question);
	const answer = send && (await receiveAnswer(question.title, send));
	return answer && promptIn(answer);
}

async function taskForDocument(
	editor: vscode.TextEditor | undefined,
	styles: StudioDeps['styles'],
): Promise<ModelTask | undefined> {
	const source = editor && (await documentTextAt(editor.document, editor.selection));
	return source === undefined || source.text === '' ? undefined : draftTask(source, styles);
}

/** A request exactly as it was; its reference images take the place of those of the draft. */
export async function toMakeAgain(
	{ operation, prompt, size, quality = 'unset', references: sources, withoutStyle }: Composed,
	references: DraftReferences,
): Promise<SentDraft> {
	const uris = sources.map((source) => vscode.Uri.parse(source, true));
	const gone = await references.restore(uris, operation === 'edit');
	return {
		type: 'compose',
		prompt,
		size,
		quality,
		withoutStyle: withoutStyle === true,
		...(gone.length === 0 ? {} : { words: goneWords(gone) }),
	};
}

/** The same in high quality, which reference images do not know. */
export async function toMakeInHighQuality(
	{ prompt, size, withoutStyle }: GalleryImage,
	references: DraftReferences,
): Promise<SentDraft> {
	await references.restore([], false);
	return {
		type: 'compose',
		prompt,
		...({ size, quality: 'high', count: 1, withoutStyle: withoutStyle === true } as const),
		words: studioMessages.newPicture,
	};
}

/** Says which reference images have been left out. */
export function goneWords(names: readonly string[]): string {
	return studioMessages.removedReferences(names.map((name) => safeText(name, 60)));
}
