import { writeState } from './jobFolder.js';
import type { JobState } from './state.js';

/**
 * Notes what has become of a job, from the side of a window. Where the journal cannot be written,
 * the state is noted as soon as it can: what a person has cancelled must not be sent by the next
 * window, nor what was saved be saved again.
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
		await writeState(folder, state);
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
		writeState(folder, state, 0).then(
			() => {
				if (later.get(folder) === state) {
					later.delete(folder);
				}
			},
			() => undefined,
		);
	}
	if (later.size === 0) {
		clearInterval(timer);
		timer = undefined;
	}
}
