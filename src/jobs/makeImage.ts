import path from 'node:path';
import { factsOfError } from '../easelError.js';
import type { Clock } from '../service/clock.js';
import { isCancelled } from '../service/errors.js';
import { deliver, removeAll, type DeliverServices, type Destination } from './deliver.js';
import { errorFields, type FailureFacts } from './failure.js';
import { followJob, type AskUser, type OnProgress } from './follow.js';
import { endOfLinked } from './linkedAnswer.js';
import { now, readState, referencesFolder, type JobEntry } from './jobFolder.js';
import type { Leases } from './windowLeases.js';
import { persistState } from './persistState.js';
import type { Slots } from './slots.js';
import type { GenerationRequest } from './request.js';
import {
	chargeOf,
	isCertain,
	isOver,
	type JobResult,
	type JobState,
	type StateChange,
} from './state.js';
import { startWorker, WorkerError } from './workerProcess.js';
import type { WorkerInput } from './workerProtocol.js';
import { log } from '../log.js';

/** Settings of a worker besides its job. */
export type WorkerSettings = Omit<WorkerInput, 'folder' | 'slot'>;

/** The settings as they are when they are asked for. */
export interface SettingsSource {
	/** Limit of images that are requested at the same time. */
	readonly concurrency: number;
	/** Reads what a worker needs; a failure, as of a wrong setting, ends the job. */
	read(): Promise<WorkerSettings | FailureFacts>;
}

/** Finds the folder that gets an image. */
export interface Destinations {
	destinationFor(request: GenerationRequest, result: JobResult): Destination;
}

/** The services that bring jobs to their ends. */
export interface MakeServices extends DeliverServices {
	readonly slots: Pick<Slots, 'acquire' | 'release'>;
	/** Those of this window, which must have the job's window lease. */
	readonly leases: Pick<Leases, 'during'>;
	/** The worker's bundle, absolute. */
	readonly worker: string;
	readonly settings: SettingsSource;
	readonly destinations: Destinations;
}

/** Signals that end a job early. */
export interface MakeSignals {
	/** Cancels it; the worker ends at once. */
	readonly cancel: AbortSignal;
	/** Ends it as failed as long as nothing was sent; its reason is a {@link FailureFacts}. */
	readonly giveUp: AbortSignal;
}

/**
 * Drives one job through the steps that are left: waits for a slot, starts the worker, follows it, and
 * delivers the image. The window's part comes as `services`, `onProgress` and `ask`.
 *
 * @returns an end, or `received` where the image could not be saved or this window is ending
 * @throws the system's error where the job's folder is gone
 */
export async function makeImage(
	entry: JobEntry,
	services: MakeServices,
	signals: MakeSignals,
	onProgress: OnProgress,
	ask: AskUser,
	clock?: Clock,
): Promise<JobState> {
	let { state } = entry;
	if (state.state === 'queued') {
		const end = await start(entry, services, signals, onProgress);
		state = end === undefined ? state : await note(entry, end);
	}
	if (state.state !== 'received' && !(isOver(state) && isCertain(state))) {
		try {
			state = await followJob(entry, signals.cancel, onProgress, ask, clock);
		} catch (error) {
			if (!isCancelled(error)) {
				throw error;
			}
			// Nothing is removed: its worker may be receiving the image. Before another attempt it finds
			// the note.
			return note(entry, { state: 'cancelled', charge: error.charge });
		}
	}
	if (state.state === 'interrupted') {
		const { settings } = services;
		const linked = { settings, onProgress, signal: signals.cancel };
		state = (await endOfLinked(entry, state.attempts, linked)) ?? state;
	}
	if (state.state === 'received') {
		const received = state;
		// Where this window is ending, the next one delivers it.
		const destination = services.destinations.destinationFor(entry.request, received.result);
		const delivered = await services.leases.during(() =>
			deliver(entry, received, services, destination),
		);
		return delivered ?? received;
	}
	if (['cancelled', 'failed', 'interrupted'].includes(state.state)) {
		// Where the image is requested again, the references are copied anew.
		await removeAll([path.join(entry.folder, referencesFolder)]);
	}
	return state;
}

/** Starts the worker when the job's turn has come. Returns the job's end where none was started. */
async function start(
	entry: JobEntry,
	{ slots, settings, worker }: MakeServices,
	signals: MakeSignals,
	onProgress: OnProgress,
): Promise<StateChange | undefined> {
	try {
		const slot = await slots.acquire({
			limit: () => settings.concurrency,
			signal: AbortSignal.any([signals.cancel, signals.giveUp]),
			onRefusal: (error) => {
				const reason = error instanceof Error ? error.message : '';
				onProgress({ type: 'unreachable', reason });
			},
		});
		try {
			const read = await settings.read();
			if ('kind' in read) {
				return { state: 'failed', failure: read };
			}
			const input = { ...read, folder: entry.folder, slot };
			const pid = await startWorker({ script: worker, input, signal: signals.cancel });
			onProgress({ type: 'started', pid, address: read.address });
			return undefined;
		} finally {
			// What a worker has by now stays with it.
			await slots.release(slot).catch((refusal: unknown) => {
				log.error('A slot could not be given back', refusal);
			});
		}
	} catch (error) {
		return notStarted(entry, error, signals);
	}
}

async function notStarted(
	{ folder }: JobEntry,
	error: unknown,
	{ cancel, giveUp }: MakeSignals,
): Promise<StateChange | undefined> {
	const state = await readState(folder).catch(() => undefined);
	// Anything but `queued` means that its worker was at work already when the start was given up.
	const charge = state === undefined ? 'unknown' : chargeOf(state);
	if (isCancelled(error)) {
		return giveUp.aborted && !cancel.aborted && charge === 'notSent'
			? { state: 'failed', failure: giveUp.reason as FailureFacts }
			: { state: 'cancelled', charge };
	}
	if (charge !== 'notSent') {
		return undefined;
	}
	const failure: FailureFacts = {
		kind: error instanceof WorkerError ? 'worker' : 'unexpected',
		...errorFields(factsOfError(error)),
		charge,
		repeatable: true,
		elapsedMs: 0,
		unknownOutcome: false,
	};
	return { state: 'failed', failure };
}

/** Notes an end that no worker has noted. */
async function note(entry: JobEntry, end: StateChange): Promise<JobState> {
	const state = { ...end, attempts: entry.state.attempts, changedAt: now() };
	await persistState(entry.folder, state);
	return state;
}
