import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { getEventListeners } from 'node:events';
import fs from 'node:fs/promises';
import { mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { maxFileBytes } from '../../../../src/images/thumbnails/order.js';
import { Thumbnails, type ThumbnailOptions } from '../../../../src/images/thumbnails/thumbnails.js';
import { until } from '../../../host/until';
import { pngOf } from './pictures';

const webp = Buffer.from(
	'524946461a000000574542505650384c0d0000002f00000010071011118888fe0700',
	'hex',
);

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Another one for each number. */
const picture = (number: number, width = 1, height = 1) =>
	pngOf({ colorType: 0, bitDepth: 8, width, height }, Buffer.of(0, number));

suite('thumbnails › what is read of an image, and what a worker is asked', () => {
	let folder: string;
	let cache: string;
	let script: string;
	let thumbnails: Thumbnails;
	/** The files that were opened in the folder, however deep, in order. */
	let opened: string[];
	/** Opening one of these waits for it. */
	let held: Map<string, Promise<void>>;
	const { open } = fs;

	setup(async () => {
		folder = await mkdtemp(path.join(tmpdir(), 'easel-known-'));
		cache = path.join(folder, 'cache');
		await mkdir(cache);
		script = path.join(folder, 'worker.js');
		// Notes its orders, and makes nothing: what it does is in the name of the image.
		await writeFile(
			script,
			`const { parentPort } = require('node:worker_threads');
			const { createHash } = require('node:crypto');
			const { appendFileSync, existsSync, readFileSync } = require('node:fs');
			const clock = new Int32Array(new SharedArrayBuffer(4));
			parentPort.on('message', (order) => {
				appendFileSync(${JSON.stringify(path.join(folder, 'orders'))}, JSON.stringify(order) + '\\n');
				const path = order.make?.path;
				const what = /-(tooLarge|unwritable|never)/.exec(path)?.[1];
				if (path === undefined) {
					parentPort.postMessage({ swept: true });
				} else if (what === undefined) {
					while (path.includes('-held') && !existsSync(path + '.go')) {
						Atomics.wait(clock, 0, 0, 5);
					}
					const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
					parentPort.postMessage({ made: { sha256, file: sha256, width: 2, height: 1 } });
				} else if (what !== 'never') {
					parentPort.postMessage({ problem: what, detail: '' });
				}
			});`,
		);
		await writeFile(path.join(folder, 'orders'), '');
		opened = [];
		held = new Map();
		Object.assign(fs, {
			open: async (...args: Parameters<typeof open>) => {
				const file = path.resolve(String(args[0]));
				// Other tests of this process may have left a state of a job that is still to be noted.
				if (file.startsWith(folder + path.sep)) {
					const name = path.basename(file);
					opened.push(name);
					await held.get(name);
				}
				return open(...args);
			},
		});
		thumbnails = make();
	});

	teardown(async () => {
		Object.assign(fs, { open });
		await thumbnails.dispose();
		await rm(folder, { recursive: true, force: true });
	});

	const make = (options: Partial<ThumbnailOptions> = {}) =>
		new Thumbnails({ folder: cache, script, timeLimitMs: 60_000, ...options });

	async function write(name: string, bytes: Uint8Array = picture(1)): Promise<string> {
		const file = path.join(folder, name);
		await writeFile(file, bytes);
		return file;
	}

	async function orders(): Promise<{ make?: { path: string }; sweep?: object }[]> {
		const lines = (await readFile(path.join(folder, 'orders'), 'utf8')).split('\n');
		return lines.filter(Boolean).map((line) => JSON.parse(line) as object);
	}

	const asked = async () => (await orders()).map(({ make }) => path.basename(make?.path ?? ''));

	test('is asked for small ones, within the bounds of memory and folder', async () => {
		thumbnails = make({ idleMs: 1 });
		const file = await write('a.png');
		await thumbnails.get({ path: file });
		await until(async () => (await orders()).length === 2, 'the sweep');
		assert.deepEqual(await orders(), [
			{
				make: {
					...{ path: file, folder: cache },
					...{ maxSide: 256, quality: 80, memoryLimit: 640 * 2 ** 20 },
				},
			},
			{ sweep: { folder: cache, bounds: { bytes: 64 * 2 ** 20, files: 10_000 } } },
		]);
	});

	test('is hashed once, and looked for under its hash', async () => {
		const file = await write('a.png');
		const kept = `${sha256(picture(1))}-256.webp`;
		await thumbnails.get({ path: file });
		assert.deepEqual(opened.splice(0), ['a.png', 'a.png', kept]);
		await thumbnails.get({ path: file });
		assert.deepEqual(opened.splice(0), [kept]);
		// Also where it could not be kept.
		const other = await write('b-unwritable.png', picture(2));
		await assert.rejects(thumbnails.get({ path: other }), { kind: 'unwritable' });
		opened.splice(0);
		await assert.rejects(thumbnails.get({ path: other }), { kind: 'unwritable' });
		assert.deepEqual(opened, [`${sha256(picture(2))}-256.webp`]);
		assert.equal((await asked()).length, 4);
	});

	test('is hashed once, however many others are', async () => {
		const files = [await write('a.png'), await write('b.png', picture(2))];
		for (const file of files) {
			await thumbnails.get({ path: file });
		}
		opened.splice(0);
		for (const file of files) {
			await thumbnails.get({ path: file });
		}
		assert.deepEqual(
			opened,
			[1, 2].map((number) => `${sha256(picture(number))}-256.webp`),
		);
	});

	test('is not even looked for where it was given up before', async () => {
		const sha = sha256(picture(1));
		await writeFile(path.join(cache, `${sha}-256.webp`), webp);
		const reason = new Error('scrolled away');
		const image = { path: await write('a.png'), sha256: sha };
		await assert.rejects(thumbnails.get(image, AbortSignal.abort(reason)), reason);
		assert.deepEqual(opened, []);
	});

	test('is not hashed where its hash is given', async () => {
		const given = 'a'.repeat(64);
		await thumbnails.get({ path: await write('a.png'), sha256: given });
		assert.deepEqual(opened, [`${given}-256.webp`, 'a.png']);
	});

	test('is hashed where what is given is no hash', async () => {
		const hash = 'a'.repeat(64);
		for (const [at, given] of [`../${hash}`, `${hash}/../b`, hash.slice(1)].entries()) {
			const name = `${String(at)}.png`;
			await thumbnails.get({ path: await write(name, picture(at)), sha256: given });
			const kept = `${sha256(picture(at))}-256.webp`;
			assert.deepEqual(opened.splice(0), [name, name, kept]);
		}
	});

	test('is not made where the same bytes were', async () => {
		const kept = path.join(cache, `${sha256(picture(1))}-256.webp`);
		await writeFile(kept, webp);
		assert.equal((await thumbnails.get({ path: await write('a.png') })).file, kept);
		assert.deepEqual(await asked(), []);
	});

	test('is made once for two of the same bytes', async () => {
		const { signal } = new AbortController();
		const both = await Promise.all(['a-held.png', 'b-held.png'].map((name) => write(name)));
		const made = Promise.all(both.map((path) => thumbnails.get({ path }, signal)));
		await until(() => getEventListeners(signal, 'abort').length === 2, 'both to wait');
		await Promise.all(both.map((path) => writeFile(`${path}.go`, '')));
		await made;
		assert.equal((await asked()).length, 1);
	});

	test('is not made where it is given up while the one that is there is looked for', async () => {
		const path = await write('a.png');
		for (const [given, opens] of [
			[{}, 3],
			[{ sha256: sha256(picture(1)) }, 1],
		] as const) {
			const looked = Promise.withResolvers<void>();
			held.set(`${sha256(picture(1))}-256.webp`, looked.promise);
			const controller = new AbortController();
			const reason = new Error('scrolled away');
			const getting = thumbnails.get({ path, ...given }, controller.signal);
			await until(() => opened.length === opens, 'it to be looked for');
			controller.abort(reason);
			looked.resolve();
			await assert.rejects(getting, reason);
			opened = [];
		}
		assert.deepEqual(await asked(), []);
	});

	test('is made for each of two whose hash was the same, where their bytes are not', async () => {
		const { signal } = new AbortController();
		const both = [await write('a-held.png'), await write('b-held.png', picture(2))];
		const given = { sha256: 'a'.repeat(64) };
		const made = both.map((path) => thumbnails.get({ path, ...given }, signal));
		await until(() => getEventListeners(signal, 'abort').length === 2, 'both to wait');
		await Promise.all(both.map((path) => writeFile(`${path}.go`, '')));
		const files = (await Promise.all(made)).map(({ file }) => file);
		assert.deepEqual(files, [sha256(picture(1)), sha256(picture(2))]);
		assert.deepEqual((await asked()).sort(), ['a-held.png', 'b-held.png']);
	});

	test('is asked for once of what is too large for it, or takes too long', async () => {
		for (const [name, kind, timeLimitMs] of [
			['a-tooLarge.png', 'tooLarge', 60_000],
			['b-never.png', 'tooSlow', 500],
		] as const) {
			await thumbnails.dispose();
			thumbnails = make({ timeLimitMs });
			const file = await write(name, picture(name.length));
			for (let time = 0; time < 2; time += 1) {
				await assert.rejects(thumbnails.get({ path: file }), { kind });
			}
		}
		assert.deepEqual(await asked(), ['a-tooLarge.png', 'b-never.png']);
	});

	test('is asked for nothing that has too many pixels or bytes', async () => {
		const tooLarge = { kind: 'tooLarge' };
		const wide = await write('a.png', picture(1, 20_000, 20_000));
		const long = await write('b.png', picture(2));
		const given = 'a'.repeat(64);
		for (const sha256 of [{}, { sha256: given }]) {
			await assert.rejects(thumbnails.get({ path: wide, ...sha256 }), tooLarge);
			await truncate(long, maxFileBytes + 1);
			await assert.rejects(thumbnails.get({ path: long, ...sha256 }), tooLarge);
		}
		assert.deepEqual(await asked(), []);
		await truncate(long, maxFileBytes);
		await thumbnails.get({ path: long, sha256: given });
		assert.deepEqual(await asked(), ['b.png']);
	});

	test('is read four at a time, the latest first, and what was given up not at all', async () => {
		const names = Array.from({ length: 8 }, (_, at) => `${String(at)}.png`);
		const files = await Promise.all(names.map((name, at) => write(name, picture(at))));
		const go = names.map(() => Promise.withResolvers<void>());
		names.forEach((name, at) => held.set(name, go[at]!.promise));
		const giving = new AbortController();
		const get = async (at: number, signal?: AbortSignal) => {
			await thumbnails.get({ path: files[at]! }, signal);
		};
		const first = [0, 1, 2, 3].map((at) => get(at));
		await until(() => opened.length === 4, 'four to be read');
		const reason = new Error('scrolled away');
		const next = [get(4), get(5), assert.rejects(get(6, giving.signal), reason), get(7)];
		for (let turn = 0; turn < 200; turn += 1) {
			await new Promise(setImmediate);
		}
		assert.deepEqual(opened.toSorted(), names.slice(0, 4));
		giving.abort(reason);
		for (const [at, expected] of [
			[0, '7.png'],
			[7, '5.png'],
			[5, '4.png'],
		] as const) {
			go[at]!.resolve();
			await until(() => opened.includes(expected), expected);
		}
		assert.ok(!opened.includes('6.png'));
		go.forEach(({ resolve }) => {
			resolve();
		});
		await Promise.all([...first, ...next]);
		assert.ok(!opened.includes('6.png'));
	});
});
