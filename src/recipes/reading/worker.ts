// The entry of a worker thread's own bundle: reads how thousands of images were made, which anybody
// may have written. The caller ends the thread when it takes too long.
import { parentPort } from 'node:worker_threads';
import type { RecipeAnswer, RecipeOrder } from './orders.js';
import { hashFiles, readRecipes } from './readRecipes.js';
import { RecipeIndex } from './recipeIndex.js';

parentPort?.on('message', (order: RecipeOrder) => {
	void answer(order).then((done) => parentPort?.postMessage(done));
});

/** The one that is open: no caller asks for two. */
let open: { readonly file: string; readonly index: RecipeIndex } | undefined;

async function answer(order: RecipeOrder): Promise<RecipeAnswer> {
	if (order.type === 'tidy') {
		await indexAt(order.index).tidy();
		return readRecipes([], undefined);
	}
	const index = order.index === undefined ? undefined : indexAt(order.index);
	return order.type === 'read' ? readRecipes(order.files, index) : hashFiles(order.files, index);
}

function indexAt(file: string): RecipeIndex {
	if (open?.file !== file) {
		open = { file, index: new RecipeIndex(file) };
	}
	return open.index;
}
