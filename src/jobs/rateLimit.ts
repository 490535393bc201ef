import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { systemClock } from '../service/clock.js';
import { ownerStatus, type LeaseOwner } from './processIdentity.js';
import { readState } from './jobFolder.js';
import { ownerOf, readLease } from './leaseFiles.js';
import { isBeingMade, type JobState } from './state.js';

/** Name of the lease of a slot. */
export const slotLease = 'slot';

/** Interval in which a free slot is looked for, in milliseconds. */
const lookEveryMs = 250;

/** The longest that a rate-limited request waits for others, in milliseconds. */
export const maxCapacityWaitMs = 300_000;

/** A request of any window that has a slot, as far as the journal has it. */
export interface ActiveRequest {
	/** Identifier of its job. */
	readonly id: string;
	/** `rateLimited`: the service has answered 429, and it waits to be sent again. */
	readonly stage: 'underWay' | 'rateLimited';
	/** Since when, wall-clock time, ISO 8601. */
	readonly since: string;
}

/**
 * Returns the requests that have a slot and are under way, or wait after a 429 in a process that may
 * live.
 *
 * @param jobs the folder of the journal
 * @throws the system's error where the slots cannot be read
 */
export async function readActiveRequests(slots: string, jobs: string): Promise<ActiveRequest[]> {
	const active: ActiveRequest[] = [];
	// Other files there, such as a `.DS_Store`, are no slots.
	for (const name of (await readdir(slots)).filter((each) => /^\d+$/.test(each))) {
		const owner = ownerOf(await readLease(path.join(slots, name), slotLease));
		if (owner?.job !== undefined) {
			// Where its entry cannot be read now, or is gone, nothing is known. One 429 more is no harm.
			const state = await readState(path.join(jobs, owner.job)).catch(() => undefined);
			const stage = state && (await stageOf(state, owner));
			active.push(...(stage ? [{ id: owner.job, stage, since: state.changedAt }] : []));
		}
	}
	return active;
}

async function stageOf(
	state: JobState,
	owner: LeaseOwner,
): Promise<ActiveRequest['stage'] | undefined> {
	if (isBeingMade(state)) {
		return 'underWay';
	}
	if (state.state !== 'pausing' || state.attempts.at(-1)?.failure?.status !== 429) {
		return undefined;
	}
	// On another machine it may have crashed: the others wait no longer than it would.
	const untilMs = Date.parse(state.until ?? state.changedAt) + maxCapacityWaitMs;
	const status = await ownerStatus(owner);
	const waits = status === 'alive' || (status === 'unknown' && Date.now() < untilMs);
	return waits ? 'rateLimited' : undefined;
}

/**
 * Waits until a service that has just answered 429 may have room: until one of the images that it
 * was making for Easel meanwhile is done, and those that were rate-limited before have been sent; five
 * minutes at most. Where it was making none, the answer is not about them, and nothing is waited for.
 * Repeating after seconds would use up all attempts while images are made for minutes.
 *
 * @param folder of the job that was rate-limited
 * @throws the signal's reason
 */
export async function waitForCapacity(
	slots: string,
	folder: string,
	signal: AbortSignal,
	clock = systemClock,
): Promise<void> {
	const id = path.basename(folder);
	/**
	 * Requests that the service was making; what was only on its way there is found to be
	 * rate-limited.
	 */
	let accepted: Set<string> | undefined;
	for (const until = clock.now() + maxCapacityWaitMs; clock.now() < until;) {
		// Where it cannot be looked, it is sent again as if there were no others.
		const active = await readActiveRequests(slots, path.dirname(folder)).catch(() => []);
		const underWay = active.filter((each) => each.stage === 'underWay' && each.id !== id);
		const rateLimited = active.filter(({ stage }) => stage === 'rateLimited');
		accepted ??= new Set(underWay.map((each) => each.id));
		for (const each of rateLimited) {
			accepted.delete(each.id);
		}
		// Its place in the line; as long as the journal does not have it there, the last one.
		const line = rateLimited.map((each) => `${each.since} ${each.id}`).sort();
		const place = line.findIndex((each) => each.endsWith(id));
		const ahead = place === -1 ? line.length : place;
		if (accepted.size === 0 || underWay.length + ahead < accepted.size) {
			return;
		}
		await clock.sleep(lookEveryMs, signal);
	}
}
