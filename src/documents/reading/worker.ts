// The entry of a worker thread's own bundle: reads what a stranger may have written so that reading it
// never ends. The caller ends the thread when it takes too long.
import path from 'node:path';
import { parentPort } from 'node:worker_threads';
import { maxImagesRead, maxMissing, type ReadingAnswer, type ReadingOrder } from './orders.js';

parentPort?.on('message', (order: ReadingOrder) => {
	void read(order).then((answer) => parentPort?.postMessage(answer));
});

async function read(order: ReadingOrder): Promise<ReadingAnswer> {
	switch (order.type) {
		case 'images': {
			const { findImages } = await import('../findImages.js');
			return findImages(order.text)
				.slice(0, maxImagesRead)
				.map(({ alt, href, span, destinationSpan }) => ({ alt, href, span, destinationSpan }));
		}
		case 'missing': {
			const { missingIn } = await import('../missing/missingIn.js');
			const { sitesAbove } = await import('./sitesAbove.js');
			const sites = sitesAbove(path.dirname(order.document), order.workspaceFolder);
			return [...missingIn(order.text, { ...order, sites })].slice(0, maxMissing);
		}
		case 'mended': {
			const { isMended } = await import('../missing/mended.js');
			const { sitesAbove } = await import('./sitesAbove.js');
			const sites = sitesAbove(path.dirname(order.document), order.workspaceFolder);
			return isMended(order, { ...order, sites });
		}
		case 'sites': {
			const { sitesAbove } = await import('./sitesAbove.js');
			return sitesAbove(order.folder, order.workspaceFolder);
		}
		case 'scan': {
			const { scan } = await import('../missing/scan.js');
			return scan(order);
		}
		case 'check': {
			const { checkDocument } = await import('../check/checkDocument.js');
			const { ImageFiles } = await import('../check/imageFiles.js');
			const { sitesAbove } = await import('./sitesAbove.js');
			const { text, settings, language } = order;
			const sites = sitesAbove(path.dirname(order.document), order.workspaceFolder);
			return checkDocument(text, { ...order, sites }, settings, new ImageFiles(), language);
		}
		case 'find': {
			const { find } = await import('./find.js');
			return find(order);
		}
		case 'shown': {
			const { shown } = await import('./find.js');
			return shown(order);
		}
		case 'destination': {
			const { copyFilesDestination } = await import('../copyFiles.js');
			return copyFilesDestination(order.setting, order.target);
		}
	}
}
