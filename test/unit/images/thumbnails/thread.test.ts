import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { mock } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { Thread, ThreadFailure } from '../../../../src/images/thumbnails/thread.js';
import { scratch as folder, useScratch } from '../../scratch.js';

/** Order to the thread. */
interface Order {
	readonly say?: string;
	readonly throw?: string;
	readonly exit?: number;
}

interface Surroundings {
	readonly said: string | undefined;
	readonly variable: string | undefined;
	readonly execArgv: readonly string[];
	readonly heap: {
		readonly maxOldGenerationSizeMb: number;
		readonly maxYoungGenerationSizeMb: number;
	};
}

const aMinuteMs = 60_000;

suite('images › thumbnails › thread', () => {
	useScratch();
	let script: string;
	let thread: Thread<Order, Surroundings>;
	let worker: Worker;

	setup(async () => {
		script = path.join(folder, 'script.js');
		await writeFile(
			script,
			`const { parentPort, resourceLimits } = require('node:worker_threads');
			parentPort.on('message', (order) => {
				if ('throw' in order) throw new Error(order.throw);
				if ('exit' in order) process.exit(order.exit);
				if ('say' in order) parentPort.postMessage({
					said: order.say,
					variable: process.env.EASEL_TEST_VARIABLE,
					execArgv: process.execArgv,
					heap: resourceLimits,
				});
			});`,
		);
		process.env['EASEL_TEST_VARIABLE'] = 'of the editor';
		await start(script);
	});

	teardown(async () => {
		delete process.env['EASEL_TEST_VARIABLE'];
		mock.timers.reset();
		await thread.end();
	});

	async function start(file: string): Promise<void> {
		const started = once(process, 'worker');
		thread = new Thread(file);
		[worker] = (await started) as [Worker];
	}

	const ended = () =>
		new Promise((resolve) => {
			worker.once('exit', resolve);
		});

	test('does one order after the other', async () => {
		mock.timers.enable({ apis: ['setTimeout'] });
		for (const say of ['one', 'two']) {
			assert.equal((await thread.do({ say }, aMinuteMs)).said, say);
			// The time for an order is over with it.
			mock.timers.tick(aMinuteMs);
			assert.equal(thread.dead, false);
		}
	});

	test('has bounds for its memory, and nothing of the editor’s variables and options', async () => {
		const { variable, execArgv, heap } = await thread.do({ say: '' }, aMinuteMs);
		assert.equal(variable, undefined);
		assert.deepEqual(execArgv, []);
		assert.equal(heap.maxOldGenerationSizeMb, 128);
		assert.equal(heap.maxYoungGenerationSizeMb, 16);
	});

	test('has crashed where its script throws, and is ended', async () => {
		const exit = ended();
		await assert.rejects(thread.do({ throw: 'bad' }, aMinuteMs), (error) => {
			assert.ok(error instanceof ThreadFailure);
			assert.equal(error.kind, 'crashed');
			assert.match(String(error.cause), /Error: bad/);
			return true;
		});
		assert.equal(thread.dead, true);
		await exit;
	});

	test('is ended in the middle of its work', async () => {
		const doing = thread.do({}, aMinuteMs);
		const exit = ended();
		const ending = thread.end();
		assert.equal(thread.dead, true);
		await assert.rejects(doing, { kind: 'crashed' });
		await ending;
		await exit;
	});
});
