import { rm } from 'node:fs/promises';
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
import type { RoundPlace } from './request.js';
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
import { log } from '../log.js';

/** What a window does about what it finds in the journal. */
export interface Recovery {
	/** Whether this window delivers the images of a job. */
	readonly belongsHere: (entry: JobEntry) => boolean;
	/** Goes on with a job whose lease this window has now, or tells an end that was not told. */
	readonly takeUp: (entry: JobEntry) => Promise<unknown>;
	/** Jobs queued so long ago that they may not be wanted any more; their leases are not taken. */
	readonly askAbout: (entries: readonly JobEntry[]) => Promise<unknown>;
	/** A failure that was told to a person, and that nobody has dismissed. */
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

/** A job queued for longer is not sent without asking a person, in milliseconds. */
const maxUnaskedMs = 24 * 60 * 60 * 1000;

/** Waits before what could not be read is read again, in milliseconds; the last one repeats. */
const waitsMs = [1_000, 5_000, 30_000, 120_000] as const;

/**
 * Looks through the journal when a window opens, and takes up the jobs that no living window has:
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
		const waitMs = waitsMs[Math.min(round, waitsMs.length - 1)];
		await delay(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
	}
}

/** Takes care of what is not known yet. Returns whether everything could be read. */
async function look(
	journal: Journal,
	leases: Leases,
	recovery: Recovery,
	known: Set<string>,
): Promise<boolean> {
	const { belongsHere } = recovery;
	const quietly = async (what: string, step: () => Promise<unknown> | void): Promise<void> => {
		try {
			await step();
		} catch (error) {
			log.error(what, error);
		}
	};
	let listing;
	try {
		listing = await journal.list();
	} catch (error) {
		log.error('The journal could not be read', error);
		return false;
	}
	const entries = listing.entries.filter(({ folder }) => !known.has(folder));
	entries.forEach(({ folder }) => known.add(folder));
	for (const { folder, error } of listing.unreadable) {
		log.error(`An entry of the journal could not be read: ${folder}`, error);
	}
	const newest = newestOfPlaces(listing.entries);
	const stale: JobEntry[] = [];
	for (const entry of entries) {
		const { state } = entry;
		if (await isLate(entry)) {
			void quietly('What came late could not be listed', () => listLate(entry, leases, recovery));
		} else if (!belongsHere(entry)) {
			if (state.state === 'received') {
				void quietly('An image that waits could not be listed', () =>
					listUnsaved(entry, leases, recovery),
				);
			}
		} else if (isStale(entry)) {
			stale.push(entry);
		} else if (wasSentAgain(entry, newest)) {
			void quietly('A failure that was sent again could not be dismissed', () =>
				recovery.dismiss(entry),
			);
		} else if (!isSettled(state)) {
			void quietly('A job could not be taken up again', () => takeUp(entry, leases, recovery));
		} else if (isListedFailure(state)) {
			await quietly('A failure could not be listed', () => {
				recovery.listFailure(entry, state);
			});
		}
	}
	await quietly('Damaged entries could not be reported', () => {
		recovery.reportDamaged(listing.damaged);
	});
	void quietly('Old images could not be asked about', () => recovery.askAbout(stale));
	const newer = listing.newer.filter((folder) => !known.has(folder));
	newer.forEach((folder) => known.add(folder));
	if (newer.length > 0) {
		await quietly('Jobs of a newer version could not be reported', () => {
			recovery.reportNewer(newer);
		});
	}
	const finished = entries.filter(({ state }) => isFinished(state));
	await recovery.removeFinished(finished.map(({ folder }) => folder));
	// In it an earlier version noted which jobs were over.
	await quietly('A file of an earlier version could not be removed', () =>
		rm(path.join(journal.root, 'settled'), { force: true }),
	);
	return listing.unreadable.length === 0;
}

async function takeUp({ folder }: JobEntry, leases: Leases, { takeUp }: Recovery): Promise<void> {
	const isOurs = await leases.acquireWhenFree(folder, windowLease, (error) => {
		log.error('Whether a job can be resumed could not be checked', error);
	});
	if (!isOurs) {
		return;
	}
	// The window that had it may have brought it to its end meanwhile.
	const entry = await readWhenPossible(folder);
	if (entry !== undefined && !isSettled(entry.state)) {
		await takeUp(entry);
	}
}

/** Lists an image of another workspace once no window has it that could bring it there. */
async function listUnsaved(
	{ folder }: JobEntry,
	leases: Leases,
	{ listUnsaved }: Recovery,
): Promise<void> {
	const isNobodys = await leases.waitUntilFree(folder, windowLease, (error) => {
		log.error('Whether an image waits for a window could not be checked', error);
	});
	const entry = isNobodys ? await readWhenPossible(folder) : undefined;
	if (entry?.state.state === 'received') {
		listUnsaved(entry, entry.state);
	}
}

/**
 * Whether something of the service lies in a job's folders although it has ended without an image, and
 * that was certain: it came after the end was noted. A raw answer is no news while its failure is listed.
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
	{ folder }: JobEntry,
	leases: Leases,
	{ listUnsaved, listFailure }: Recovery,
): Promise<void> {
	const isOurs = await leases.acquireWhenFree(folder, windowLease);
	const entry = isOurs ? await readWhenPossible(folder) : undefined;
	if (entry === undefined || !(await isLate(entry))) {
		return;
	}
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

/** Reads a job, again and again where it cannot be read now; `undefined` where it is gone. */
async function readWhenPossible(folder: string): Promise<JobEntry | undefined> {
	for (let round = 0; ; round += 1) {
		try {
			return await readEntry(folder);
		} catch (error) {
			if (await isFolderGone(error, folder)) {
				return undefined;
			}
			log.error('A job could not be read', error);
		}
		await delay(waitsMs[Math.min(round, waitsMs.length - 1)], undefined, { ref: false });
	}
}

/** Whether a person is asked before it is sent. Both ways count in which a clock may be wrong. */
function isStale({ request, state }: JobEntry): boolean {
	const ageMs = Math.abs(Date.now() - Date.parse(request.createdAt));
	return state.state === 'queued' && ageMs > maxUnaskedMs;
}

/** A place in a round. */
const placeOf = ({ id, place }: RoundPlace): string => `${id} ${String(place)}`;

/** When the newest request of each place in a round was made, in milliseconds since 1970. */
function newestOfPlaces(entries: readonly JobEntry[]): ReadonlyMap<string, number> {
	const newest = new Map<string, number>();
	for (const { request } of entries) {
		if (request.round !== undefined) {
			const place = placeOf(request.round);
			newest.set(place, Math.max(newest.get(place) ?? 0, Date.parse(request.createdAt)));
		}
	}
	return newest;
}

/**
 * Whether a failure was sent again although the journal does not say so: a newer request stands in
 * its place. One whose image may still be found in its folder is none.
 *
 * @param newest as of {@link newestOfPlaces}
 */
function wasSentAgain({ request, state }: JobEntry, newest: ReadonlyMap<string, number>): boolean {
	const newestInPlace = (request.round && newest.get(placeOf(request.round))) ?? 0;
	return (
		newestInPlace > Date.parse(request.createdAt) &&
		(state.state === 'failed' || state.state === 'interrupted') &&
		isCertain(state) &&
		state.dismissed !== true
	);
}
