import { html, nothing, type TemplateResult } from 'lit';
import type { Job, JobAction } from '../../protocol/studioModel.js';
import type { IconName } from '../codicon.js';
import { hints, pageLabels } from '../messages.js';
import type { StudioStore } from './store.js';

const actionLabels: Readonly<Record<JobAction, string>> = {
	cancel: pageLabels.cancel,
	again: pageLabels.retry,
	sendAgain: pageLabels.retryMayCost,
	sendSmaller: pageLabels.sendSmaller,
	stop: pageLabels.dontSend,
	setKey: pageLabels.setApiKey,
	useAnotherKey: pageLabels.useAnotherKey,
	setUp: pageLabels.setUp,
	verify: pageLabels.verify,
	openSettings: pageLabels.openSettings,
	change: pageLabels.changeRequest,
	dismiss: pageLabels.dismiss,
	showLog: pageLabels.showLog,
	saveAs: pageLabels.saveAs,
	saveAgain: pageLabels.retry,
	discard: pageLabels.discard,
	saveAnswer: pageLabels.save,
	showAnswer: pageLabels.show,
	discardAnswer: pageLabels.discard,
	openLink: pageLabels.openLink,
	copyLink: pageLabels.copyLink,
};

/** Actions that are paid for: a double click is not meant to be paid for twice. */
const paid: ReadonlySet<JobAction> = new Set<JobAction>([
	'again',
	'sendAgain',
	'sendSmaller',
	'setKey',
	'useAnotherKey',
	'setUp',
]);

/** Names of the states; the icons are codicons. */
export const stateNames: Readonly<
	Record<Job['state'], { readonly name: string; readonly icon: IconName }>
> = {
	running: { name: pageLabels.running, icon: 'loading' },
	asking: { name: pageLabels.needsDecision, icon: 'question' },
	failed: { name: pageLabels.failed, icon: 'error' },
	unsaved: { name: pageLabels.notSaved, icon: 'warning' },
};

/** Actions that have a button on a small tile: the way out and Retry, or what has arrived. */
const firstOnes: ReadonlySet<JobAction> = new Set([
	'cancel',
	'openLink',
	'saveAnswer',
	'again',
	'setKey',
	'useAnotherKey',
	'setUp',
	'verify',
	'openSettings',
	'saveAgain',
	'saveAs',
	'change',
]);

/** Returns the next steps of a job, the most important one first: at most two. */
export function firstActions({ state, actions }: Job): readonly JobAction[] {
	return state === 'asking' ? [] : actions.filter((action) => firstOnes.has(action)).slice(0, 2);
}

interface Button {
	/** True where the tab key leads to it. */
	readonly isTabStop?: boolean;
	readonly label?: string;
	/** Name for screen readers, where that is not the label. */
	readonly name?: string;
}

/** A button that does something about a job, or about several with the same failure. */
export function jobButton(
	store: StudioStore,
	jobs: readonly Job[],
	action: JobAction,
	{ isTabStop = true, label = labelOf(action, jobs[0]), name }: Button = {},
): TemplateResult {
	return html`<button
		class="cut ${action}"
		tabindex=${isTabStop ? 0 : -1}
		aria-label=${name ?? nothing}
		@click=${(event: MouseEvent) => {
			if (event.detail <= 1 || !paid.has(action)) {
				store.jobs.showCard();
				askJobs(
					store,
					jobs.map(({ id }) => id),
					action,
				);
			}
		}}
	>
		${label}
	</button>`;
}

/** The buttons that do something about all images that have failed for the same reason. */
export function buttonsForAll(
	store: StudioStore,
	ids: readonly string[],
	isTabStop = true,
): readonly TemplateResult[] {
	const jobs = ids.flatMap((id) => store.jobs.byId.get(id) ?? []);
	return [
		jobButton(store, jobs, 'again', { isTabStop, label: pageLabels.retryAll(ids.length) }),
		jobButton(store, jobs, 'dismiss', { isTabStop, label: pageLabels.dismissAll }),
	];
}

/** One that may be charged again says which try it is. */
function labelOf(action: JobAction, job: Job | undefined): string {
	return (action === 'sendAgain' ? job?.sendAgainLabel : undefined) ?? actionLabels[action];
}

/** Asks for the same for one job or several; together where they have the same failure. */
export function askJobs(store: StudioStore, ids: readonly string[], action: JobAction): void {
	const [id] = ids;
	if (ids.length > 1 && (action === 'again' || action === 'dismiss')) {
		void store.ask({ type: 'jobs', ids: [...ids], action });
	} else if (id !== undefined) {
		void store.ask({ type: 'job', id, action });
	}
}

/** Words for the bar on what waits for the user and what runs; the ids newest first. */
export interface Tally {
	readonly state: Job['state'];
	readonly words: string;
	readonly ids: readonly string[];
}

const tallied = [
	['running', 'running'],
	['asking', 'undecided'],
	['unsaved', hints.notSaved],
	['failed', 'failed'],
] as const satisfies readonly (readonly [Job['state'], string])[];

/** Counts the jobs of each state; a state without any is left out. */
export function tallyOf(jobs: Iterable<Job>): Tally[] {
	const all = [...jobs];
	return tallied.flatMap(([state, name]) => {
		const ids = all.flatMap((job) => (job.state === state ? [job.id] : []));
		return ids.length === 0 ? [] : [{ state, ids, words: `${String(ids.length)} ${name}` }];
	});
}
