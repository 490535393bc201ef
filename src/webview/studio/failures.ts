import type { Job, Slot } from '../../protocol/studio.js';
import { hints } from '../messages.js';

/** Images of a round that have failed for the same reason. */
export interface Failure {
	/** In the order of their places. */
	readonly ids: readonly string[];
	/** The first of them, which says it for all. */
	readonly job: Job;
}

/** The causes of what has failed, by job; of what says none, nothing. */
export function causesOf(jobs: Iterable<Job>): ReadonlyMap<string, string> {
	const causes = new Map<string, string>();
	for (const { id, state, cause } of jobs) {
		if (state === 'failed' && cause !== undefined) {
			causes.set(id, cause);
		}
	}
	return causes;
}

/** Returns who has failed for the same reason as a job of this round: itself, if nobody else has. */
export function failureOf(
	job: Job,
	slots: readonly Slot[],
	jobs: ReadonlyMap<string, Job>,
): Failure {
	if (job.state !== 'failed' || job.cause === undefined) {
		return { ids: [job.id], job };
	}
	const equal = slots.flatMap(({ id, kind }) => {
		const other = jobs.get(id);
		return kind === 'job' && other?.state === 'failed' && other.cause === job.cause ? [other] : [];
	});
	return { ids: equal.map(({ id }) => id), job: equal[0] ?? job };
}

/** What waits for a person, and what runs, in words for the bar; the ids newest first. */
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

/** Counts what there is of each state; what there is nothing of is left out. */
export function tallyOf(jobs: readonly Job[]): Tally[] {
	return tallied.flatMap(([state, name]) => {
		const ids = jobs.flatMap((job) => (job.state === state ? [job.id] : []));
		return ids.length === 0 ? [] : [{ state, ids, words: `${ids.length} ${name}` }];
	});
}
