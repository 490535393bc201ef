import * as vscode from 'vscode';
import { runCommand } from './commands.js';
import type { Log } from './log.js';
import { SettingError } from './settings.js';

/**
 * Makes foreign text (from the service, a file name, a document) fit for a notification, which
 * renders links: links and `command:` lose their power, control and direction characters go, and
 * the length is bounded.
 */
export function foreignText(text: string, longest = 300): string {
	const plain = text
		// eslint-disable-next-line no-control-regex -- these are the characters that must go
		.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
		.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
		.replace(/\]\s*\(/g, '] \u200b(')
		.replace(/\b(command|vscode|javascript|data|file)(?=:)/gi, '$1\u200b')
		.trim();
	return [...plain].length > longest ? `${[...plain].slice(0, longest - 1).join('')}…` : plain;
}

/** A button of a notification: its label and what it does. */
export interface Button<T = void> {
	readonly label: string;
	readonly run: () => T | PromiseLike<T>;
}

type Show = (text: string, ...labels: string[]) => Thenable<string | undefined>;

/**
 * Shows a notification and runs the button that was chosen; `undefined` if none was. What goes wrong
 * in a button is told here, because whoever has asked has long gone on.
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
	const chosen = await show(text, ...buttons.map((button) => button.label));
	try {
		return await buttons.find((button) => button.label === chosen)?.run();
	} catch (error) {
		tellFailure(error);
		return undefined;
	}
}

/** Lets a task go on while nobody waits for it. That it has failed is told. */
export function inBackground(task: PromiseLike<unknown>): void {
	task.then(undefined, tellFailure);
}

let log: Pick<Log, 'error'> | undefined;

/** What fails while nobody waits for it is logged there, until the result is disposed of. */
export function logFailuresTo(target: Pick<Log, 'error'>): vscode.Disposable {
	log = target;
	return new vscode.Disposable(() => {
		log = undefined;
	});
}

/** Tells and logs what has failed while nobody waited for it; a mistake in a setting leads there. */
export function tellFailure(error: unknown): void {
	log?.error('Something went wrong', error);
	const words = foreignText(error instanceof Error ? error.message : String(error));
	const shown =
		error instanceof SettingError
			? notify('error', words, [
					{
						label: 'Open Settings',
						run: () =>
							vscode.commands.executeCommand('workbench.action.openSettings', error.setting),
					},
				])
			: notify('error', `Something went wrong: ${sentence(words)}`, [
					{ label: 'Show Log', run: () => runCommand('easel.showLog') },
				]);
	shown.catch((unshown: unknown) => {
		log?.error('A message could not be shown', unshown);
	});
}

/** The words with a full stop, where they do not end a sentence already. */
export function sentence(words: string): string {
	return /[.!?。！？…]$/.test(words) ? words : `${words}.`;
}
