import type { MessagePort } from 'node:worker_threads';
import type { ScanOrder } from './look.js';
import type { ScanReport } from './reports.js';

/** What a worker is told to do, one task after the other. */
export type Task = {
	readonly counts: SharedArrayBuffer;
	/** Which of the workers it is; the one that looks is the first. */
	readonly index: number;
	/** What the workers are at; see `activity.ts`. */
	readonly activity: SharedArrayBuffer;
} & (
	| { readonly type: 'look'; readonly order: ScanOrder; readonly parsers: MessagePort[] }
	| { readonly type: 'parse'; readonly suspects: MessagePort }
);

/** What a worker says; `done` is its last word on a task. */
export type WorkerMessage = ScanReport | 'done';

/**
 * The length of what all threads of a collection count together, in an `Int32Array`: for each
 * worker its reports that were not taken yet, then for each parser the suspects that it has not
 * read yet.
 */
export function countsOf(parsers: number): number {
	return 1 + 2 * parsers;
}
