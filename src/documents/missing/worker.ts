// The entry of a worker thread's own bundle: looks through documents, or reads those that another
// worker suspects, and reports what it finds.
import { parentPort } from 'node:worker_threads';
import { ActivityNote } from './activity.js';
import { look, type Suspect } from './look.js';
import { Reports } from './reports.js';
import type { Task, WorkerMessage } from './tasks.js';

/** So many reports may wait to be taken; then the worker waits, so that they never pile up. */
const mostReports = 4;
/** So many suspects may wait for a parser; then the one who looks waits. */
const mostSuspects = 64;

parentPort?.on('message', (task: Task) => {
	const counts = new Int32Array(task.counts);
	const note = new ActivityNote(task.activity, task.index);
	const reports = new Reports((report) => {
		note.interrupted(() => {
			waitBelow(counts, task.index, mostReports);
		});
		Atomics.add(counts, task.index, 1);
		parentPort?.postMessage(report satisfies WorkerMessage);
	});
	if (task.type === 'look') {
		const { parsers } = task;
		look(task.order, reports, note, (suspect) => {
			const free = leastBusy(counts, parsers.length);
			note.interrupted(() => {
				waitBelow(counts, free, mostSuspects);
			});
			Atomics.add(counts, free, 1);
			parsers[free - parsers.length - 1]?.postMessage(suspect);
		});
		for (const port of parsers) {
			port.postMessage('end');
		}
		end(reports);
	} else {
		void readSuspects(task, counts, reports, note);
	}
});

async function readSuspects(
	{ suspects, index }: Task & { type: 'parse' },
	counts: Int32Array,
	reports: Reports,
	note: ActivityNote,
): Promise<void> {
	// Nobody else needs the parser, which takes time to load.
	const { parser } = await import('./parse.js');
	const parse = parser(reports);
	const waiting = index + (counts.length - 1) / 2;
	suspects.on('message', (message: Suspect | 'end') => {
		if (message === 'end') {
			suspects.close();
			end(reports);
			return;
		}
		note.reading(message.document);
		parse(message);
		note.waiting();
		Atomics.sub(counts, waiting, 1);
		Atomics.notify(counts, waiting);
	});
}

function end(reports: Reports): void {
	reports.flush();
	parentPort?.postMessage('done' satisfies WorkerMessage);
}

/** The place in `counts` of the parser with the fewest suspects. */
function leastBusy(counts: Int32Array, parsers: number): number {
	let least = parsers + 1;
	for (let index = least + 1; index < counts.length; index++) {
		if (Atomics.load(counts, index) < Atomics.load(counts, least)) {
			least = index;
		}
	}
	return least;
}

function waitBelow(counts: Int32Array, index: number, limit: number): void {
	for (let now; (now = Atomics.load(counts, index)) >= limit;) {
		Atomics.wait(counts, index, now);
	}
}
