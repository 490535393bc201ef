import { open, rename, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import path from 'node:path';
import { isFolderGone } from '../files/exists.js';
import { retryTransient } from '../files/retryTransient.js';
import { codeOf } from '../files/fsErrors.js';
import { sha256Of } from '../images/hash.js';
import { ImageError, inspectImage } from '../images/inspect.js';
import { isWholeImage } from '../images/whole.js';
import { systemClock, type Clock } from '../service/clock.js';
import { partOf, takeImage } from '../service/answerReader.js';
import { AnswerError, CancelledError } from '../service/errors.js';
import { errorFields, type FailureFacts } from './failure.js';
import { ownerStatus } from './processIdentity.js';
import {
	answersIn,
	foldersFor,
	imageFile,
	now,
	readState,
	workerLease,
	workerOutputFile,
	writeState,
	type JobEntry,
} from './jobFolder.js';
import { readLease } from './leaseFiles.js';
import { connectLocally } from './localSocket.js';
import { inspectContent } from './runRequest.js';
import { chargeOf, isCertain, isOver, type JobState, type StateNamed } from './state.js';
import { jobEventSchema, receive, send, type JobEvent } from './workerProtocol.js';

/** What is shown of a job while it runs. */
export type JobProgress =
	| JobEvent
	/** Its worker runs. */
	| { readonly type: 'started'; readonly pid: number; readonly address: string }
	/** The worker cannot be reached now; it is looked for again. */
	| { readonly type: 'unreachable'; readonly reason: string }
	/** The user agreed to a retry after the connection to the worker had ended. */
	| { readonly type: 'answeredLate' };

/** What only the user can decide about a job. */
export type JobQuestion =
	/** Whether to send again what may have been charged. */
	| { readonly type: 'retry'; readonly failure: FailureFacts }
	/** Which folder takes an answer that no other takes; without one, it is held. */
	| { readonly type: 'folder'; /** The system's. */ readonly code: string };

/** Whether to retry; or the folder, absolute. */
export type JobAnswer = boolean | string | undefined;

type OnProgress = (progress: JobProgress) => void;
type Ask = (question: JobQuestion) => Promise<JobAnswer>;

/**
 * Follows a job to its end and returns its last state: `received` or one that is over. Where the
 * worker has died before, a whole image that it left counts as received; else the state is
 * `interrupted`, and only a person sends it again. When a worker counts as dead, `ownerStatus` says;
 * until then it is looked for again.
 *
 * @param onProgress called while it runs
 * @param ask asks the user; where it rejects, the worker goes on without an answer
 * @param clock passes the time between two looks
 * @throws {CancelledError} where the signal was aborted and nothing could be told for 5 seconds:
 * the worker may live and go on
 * @throws the system's error where the job's folder is gone
 */
export async function followJob(
	entry: Pick<JobEntry, 'folder' | 'request'>,
	signal: AbortSignal,
	onProgress: OnProgress,
	ask: Ask,
	clock: Clock = systemClock,
): Promise<JobState> {
	const { folder } = entry;
	let cancelledAt: number | undefined;
	for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, maxWaitMs)) {
		const found = await look(entry, signal, onProgress, ask).catch(async (error: unknown) => {
			if (await isFolderGone(error, folder)) {
				throw error;
			}
			return codeOf(error) || String(error);
		});
		if (typeof found === 'object') {
			return found;
		}
		onProgress({ type: 'unreachable', reason: found });
		if (cancelledAt === undefined) {
			try {
				await clock.sleep(waitMs, signal);
			} catch {
				// Cancelled meanwhile.
			}
		} else if (clock.now() - cancelledAt > cancelTimeoutMs) {
			throw new CancelledError('unknown');
		} else {
			await clock.sleep(firstWaitMs);
		}
		if (signal.aborted) {
			cancelledAt ??= clock.now();
		}
	}
}

/** Returns the last state, or in a few words why it cannot be told now. */
async function look(
	entry: Pick<JobEntry, 'folder' | 'request'>,
	signal: AbortSignal,
	onProgress: OnProgress,
	ask: Ask,
): Promise<JobState | string> {
	const { folder } = entry;
	const lease = await readLease(folder, workerLease);
	if (lease?.owner === 'unreadable') {
		return 'its state cannot be read';
	}
	if (lease?.owner !== undefined) {
		const socket = await connectLocally(lease.owner.address);
		const refusal = typeof socket === 'string' ? socket : 'its process does not answer';
		if (typeof socket !== 'string') {
			const end = await listen(socket, signal, onProgress, ask);
			if (end !== undefined) {
				await note(folder, end);
				return settle(entry, end.state);
			}
		}
		if ((await ownerStatus(lease.owner)) !== 'gone') {
			// It may have written its end and hang afterwards.
			const state = await readState(folder);
			return isOver(state) || state.state === 'received' ? settle(entry, state) : refusal;
		}
	}
	return settle(entry, await readState(folder));
}

type End = JobEvent & { readonly type: 'ended' };

/** Hears the worker until the connection ends. Returns its last event; `undefined` without one. */
async function listen(
	socket: Socket,
	signal: AbortSignal,
	onProgress: OnProgress,
	ask: Ask,
): Promise<End | undefined> {
	let end: End | undefined;
	const cancel = () => {
		send(socket, { type: 'cancel' });
	};
	signal.addEventListener('abort', cancel);
	receive(socket, jobEventSchema, (event) => {
		if (event.type === 'ended') {
			end = event;
			send(socket, { type: 'taken' });
			// It ends by itself now. One that does not must not hold up the image that it has delivered.
			setTimeout(() => socket.destroy(), goodbyeTimeoutMs).unref();
		}
		onProgress(event);
		if (event.type === 'stalled' && event.isEverywhere === true) {
			ask({ type: 'folder', code: event.code ?? '' }).then(
				(folder) => typeof folder === 'string' && send(socket, { type: 'folder', folder }),
				// The worker goes on trying those that it has.
				() => undefined,
			);
		}
		if (event.type === 'failed' && event.next.action === 'ask') {
			ask({ type: 'retry', failure: event.failure }).then(
				(answer) => {
					const again = answer === true;
					if (socket.writable) {
						send(socket, { type: 'answer', again });
					} else if (again) {
						onProgress({ type: 'answeredLate' });
					}
				},
				// Without an answer the worker waits for one of another window, and at last takes it as no.
				() => undefined,
			);
		}
	});
	if (signal.aborted) {
		cancel();
	}
	// `once` of node:events would reject with the reset that a killed worker causes.
	await new Promise((resolve) => socket.once('close', resolve));
	signal.removeEventListener('abort', cancel);
	return end;
}

/** Writes an end that the worker could not write, if that works now. */
async function note(folder: string, { state, isNoted }: End): Promise<void> {
	if (!isNoted) {
		await writeState(folder, state).catch(() => undefined);
	}
}

/**
 * Finds out how a job has ended whose worker has told its end, or is gone for certain. One that was
 * interrupted may have left an image that it could not name or flush in time.
 *
 * @param state its last one
 * @throws the system's error where it cannot be told now
 */
async function settle(
	entry: Pick<JobEntry, 'folder' | 'request'>,
	state: JobState,
): Promise<JobState> {
	const { folder } = entry;
	if (state.state === 'received' || (isOver(state) && isCertain(state))) {
		return state;
	}
	const { attempts } = state;
	const received = await imageOf(entry, attempts);
	const end: JobState =
		received ??
		(state.state === 'interrupted'
			? state
			: {
					state: 'interrupted',
					charge: chargeOf(state),
					...(await lastWords(folder)),
					attempts,
					changedAt: now(),
				});
	if (end !== state) {
		// Where this fails, the next process that looks finds it out again.
		await writeState(folder, end).catch(() => undefined);
	}
	return end;
}

/**
 * The image, or an answer that has one, may be there although the worker died, or the disk was full,
 * before it could say so.
 *
 * @returns `undefined` where there is no whole image
 * @throws the system's error where it cannot be told now
 */
export async function imageOf(
	entry: Pick<JobEntry, 'folder' | 'request'>,
	attempts: JobState['attempts'],
): Promise<JobState | undefined> {
	await takeImages(entry);
	for (const folder of foldersFor(entry)) {
		const file = path.join(folder, imageFile);
		const received = await retryTransient(async () => {
			try {
				return { ...(await inspectImage(file)), sha256: await sha256Of(file) };
			} catch (error) {
				if (error instanceof ImageError && error.kind !== 'unreadable') {
					return undefined;
				}
				throw error instanceof ImageError ? error.cause : error;
			}
		});
		if (received !== undefined) {
			const { requestId } = attempts.at(-1) ?? {};
			const result = {
				file,
				elapsedMs: 0,
				...received,
				...(requestId === undefined ? {} : { requestId }),
			};
			return { state: 'received', result, attempts, changedAt: now() };
		}
	}
	return undefined;
}

/** Takes the images out of raw answers that a worker has left, and those that have no name yet. */
async function takeImages(entry: Pick<JobEntry, 'folder' | 'request'>): Promise<void> {
	for (const answer of await answersIn(entry)) {
		const image = path.join(path.dirname(answer), imageFile);
		try {
			await takeImage(answer, image, { isComplete: true, inspect: inspectContent });
			await rm(answer).catch(() => undefined);
		} catch (error) {
			if (!(error instanceof AnswerError)) {
				throw error;
			}
		}
	}
	for (const folder of foldersFor(entry)) {
		const file = path.join(folder, imageFile);
		if (await isWholeImage(partOf(file))) {
			await rename(partOf(file), file);
		}
	}
}

/** One line of what the worker wrote while it died, if it could. */
async function lastWords(
	folder: string,
): Promise<Pick<StateNamed<'interrupted'>, 'reason' | 'error'>> {
	try {
		const text = await endOfFile(path.join(folder, workerOutputFile));
		const lines = text.split('\n').map((line) => line.trim());
		const line = lines.findLast((line) => /\berror\b|FATAL/i.test(line)) ?? lines.findLast(Boolean);
		if (line !== undefined) {
			return { reason: line.slice(0, maxWordsLength) };
		}
	} catch {
		// Nothing is known then.
	}
	const { message: reason, error } = errorFields({ code: 'job.processEnded' });
	return { reason, error };
}

const maxWordsLength = 300;

async function endOfFile(file: string): Promise<string> {
	const handle = await open(file, 'r');
	try {
		const { size } = await handle.stat();
		const length = Math.min(size, 16 * 1024);
		const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length);
		return buffer.toString('utf8', 0, bytesRead);
	} finally {
		await handle.close();
	}
}

const firstWaitMs = 250;
/** How long a worker is tried that cannot be reached to be cancelled; a person is waiting. */
const cancelTimeoutMs = 5_000;
const maxWaitMs = 5_000;
/** How long a worker has to end after its last event; it takes milliseconds. */
const goodbyeTimeoutMs = 2_000;
