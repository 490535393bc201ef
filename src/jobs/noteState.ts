import path from 'node:path';
import { writeState } from './jobFolder.js';
import { keepsImage, noteSettledJobs } from './settledJobs.js';
import { isClosed, type JobState } from './state.js';

/**
 * Notes in a window what has become of a job. Where the journal cannot be written, it is tried
 * again every 5 seconds as long as the window lives: the next window must not send what a person
 * has cancelled, nor save again what was saved. A folder that has been removed for good is tried as
 * well: nothing proves that it will not come back with its drive, and a try costs one call that fails.
 *
 * @param onTrouble called with what was refused
 * @returns whether it is noted already
 */
export async function noteState(
	folder: string,
	state: JobState,
	onTrouble: (what: string, error: unknown) => void,
): Promise<boolean> {
	later.delete(folder);
	try {
		await inTurn(folder, () => write(folder, state));
		return true;
	} catch (error) {
		onTrouble('The journal could not be written', error);
		later.set(folder, state);
		timer ??= setInterval(noteAll, everyMs).unref();
		return false;
	}
}

const everyMs = 5_000;
/** The newest state of each job that waits to be noted. */
const later = new Map<string, JobState>();
let timer: NodeJS.Timeout | undefined;

function noteAll(): void {
	for (const [folder, state] of later) {
		// Where it fails, the next round tries again.
		inTurn(folder, () => noteLate(folder, state)).catch(() => undefined);
	}
	if (later.size === 0) {
		clearInterval(timer);
		timer = undefined;
	}
}

async function noteLate(folder: string, state: JobState): Promise<void> {
	if (later.get(folder) === state) {
		await write(folder, state, 0);
		// Nothing newer has come meanwhile, or it waits for its turn.
		later.delete(folder);
	}
}

async function write(folder: string, state: JobState, longestMs?: number): Promise<void> {
	await writeState(folder, state, longestMs);
	if (isClosed(state) && !keepsImage(state)) {
		const settled = new Map([[path.basename(folder), state.changedAt]]);
		await noteSettledJobs(path.dirname(folder), settled);
	}
}

/** The last write of each job that is under way or waits; never rejected. */
const turns = new Map<string, Promise<void>>();

/** Lets the states of a job be written one after another, so that the last one stands. */
function inTurn(folder: string, write: () => Promise<void>): Promise<void> {
	const turn = (turns.get(folder) ?? Promise.resolve()).then(write);
	const over = turn.catch(() => undefined);
	turns.set(folder, over);
	void over.then(() => {
		if (turns.get(folder) === over) {
			turns.delete(folder);
		}
	});
	return turn;
}
