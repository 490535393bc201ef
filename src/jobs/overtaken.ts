import { patiently } from '../files/patiently.js';
import { CancelledError } from '../service/errors.js';
import type { Holder } from './holder.js';
import { readState, workerLease } from './jobFolder.js';
import { readLease } from './leaseFiles.js';
import { chargeOf, isOver, type JobState } from './state.js';

/** The job is not this process's any more. */
export class OvertakenError extends Error {
	override readonly name = 'OvertakenError';
}

/**
 * A process that stood still for hours, with its machine, may have been given up since.
 *
 * @throws {OvertakenError} where somebody else has the lease; the system's error where that cannot
 * be told
 */
export async function assertHeld(folder: string, { id }: Holder): Promise<void> {
	const holder = (await patiently(() => readLease(folder, workerLease)))?.holder;
	if (holder === 'unreadable') {
		throw new Error('The lease cannot be read.');
	}
	if (holder?.id !== id) {
		throw new OvertakenError('Another process asks for this image now.');
	}
}

/**
 * A window that could not reach this process has noted that the image was cancelled, or that this
 * process is gone, and a person may have asked for the image anew.
 *
 * @throws {CancelledError}
 * @throws {OvertakenError}
 */
export async function assertWanted(folder: string, state: JobState): Promise<void> {
	const noted = await readState(folder).catch(() => undefined);
	if (noted?.state === 'cancelled') {
		throw new CancelledError(chargeOf(state));
	}
	if (noted !== undefined && isOver(noted)) {
		throw new OvertakenError(`It counts as ${noted.state} already.`);
	}
}
