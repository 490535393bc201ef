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

/** The one thing that a small tile has a button for: what most people do next. */
export function firstAction({ state, actions }: Job): JobAction | undefined {
	const wanted: Readonly<Record<Job['state'], readonly JobAction[]>> = {
		running: ['cancel'],
		asking: [],
		failed: ['openLink', 'saveAnswer', 'again', 'setKey', 'useAnotherKey', 'setUp', 'openSettings'],
		unsaved: ['saveAgain', 'saveAs'],
	};
	return wanted[state].find((action) => actions.includes(action));
}
