import * as vscode from 'vscode';
import { EaselError } from '../easelError.js';
import { runCommand } from './commands.js';
import { foreignText, sentence } from './foreignText.js';
import type { Log } from './log.js';
import { SettingError } from './settings.js';

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

/** Runs a command; a mistake in a setting is told, and nothing is returned then. */
export async function tellingMistakes<T>(command: () => Promise<T>): Promise<T | undefined> {
	try {
		return await command();
	} catch (error) {
		if (!(error instanceof SettingError)) {
			throw error;
		}
		tellFailure(error);
		return undefined;
	}
}

/** Tells and logs what has failed while nobody waited for it, with the next step. */
export function tellFailure(error: unknown): void {
	log?.error('Something went wrong', error);
	const words = foreignText(error instanceof Error ? error.message : String(error));
	const ours = error instanceof EaselError ? error : undefined;
	const setting = ours?.setting;
	notify('error', ours ? words : `Something went wrong: ${sentence(words)}`, [
		setting === undefined
			? { label: 'Show Log', run: () => runCommand('easel.showLog') }
			: {
					label: 'Open Settings',
					run: () => vscode.commands.executeCommand('workbench.action.openSettings', setting),
				},
	]).catch((unshown: unknown) => {
		log?.error('A message could not be shown', unshown);
	});
}
