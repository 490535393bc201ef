import * as vscode from 'vscode';
import { until } from '../host/until.js';
import { ShownMessages, type ShownMessage } from './shownMessages.js';

/**
 * Answers every warning while something is done; VS Code shows no dialog while its tests run.
 *
 * @param answer the label of the button that is pressed; `undefined` for none
 */
export async function answering<T>(
	answer: string | undefined,
	task: () => PromiseLike<T>,
): Promise<{ readonly result: T; readonly asked: readonly ShownMessage[] }> {
	const questions = new ShownMessages(['showWarningMessage'], () => answer);
	try {
		return { result: await task(), asked: questions.all };
	} finally {
		questions.dispose();
	}
}

/** Answers every quick input that something asks with what stands there, as Enter does. */
export function acceptingQuickInputs<T>(task: PromiseLike<T>): Promise<T> {
	return answeringWith('workbench.action.acceptSelectedQuickOpenItem', task);
}

/** Closes every quick input that something asks, as Escape does. */
export function closingQuickInputs<T>(task: PromiseLike<T>): Promise<T> {
	return answeringWith('workbench.action.closeQuickOpen', task);
}

/**
 * Returns whether a quick input is shown yet cannot be asked, so the command is given until all is
 * done.
 */
async function answeringWith<T>(command: string, task: PromiseLike<T>): Promise<T> {
	let isDone = false;
	const end = () => {
		isDone = true;
	};
	task.then(end, end);
	await until(async () => {
		await vscode.commands.executeCommand(command);
		return isDone;
	}, 'the questions to be answered');
	return task;
}
