import path from 'node:path';
import { isCancelled } from '../service/errors.js';
import { deliver, removeAll, type DeliverOptions } from './deliver.js';
import type { FailureFacts } from './failure.js';
import { followJob, type FollowOptions } from './follow.js';
import { now, readState, referencesFolder, type JobEntry } from './jobFolder.js';
import type { Leases } from './windowLeases.js';
import { persistState } from './persistState.js';
import type { Slots } from './slots.js';
import { chargeOf, isCertain, isOver, type JobState, type StateChange } from './state.js';
import { startWorker, WorkerError } from './workerProcess.js';
import type { WorkerInput } from './workerProtocol.js';

/** What a worker needs besides its job. */
export type WorkerSettings = Omit<WorkerInput, 'folder' | 'slot'>;

export interface MakeOptions extends FollowOptions, DeliverOptions {
	readonly slots: Pick<Slots, 'acquire' | 'release'>;
	/** Those of this window, which must have the job's window lease. */
	readonly leases: Pick<Leases, 'during'>;
	/** The worker's bundle, absolute. */
	readonly script: string;
	/** How many images may be asked for at the same time. */
	readonly limit: () => number;
	/** Read when the image's turn has come; a failure, as of a wrong setting, ends the job. */
	readonly settings: () => Promise<WorkerSettings | FailureFacts>;
	/** Ends the job as failed as long as nothing was sent; its reason is a {@link FailureFacts}. */
	readonly givingUp?: AbortSignal | undefined;
	/** Called when the worker runs. */
	readonly onStarted?: ((pid: number, settings: WorkerSettings) => void) | undefined;
}

/**
 * Brings a job to its end from wherever it stands: its turn, its worker, the answer, its place.
 * What is known of it goes into the journal; telling a person is left to the caller.
 *
 * @returns an end, or `received` where the image could not be saved or this window is ending
 * @throws the system's error where the job's folder is gone
 */
export async function makeImage(entry: JobEntry, options: MakeOptions): Promise<JobState> {
	let { state } = entry;
	if (state.state === 'queued') {
		const end = await start(entry, options);
		if (end !== undefined) {
			return finish(entry, end, options);
		}
	}
	if (state.state !== 'received' && !(isOver(state) && isCertain(state))) {
		try {
			state = await followJob(entry, options);
		} catch (error) {
			if (!isCancelled(error)) {
				throw error;
			}
			// Nothing is removed: its worker may be receiving the image. Before another attempt it finds
			// the note.
			return note(entry, { state: 'cancelled', charge: error.charge }, options);
		}
	}
	if (state.state === 'received') {
		const received = state;
		// Where this window is ending, the next one delivers it.
		return (await options.leases.during(() => deliver(entry, received, options))) ?? received;
	}
	await tidy(entry, state, options);
	return state;
}

/**
 * Starts the worker when the job's turn has come.
 *
 * @returns the end of the job where no worker was started; `undefined` where one has it
 */
async function start(entry: JobEntry, options: MakeOptions): Promise<StateChange | undefined> {
	const { slots, limit, signal, givingUp, onTrouble } = options;
	const waiting = AbortSignal.any([signal, ...(givingUp === undefined ? [] : [givingUp])]);
	try {
		const slot = await slots.acquire({
			limit,
			signal: waiting,
			onRefusal: (error) => options.onUnknown?.(error instanceof Error ? error.message : ''),
		});
		try {
			const settings = await options.settings();
			if ('kind' in settings) {
				return { state: 'failed', failure: settings };
			}
			const pid = await startWorker({
				script: options.script,
				input: { ...settings, folder: entry.folder, slot },
				signal,
			});
			options.onStarted?.(pid, settings);
			return undefined;
		} finally {
			// What a worker has by now stays with it.
			await slots.release(slot).catch((refusal: unknown) => {
				onTrouble('A slot could not be given back', refusal);
			});
		}
	} catch (error) {
		return notStarted(entry, error, options);
	}
}

async function notStarted(
	{ folder }: JobEntry,
	error: unknown,
	{ signal, givingUp }: MakeOptions,
): Promise<StateChange | undefined> {
	const state = await readState(folder).catch(() => undefined);
	// Anything but `queued` means that its worker was at work already when the start was given up.
	const charge = state === undefined ? 'unknown' : chargeOf(state);
	if (isCancelled(error)) {
		return givingUp?.aborted === true && !signal.aborted && charge === 'notSent'
			? { state: 'failed', failure: givingUp.reason as FailureFacts }
			: { state: 'cancelled', charge };
	}
	if (charge !== 'notSent') {
		return undefined;
	}
	return { state: 'failed', failure: failureOf(error) };
}

function failureOf(error: unknown): FailureFacts {
	return {
		kind: error instanceof WorkerError ? 'worker' : 'unexpected',
		message: error instanceof Error ? error.message : String(error),
		charge: 'notSent',
		repeatable: true,
		elapsedMs: 0,
		unknownOutcome: false,
	};
}

/** Notes an end that no worker has noted. */
async function finish(entry: JobEntry, end: StateChange, options: MakeOptions): Promise<JobState> {
	const state = await note(entry, end, options);
	await tidy(entry, state, options);
	return state;
}

async function note(entry: JobEntry, end: StateChange, options: MakeOptions): Promise<JobState> {
	const { attempts } = entry.state;
	const state = { ...end, attempts, changedAt: now() };
	await persistState(entry.folder, state, options.onTrouble);
	return state;
}

/** Removes what has served. Where the image is asked for again, the references are copied anew. */
async function tidy(
	entry: JobEntry,
	{ state }: JobState,
	{ onTrouble }: MakeOptions,
): Promise<void> {
	if (state === 'cancelled' || state === 'failed' || state === 'interrupted') {
		await removeAll([path.join(entry.folder, referencesFolder)], onTrouble);
	}
}
