import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import type { Worker } from 'node:worker_threads';
import {
	RecipeReader,
	type RecipeReaderOptions,
} from '../../../../src/recipes/reading/recipeReader.js';
import { logTo } from '../../../../src/log.js';

suite('RecipeReader › its thread', () => {
	let folder: string;
	let script: string;
	let orders: string;
	let threads: Worker[];

	const onWorker = (message: unknown) => {
		threads.push((message as { worker: Worker }).worker);
	};

	setup(async () => {
		folder = await mkdtemp(path.join(tmpdir(), 'easel-reader-thread-'));
		script = path.join(folder, 'worker.js');
		orders = path.join(folder, 'orders');
		await writeFile(orders, '');
		// Notes what it is asked for. A file called `bad` is its end.
		await writeFile(
			script,
			`const { parentPort } = require('node:worker_threads');
			const { appendFileSync } = require('node:fs');
			parentPort.on('message', ({ type, files = [] }) => {
				appendFileSync(${JSON.stringify(orders)}, type + ' ' + files.length + '\\n');
				if (files.includes('bad')) process.exit(1);
				parentPort.postMessage({ done: files.length, found: [], hashes: new Map() });
			});`,
		);
		threads = [];
		subscribe('worker_threads', onWorker);
	});

	teardown(async () => {
		unsubscribe('worker_threads', onWorker);
		await Promise.all(threads.map((thread) => thread.terminate()));
		await rm(folder, { recursive: true, force: true });
	});

	const readerOf = (options: Partial<RecipeReaderOptions> = {}) =>
		new RecipeReader({ script, ...options });

	/** Reads to the end, and returns how many steps that took. */
	async function read(
		reader: RecipeReader,
		files: readonly string[],
		signal?: AbortSignal,
	): Promise<number> {
		let steps = 0;
		for await (const found of reader.read(files, signal)) {
			assert.deepEqual(found, []);
			steps += 1;
		}
		return steps;
	}

	/** Returns the orders to the thread, each with its number of repetitions. */
	async function asked(): Promise<string[]> {
		const runs: { order: string; times: number }[] = [];
		for (const order of (await readFile(orders, 'utf8')).trim().split('\n')) {
			const last = runs.at(-1);
			if (last?.order === order) {
				last.times += 1;
			} else {
				runs.push({ order, times: 1 });
			}
		}
		return runs.map(({ order, times }) => (times === 1 ? order : `${order} × ${String(times)}`));
	}

	test('is ended once there was nothing to do for a minute', async () => {
		mock.timers.enable({ apis: ['setTimeout'] });
		try {
			const reader = readerOf();
			await read(reader, ['a']);
			mock.timers.tick(59_000);
			await read(reader, ['b']);
			mock.timers.tick(59_000);
			await read(reader, ['c']);
			assert.equal(threads.length, 1);
			const ended = once(threads[0]!, 'exit');
			mock.timers.tick(60_000);
			await ended;
			// And starts again.
			await read(reader, ['d']);
			assert.equal(threads.length, 2);
			await reader.dispose();
		} finally {
			mock.timers.reset();
		}
	});
});
