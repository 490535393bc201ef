import * as vscode from 'vscode';
import { wordsOf } from '../editor/errorTexts.js';
import { runCommand } from '../editor/commands.js';
import { safeName, safeText } from '../editor/untrustedText.js';
import { troubleshooting } from '../editor/guide.js';
import {
	confirm,
	notify,
	runDetached,
	showError,
	showStatus,
	type Button,
} from '../editor/messages.js';
import { offerReload } from '../editor/windowHealth.js';
import { OutsideWorkspaceError, SaveError } from '../editor/files.js';
import { WindowLeftError } from '../jobs/createJob.js';
import { RequestError, type Charge } from '../service/errors.js';
import { labels, messages, money } from '../messages.js';
import { readSetting } from '../editor/settings.js';
import { readableDimensions } from '../images/readableSize.js';
import { factsOf, type FailureFacts } from '../jobs/failure.js';
import type { GenerationRequest } from '../jobs/request.js';
import {
	failureText,
	interruptedText,
	stepsAfter,
	stepsOf,
	stepLabel,
	type NextStep,
	type NextSteps,
	mayHaveBeenMade,
	type FailedJob,
} from './failures.js';
import { answerActions, answerLabels, type AnswerAction, type LinkAction } from './storedAnswer.js';
import {
	type ArrivedJob,
	type BatchEnds,
	type NotJournaled,
	batchText,
	lossText,
	mayCost,
	stepsAfterAll,
} from './outcome.js';
import { discardImages, isDraft } from './linkImage.js';
import type { GeneratorServices } from './generatorServices.js';
import { openImage } from './savedImage.js';
import { commandTitles } from '../editor/commandTable.js';

export type NextAction = NextStep | AnswerAction | LinkAction | 'showLog';

/**
 * Notifies of what has become of a batch in one message, of what is saved as
 * `easel.output.afterSaving` asks; returns what the user has chosen to do about its failures.
 *
 * @param unasked what an agent has spent without a question, in words; shown whatever the setting says
 */
export async function reportBatch(
	ends: BatchEnds,
	unasked?: string,
): Promise<NextAction | undefined> {
	const { asked, arrived, failures, cancelled } = ends;
	const [failure] = failures;
	if (asked > 1 || cancelled.length > 0 || unasked !== undefined) {
		return reportMany(ends, unasked);
	}
	if (failure === undefined) {
		await Promise.all(arrived.map(reportSaved));
		return undefined;
	}
	const { entry, state } = failure;
	if (state.state === 'failed') {
		return reportFailure(state.failure, entry.request);
	}
	const prompt = safeText(entry.request.prompt, 60);
	const words = messages.interruptedNamed(prompt, interruptedText(state));
	return notify<NextAction>('warning', words, [...stepButtons(stepsOf(failure)), showLog]);
}

async function reportSaved({ saved, followUp }: ArrivedJob): Promise<void> {
	const after = readSetting('output.afterSaving');
	if (after === 'open') {
		await openImage(saved.uri);
	}
	if (after === 'open' || after === 'nothing') {
		return;
	}
	const { inserted, words: ownWords, note, insert, buttons } = followUp;
	const pathOf = (uri: vscode.Uri) => safeText(vscode.workspace.asRelativePath(uri));
	const words =
		ownWords ??
		(inserted === undefined
			? messages.saved(pathOf(saved.uri), readableDimensions(saved.image))
			: messages.inserted(pathOf(saved.uri), pathOf(inserted.document), inserted.line));
	await notify('info', note === undefined ? words : `${words} ${note}`, [
		...(insert === undefined ? [] : [insert]),
		...buttons,
	]);
}

async function reportMany(
	ends: BatchEnds,
	unasked: string | undefined,
): Promise<NextAction | undefined> {
	const { asked, arrived, failures } = ends;
	const after = readSetting('output.afterSaving');
	if (after === 'open') {
		for (const { saved } of arrived) {
			await openImage(saved.uri);
		}
	}
	const isQuiet = (after === 'open' || after === 'nothing') && unasked === undefined;
	if (failures.length === 0 && arrived.length > 0 && isQuiet) {
		return undefined;
	}
	const followUps = arrived.map(({ followUp }) => followUp);
	const [first, second] = arrived;
	const drafts = first !== undefined && second !== undefined && isDraft(first.entry.request);
	const text =
		unasked !== undefined
			? [unasked, lossText(ends)].filter(Boolean).join(' ')
			: drafts && arrived.length === asked
				? messages.drafts(asked, safeText(first.entry.request.prompt, 60))
				: batchText(ends);
	const notes = new Set(followUps.flatMap(({ note }) => note ?? []));
	const inserts = followUps.flatMap(({ insert }) => insert ?? []).slice(0, drafts ? 1 : undefined);
	const insertAll = async () => {
		for (const insert of inserts) {
			await insert.run();
		}
	};
	// One image by itself is opened; several, and failures, are seen where all images are.
	const show = () =>
		first !== undefined && second === undefined && failures.length === 0
			? openImage(first.saved.uri)
			: runCommand('easel.openStudio');
	const discard = () =>
		discardImages(
			followUps.flatMap((followUp) => followUp.discard ?? []),
			first !== undefined && second === undefined
				? messages.discarded(safeName(first.saved.uri))
				: messages.discardedMany(arrived.length),
		);
	const isOneEdit = first?.entry.request.operation === 'edit' && asked === 1;
	const ofArrived =
		first === undefined
			? []
			: unasked !== undefined && isOneEdit
				? // It is compared with its original, and used.
					first.followUp.buttons.map(({ label, run }) => doing(label, run))
				: [
						doing(labels.show, show),
						...(unasked === undefined ? [] : [doing(labels.discard, discard)]),
					];
	const labelOfStep = (step: NextStep) =>
		step === 'again' && failures.length > 1 ? labels.retryMany(failures.length) : stepLabel(step);
	const steps = failures.length === 0 ? [] : stepButtons(stepsAfterAll(failures), labelOfStep);
	const severity = failures.length === 0 ? 'info' : arrived.length === 0 ? 'error' : 'warning';
	return notify<NextAction | undefined>(severity, [text, ...notes].join(' '), [
		// A third button would cut what the first one says of money; the studio has all of them.
		...steps.slice(0, ofArrived.length > 0 ? 1 : 2),
		...(drafts
			? [doing(labels.chooseDraft, () => runCommand('easel.chooseDraft', first.saved.uri))]
			: []),
		...(inserts[0] === undefined ? [] : [doing(inserts[0].label, insertAll)]),
		...ofArrived,
		...(failures.length > 0 && steps.length + ofArrived.length < 2 ? [showLog] : []),
	]);
}

/** Notifies why there is no image and what that costs; returns the step that was chosen. */
export async function reportFailure(
	failure: FailureFacts,
	request?: GenerationRequest,
): Promise<NextAction | undefined> {
	const name = request === undefined ? '' : `“${safeText(request.prompt, 60)}”: `;
	const received = answerActions(failure).map((action) => choice(answerLabels[action], action));
	const [step, second] = stepsAfter(failure, request);
	const next =
		received.length > 0 && step === 'sendAgain'
			? // It asks: a label that says what it may cost would cut the others short.
				[choice(labels.retryAsk, 'again')]
			: stepButtons([step, second], (one) => stepLabel(one, failure.sentTimes));
	return notify<NextAction | undefined>('error', `${name}${failureText(failure, request)}`, [
		// What was paid for first; with a link there is no room for more.
		...received,
		...(failure.link === undefined ? next : []),
		...(received.length > 0 || second !== undefined ? [] : [showLog]),
		...(step === 'setKey'
			? [doing(commandTitles['easel.testConnection'], () => runCommand('easel.testConnection'))]
			: []),
		// The guide has a page for networks, proxies and processes.
		...(['connection', 'timeout', 'worker'].includes(failure.kind)
			? [doing(troubleshooting.label, () => troubleshooting.run())]
			: []),
	]);
}

/** Notifies that an image could not be saved; returns the other way that was chosen. */
export async function reportNotSaved(problem: string): Promise<'saveAs' | 'saveAgain' | undefined> {
	return notify('error', messages.keepsImage(safeText(problem)), [
		choice(labels.saveAs, 'saveAs'),
		choice(labels.retry, 'saveAgain'),
		doing(commandTitles['easel.showLog'], () => runCommand('easel.showLog')),
	]);
}

/** Asks in a notification; `undefined` where the user dismisses it, which is no answer. */
export function askToSendAgain(
	prompt: string,
	failure: FailureFacts,
): Promise<boolean | undefined> {
	return notify<boolean>('warning', `“${safeText(prompt, 60)}”: ${failureText(failure)}`, [
		choice(stepLabel('sendAgain', failure.sentTimes), true),
		choice(labels.dontSend, false),
	]);
}

/** Offers to choose a folder, absolute, for an image that no folder of ours takes. */
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
	const words = messages.noFolderTakes(safeText(prompt, 60), code);
	return notify('warning', words, [{ label: labels.chooseFolder, run }]);
}

/** A button that answers. */
function choice<const Answer>(label: string, answer: Answer): Button<Answer> {
	return { label, run: () => answer };
}

/** A button that does something itself. */
function doing(label: string, task: () => unknown): Button<undefined> {
	const run = async () => {
		await task();
		return undefined;
	};
	return { label, run };
}

const showLog = choice(commandTitles['easel.showLog'], 'showLog');

function stepButtons(steps: NextSteps, labelOf = stepLabel): Button<NextAction>[] {
	return steps.flatMap((step) => (step === undefined ? [] : choice(labelOf(step), step)));
}

/** Asks before images are sent again that may have been made and charged; yes where there are none. */
export async function maySendAgain(failures: readonly FailedJob[]): Promise<boolean> {
	const all = failures.length;
	const risky = failures.filter(mayHaveBeenMade).length;
	return (
		risky === 0 ||
		confirm(messages.retryQuestion(all), messages.retryMayCost(risky, all), stepLabel('sendAgain'))
	);
}

/** Notifies that the user has cancelled all images of a batch, and whether they may be charged. */
export function reportCancelled(charges: readonly Charge[]): void {
	if (mayCost(charges)) {
		runDetached(notify('info', money.cancelledUnknown));
	} else if (charges.length > 0) {
		showStatus(`Easel: ${money.cancelledFree}`);
	}
}

/** Reports why requests are not in the journal, each cause once, with the next step. */
export function reportNotJournaled(
	refused: readonly NotJournaled[],
	{ changeRequests }: Pick<GeneratorServices, 'changeRequests'>,
): void {
	for (const alike of Map.groupBy(refused, ({ error }) => String(error)).values()) {
		const requests = alike.map(({ request }) => request);
		const error = alike[0]?.error;
		if (error instanceof RequestError) {
			const facts = factsOf(error, { elapsedMs: 0 }, false);
			runDetached(
				reportFailure(facts).then((action) =>
					action === 'change' ? changeRequests(requests) : undefined,
				),
			);
		} else if (error instanceof WindowLeftError) {
			runDetached(offerReload(wordsOf(error)));
		} else {
			showError(
				error instanceof OutsideWorkspaceError && requests[0] !== undefined
					? new SaveError(
							vscode.Uri.parse(requests[0].target.folder, true),
							`${error.message} ${money.notSent}`,
							error,
						)
					: error,
			);
		}
	}
}

export async function openSettings(setting = 'easel'): Promise<void> {
	await vscode.commands.executeCommand('workbench.action.openSettings', setting);
}
