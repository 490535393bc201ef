import { retryTransient } from '../files/retryTransient.js';
import { CancelledError } from '../service/errors.js';
import type { LeaseOwner } from './processIdentity.js';
import { readState, workerLease } from './jobFolder.js';
import { readLease } from './leaseFiles.js';
import { chargeOf, isOver, type JobState } from './state.js';

/** The job no longer belongs to this process, or is left to whoever looks later. */
export class LeaseLostError extends Error {
	override readonly name = 'LeaseLostError';
}

/**
 * Checks that this process still has the worker's lease of a job. One that stood still for hours,
 * because its machine slept, may have been given up meanwhile.
 *
 * @throws {LeaseLostError} where somebody else has the lease; the system's error where that cannot
 * be told
 */
export async function assertHeld(folder: string, { id }: LeaseOwner): Promise<void> {
	const owner = (await retryTransient(() => readLease(folder, workerLease)))?.owner;
	if (owner === 'unreadable') {
		throw new Error('the lease cannot be read');
	}
	if (owner?.id !== id) {
		throw new LeaseLostError('another process requests this image now');
	}
}

/**
 * Checks that no window has noted an end of the job. A window that cannot reach this process notes
 * that the image was cancelled, or that this process is gone; then a person may have asked for it
 * anew. A state that cannot be read counts as no such note.
 *
 * @param state as this process knows it; it says what the cancelling means for the money
 * @throws {CancelledError} where it was cancelled
 * @throws {LeaseLostError} where another end was noted
 */
export async function assertWanted(folder: string, state: JobState): Promise<void> {
	const noted = await readState(folder).catch(() => undefined);
	if (noted?.state === 'cancelled') {
		throw new CancelledError(chargeOf(state));
	}
	if (noted !== undefined && isOver(noted)) {
		throw new LeaseLostError(`it counts as ${noted.state} already`);
	}
}
