import { addAbortListener } from 'node:events';
import { readFile, rename, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import path from 'node:path';
import { isFolderGone } from '../files/exists.js';
import { codeOf } from '../files/fsErrors.js';
import { sha256Of } from '../images/hash.js';
import { inspectContent, inspectIfImage, isWholeImage } from '../images/whole.js';
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
import { chargeOf, isCertain, isOver, type JobState, type StateNamed } from './state.js';
import { jobEventSchema, receive, send, type JobEvent } from './workerProtocol.js';

/** Progress of a job while it runs. */
export type JobProgress =
	| JobEvent
	/** Its worker runs. */
	| { readonly type: 'started'; readonly pid: number; readonly address: string }
	/** The worker cannot be reached now; it is looked for again. */
	| { readonly type: 'unreachable'; readonly reason: string }
	/** The user agreed to a retry after the connection to the worker had ended. */
	| { readonly type: 'answeredLate' };

/** Question about a job that only the user can answer. */
export type JobQuestion =
	/** True where to send again what may have been charged. */
	| { readonly type: 'retry'; readonly failure: FailureFacts }
	/** Which folder takes an answer that no other takes; without one, it is held. */
	| { readonly type: 'folder'; /** The system's. */ readonly code: string };

/** True where to retry; or the folder, absolute. */
export type JobAnswer = boolean | string | undefined;

export type OnProgress = (progress: JobProgress) => void;
export type AskUser = (question: JobQuestion) => Promise<JobAnswer>;

type FollowedJob = Pick<JobEntry, 'folder' | 'request'>;

type End = Extract<JobEvent, { type: 'ended' }>;

interface Follower {
	readonly signal: AbortSignal;
	readonly onProgress: OnProgress;
	readonly ask: AskUser;
}

/**
 * Follows a job to its end and returns its last state: `received` or one that is over. The worker is
 * looked for until it is gone for certain. Then a whole image that it has left counts as received;
 * else the state is `interrupted`, and only the user sends it again.
 *
 * @param ask asks the user; where it rejects, the worker goes on without an answer
 * @param clock passes the time between two looks
 * @throws {CancelledError} where the signal was aborted and nothing could be found out for 5 seconds:
 * the worker may live and go on
 * @throws the system's error where the job's folder is gone
 */
export async function followJob(
	entry: FollowedJob,
	signal: AbortSignal,
	onProgress: OnProgress,
	ask: AskUser,
	clock: Clock = systemClock,
): Promise<JobState> {
	const { folder } = entry;
	let cancelledAt: number | undefined;
	for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, maxWaitMs)) {
		const found = await look(entry, { signal, onProgress, ask }).catch(async (error: unknown) => {
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

/** Returns the last state, or in a few words why it is not known now. */
async function look(entry: FollowedJob, follower: Follower): Promise<JobState | string> {
	const { folder } = entry;
	const owner = (await readLease(folder, workerLease))?.owner;
	if (owner === 'unreadable') {
		return 'its state cannot be read';
	}
	if (owner !== undefined) {
		const socket = await connectLocally(owner.address);
		const end = typeof socket === 'string' ? undefined : await listen(socket, follower);
		if (end !== undefined) {
			if (!end.isNoted) {
				await writeState(folder, end.state).catch(() => undefined);
			}
			return settle(entry, end.state);
		}
		if ((await ownerStatus(owner)) !== 'gone') {
			// It may have written its end and hang afterwards.
			const state = await readState(folder);
			if (!isOver(state) && state.state !== 'received') {
				return typeof socket === 'string' ? socket : 'its process does not answer';
			}
			return settle(entry, state);
		}
	}
	return settle(entry, await readState(folder));
}

/** Hears the worker until the connection ends. Returns its last event; `undefined` without one. */
async function listen(socket: Socket, follower: Follower): Promise<End | undefined> {
	let end: End | undefined;
	const cancelling = addAbortListener(follower.signal, () => {
		send(socket, { type: 'cancel' });
	});
	receive(socket, jobEventSchema, (event) => {
		if (event.type === 'ended') {
			end = event;
			send(socket, { type: 'taken' });
			// It ends by itself now. One that does not must not hold up the image that it has delivered.
			setTimeout(() => socket.destroy(), goodbyeTimeoutMs).unref();
		}
		follower.onProgress(event);
		// Without an answer the worker goes on trying the folders that it has, or waits for the answer of
		// another window, and at last takes it as no.
		askAbout(event, socket, follower).catch(() => undefined);
	});
	// `once` of node:events would reject with the reset that a killed worker causes.
	await new Promise((resolve) => socket.once('close', resolve));
	cancelling[Symbol.dispose]();
	return end;
}

/** Sends the worker what the user answers, where its event is a question. */
async function askAbout(
	event: JobEvent,
	socket: Socket,
	{ ask, onProgress }: Follower,
): Promise<void> {
	if (event.type === 'stalled' && event.isEverywhere === true) {
		const folder = await ask({ type: 'folder', code: event.code ?? '' });
		if (typeof folder === 'string') {
			send(socket, { type: 'folder', folder });
		}
	} else if (event.type === 'failed' && event.next.action === 'ask') {
		const again = (await ask({ type: 'retry', failure: event.failure })) === true;
		if (socket.writable) {
			send(socket, { type: 'answer', again });
		} else if (again) {
			onProgress({ type: 'answeredLate' });
		}
	}
}

/**
 * Returns how a job has ended whose worker has reported its end, or is gone for certain. One that was
 * interrupted may have left an image that it could not name or flush in time.
 *
 * @throws the system's error where it cannot be found out now
 */
async function settle(entry: FollowedJob, state: JobState): Promise<JobState> {
	const { folder } = entry;
	if (state.state === 'received' || (isOver(state) && isCertain(state))) {
		return state;
	}
	const { attempts } = state;
	const received = await imageOf(entry, attempts);
	if (received === undefined && state.state === 'interrupted') {
		return state;
	}
	const end: JobState = received ?? {
		state: 'interrupted',
		charge: chargeOf(state),
		...(await lastWords(folder)),
		attempts,
		changedAt: now(),
	};
	// Where this fails, the next process that looks finds it out again.
	await writeState(folder, end).catch(() => undefined);
	return end;
}

/**
 * Returns the image, or that of an answer, if it is there: the worker may have died, or the disk may
 * have been full, before it could say so.
 *
 * @throws the system's error where it cannot be found out now
 */
export async function imageOf(
	entry: FollowedJob,
	attempts: JobState['attempts'],
): Promise<StateNamed<'received'> | undefined> {
	await takeImages(entry);
	for (const folder of foldersFor(entry)) {
		const file = path.join(folder, imageFile);
		const image = await inspectIfImage(file);
		if (image !== undefined) {
			const { requestId } = attempts.at(-1) ?? {};
			const sha256 = await sha256Of(file);
			const result = { file, elapsedMs: 0, ...image, sha256, ...(requestId && { requestId }) };
			return { state: 'received', result, attempts, changedAt: now() };
		}
	}
	return undefined;
}

/** Takes the images out of raw answers that a worker has left, and those that have no name yet. */
async function takeImages(entry: FollowedJob): Promise<void> {
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

/** Returns one line of what the worker wrote while it died, if it could. */
async function lastWords(
	folder: string,
): Promise<Pick<StateNamed<'interrupted'>, 'reason' | 'error'>> {
	const text = await readFile(path.join(folder, workerOutputFile), 'utf8').catch(() => '');
	const end = text.slice(-maxOutputLength).split('\n');
	const lines = end.map((line) => line.trim());
	const line = lines.findLast((each) => /\berror\b|FATAL/i.test(each)) ?? lines.findLast(Boolean);
	if (line !== undefined) {
		return { reason: line.slice(0, maxWordsLength) };
	}
	const { message: reason, error } = errorFields({ code: 'job.processEnded' });
	return { reason, error };
}

/** Longest output of the worker, and longest line, in UTF-16 code units. */
const maxOutputLength = 16 * 1024;
const maxWordsLength = 300;

const firstWaitMs = 250;
/** Time limit to reach a worker to cancel it; the user is waiting. */
const cancelTimeoutMs = 5_000;
const maxWaitMs = 5_000;
/** Time limit for a worker to end after its last event; it takes milliseconds. */
const goodbyeTimeoutMs = 2_000;
