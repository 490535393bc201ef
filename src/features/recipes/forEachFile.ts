import PQueue from 'p-queue';
import { withSeriesProgress, withTaskProgress } from '../../editor/progress.js';

/** So many files take too little time for a progress to be seen. */
const fewFiles = 20;

/** Most of the time goes by until a disk says that it has what it was given. */
const concurrency = 8;

/**
 * Runs a task for each file, some of them side by side; of many it says how far it is, and can be
 * cancelled.
 *
 * @param task may not throw
 * @param cancellable whether it may be left half done
 * @returns whether all of it was done
 */
export async function forEachFile<T>(
	title: string,
	files: readonly T[],
	task: (file: T) => Promise<void>,
	cancellable = true,
): Promise<boolean> {
	const doAll = async (done: () => void, signal: AbortSignal) => {
		const queue = new PQueue({ concurrency });
		await queue.addAll(
			files.map((file) => async () => {
				if (!signal.aborted) {
					await task(file);
					done();
				}
			}),
		);
		return !signal.aborted;
	};
	return files.length <= fewFiles
		? doAll(() => undefined, new AbortController().signal)
		: withSeriesProgress(title, files.length, doAll, cancellable);
}

/** Runs one task over all files; of many it says that it runs. */
export function runOnFiles<T>(title: string, count: number, task: () => Promise<T>): Promise<T> {
	return count <= fewFiles ? task() : withTaskProgress(title, task);
}
