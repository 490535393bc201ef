// The entry of a worker thread's own bundle: makes thumbnails and sweeps their folder.
import { parentPort } from 'node:worker_threads';
import { makeThumbnail } from './make.js';
import type { WorkerAnswer, WorkerOrder } from './order.js';
import { sweep } from './sweep.js';

parentPort?.on('message', (order: WorkerOrder) => {
	void answer(order).then((done) => parentPort?.postMessage(done));
});

async function answer(order: WorkerOrder): Promise<WorkerAnswer> {
	if ('make' in order) {
		return makeThumbnail(order.make);
	}
	try {
		sweep(order.sweep.folder, order.sweep.bounds);
	} catch {
		// The next sweep tries again.
	}
	return { swept: true };
}
