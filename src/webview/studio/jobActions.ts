import type { Job } from '../../protocol/studio.js';
import type { JobAction } from '../../protocol/studioActions.js';
import type { IconName } from '../codicon.js';

const actionLabels: Readonly<Record<JobAction, string>> = {
	cancel: 'Cancel',
	again: 'Try Again',
	sendAgain: 'Send Again (May Be Charged Twice)',
	sendSmaller: 'Send Smaller',
	stop: 'Stop',
	setKey: 'Set API Key',
	useAnotherKey: 'Use Another Key',
	setUp: 'Set Up Image Service',
	openSettings: 'Open Settings',
	change: 'Change Request',
	dismiss: 'Dismiss',
	showLog: 'Show Log',
	saveAs: 'Save As…',
	saveAgain: 'Try Again',
	discard: 'Discard…',
	saveAnswer: 'Save…',
	showAnswer: 'Show',
	discardAnswer: 'Discard…',
	openLink: 'Open Link',
	copyLink: 'Copy Link',
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
	running: { name: 'Running', icon: 'loading' },
	asking: { name: 'Needs Your Decision', icon: 'question' },
	failed: { name: 'Failed', icon: 'error' },
	unsaved: { name: 'Not Saved', icon: 'warning' },
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
