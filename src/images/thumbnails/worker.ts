// The entry of a worker thread's own bundle: whatever takes pixels, and the sweeping of their folder.
import { parentPort } from 'node:worker_threads';
import { makeExport } from '../exports/make.js';
import type { ExportAnswer, ExportOrder } from '../exports/order.js';
import { makeWithRest, type KeepRestAnswer, type KeepRestOrder } from '../keepRest/make.js';
import { makeMarkedImage, type MarkAnswer, type MarkOrder } from '../marks/make.js';
import { makeThumbnail } from './make.js';
import type { WorkerAnswer, WorkerOrder } from './order.js';
import { sweep } from './sweep.js';

parentPort?.on('message', (order: Order) => {
	void answer(order).then((done) => parentPort?.postMessage(done));
});

type Order =
	| WorkerOrder
	| { readonly export: ExportOrder }
	| { readonly mark: MarkOrder }
	| { readonly keepRest: KeepRestOrder };

async function answer(
	order: Order,
): Promise<WorkerAnswer | ExportAnswer | MarkAnswer | KeepRestAnswer> {
	if ('keepRest' in order) {
		return makeWithRest(order.keepRest);
	}
	if ('mark' in order) {
		return makeMarkedImage(order.mark);
	}
	if ('export' in order) {
		return makeExport(order.export);
	}
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
