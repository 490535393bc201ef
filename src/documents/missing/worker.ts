// The entry of a worker thread's own bundle: looks through documents and reports what it finds.
import { parentPort, workerData } from 'node:worker_threads';
import type { ScanStart } from './collect.js';
import { scan } from './scan.js';

/** So many reports may wait to be taken; then the scan waits, so that they never pile up. */
const mostWaiting = 4;

const { order, waiting } = workerData as ScanStart;
const count = new Int32Array(waiting);
scan(order, (report) => {
	for (let now; (now = Atomics.load(count, 0)) >= mostWaiting;) {
		Atomics.wait(count, 0, now);
	}
	Atomics.add(count, 0, 1);
	parentPort?.postMessage(report);
});
