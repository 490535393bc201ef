import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isFolderGone } from '../files/exists.js';
import { problemOf } from './deliver.js';
import { errorFields, type FailureFacts } from './failure.js';
import { imageOf } from './follow.js';
import type { DamagedEntry, Journal } from './journal.js';
import {
	answersIn,
	foldersFor,
	imageFile,
	now,
	readEntry,
	receivedIn,
	windowLease,
	writeState,
	type JobEntry,
} from './jobFolder.js';
import type { Leases } from './windowLeases.js';
import {
	isCertain,
	isFinished,
	isListedFailure,
	isOver,
	isSettled,
	type FailureState,
	type StateNamed,
} from './state.js';
import { attempt, log } from '../log.js';

/** Actions of a window on what it finds in the journal. */
export interface Recovery {
	/** Returns whether this window delivers the images of a job. */
	readonly belongsHere: (entry: JobEntry) => boolean;
	/** Goes on with a job whose lease this window has now, or reports its end. */
	readonly resume: (entry: JobEntry) => Promise<unknown>;
	/** Jobs queued so long ago that they may not be wanted any more; their leases are not taken. */
	readonly askAbout: (entries: readonly JobEntry[]) => Promise<unknown>;
	/** A failure that the user knows of and has not dismissed. */
	readonly listFailure: (entry: JobEntry, state: FailureState) => void;
	/** Dismisses a failure that was sent again by a window that has ended before it could do so. */
	readonly dismiss: (entry: JobEntry) => Promise<unknown>;
	/** A received image that is of another workspace or came late, once no living window has it. */
	readonly listUnsaved: (entry: JobEntry, state: StateNamed<'received'>) => void;
	readonly reportDamaged: (damaged: readonly DamagedEntry[]) => void;
	/** Reports jobs that a newer Easel has made or gone on with, once; nothing is done about them. */
	readonly reportNewer: (folders: readonly string[]) => void;
	/** Removes those of jobs that are over of which nothing is needed any more. */
	readonly removeFinished: (folders: readonly string[]) => Promise<unknown>;
	/** Ends it with the window. */
	readonly signal: AbortSignal;
}

/** A job queued for longer is not sent without a question, in milliseconds. */
const maxUnaskedMs = 24 * 60 * 60 * 1000;

/** Waits before what could not be read is read again, in milliseconds; the last one repeats. */
const waitsMs = [1_000, 5_000, 30_000, 120_000] as const;

function waitAfter(round: number, signal?: AbortSignal): Promise<void> {
	return delay(waitsMs[Math.min(round, waitsMs.length - 1)], undefined, { signal, ref: false });
}

/**
 * Looks through the journal when a window opens, and resumes the jobs that no living window has:
 * each as soon as that is certain. What cannot be read just now is looked at again, as long as the
 * window is open; nothing that happens to one entry concerns another.
 *
 * Resolves when everything was read once, or the window has ended.
 */
export async function recover(journal: Journal, leases: Leases, recovery: Recovery): Promise<void> {
	const known = new Set<string>();
	const { signal } = recovery;
	for (let round = 0; !signal.aborted; round += 1) {
		if (await look(journal, leases, recovery, known)) {
			return;
		}
		await waitAfter(round, signal).catch(() => undefined);
	}
}

/** Takes care of what is not known yet. Returns whether everything could be read. */
async function look(
	journal: Journal,
	leases: Leases,
	recovery: Recovery,
	known: Set<string>,
): Promise<boolean> {
	const listing = await attempt('The journal could not be read', () => journal.list());
	if (listing === undefined) {
		return false;
	}
	const entries = listing.entries.filter(({ folder }) => !known.has(folder));
	const newer = listing.newer.filter((folder) => !known.has(folder));
	[...entries.map(({ folder }) => folder), ...newer].forEach((folder) => known.add(folder));
	for (const { folder, error } of listing.unreadable) {
		log.error(`An entry of the journal could not be read: ${folder}`, error);
	}
	const stale: JobEntry[] = [];
	for (const entry of entries) {
		const { state } = entry;
		if (await isLate(entry)) {
			void attempt('What came late could not be listed', () => listLate(entry, leases, recovery));
		} else if (!recovery.belongsHere(entry)) {
			if (state.state === 'received') {
				void attempt('An image that waits could not be listed', () =>
					listUnsavedWhenFree(entry, leases, recovery),
				);
			}
		} else if (isStale(entry)) {
			stale.push(entry);
		} else if (wasSentAgain(entry, listing.entries)) {
			void attempt('A failure that was sent again could not be dismissed', () =>
				recovery.dismiss(entry),
			);
		} else if (!isSettled(state)) {
			void attempt('A job could not be resumed', () => resumeWhenFree(entry, leases, recovery));
		} else if (isListedFailure(state)) {
			void attempt('A failure could not be listed', () => recovery.listFailure(entry, state));
		}
	}
	void attempt('Damaged entries could not be reported', () =>
		recovery.reportDamaged(listing.damaged),
	);
	void attempt('Old images could not be asked about', () => recovery.askAbout(stale));
	if (newer.length > 0) {
		void attempt('Jobs of a newer version could not be reported', () =>
			recovery.reportNewer(newer),
		);
	}
	const finished = entries.filter(({ state }) => isFinished(state));
	await recovery.removeFinished(finished.map(({ folder }) => folder));
	return listing.unreadable.length === 0;
}

async function resumeWhenFree(entry: JobEntry, leases: Leases, recovery: Recovery): Promise<void> {
	const current = await readWhenFree(entry, 'a job can be resumed', leases, 'acquireWhenFree');
	// The window that had it may have brought it to its end meanwhile.
	if (current !== undefined && !isSettled(current.state)) {
		await recovery.resume(current);
	}
}

/** Lists an image of another workspace once no window has it that could bring it there. */
async function listUnsavedWhenFree(
	entry: JobEntry,
	leases: Leases,
	recovery: Recovery,
): Promise<void> {
	const current = await readWhenFree(entry, 'an image waits for a window', leases, 'waitUntilFree');
	if (current?.state.state === 'received') {
		recovery.listUnsaved(current, current.state);
	}
}

/**
 * Reads a job once no living window has it, again and again where it cannot be read now.
 *
 * @param what cannot be checked as long as that is unclear, for the log
 * @param wait whether this window gets its lease then
 * @returns `undefined` where it is gone, or this window has ended
 */
async function readWhenFree(
	{ folder }: JobEntry,
	what: string,
	leases: Leases,
	wait: 'acquireWhenFree' | 'waitUntilFree',
): Promise<JobEntry | undefined> {
	const isFree = await leases[wait](folder, windowLease, (error) => {
		log.error(`Whether ${what} could not be checked`, error);
	});
	for (let round = 0; isFree; round += 1) {
		try {
			return await readEntry(folder);
		} catch (error) {
			if (await isFolderGone(error, folder)) {
				return undefined;
			}
			log.error('A job could not be read', error);
		}
		await waitAfter(round);
	}
	return undefined;
}

/**
 * Returns whether something of the service lies in a job's folders although it has ended without an
 * image, and that was certain: it came after the end was noted. A raw answer is no news while its
 * failure is listed.
 */
async function isLate(entry: JobEntry): Promise<boolean> {
	const { state } = entry;
	if (!isOver(state) || !isCertain(state) || ['saved', 'discarded'].includes(state.state)) {
		return false;
	}
	const received = await receivedIn(foldersFor(entry)).catch(() => []);
	return received.some((file) => path.basename(file) === imageFile || isFinished(state));
}

/** Lists such an image as not saved, whatever workspace it is of, and else the answer as kept. */
async function listLate(
	found: JobEntry,
	leases: Leases,
	{ listUnsaved, listFailure }: Recovery,
): Promise<void> {
	const entry = await readWhenFree(found, 'a late image waits', leases, 'acquireWhenFree');
	if (entry === undefined || !(await isLate(entry))) {
		return;
	}
	const { folder } = entry;
	const { attempts } = entry.state;
	const received = await imageOf(entry, attempts);
	const [answerFile] = await answersIn(entry);
	if (received?.state === 'received') {
		const state = { ...received, ...problemOf({ code: 'job.lateImage' }) };
		await writeState(folder, state);
		listUnsaved({ ...entry, state }, state);
	} else if (answerFile !== undefined) {
		const failure: FailureFacts = {
			...{ kind: 'answer', ...errorFields({ code: 'job.lateAnswer' }) },
			...{ charge: 'charged', repeatable: false, elapsedMs: 0, unknownOutcome: false },
			...{ answerFile, isDealtWith: true },
		};
		const state = { state: 'failed', failure, attempts, changedAt: now(), notified: true } as const;
		await writeState(folder, state);
		listFailure({ ...entry, state }, state);
	}
}

/**
 * Returns whether the user is asked before it is sent. Both ways count in which a clock may be
 * wrong.
 */
function isStale({ request, state }: JobEntry): boolean {
	const ageMs = Math.abs(Date.now() - Date.parse(request.createdAt));
	return state.state === 'queued' && ageMs > maxUnaskedMs;
}

/**
 * Returns whether a failure was sent again although the journal does not say so: a newer request
 * stands in its place of the round. One whose image may still be found in its folder is none.
 */
function wasSentAgain({ request, state }: JobEntry, entries: readonly JobEntry[]): boolean {
	const { round, createdAt } = request;
	return (
		(state.state === 'failed' || state.state === 'interrupted') &&
		isCertain(state) &&
		state.dismissed !== true &&
		entries.some(
			({ request: other }) =>
				other.round.id === round.id &&
				other.round.place === round.place &&
				Date.parse(other.createdAt) > Date.parse(createdAt),
		)
	);
}
