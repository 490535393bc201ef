import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import { ImageError } from '../../../../src/images/inspect.js';
import { ThumbnailError } from '../../../../src/images/thumbnails/thumbnailError.js';
import { Thumbnails, type ThumbnailOptions } from '../../../../src/images/thumbnails/thumbnails.js';
import { until } from '../../../host/until';
import { HeldWorkers } from './heldWorkers';
import { pngOf } from './pictures';
import { scratch as folder, useScratch } from '../../scratch.js';

/** Another one for each number. */
const picture = (number: number, width = 1, height = 1) =>
	pngOf({ colorType: 0, bitDepth: 8, width, height }, Buffer.of(0, number));

suite('images › thumbnails › what a worker is asked', () => {
	useScratch();
	let cache: string;
	let script: string;
	let held: HeldWorkers;
	const open: Thumbnails[] = [];

	setup(async () => {
		cache = path.join(folder, 'cache');
		await mkdir(cache);
		script = path.join(folder, 'worker.js');
		// Notes its orders, and makes nothing: what it does is in the name of the image.
		await writeFile(
			script,
			`const { parentPort } = require('node:worker_threads');
			const { appendFileSync } = require('node:fs');
			const note = (order) =>
				appendFileSync(${JSON.stringify(path.join(folder, 'orders'))}, JSON.stringify(order) + '\\n');
			parentPort.on('message', (order) => {
				note(order);
				const { path, file } = order.make ?? {};
				const what = /-([a-zA-Z]+)\\.png$/.exec(path)?.[1];
				if (path === undefined) {
					if (order.sweep.bounds.files === 0) throw new Error('no disk');
					parentPort.postMessage({ swept: true });
				} else if (what === undefined) {
					parentPort.postMessage({ made: { file, width: 2, height: 1 } });
				} else if (what === 'crash') {
					throw new Error('crashed');
				} else if (what !== 'never') {
					parentPort.postMessage({ problem: what, detail: 'why' });
				}
			});`,
		);
		held = await HeldWorkers.prepare(path.join(folder, 'held.js'), script);
	});

	teardown(async () => {
		mock.restoreAll();
		held.close();
		await Promise.all(open.splice(0).map((each) => each.dispose()));
	});

	function make({ cores = 1, ...options }: Partial<ThumbnailOptions> & { cores?: number } = {}) {
		mock.method(os, 'availableParallelism', () => cores);
		const made = new Thumbnails({ folder: cache, script, timeLimitMs: 60_000, ...options });
		open.push(made);
		return made;
	}

	const holding = (cores = 1) => make({ cores, script: path.join(folder, 'held.js') });

	async function write(name: string, bytes: Uint8Array = picture(1)): Promise<string> {
		const file = path.join(folder, name);
		await writeFile(file, bytes);
		return file;
	}

	function orders(): { make?: { path: string; file: string }; sweep?: object }[] {
		const file = path.join(folder, 'orders');
		const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
		return lines.filter(Boolean).map((line) => JSON.parse(line) as object);
	}

	const asked = () =>
		orders().flatMap(({ make }) => (make === undefined ? [] : [path.basename(make.path)]));
	const sweeps = () => orders().filter(({ sweep }) => sweep !== undefined);

	test('is a small one, within the bounds of memory and folder; then the folder is swept', async () => {
		const file = await write('a.png');
		const made = await make({ idleMs: 1 }).get({ path: file });
		assert.match(path.basename(made.file), /^[\da-f]{64}-256\.webp$/);
		assert.deepEqual([path.dirname(made.file), made.width, made.height], [cache, 2, 1]);
		await until(() => sweeps().length === 1, 'the sweep');
		assert.deepEqual(orders(), [
			{
				make: {
					...{ path: file, file: made.file },
					...{ maxSide: 256, quality: 80, memoryLimit: 640 * 2 ** 20 },
				},
			},
			{ sweep: { folder: cache, bounds: { bytes: 64 * 2 ** 20, files: 10_000 } } },
		]);
		// A new worker goes on.
		await open[0]!.get({ path: await write('b.png') });
	});

	test('is asked once where that stays so, and again where it may pass', async () => {
		const [quick, thumbnails] = [make({ timeLimitMs: 500 }), make()];
		for (const [name, kind, times] of [
			['a-tooLarge.png', 'tooLarge', 1],
			['b-undecodable.png', 'undecodable', 1],
			['c-never.png', 'tooSlow', 1],
			['d-unwritable.png', 'unwritable', 2],
			['e-crash.png', 'crashed', 2],
		] as const) {
			const file = await write(name);
			for (let time = 0; time < 2; time += 1) {
				const maker = kind === 'tooSlow' ? quick : thumbnails;
				await assert.rejects(maker.get({ path: file }), (error) => {
					assert.ok(error instanceof ThumbnailError);
					assert.deepEqual([error.kind, error.path], [kind, file]);
					return true;
				});
			}
			assert.equal(asked().filter((one) => one === name).length, times, name);
		}
		const unreadable = thumbnails.get({ path: await write('f-unreadable.png') });
		await assert.rejects(unreadable, ImageError);
		await thumbnails.get({ path: await write('fine.png') });
	});

	test('is nothing any more when it has ended, and who waits hears of it', async () => {
		const thumbnails = holding();
		const files = await Promise.all(['a', 'b'].map((name) => write(`${name}.png`)));
		const ends = Promise.allSettled(files.map((file) => thumbnails.get({ path: file })));
		await held.next();
		await thumbnails.dispose();
		for (const end of await ends) {
			assert.match(String(end.status === 'rejected' && end.reason), /no longer made/);
		}
		await assert.rejects(thumbnails.get({ path: files[0]! }), /no longer made/);
		assert.equal(held.started, 1);
	});
});
