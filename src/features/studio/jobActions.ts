import type { FailedJob } from '../../generation/failures.js';
import type { JobList } from '../../generation/jobList.js';
import type { Generator } from '../../generation/generator.js';
import type { StudioRequest } from '../../protocol/studio.js';
import { ownReferences } from '../../jobs/request.js';
import type { JobAction } from '../../protocol/studioActions.js';
import type { Composed } from './composing.js';

interface JobTools {
	readonly jobs: JobList;
	readonly generator: Generator;
	/** Puts a request into the composer. */
	readonly compose: (request: Composed) => Promise<void>;
}

/**
 * Does what a person has chosen on the card of a job. Nothing where there is no such job any more,
 * or it has come so far that this cannot be done: its card is on its way.
 *
 * @param id of the job's request
 */
export async function actOnJob(id: string, action: JobAction, tools: JobTools): Promise<void> {
	const { jobs, generator } = tools;
	const running = jobs.running.find((job) => job.request.id === id);
	const failed = jobs.failed.find((job) => job.entry.request.id === id);
	const unsaved = jobs.unsaved.find((job) => job.entry.request.id === id);
	if (action === 'cancel') {
		running?.cancel();
	} else if (action === 'stop') {
		running?.answer(false);
	} else if (action === 'saveAs' || action === 'saveAgain' || action === 'discard') {
		await (unsaved && generator.actOnUnsaved(action, unsaved));
	} else if (action === 'change') {
		await (failed && change(failed, tools));
	} else if (action === 'sendAgain' && running !== undefined) {
		running.answer(true);
	} else {
		await generator.act(action, failed ? [failed.entry] : []);
	}
}

/** Does it for those of several jobs that have failed. */
export async function actOnJobs(
	{ ids, action }: Extract<StudioRequest, { readonly type: 'jobs' }>,
	{ jobs, generator }: Pick<JobTools, 'jobs' | 'generator'>,
): Promise<void> {
	const failed = jobs.failed.filter(({ entry }) => ids.includes(entry.request.id));
	await generator.act(
		action,
		failed.map(({ entry }) => entry),
	);
}

/** Puts the request back into the composer. */
async function change({ entry }: FailedJob, { generator, compose }: JobTools): Promise<void> {
	const references = ownReferences(entry.request).map(({ source }) => source);
	await compose({ ...entry.request, references });
	await generator.act('dismiss', [entry]);
}
