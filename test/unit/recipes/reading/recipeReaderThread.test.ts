import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { mock } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { RecipeReader } from '../../../../src/recipes/reading/recipeReader.js';
import { useFolder } from '../../scratch.js';

suite('RecipeReader › its thread', () => {
	const at = useFolder();
	let script: string;
	let threads: Worker[];

	const onWorker = (message: unknown) => {
		threads.push((message as { worker: Worker }).worker);
	};

	setup(async () => {
		script = at('worker.js');
		await writeFile(
			script,
			`const { parentPort } = require('node:worker_threads');
			parentPort.on('message', ({ files = [] }) => {
				parentPort.postMessage({ done: files.length, found: [], hashes: new Map() });
			});`,
		);
		threads = [];
		subscribe('worker_threads', onWorker);
	});

	teardown(async () => {
		unsubscribe('worker_threads', onWorker);
		await Promise.all(threads.map((thread) => thread.terminate()));
	});

	async function read(reader: RecipeReader, file: string): Promise<void> {
		for await (const found of reader.read([file])) {
			assert.deepEqual(found, []);
		}
	}

	test('is ended once there was nothing to do for a minute', async () => {
		mock.timers.enable({ apis: ['setTimeout'] });
		try {
			const reader = new RecipeReader({ script });
			await read(reader, 'a');
			mock.timers.tick(59_000);
			await read(reader, 'b');
			mock.timers.tick(59_000);
			await read(reader, 'c');
			assert.equal(threads.length, 1);
			const ended = once(threads[0]!, 'exit');
			mock.timers.tick(60_000);
			await ended;
			// And starts again.
			await read(reader, 'd');
			assert.equal(threads.length, 2);
			await reader.dispose();
		} finally {
			mock.timers.reset();
		}
	});
});
