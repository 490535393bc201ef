import path from 'node:path';
import * as vscode from 'vscode';
import { confirm } from '../editor/messages.js';
import { saveAs } from '../editor/files.js';
import { WordedError } from '../editor/errorTexts.js';
import { exists } from '../files/exists.js';
import { codeOf } from '../files/fsErrors.js';
import { redactInPlace } from '../service/redact.js';
import type { FailureFacts } from '../jobs/failure.js';
import { labels, messages, phrases } from '../messages.js';

/** Action of the user on an answer of the service that Easel does not understand. */
export type AnswerAction = 'saveAnswer' | 'showAnswer' | 'discardAnswer';

/** Action of the user on the link to an image that the service gave in place of it. */
export type LinkAction = 'openLink' | 'copyLink';

/** Short: a notification cuts the labels of many buttons. */
export const answerLabels: Readonly<Record<AnswerAction | LinkAction, string>> = {
	saveAnswer: labels.save,
	showAnswer: labels.show,
	discardAnswer: labels.discardAsk,
	openLink: labels.openLink,
	copyLink: labels.copyLink,
};

type Received = Pick<FailureFacts, 'answerFile' | 'link'>;

/** Returns what can be done with what has come for a job, in the order of its buttons. */
export function answerActions({ answerFile, link }: Received): (AnswerAction | LinkAction)[] {
	return [
		...(link === undefined ? [] : (['openLink', 'copyLink'] as const)),
		...(answerFile === undefined ? [] : (['saveAnswer', 'showAnswer', 'discardAnswer'] as const)),
	];
}

/**
 * Opens a kept answer, or asks for a place to save it at, or whether to discard it.
 *
 * @param key what the service was sent; it is hidden in the answer first
 * @returns whether it need not be kept any longer
 * @throws {EaselError} where its file is gone or cannot be saved
 */
export async function runAnswerAction(
	action: AnswerAction,
	file: string,
	key: string | undefined,
): Promise<boolean> {
	if (action === 'discardAnswer') {
		return confirm(messages.discardAnswer, messages.discardAnswerDetail, labels.discard);
	}
	const answer = vscode.Uri.file(file);
	if (!(await exists(file))) {
		throw new AnswerFileError(messages.answerGone);
	}
	try {
		// The worker had no space for it, or had ended when the answer came.
		await (key === undefined ? undefined : redactInPlace(file, [key]));
	} catch (error) {
		throw new AnswerFileError(messages.keyNotHidden(codeOf(error) ?? ''), { cause: error });
	}
	if (action === 'showAnswer') {
		await vscode.commands.executeCommand('vscode.open', answer);
		return false;
	}
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
	const target = await vscode.window.showSaveDialog({
		title: labels.saveAnswerAs,
		defaultUri: folder && vscode.Uri.joinPath(folder, `${path.basename(file)}.json`),
	});
	if (target === undefined) {
		return false;
	}
	await saveAs(answer, target, phrases.theAnswer);
	return true;
}

/** Opens a link in the browser, after VS Code's own question, or copies it. */
export async function runLinkAction(action: LinkAction, link: string): Promise<void> {
	await (action === 'copyLink'
		? vscode.env.clipboard.writeText(link)
		: vscode.env.openExternal(vscode.Uri.parse(link, true)));
}

/** A kept answer cannot be shown or saved. `message` says what to do. */
class AnswerFileError extends WordedError {
	override readonly name = 'AnswerFileError';
}
