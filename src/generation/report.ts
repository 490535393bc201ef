import * as vscode from 'vscode';
import { runCommand } from '../editor/commands.js';
import { foreignText } from '../editor/foreignText.js';
import { notify, type Button } from '../editor/messages.js';
import { readSetting } from '../editor/settings.js';
import { readableDimensions } from '../images/readableSize.js';
import type { FailureFacts } from '../jobs/failure.js';
import type { StateNamed } from '../jobs/state.js';
import {
	failureText,
	interruptedText,
	stepAfter,
	stepAfterInterruption,
	stepLabels,
} from './failureWords.js';
import { openImage, type SavedImage } from './savedImage.js';

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
	const words = `Image saved: ${foreignText(path)} (${readableDimensions(saved.image)})`;
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
	state: StateNamed<'interrupted'>,
	again: () => void,
): Promise<void> {
	const words = `The image “${foreignText(prompt, 60)}” was interrupted${interruptedText(state)}`;
	await notify('warning', words, [
		{ label: stepLabels[stepAfterInterruption(state)], run: again },
		{ label: 'Show Log', run: () => runCommand('easel.showLog') },
	]);
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
