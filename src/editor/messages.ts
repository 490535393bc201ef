import * as vscode from 'vscode';
import { EaselError } from '../easelError.js';
import { commandTitles, type CommandId } from './commandTable.js';
import { maxMessageLength, safeText, sentence, withIcon } from './untrustedText.js';
import { WordedError, wordsOf } from './errorTexts.js';
import { lfsButtons } from './gitLfs.js';
import { troubleshooting } from './guide.js';
import { log } from '../log.js';
import { SettingError } from './settings.js';
import { texts } from './texts.js';

/** A button of a notification: its label and what it does. */
export interface Button<T = void> {
	readonly label: string;
	readonly run: () => T | PromiseLike<T>;
}

type Show = (text: string, ...labels: string[]) => Thenable<string | undefined>;

/**
 * Shows a notification and runs the button that was chosen; `undefined` if none was. What goes
 * wrong in a button is shown here, because the caller has long gone on. Its press gives the keyboard
 * back to the editor: VS Code gives it to the next notification, if there is one.
 */
export async function notify<T>(
	severity: 'info' | 'warning' | 'error',
	text: string,
	buttons: readonly Button<T>[] = [],
): Promise<T | undefined> {
	const show: Show = {
		info: vscode.window.showInformationMessage as Show,
		warning: vscode.window.showWarningMessage as Show,
		error: vscode.window.showErrorMessage as Show,
	}[severity];
	const labels = buttons.map(({ label }) => safeText(label));
	const chosen = await show(safeText(text, maxMessageLength), ...labels);
	const button = buttons.find((_button, index) => labels[index] === chosen);
	if (button === undefined) {
		return undefined;
	}
	try {
		await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
		return await button.run();
	} catch (error) {
		showError(error);
		return undefined;
	}
}

/** Asks in a modal dialog; returns whether the button with the label `yes` was pressed. */
export async function confirm(question: string, detail: string, yes: string): Promise<boolean> {
	return (await choose(question, [detail], yes)) === yes;
}

/**
 * Asks in a modal dialog, with lines below the question.
 *
 * @returns the label of the button that was pressed; `undefined` for Cancel
 */
export async function choose<Answer extends string>(
	question: string,
	detail: readonly string[],
	...answers: readonly Answer[]
): Promise<Answer | undefined> {
	const lines = detail.map((line) => safeText(line, maxMessageLength));
	return vscode.window.showWarningMessage<Answer>(
		safeText(question),
		{ modal: true, detail: lines.join('\n') },
		...answers,
	);
}

/** Says in the status bar, for some seconds, what needs no answer. */
export function showStatus(text: string, icon?: string): void {
	const shownMs = 5000;
	vscode.window.setStatusBarMessage(withIcon(icon, text), shownMs);
}

/** Says in the status bar what a task is doing, until it ends; returns the task. */
export function withStatus<T>(text: string, task: Promise<T>): Promise<T> {
	vscode.window.setStatusBarMessage(withIcon('loading~spin', text), task);
	return task;
}

/** Copies a text to the clipboard, and says so in the status bar. */
export async function copyText(text: string, copied: string): Promise<void> {
	await vscode.env.clipboard.writeText(text);
	showStatus(copied, 'check');
}

/** Runs a task that is not awaited, and shows its failure. */
export function runDetached(task: PromiseLike<unknown>): void {
	task.then(undefined, showError);
}

/** Runs a command, and shows a mistake in a setting in place of throwing it. */
export async function withErrorMessage<T>(command: () => Promise<T>): Promise<T | undefined> {
	try {
		return await command();
	} catch (error) {
		if (!(error instanceof SettingError)) {
			throw error;
		}
		showError(error);
		return undefined;
	}
}

/** Shows and logs what has failed, with the next step. */
export function showError(error: unknown): void {
	const { message } = toSafeError(error);
	const causes = error instanceof Error ? [error, error.cause] : [];
	const setting = error instanceof EaselError ? error.setting : undefined;
	if (error instanceof EaselError) {
		log.error('Something went wrong', error);
	}
	const showLog = {
		label: commandTitles['easel.showLog'],
		run: () => vscode.commands.executeCommand('easel.showLog' satisfies CommandId),
	};
	const openSetting = {
		label: texts.openSettings,
		run: () => vscode.commands.executeCommand('workbench.action.openSettings', setting),
	};
	const buttons = setting === undefined ? [showLog, troubleshooting] : [openSetting];
	notify<unknown>('error', message, [...lfsButtons(causes), ...buttons]).catch((unshown: unknown) =>
		log.error('A message could not be shown', unshown),
	);
}

/**
 * Returns an error that is safe to throw to VS Code, which renders links in it: an error whose
 * message is its text, fit to be shown. What was not expected is logged here.
 */
export function toSafeError(error: unknown): SafeError {
	if (error instanceof EaselError) {
		return new SafeError(safeText(wordsOf(error), maxMessageLength), { cause: error });
	}
	log.error('Something went wrong', error);
	const words = texts.unexpected(sentence(safeText(wordsOf(error))));
	return new SafeError(words, { cause: error });
}

/** An error whose message is fit to be shown. */
class SafeError extends WordedError {
	override readonly name = 'SafeError';
}
