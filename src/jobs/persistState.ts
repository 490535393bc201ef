import path from 'node:path';
import { NewerFormatError } from '../files/fileFormat.js';
import { exists, isFolderGone } from '../files/exists.js';
import { Serial } from '../files/serial.js';
import { writeState } from './jobFolder.js';
import type { JobState } from './state.js';
import { log } from '../log.js';

/**
 * Writes the state of a job for a window, again every 5 seconds where the journal cannot be
 * written: the next window must not send what the user has cancelled, nor save again what was saved.
 * Never throws.
 *
 * @returns whether it is written already
 */
export async function persistState(folder: string, state: JobState): Promise<boolean> {
	later.delete(folder);
	try {
		await writes.run(() => writeState(folder, state), folder);
		return true;
	} catch (error) {
		if (await isPointless(error, folder)) {
			return false;
		}
		log.error('The journal could not be written', error);
		later.set(folder, state);
		timer ??= setInterval(noteAll, everyMs).unref();
		return false;
	}
}

const everyMs = 5_000;
/** Writes the states of each job one after another, so that the last one stands. */
const writes = new Serial();
/** The newest state of each job that waits to be noted. */
const later = new Map<string, JobState>();
let timer: NodeJS.Timeout | undefined;

function noteAll(): void {
	for (const [folder, state] of later) {
		// Where it fails, the next round tries again.
		writes.run(() => noteLate(folder, state), folder).catch(() => undefined);
	}
	if (later.size === 0) {
		clearInterval(timer);
		timer = undefined;
	}
}

async function noteLate(folder: string, state: JobState): Promise<void> {
	// Else something newer has come meanwhile, or waits for its turn.
	if (later.get(folder) === state) {
		await writeState(folder, state, 0).catch(async (error: unknown) => {
			if (!(await isPointless(error, folder))) {
				throw error;
			}
		});
		later.delete(folder);
	}
}

/**
 * Returns whether writing the state of a job again would fail again: it is of a newer Easel, or its
 * folder alone is gone, for another window has finished it. A whole journal may come back with its
 * drive.
 */
export async function isPointless(error: unknown, folder: string): Promise<boolean> {
	return (
		error instanceof NewerFormatError ||
		// In this order: with the journal, the folder has come back as well.
		((await exists(path.dirname(folder)).catch(() => false)) && (await isFolderGone(error, folder)))
	);
}
