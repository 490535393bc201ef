import * as vscode from 'vscode';
import { runCommand } from '../editor/commands.js';
import { foreignText } from '../editor/foreignText.js';
import { troubleshooting } from '../editor/guide.js';
import { confirm, notify, type Button } from '../editor/messages.js';
import { readSetting } from '../editor/settings.js';
import { readableDimensions } from '../images/readableSize.js';
import type { FailureFacts } from '../jobs/failure.js';
import type { GenerationRequest } from '../jobs/request.js';
import type { StateNamed } from '../jobs/state.js';
import {
	failureText,
	interruptedText,
	stepAfter,
	stepAfterInterruption,
	stepLabel,
	stepLabels,
	type Step,
} from './failureWords.js';
import type { Charge } from '../service/errors.js';
import { mayHaveBeenMade, type FailedJob } from './failures.js';
import { answerActions, answerLabels, runLinkAction, type AnswerAction } from './keptAnswer.js';
import type { FollowUp } from './linkImage.js';
import { roundText, stepAfterAll } from './roundWords.js';
import { openImage, type SavedImage } from './savedImage.js';
import { labels, messages } from './messages.js';
import { commandTitles } from '../editor/commandTable.js';

/** An image that is saved, and what the message about it adds. */
export interface Arrived {
	readonly saved: SavedImage;
	readonly followUp: FollowUp;
}

/** Tells that an image is saved, in the way that `easel.output.afterSaving` asks for. */
export async function reportSaved({ saved, followUp }: Arrived): Promise<void> {
	const after = readSetting('output.afterSaving');
	if (after === 'open') {
		await openImage(saved.uri);
	}
	if (after !== 'notify') {
		return;
	}
	const { inserted, note, insert, buttons } = followUp;
	const pathOf = (uri: vscode.Uri) => foreignText(vscode.workspace.asRelativePath(uri));
	const words =
		inserted === undefined
			? messages.saved(pathOf(saved.uri), readableDimensions(saved.image))
			: messages.inserted(pathOf(saved.uri), pathOf(inserted.document), inserted.line);
	await notify('info', note === undefined ? words : `${words} ${note}`, [
		...(insert === undefined ? [] : [insert]),
		...buttons,
	]);
}

/**
 * Tells in one message what has become of images that were asked for together; of those that are
 * saved in the way that `easel.output.afterSaving` asks for.
 */
export async function reportRound(
	{ asked, arrived, cancelled, failures }: RoundEnds,
	steps: NextSteps,
): Promise<void> {
	const after = readSetting('output.afterSaving');
	if (after === 'open') {
		for (const { saved } of arrived) {
			await openImage(saved.uri);
		}
	}
	if (failures.length === 0 && arrived.length > 0 && after !== 'notify') {
		return;
	}
	const followUps = arrived.map(({ followUp }) => followUp);
	const inserted = followUps.filter((followUp) => followUp.inserted).length;
	const text = roundText({ asked, saved: arrived.length, inserted, cancelled, failures });
	const notes = new Set(followUps.flatMap(({ note }) => note ?? []));
	const inserts = followUps.flatMap(({ insert }) => insert ?? []);
	const severity = failures.length === 0 ? 'info' : arrived.length === 0 ? 'error' : 'warning';
	await notify(severity, [text, ...notes].join(' '), [
		...(failures.length === 0 ? [] : [nextStepForAll(failures, steps)]),
		...insertAll(inserts),
		...(arrived.length === 0 ? [] : [{ label: labels.show, run: () => show(arrived) }]),
		...(failures.length === 0 ? [] : [showLog]),
	]);
}

function insertAll(inserts: readonly Button[]): Button[] {
	const [first] = inserts;
	const run = async () => {
		for (const insert of inserts) {
			await insert.run();
		}
	};
	return first === undefined ? [] : [{ label: first.label, run }];
}

/** Where they are seen: one by itself, several where all images are. */
async function show(arrived: readonly Arrived[]): Promise<void> {
	const [first, ...others] = arrived;
	if (first !== undefined && others.length === 0) {
		await openImage(first.saved.uri);
	} else {
		await runCommand('easel.openStudio');
	}
}

/** What has become of images that were asked for together. */
export interface RoundEnds<A extends Arrived = Arrived> {
	/** How many were asked for. */
	readonly asked: number;
	readonly arrived: readonly A[];
	/** What those that were cancelled mean for the money. */
	readonly cancelled: readonly Charge[];
	readonly failures: readonly FailedJob[];
}

/** What a person can do about a failure. */
export interface NextSteps {
	/** Runs the same request again, after a question where that may cost twice. */
	readonly again: () => void;
	/** Runs it without one: the button says it. */
	readonly sendAgain: () => void;
	/** Asks for the request again, with everything as it was. */
	readonly change: () => void;
	/** Sends smaller copies of the references. */
	readonly smaller: () => void;
}

/** Tells that there is no image, why, what it means for the money, and offers the next step. */
export async function reportFailure(
	failure: FailureFacts,
	steps: NextSteps,
	request?: GenerationRequest,
	withAnswer?: (action: AnswerAction) => Promise<void>,
): Promise<void> {
	const name = request === undefined ? '' : `“${foreignText(request.prompt, 60)}”: `;
	const { link } = failure;
	const received = answerActions(failure).map((action) => ({
		label: answerLabels[action],
		run: async () => {
			if (action === 'openLink' || action === 'copyLink') {
				await (link && runLinkAction(action, link));
			} else {
				await withAnswer?.(action);
			}
		},
	}));
	const step = stepAfter(failure, request);
	const next =
		received.length > 0 && step === 'sendAgain'
			? // It asks: a label that says what it may cost would cut the others short.
				{ label: labels.retryAsk, run: steps.again }
			: nextStep(step, steps, failure);
	await notify('error', `${name}${failureText(failure, request)}`, [
		// What was paid for first; with a link there is no room for more.
		...received,
		...(link === undefined ? [next] : []),
		...(received.length > 0 ? [] : [showLog]),
		...(isOfNetwork(failure) ? [troubleshooting] : []),
	]);
}

/** Whether network, proxies or processes may be the cause, which the guide has a page for. */
function isOfNetwork({ kind }: FailureFacts): boolean {
	return kind === 'connection' || kind === 'timeout' || kind === 'worker';
}

/** What can be done with an image that is here and could not be saved. */
export interface UnsavedSteps {
	/** Asks for another place. */
	readonly saveAs: () => Promise<void>;
	readonly again: () => Promise<void>;
}

/** Tells that the image is here but could not be saved, and offers other ways to save it. */
export async function reportNotSaved(problem: string, steps: UnsavedSteps): Promise<void> {
	await notify('error', messages.keepsImage(foreignText(problem)), [
		{ label: labels.saveAs, run: steps.saveAs },
		{ label: labels.retry, run: steps.again },
		showLog,
	]);
}

/** Tells that a job ended without an answer, and what is known of it. */
export async function reportInterrupted(
	prompt: string,
	state: StateNamed<'interrupted'>,
	steps: NextSteps,
): Promise<void> {
	const words = messages.interruptedNamed(foreignText(prompt, 60), interruptedText(state));
	await notify('warning', words, [nextStep(stepAfterInterruption(state), steps), showLog]);
}

/** Asks whether to send again what may have been made and charged already. */
export async function askToSendAgain(prompt: string, failure: FailureFacts): Promise<boolean> {
	const answer = await notify<boolean>(
		'warning',
		`“${foreignText(prompt, 60)}”: ${failureText(failure)}`,
		[
			{ label: stepLabel('sendAgain', failure.sentTimes), run: () => true },
			{ label: labels.dontSend, run: () => false },
		],
	);
	return answer ?? false;
}

/**
 * Offers to choose a folder for an image that no folder of ours takes.
 *
 * @param code the system's
 * @returns its absolute path
 */
export async function askForFolder(prompt: string, code: string): Promise<string | undefined> {
	const run = async () => {
		const [folder] =
			(await vscode.window.showOpenDialog({
				title: labels.chooseFolderTitle,
				openLabel: labels.choose,
				canSelectFiles: false,
				canSelectFolders: true,
			})) ?? [];
		return folder?.fsPath;
	};
	const words = messages.noFolderTakes(foreignText(prompt, 60), code);
	return notify('warning', words, [{ label: labels.chooseFolder, run }]);
}

const showLog: Button = {
	label: commandTitles['easel.showLog'],
	run: () => runCommand('easel.showLog'),
};

/** Only one step says on its button what it may cost. */
function nextStep(
	step: Step,
	steps: NextSteps,
	{ field, sentTimes }: Pick<FailureFacts, 'field' | 'sentTimes'> = {},
): Button {
	const run = {
		again: steps.again,
		sendAgain: steps.sendAgain,
		sendSmaller: steps.smaller,
		setKey: () => withNewKey(steps.again),
		useAnotherKey: () => withNewKey(steps.again),
		setUp: () => withSetUp(steps.again),
		openSettings: () => openSettings(field),
		change: steps.change,
	}[step];
	return { label: stepLabel(step, sentTimes), run };
}

/** Says on the button how many images it retries. */
function nextStepForAll(failures: readonly FailedJob[], steps: NextSteps): Button {
	const step = stepAfterAll(failures);
	const next = nextStep(step, steps);
	return step === 'again' && failures.length > 1
		? { ...next, label: labels.retryMany(failures.length) }
		: next;
}

/** Asks before images are sent again that may have been made and charged; yes where there are none. */
export async function maySendAgain(failures: readonly FailedJob[]): Promise<boolean> {
	const all = failures.length;
	const risky = failures.filter(mayHaveBeenMade).length;
	return (
		risky === 0 ||
		confirm(messages.retryQuestion(all), messages.retryMayCost(risky, all), stepLabels.sendAgain)
	);
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
