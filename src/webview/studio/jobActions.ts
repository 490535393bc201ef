import type { Job } from '../../protocol/studio.js';
import type { JobAction } from '../../protocol/studioActions.js';
import type { IconName } from '../codicon.js';
import { labels } from '../messages.js';

const actionLabels: Readonly<Record<JobAction, string>> = {
	cancel: labels.cancel,
	again: labels.retry,
	sendAgain: labels.retryMayCost,
	sendSmaller: labels.sendSmaller,
	stop: labels.dontSend,
	setKey: labels.setApiKey,
	useAnotherKey: labels.useAnotherKey,
	setUp: labels.setUp,
	openSettings: labels.openSettings,
	change: labels.changeRequest,
	dismiss: labels.dismiss,
	showLog: labels.showLog,
	saveAs: labels.saveAs,
	saveAgain: labels.retry,
	discard: labels.discard,
	saveAnswer: labels.save,
	showAnswer: labels.show,
	discardAnswer: labels.discard,
	openLink: labels.openLink,
	copyLink: labels.copyLink,
};

/** Returns what the button of an action says. */
export function labelOfAction(action: JobAction, { sendAgainLabel }: Job): string {
	return (action === 'sendAgain' ? sendAgainLabel : undefined) ?? actionLabels[action];
}

/** What these send is paid for. */
const paid: ReadonlySet<JobAction> = new Set<JobAction>([
	'again',
	'sendAgain',
	'sendSmaller',
	'setKey',
	'useAnotherKey',
	'setUp',
]);

/** Whether a click counts: a double click is not meant to be paid for twice. */
export function isMeant(event: MouseEvent, action: JobAction): boolean {
	return event.detail <= 1 || !paid.has(action);
}

/** What the states are called; the icons are codicons. */
export const stateNames: Readonly<
	Record<Job['state'], { readonly name: string; readonly icon: IconName }>
> = {
	running: { name: labels.running, icon: 'loading' },
	asking: { name: labels.needsDecision, icon: 'question' },
	failed: { name: labels.failed, icon: 'error' },
	unsaved: { name: labels.notSaved, icon: 'warning' },
};

/** What a small tile has buttons for: the way out and Retry, or what has arrived. */
const firstOnes: ReadonlySet<JobAction> = new Set([
	'cancel',
	'openLink',
	'saveAnswer',
	'again',
	'setKey',
	'useAnotherKey',
	'setUp',
	'openSettings',
	'saveAgain',
	'saveAs',
]);

/** Returns the next steps of a job, the most important one first: at most two. */
export function firstActions({ state, actions }: Job): readonly JobAction[] {
	return state === 'asking' ? [] : actions.filter((action) => firstOnes.has(action)).slice(0, 2);
}
