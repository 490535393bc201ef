import { notify, runDetached } from '../editor/messages.js';
import { readSetting, SettingError } from '../editor/settings.js';
import type { FailureFacts } from '../jobs/failure.js';
import type { JobProgress } from '../jobs/follow.js';
import { workerLease, type JobEntry } from '../jobs/jobFolder.js';
import { makeImage, type WorkerSettings } from '../jobs/makeImage.js';
import type { JobState } from '../jobs/state.js';
import { log } from '../log.js';
import { destinations } from './destination.js';
import type { JobList, RunningJob } from './jobList.js';
import { logEvent } from './jobLog.js';
import { messages } from '../messages.js';
import { askForFolder, askToSendAgain } from './report.js';
import type { GeneratorServices } from './generatorServices.js';
import { readNetworkOptions, elsewhereWords, readServiceAddress } from '../editor/service.js';
import { defaultService, services, type ServiceId } from '../service/services.js';
import type { ApiKeys } from '../editor/secrets.js';

/** State that the jobs of a batch share while they run. */
export interface BatchSignals {
	/** Aborted, with the failure, where requests that were not sent need not be tried. */
	readonly givingUp: AbortController;
}

export function newBatchSignals(): BatchSignals {
	return { givingUp: new AbortController() };
}

/**
 * Calls {@link makeImage} with the settings, questions and destinations of this window, and shows the
 * progress in `job`. Reporting the end is left to the caller.
 */
export function runJob(
	entry: JobEntry,
	job: RunningJob,
	{ givingUp }: BatchSignals,
	services: GeneratorServices,
): Promise<JobState> {
	const { jobs, keys, leases } = services;
	return makeImage(
		entry,
		{
			...services,
			destinations,
			settings: {
				get concurrency() {
					return readSetting('service.concurrency');
				},
				read: () => readWorkerSettings(keys, entry.request.service),
			},
		},
		{ cancel: job.signal, giveUp: givingUp.signal },
		(progress) => {
			show(entry, job, progress);
			if (progress.type === 'unreachable') {
				// Where its worker may have gone with another machine, the user is asked to decide.
				leases.look(entry.folder, workerLease).catch(() => undefined);
			}
		},
		(question) =>
			question.type === 'folder'
				? askForFolder(entry.request.prompt, question.code)
				: askOnce(job, question.failure, jobs),
	);
}

function show({ request }: JobEntry, job: RunningJob, progress: JobProgress): void {
	switch (progress.type) {
		case 'started':
			log.info(
				`${request.id} goes to ${progress.address}, worker process ${String(progress.pid)}.`,
			);
			return;
		case 'unreachable':
			job.unknown();
			log.warn(`${request.id}: its process cannot be reached (${progress.reason}).`);
			return;
		case 'answeredLate':
			// VS Code cannot take a question back.
			runDetached(notify('info', messages.lateAnswer));
			return;
		case 'attempt':
		case 'phase':
		case 'failed':
		case 'stalled':
		case 'ended':
			job.event(progress);
			logEvent(request, progress);
	}
}

/**
 * Asks where images are listed, and reminds in a notification once no page shows that. A user who
 * dismisses it has not answered: the question waits in the list.
 */
function askOnce(job: RunningJob, failure: FailureFacts, jobs: JobList): Promise<boolean> {
	const answered = job.ask(failure);
	const remind = async () => {
		await jobs.whenHidden();
		const again =
			job.question === failure ? await askToSendAgain(job.request.prompt, failure) : undefined;
		if (again !== undefined && job.question === failure) {
			job.answer(again);
		}
	};
	runDetached(remind());
	return answered;
}

/**
 * Returns the settings of a worker; what is missing or wrong is the image's failure.
 *
 * @param service that the request was made for
 */
export async function readWorkerSettings(
	keys: ApiKeys,
	service: ServiceId = defaultService,
): Promise<WorkerSettings | FailureFacts> {
	try {
		const address = readServiceAddress();
		const key = address === undefined ? undefined : await keys.take(address);
		const { keyIsOptional = false } = services[service];
		if (address === undefined || (key === undefined && !keyIsOptional)) {
			return notSent('request', messages.setUpMissing, address === undefined ? 'address' : 'key');
		}
		if (key?.source === 'elsewhere' && !keyIsOptional) {
			return notSent('request', elsewhereWords(key.address, address), 'key');
		}
		return {
			address,
			key: key === undefined || key.source === 'elsewhere' ? '' : key.key,
			network: readNetworkOptions(),
			timeoutMs: readSetting('service.timeoutSeconds') * 1000,
			retry: readSetting('service.retry'),
		};
	} catch (error) {
		if (error instanceof SettingError) {
			return notSent('setting', error.message, error.setting);
		}
		throw error;
	}
}

function notSent(kind: FailureFacts['kind'], message: string, field: string): FailureFacts {
	return {
		kind,
		message,
		charge: 'notSent',
		repeatable: false,
		field,
		elapsedMs: 0,
		unknownOutcome: false,
	};
}
