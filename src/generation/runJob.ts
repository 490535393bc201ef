import type { Log } from '../editor/log.js';
import { runDetached, notify } from '../editor/messages.js';
import type { ApiKeys } from '../editor/secrets.js';
import { readSetting } from '../editor/settings.js';
import type { Recipes } from '../jobs/deliver.js';
import type { FailureFacts } from '../jobs/failure.js';
import type { Gallery } from '../jobs/gallery.js';
import { workerLease, type JobEntry } from '../jobs/jobFolder.js';
import type { Leases } from '../jobs/windowLeases.js';
import { makeImage } from '../jobs/makeImage.js';
import type { Slots } from '../jobs/slots.js';
import type { JobState } from '../jobs/state.js';
import { destinationOf } from './destination.js';
import type { JobList, RunningJob } from './jobList.js';
import { logEvent } from './jobLog.js';
import { targetOf } from './draft.js';
import { askForFolder, askToSendAgain } from './report.js';
import { readWorkerSettings } from './workerSettings.js';
import { messages } from './messages.js';

/** What a job needs to run. */
export interface RunNeeds {
	readonly keys: ApiKeys;
	readonly log: Log;
	readonly jobs: JobList;
	readonly gallery: Gallery;
	readonly leases: Leases;
	readonly slots: Slots;
	/** Write down how an image was made. */
	readonly recipes: Recipes;
	/** The worker's bundle, absolute. */
	readonly worker: string;
}

export interface RunOptions {
	/** Aborted, with the failure, where it need not be tried. */
	readonly givingUp: AbortSignal | undefined;
	/** Called when there are new words about it. */
	readonly changed: (() => void) | undefined;
	/** Aborted when somebody cancels it elsewhere than where it is listed. */
	readonly cancelling: AbortSignal | undefined;
}

/**
 * Brings a job from wherever it stands to its end, shows what it says meanwhile, and asks what only
 * a person can decide. Telling the end is left to the caller.
 */
export function runJob(
	entry: JobEntry,
	job: RunningJob,
	{ keys, log, jobs, gallery, leases, slots, recipes, worker }: RunNeeds,
	{ givingUp, changed = () => undefined, cancelling }: RunOptions,
): Promise<JobState> {
	const { request } = entry;
	return makeImage(entry, {
		slots,
		leases,
		gallery,
		recipes,
		script: worker,
		limit: () => readSetting('service.concurrency'),
		settings: () => readWorkerSettings(keys),
		signal: AbortSignal.any([job.signal, ...(cancelling ? [cancelling] : [])]),
		givingUp,
		onStarted: (pid, { address }) => {
			log.info(`${request.id} goes to ${address}, worker process ${String(pid)}.`);
		},
		onEvent: (event) => {
			job.event(event);
			changed();
			logEvent(log, request, event);
		},
		onUnknown: (reason) => {
			job.unknown(reason);
			changed();
			log.warn(`${request.id}: its process cannot be reached (${reason}).`);
			// Where its worker may have gone with another machine, the user is asked to decide.
			leases.look(entry.folder, workerLease).catch(() => undefined);
		},
		ask: ({ failure }) => askOnce(job, failure, jobs),
		chooseFolder: (code) => askForFolder(request.prompt, code),
		// VS Code cannot take a question back.
		onLateAnswer: () => {
			runDetached(notify('info', messages.lateAnswer));
		},
		destinationOf: (result) =>
			destinationOf(targetOf(request.target), result.extension, request.id),
		onTrouble: (what, error) => {
			log.error(what, error);
		},
	});
}

/** Asks where it is seen: in the list, and when nobody looks at that any more, by itself. */
async function askOnce(job: RunningJob, failure: FailureFacts, jobs: JobList): Promise<boolean> {
	const elsewhere = jobs
		.whenUnwatched()
		.then(() => job.question === failure && askToSendAgain(job.request.prompt, failure));
	const again = await Promise.race([job.ask(failure), elsewhere]);
	if (job.question === failure) {
		job.answer(again);
	}
	return again;
}
