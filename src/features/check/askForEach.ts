import * as vscode from 'vscode';
import type { Finding } from '../../documents/check/finding.js';
import { offsetOfLink } from '../../editor/altEdit.js';
import { imageNamePattern } from '../../images/fileName.js';
import { notify, runDetached, showError } from '../../editor/messages.js';
import { log } from '../../log.js';
import { documentTextAt, type DocumentText } from '../../models/documentText.js';
import {
	withAnswerProgress,
	type ModelInput,
	type ModelTask,
} from '../../models/languageModels.js';
import { isCancelled } from '../../service/errors.js';
import type { Services } from '../../services.js';
import { checkMessages } from '../messages.js';

/** Question about many pictures: what is sent is that of the first one. */
interface ManyTasks<Item> extends Pick<ModelTask, 'title' | 'verb' | 'summary'> {
	readonly items: readonly Item[];
	/** Throws where a picture cannot be read; it is passed over then. */
	readonly taskFor: (item: Item) => Promise<ModelInput>;
	readonly onAnswer: (item: Item, answer: string) => void | Promise<void>;
}

/**
 * Asks a language model about pictures, one call for each, after one question. What came before the user
 * cancels, or before a call fails, counts.
 *
 * @returns how many answers came; `undefined` where nothing was sent
 * @throws why the first call failed
 */
export async function askForEach<Item>(
	{ items, taskFor, onAnswer, ...question }: ManyTasks<Item>,
	{ models }: Services,
): Promise<number | undefined> {
	const read = (item: Item) =>
		taskFor(item).catch((error: unknown): undefined => {
			log.warn(`Not sent to a language model: ${String(error)}`);
		});
	let first: ModelInput | undefined;
	let index = -1;
	while (first === undefined && ++index < items.length) {
		first = await read(items[index]!);
	}
	if (first === undefined) {
		runDetached(notify('warning', checkMessages.noneReadable));
		return undefined;
	}
	const makeSend = await models.askForMany({ ...question, ...first });
	if (makeSend === undefined) {
		return undefined;
	}
	let answers = 0;
	const now = () => checkMessages.progress(index + 1, items.length);
	try {
		await withAnswerProgress(question.title, now, async (changed, signal, onWait) => {
			for (let task: ModelInput | undefined = first; index < items.length; index++) {
				changed();
				const item = items[index]!;
				task ??= await read(item);
				if (task !== undefined) {
					let answer = '';
					for await (const piece of makeSend(task)(signal, onWait)) {
						answer += piece;
					}
					await onAnswer(item, answer.trim());
					answers++;
				}
				task = undefined;
			}
		});
	} catch (error) {
		if (!isCancelled(error)) {
			if (answers === 0) {
				throw error;
			}
			showError(error);
		}
	}
	return answers;
}

/** Returns whether a language model can look at the image of a finding. */
export function hasPicture({ image }: Finding): boolean {
	return image !== undefined && imageNamePattern.test(image);
}

/** Returns the text around an image in its document, as it is now. */
export async function textAround({ document, link, linkStart }: Finding): Promise<DocumentText> {
	const open = await vscode.workspace.openTextDocument(vscode.Uri.file(document));
	const at = open.positionAt(offsetOfLink(open, { link, start: linkStart }) ?? linkStart);
	return documentTextAt(open, new vscode.Range(at, at));
}
