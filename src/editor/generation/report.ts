import { posix } from 'node:path';
import * as vscode from 'vscode';
import { runCommand } from '../commands.js';
import { saveAs, SaveError } from '../files.js';
import { foreignText, notify, type Button } from '../messages.js';
import { readSetting, type SettingError } from '../settings.js';
import { minutesAndSeconds } from '../../jobs/expectation.js';
import type { FailureFacts } from '../../jobs/failure.js';
import type { JobState } from '../../jobs/state.js';
import type { Charge } from '../../service/errors.js';
import { openImage } from './savedImage.js';

/** An image that lies in the workspace. */
export interface SavedImage {
	readonly uri: vscode.Uri;
	readonly prompt: string;
	readonly image: { readonly width: number; readonly height: number };
}

/** Tells that an image is saved, in the way that `easel.output.afterSaving` asks for. */
export async function reportSaved(
	saved: SavedImage,
	buttons: readonly Button[],
	note?: string,
): Promise<void> {
	const after = readSetting('output.afterSaving');
	if (after === 'open') {
		await openImage(saved.uri);
	}
	if (after !== 'notify') {
		return;
	}
	const path = vscode.workspace.asRelativePath(saved.uri);
	const { width, height } = saved.image;
	const dimensions = `${String(width)} × ${String(height)}`;
	const words = `Image saved: ${foreignText(path)} (${dimensions})`;
	await notify('info', note === undefined ? words : `${words}. ${note}`, buttons);
}

/** What a person can do about a failure. */
export interface NextSteps {
	/** Runs the same request again. */
	readonly again: () => void;
	/** Asks for the request again, with everything as it was. */
	readonly change: () => void;
}

/** Tells that there is no image, why, what it means for the money, and offers the next step. */
export async function reportFailure(
	failure: FailureFacts,
	steps: NextSteps,
	/** The prompt, where it is not plain which image is meant. */
	prompt?: string,
): Promise<void> {
	const about = prompt === undefined ? '' : `“${foreignText(prompt, 60)}”: `;
	await notify('error', about + failureText(failure), [
		nextStep(failure, steps),
		{ label: 'Show Log', run: () => runCommand('easel.showLog') },
	]);
}

/** Tells that the image is here but could not be saved, and offers other ways to save it. */
export async function reportNotSaved(
	error: unknown,
	source: vscode.Uri,
	suggested: vscode.Uri,
	steps: { readonly again: () => void; readonly savedAs: (uri: vscode.Uri) => void },
): Promise<void> {
	const reason = error instanceof Error ? error.message : String(error);
	await notify(
		'error',
		`${foreignText(reason)} The image itself is safe: Easel keeps it in its own storage.`,
		[
			{
				label: 'Save As…',
				run: async () => {
					const target = await vscode.window.showSaveDialog({
						title: 'Save Image As',
						defaultUri: suggested,
						filters: { Images: [posix.extname(suggested.path).slice(1)] },
					});
					try {
						if (target !== undefined) {
							steps.savedAs(await saveAs(source, target));
							return;
						}
					} catch (again) {
						error = again instanceof SaveError ? again : error;
					}
					// Whatever came of it, the image is still there to be saved.
					void reportNotSaved(error, source, suggested, steps);
				},
			},
			{ label: 'Try Again', run: steps.again },
			{ label: 'Show Log', run: () => runCommand('easel.showLog') },
		],
	);
}

/** Tells that a job ended without an answer, and what is known of it. */
export async function reportInterrupted(
	prompt: string,
	state: InterruptedState,
	again: () => void,
): Promise<void> {
	const words = `The image “${foreignText(prompt, 60)}” was interrupted. ${interruptedText(state)}`;
	await notify('warning', words, [
		{ label: stepLabels[stepAfterInterruption(state)], run: again },
		{ label: 'Show Log', run: () => runCommand('easel.showLog') },
	]);
}

type InterruptedState = JobState & { readonly state: 'interrupted' };

/** When it was sent, and what the interruption means for the money. */
export function interruptedText({ attempts, charge }: InterruptedState): string {
	const sentAt = attempts.at(-1)?.startedAt;
	const money = isFree(charge) ? 'No image was made.' : 'The service may have charged for it.';
	return sentAt === undefined ? 'Nothing was sent.' : `It was sent ${timeWords(sentAt)}. ${money}`;
}

/** The next step after an interruption. */
export function stepAfterInterruption({ attempts, charge }: InterruptedState): Step {
	return attempts.length === 0 || isFree(charge) ? 'again' : 'sendAgain';
}

function isFree(charge: Charge): boolean {
	return charge === 'rejected' || charge === 'notSent';
}

/** `2:41 ago` within the hour, else the day and time. */
function timeWords(time: string): string {
	const ago = Date.now() - Date.parse(time);
	return ago >= 0 && ago < 60 * 60 * 1000
		? `${minutesAndSeconds(ago)} ago`
		: `on ${new Date(time).toLocaleString('en-US', { dateStyle: 'long', timeStyle: 'short' })}`;
}

/** Asks whether to send again what may have been made and charged already. */
export async function askToSendAgain(prompt: string, failure: FailureFacts): Promise<boolean> {
	const answer = await notify<boolean>(
		'warning',
		`“${foreignText(prompt, 60)}”: ${failureText(failure)}`,
		[
			{ label: stepLabels.sendAgain, run: () => true },
			{ label: 'Stop', run: () => false },
		],
	);
	return answer ?? false;
}

/** A mistake in a setting: names it and leads there. */
export async function reportSettingError(error: SettingError): Promise<void> {
	await notify('error', foreignText(error.message), [
		{
			label: 'Open Settings',
			run: () => vscode.commands.executeCommand('workbench.action.openSettings', error.setting),
		},
	]);
}

/** Something that Easel did not foresee: nothing is hidden, and the log has all of it. */
export async function reportUnexpected(error: unknown): Promise<void> {
	const words = error instanceof Error ? error.message : String(error);
	await notify('error', `Easel could not go on: ${sentence(foreignText(words))}`, [
		{ label: 'Show Log', run: () => runCommand('easel.showLog') },
	]);
}

/** The failure in the service's own words where it has some, and what it means for the money. */
export function failureText(error: FailureFacts): string {
	const words = foreignText(error.message);
	const said =
		error.kind === 'status'
			? `The image service answered with ${String(error.status)}: ${sentence(words)}`
			: sentence(words);
	return `${said} ${words.includes('Nothing was') ? '' : moneyWords(error.charge)}`.trim();
}

function moneyWords(charge: Charge): string {
	switch (charge) {
		case 'notSent':
			return 'Nothing was sent.';
		case 'rejected':
			return 'No image was made.';
		case 'ambiguous':
			return 'An image may have been made and charged.';
		case 'delivered':
			return 'The service has probably charged for it.';
	}
}

function sentence(words: string): string {
	return /[.!?。！？…]$/.test(words) ? words : `${words}.`;
}

/** What a person can do next about a failure; `sendAgain` may be charged twice. */
export type Step = 'again' | 'sendAgain' | 'setKey' | 'useAnotherKey' | 'change';

export const stepLabels: Record<Step, string> = {
	again: 'Try Again',
	sendAgain: 'Send Again (May Be Charged Twice)',
	setKey: 'Set API Key',
	useAnotherKey: 'Use Another Key',
	change: 'Change Request…',
};

/** The next step after a failure. */
export function stepAfter(error: FailureFacts): Step {
	if (error.status === 401 || error.field === 'key') {
		return 'setKey';
	}
	if (error.status === 402) {
		return 'useAnotherKey';
	}
	if (error.repeatable || error.charge === 'delivered' || error.kind === 'timeout') {
		return error.unknownOutcome ? 'sendAgain' : 'again';
	}
	return 'change';
}

function nextStep(error: FailureFacts, { again, change }: NextSteps): Button {
	const step = stepAfter(error);
	const run = {
		again,
		sendAgain: again,
		setKey: () => withNewKey(again),
		useAnotherKey: () => withNewKey(again),
		change,
	}[step];
	return { label: stepLabels[step], run };
}

/** Asks for a key, and goes on where there is a new one. */
export async function withNewKey(again: () => void): Promise<void> {
	if (await runCommand('easel.setApiKey')) {
		again();
	}
}
