import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { systemClock, type Clock } from '../service/clock.js';
import { ownerStatus, type LeaseOwner } from './processIdentity.js';
import { readState } from './jobFolder.js';
import { readLease } from './leaseFiles.js';
import { isBeingMade } from './state.js';

/** Name of the lease of a slot. */
export const slotLease = 'slot';

/** How often it is looked whether the service has room again, in milliseconds. */
const lookEveryMs = 250;

/** The longest that an image which was turned away waits for others, in milliseconds. */
export const maxCapacityWaitMs = 300_000;

/** An image of any window that has a slot, as far as the journal tells what it is at. */
export interface ActiveRequest {
	/** Of its job. */
	readonly id: string;
	/** `rateLimited`: the service has answered 429, and it waits to be asked for again. */
	readonly stage: 'underWay' | 'rateLimited';
	/** Since when, wall-clock time, ISO 8601. */
	readonly since: string;
}

/**
 * Returns the images that have a slot and are under way, or wait after a 429 in a process that may
 * live.
 *
 * @param slots the folder of the slots
 * @param folderOf the folder of a job
 * @throws the system's error where the slots cannot be read
 */
export async function readActiveRequests(
	slots: string,
	folderOf: (job: string) => string,
): Promise<ActiveRequest[]> {
	const asked: ActiveRequest[] = [];
	// Other files there, such as a `.DS_Store`, are no slots.
	for (const name of (await readdir(slots)).filter((each) => /^\d+$/.test(each))) {
		const owner = (await readLease(path.join(slots, name), slotLease))?.owner;
		if (typeof owner === 'object' && owner.job !== undefined) {
			asked.push(...(await activeRequestOf(owner, owner.job, folderOf(owner.job))));
		}
	}
	return asked;
}

async function activeRequestOf(
	owner: LeaseOwner,
	id: string,
	folder: string,
): Promise<ActiveRequest[]> {
	// Where its entry cannot be read now, or is gone, nothing is known. One 429 more is no harm.
	const state = await readState(folder).catch(() => undefined);
	if (state === undefined) {
		return [];
	}
	const since = state.changedAt;
	if (isBeingMade(state)) {
		return [{ id, stage: 'underWay', since }];
	}
	if (state.state !== 'pausing' || state.attempts.at(-1)?.failure?.status !== 429) {
		return [];
	}
	// On another machine it may have crashed: the others wait no longer than it would.
	const untilMs = Date.parse(state.until ?? since) + maxCapacityWaitMs;
	const status = await ownerStatus(owner);
	const waits = status === 'alive' || (status === 'unknown' && Date.now() < untilMs);
	return waits ? [{ id, stage: 'rateLimited', since }] : [];
}

export interface CapacityOptions {
	/** The folder of the slots. */
	readonly slots: string;
	readonly folderOf: (job: string) => string;
	/** The job that was turned away. */
	readonly id: string;
	readonly signal: AbortSignal;
	readonly clock?: Clock;
}

/**
 * Waits until a service that has just answered 429 may have room: until one of the images that it
 * was making for Easel meanwhile is done, and those that were turned away before have been asked
 * for. Where it was making none, the answer is not about them, and nothing is waited for. After
 * five minutes at the latest it resolves.
 *
 * A service that limits how many images it makes at a time has no room for minutes; repeating
 * after seconds would use up all attempts meanwhile.
 *
 * @throws the signal's reason
 */
export async function waitForCapacity(options: CapacityOptions): Promise<void> {
	const { slots, folderOf, id, signal, clock = systemClock } = options;
	/** What the service was making; what was only on its way there is found to be turned away. */
	let accepted: Set<string> | undefined;
	for (const until = clock.now() + maxCapacityWaitMs; clock.now() < until;) {
		// Where it cannot be looked, it is asked again as if there were no others.
		const asked = await readActiveRequests(slots, folderOf).catch((): ActiveRequest[] => []);
		const underWay = asked.filter((each) => each.stage === 'underWay' && each.id !== id);
		const rateLimited = asked.filter(({ stage }) => stage === 'rateLimited');
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
