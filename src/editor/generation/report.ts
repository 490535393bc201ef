import * as vscode from 'vscode';
import { runCommand } from '../commands.js';
import { foreignText, notify, sentence, type Button } from '../messages.js';
import { readSetting } from '../settings.js';
import { minutesAndSeconds } from '../../jobs/expectation.js';
import type { FailureFacts } from '../../jobs/failure.js';
import type { StateNamed } from '../../jobs/state.js';
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

/**
 * Tells that there is no image, why, what it means for the money, and offers the next step; of
 * several that failed for the same reason once.
 */
export async function reportFailure(
	failure: FailureFacts,
	steps: NextSteps,
	/** Which images are meant, where that is not plain. */
	about?: string,
): Promise<void> {
	await notify('error', `${about === undefined ? '' : `${about}: `}${failureText(failure)}`, [
		nextStep(failure, steps),
		{ label: 'Show Log', run: () => runCommand('easel.showLog') },
	]);
}

/** What can be done with an image that is here and could not be saved. */
export interface UnsavedSteps {
	/** Asks for another place. */
	readonly saveAs: () => Promise<void>;
	readonly again: () => Promise<void>;
}

/** Tells that the image is here but could not be saved, and offers other ways to save it. */
export async function reportNotSaved(problem: string, steps: UnsavedSteps): Promise<void> {
	await notify(
		'error',
		`${foreignText(problem)} The image itself is safe: Easel keeps it until it is saved.`,
		[
			{ label: 'Save As…', run: steps.saveAs },
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
	const words = `The image “${foreignText(prompt, 60)}” was interrupted${interruptedText(state)}`;
	await notify('warning', words, [
		{ label: stepLabels[stepAfterInterruption(state)], run: again },
		{ label: 'Show Log', run: () => runCommand('easel.showLog') },
	]);
}

type InterruptedState = StateNamed<'interrupted'>;

/**
 * What ended it, when it was sent, and what the interruption means for the money; to be put behind
 * “was interrupted”.
 */
export function interruptedText({ attempts, charge, reason }: InterruptedState): string {
	const sentAt = attempts.at(-1)?.startedAt;
	const why = reason === undefined ? '.' : `: ${sentence(foreignText(reason))}`;
	if (sentAt === undefined) {
		return `${why} Nothing was sent.`;
	}
	const money = isFree(charge) ? 'No image was made.' : 'The service may have charged for it.';
	return `${why} It was sent ${timeWords(sentAt)}. ${money}`;
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

/** The failure in the service's own words where it has some, and what it means for the money. */
export function failureText(error: FailureFacts): string {
	const words = foreignText(error.message);
	const said =
		error.kind === 'status'
			? `The image service answered with ${String(error.status)}: ${sentence(words)}`
			: sentence(words);
	// Some say so themselves, in the course of saying why.
	const isSaid = /nothing was|was not sent/i.test(words);
	return `${said} ${isSaid ? '' : moneyWords(error.charge)}`.trim();
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

/** What a person can do next about a failure; `sendAgain` may be charged twice. */
export type Step =
	'again' | 'sendAgain' | 'setKey' | 'useAnotherKey' | 'setUp' | 'openSettings' | 'change';

export const stepLabels: Record<Step, string> = {
	again: 'Try Again',
	sendAgain: 'Send Again (May Be Charged Twice)',
	setKey: 'Set API Key',
	useAnotherKey: 'Use Another Key',
	setUp: 'Set Up Image Service',
	openSettings: 'Open Settings',
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
	if (error.field === 'address') {
		return 'setUp';
	}
	if (error.kind === 'setting') {
		return 'openSettings';
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
		setUp: () => withSetUp(again),
		openSettings: () => openSettings(error.field),
		change,
	}[step];
	return { label: stepLabels[step], run };
}

/** Asks for address and key, and goes on where they are set. */
export async function withSetUp(again: () => void): Promise<void> {
	if (await runCommand('easel.setUp')) {
		again();
	}
}

/** Leads to a setting. */
export async function openSettings(setting = 'easel'): Promise<void> {
	await vscode.commands.executeCommand('workbench.action.openSettings', setting);
}

/** Asks for a key, and goes on where there is a new one. */
export async function withNewKey(again: () => void): Promise<void> {
	if (await runCommand('easel.setApiKey')) {
		again();
	}
}
