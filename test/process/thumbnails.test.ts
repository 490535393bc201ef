import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import { createCanvas, ImageData } from '@napi-rs/canvas';
import PQueue from 'p-queue';
import { wordsOf } from '../../src/editor/errorTexts.js';
import { ImageError } from '../../src/images/inspect.js';
import { ThumbnailError } from '../../src/images/thumbnails/thumbnailError.js';
import { Thumbnails, type ThumbnailOptions } from '../../src/images/thumbnails/thumbnails.js';
import { until } from '../host/until';
import { seeded } from '../unit/images/random';
import { bundleWorker } from '../unit/images/thumbnails/bundle';
import { HeldWorkers } from '../unit/images/thumbnails/heldWorkers';
import {
	animation,
	encoder,
	pixelsOf,
	pngOf,
	quarters,
	quartersOf,
	turned,
} from '../unit/images/thumbnails/pictures';
import { rare } from '../host/rare.js';

suite('thumbnails', () => {
	let scratch: string;
	let script: string;
	let folder: string;
	let cache: string;
	let thumbnails: Thumbnails;
	const open: Thumbnails[] = [];

	suiteSetup(async () => {
		scratch = await mkdtemp(path.join(tmpdir(), 'easel-thumbnails-'));
		script = path.join(scratch, 'thumbnails.js');
		await bundleWorker(script);
	});

	suiteTeardown(async () => {
		await rm(scratch, { recursive: true, maxRetries: 10 });
	});

	setup(async () => {
		folder = await mkdtemp(path.join(scratch, 'images-'));
		cache = path.join(folder, 'cache');
		thumbnails = make();
	});

	teardown(async () => {
		await Promise.all(open.splice(0).map((each) => each.dispose()));
	});

	function make(options: Partial<ThumbnailOptions> = {}): Thumbnails {
		const made = new Thumbnails({ folder: cache, script, ...options });
		open.push(made);
		return made;
	}

	async function write(name: string, bytes: Uint8Array): Promise<string> {
		const file = path.join(folder, name);
		await writeFile(file, bytes);
		return file;
	}

	// Windows has no modes to look at.
	if (process.platform !== 'win32') {
		test('are readable by their owner alone', async () => {
			const before = process.umask(0);
			try {
				const image = pngOf({ width: 1, height: 1, colorType: 0, bitDepth: 8 }, Buffer.alloc(2));
				const { file } = await thumbnails.get({ path: await write('a.png', image) });
				assert.equal((await stat(cache)).mode & 0o777, 0o700);
				assert.equal((await stat(file)).mode & 0o777, 0o600);
			} finally {
				process.umask(before);
			}
		});
	}

	suite('of every format', () => {
		const large = quarters(600, 300);
		const canvas = () => {
			const made = createCanvas(large.width, large.height);
			const data = new Uint8ClampedArray(large.data);
			made.getContext('2d').putImageData(new ImageData(data, large.width, large.height), 0, 0);
			return made;
		};

		async function assertQuarters(name: string, bytes: Uint8Array, colors = 'rgby') {
			const image = { path: await write(name, bytes) };
			const first = await thumbnails.get(image);
			const { file, width, height } = first;
			assert.deepEqual(await thumbnails.get(image), first);
			const made = await readFile(file);
			assert.equal(await quartersOf(made), colors, name);
			const { width: realWidth, height: realHeight } = await pixelsOf(made);
			assert.deepEqual([realWidth, realHeight], [width, height]);
			return [width, height];
		}

		test('PNG', async () => {
			assert.deepEqual(await assertQuarters('a.png', await canvas().encode('png')), [256, 128]);
		});

		test('JPEG, baseline and progressive', async () => {
			const baseline = await canvas().encode('jpeg');
			assert.deepEqual(await assertQuarters('a.jpg', baseline), [256, 128]);
			const encode = await encoder('jpeg');
			const progressive = encode(large, { progressive: true });
			// The frame header of a progressive one (ITU-T T.81, table B.1).
			assert.ok(progressive.includes(Buffer.of(0xff, 0xc2)));
			await assertQuarters('b.jpg', progressive);
			// Red and blue are dark, green and yellow light.
			await assertQuarters('c.jpg', encode(large, { color_space: 1 }), 'kyky');
		});

		test('JPEG, turned as its EXIF says', async () => {
			const upright = await canvas().encode('jpeg');
			const expected = ['rgby', 'gryb', 'ybgr', 'byrg', 'rbgy', 'bryg', 'ygbr', 'gyrb'];
			for (const [index, colors] of expected.entries()) {
				const name = `${String(index + 1)}.jpg`;
				const size = await assertQuarters(name, turned(upright, index + 1), colors);
				assert.deepEqual(size, index < 4 ? [256, 128] : [128, 256]);
			}
		});

		test('WebP, lossy and lossless', async () => {
			assert.deepEqual(await assertQuarters('a.webp', await canvas().encode('webp')), [256, 128]);
			const encode = await encoder('webp');
			await assertQuarters('b.webp', encode(large, { lossless: 1 }));
		});

		test('animated WebP: its first frame, where it lies on its canvas', async () => {
			const encode = await encoder('webp');
			const size = { width: 300, height: 150 };
			const frame = (options: object, x: number, y: number) => ({
				file: encode(quarters(size.width, size.height), options),
				...{ ...size, x, y },
			});
			for (const options of [{ lossless: 1 }, { quality: 90 }]) {
				const moving = animation(large, [frame(options, 300, 150), frame(options, 0, 0)]);
				const name = `${JSON.stringify(options).length}.webp`;
				const { file } = await thumbnails.get({ path: await write(name, moving) });
				assert.equal(await quartersOf(await readFile(file)), '---y', name);
				const whole = animation(size, [frame(options, 0, 0)]);
				await assertQuarters(`whole-${name}`, whole);
			}
		});

		test('transparency stays', async () => {
			const half = canvas();
			half.getContext('2d').clearRect(300, 0, 300, 300);
			await assertQuarters('a.png', await half.encode('png'), 'r-b-');
			await assertQuarters('a.webp', await half.encode('webp'), 'r-b-');
			// A PNG with an alpha channel may be opaque all the same.
			await write('c.png', await canvas().encode('png'));
			for (const name of ['a.png', 'a.webp', 'c.png']) {
				const made = await thumbnails.get({ path: path.join(folder, name) });
				assert.equal(made.isTransparent ?? false, name !== 'c.png', name);
			}
			const encode = await encoder('webp');
			const { data } = half.getContext('2d').getImageData(0, 0, 600, 300);
			const frame = { file: encode({ ...large, data }, { quality: 90 }), x: 0, y: 0 };
			await assertQuarters('b.webp', animation(large, [{ ...large, ...frame }]), 'r-b-');
		});

		test('a small image keeps its size', async () => {
			const kind = { colorType: 0, bitDepth: 8, width: 2, height: 1 } as const;
			const file = await write('a.png', pngOf(kind, Buffer.of(0, 0, 255)));
			const { width, height } = await thumbnails.get({ path: file });
			assert.deepEqual([width, height], [2, 1]);
		});
	});

	suite('stored by version', () => {
		test('made once for a version of a file; half ones are never seen', async () => {
			const image = { path: await write('a.png', noise(1)) };
			const [first] = await Promise.all([thumbnails.get(image), thumbnails.get(image)]);
			const made = await stat(first.file);
			// Also for the next window.
			assert.deepEqual(await make().get(image), first);
			const now = await stat(first.file);
			assert.deepEqual([now.ino, now.mtimeMs], [made.ino, made.mtimeMs]);
			assert.deepEqual(await readdir(cache), [path.basename(first.file)]);
			await rm(image.path);
			await assert.rejects(thumbnails.get(image), { kind: 'missing' });
		});

		test('made once for a version that is given, wherever the file lies', async () => {
			const [one, other] = await Promise.all(
				['a.png', 'b.png'].map((name) => write(name, noise(1))),
			);
			const made = await thumbnails.get({ path: one!, version: 'hash' });
			assert.deepEqual(await thumbnails.get({ path: other!, version: 'hash' }), made);
		});

		test('two windows at the same time do not disturb each other', async () => {
			const images = await Promise.all(
				[1, 2, 3, 4].map(async (seed) => ({
					path: await write(`${String(seed)}.png`, noise(seed)),
				})),
			);
			const windows = [thumbnails, make()];
			const [ours, theirs] = await Promise.all(
				windows.map((window) => Promise.all(images.map((image) => window.get(image)))),
			);
			assert.deepEqual(ours, theirs);
			const files = ours!.map(({ file }) => path.basename(file));
			assert.deepEqual((await readdir(cache)).sort(), files.sort());
		});

		test('a file that changes gets a new one', async () => {
			const image = { path: await write('a.png', noise(1)) };
			const before = await thumbnails.get(image);
			await write('a.png', noise(2));
			const after = await thumbnails.get(image);
			assert.notEqual(after.file, before.file);
			assert.notDeepEqual(await readFile(after.file), await readFile(before.file));
		});

		test('a damaged one is made again', async () => {
			const image = { path: await write('a.png', noise(1)) };
			const made = await thumbnails.get(image);
			const whole = await readFile(made.file);
			await writeFile(made.file, whole.subarray(0, -1));
			assert.deepEqual(await thumbnails.get(image), made);
			assert.deepEqual(await readFile(made.file), whole);
		});
	});

	suite('what cannot be shown fails alone', () => {
		async function assertFails(name: string, bytes: Uint8Array, kind: string, type: object) {
			const image = { path: await write(name, bytes) };
			await assert.rejects(thumbnails.get(image), (error) => {
				assert.ok(error instanceof Error);
				assert.equal(error.constructor, type, String(error));
				assert.equal((error as ThumbnailError).kind, kind, name);
				assert.ok(wordsOf(error).includes(`"${name}"`), error.message);
				return true;
			});
			await thumbnails.get({ path: await write('fine.png', noise(1)) });
		}

		test('no image, or a broken header', async () => {
			await assertFails('text.png', Buffer.from('text'), 'notAnImage', ImageError);
			await assertFails('empty.png', Buffer.alloc(0), 'empty', ImageError);
			await assertFails('head.png', noise(1).subarray(0, 20), 'damaged', ImageError);
		});

		test('cut off', async () => {
			const canvas = createCanvas(300, 300);
			const data = new Uint8ClampedArray(quarters(300, 300).data);
			canvas.getContext('2d').putImageData(new ImageData(data, 300, 300), 0, 0);
			const files = {
				'a.png': noise(3),
				'a.jpg': await canvas.encode('jpeg'),
				'a.webp': await canvas.encode('webp'),
			};
			for (const [name, file] of Object.entries(files)) {
				const part = file.subarray(0, Math.floor(file.length * 0.9));
				await assertFails(name, part, 'undecodable', ThumbnailError);
			}
		});

		test('more pixels than are decoded, in a tiny file', async () => {
			const bomb = { colorType: 0, bitDepth: 1, width: 20_000, height: 20_000 } as const;
			const png = pngOf(bomb, Buffer.alloc(20_000 * 2501));
			assert.ok(png.length < 100_000);
			await assertFails('bomb.png', png, 'tooLarge', ThumbnailError);
			const encode = await encoder('webp');
			const frame = { file: encode(quarters(16, 16), {}), x: 0, y: 0, width: 16, height: 16 };
			const webp = animation({ width: 16_000, height: 16_000 }, [frame]);
			await assertFails('bomb.webp', webp, 'tooLarge', ThumbnailError);
		});

		rare('more memory than a decoder may take', async () => {
			thumbnails = make({ memoryLimit: 24 * 1024 * 1024 });
			for (const kind of ['webp', 'jpeg'] as const) {
				const bytes = (await encoder(kind))(quarters(3000, 2000), {});
				await assertFails(`large.${kind}`, bytes, 'tooLarge', ThumbnailError);
				const small = (await encoder(kind))(quarters(300, 200), {});
				await thumbnails.get({ path: await write(`small.${kind}`, small) });
			}
		});

		test('the same file is not tried twice; a mended one is', async () => {
			const broken = Buffer.from(noise(1));
			broken.fill(0, 200, 300);
			const image = { path: await write('a.png', broken) };
			const caught = (error: unknown) => error;
			const first = await thumbnails.get(image).catch(caught);
			assert.ok(first instanceof ThumbnailError);
			assert.equal(await thumbnails.get(image).catch(caught), first);
			await write('a.png', noise(1));
			await thumbnails.get(image);
		});

		test('a folder that cannot be written', async () => {
			await write('cache', Buffer.from('a file'));
			const image = { path: await write('a.png', noise(1)) };
			await assert.rejects(thumbnails.get(image), { kind: 'unwritable', path: image.path });
			await rm(cache);
			await thumbnails.get(image);
		});
	});

	suite('in order', () => {
		let held: HeldWorkers;

		setup(async () => {
			const holding = path.join(folder, 'held.js');
			held = await HeldWorkers.prepare(holding, script);
			// While an image is held, its time runs.
			thumbnails = make({ script: holding, timeLimitMs: 600_000 });
		});

		teardown(() => {
			held.close();
		});

		async function images(count: number) {
			return Promise.all(
				Array.from({ length: count }, async (_, index) => {
					const bytes = noise(10 + index);
					return { path: await write(`${String(index)}.png`, bytes) };
				}),
			);
		}

		test('what was asked for last comes first, and what was given up is not made', async () => {
			const [one, other, given, again, ...others] = await images(12);
			// They meet the workers that are free; where there is but one, the second of them waits.
			const early = [one, other].map((image) => image!.path);
			const made = new Map<string, Promise<unknown>>();
			const hasty = new AbortController();
			const reason = new Error('scrolled away');
			for (const file of early) {
				const queued = queuedOnce();
				made.set(file, thumbnails.get({ path: file }));
				await queued;
			}
			const order = [await held.next()];
			if (availableParallelism() > 2) {
				order.push(await held.next());
			}
			const refused = assert.rejects(thumbnails.get(given!, hasty.signal), reason);
			// Each has its place before the next one asks.
			for (const image of [...others, again!]) {
				const queued = queuedOnce();
				made.set(image.path, thumbnails.get(image));
				await queued;
			}
			hasty.abort(reason);
			// One after the other: what comes next is what a worker takes that has become free.
			for (let at = 0; order.length < made.size; at++) {
				held.letGo(order[at]!);
				await made.get(order[at]!);
				order.push(await held.next());
			}
			held.letAllGo();
			await Promise.all([...made.values(), refused]);

			// Which of the workers was quicker to start does not matter.
			const busy = order.splice(0, held.started).sort();
			assert.deepEqual(busy, early.slice(0, held.started));
			const latestFirst = [again!, ...others.reverse()].map((image) => image.path);
			assert.deepEqual(order, [...latestFirst, ...early.slice(held.started)]);
		});
	});

	suite('bounded', () => {
		rare('what is too much goes, when no request waits', async () => {
			const { file } = await thumbnails.get({ path: await write('0.png', noise(0)) });
			const { size } = await stat(file);
			thumbnails = make({ bounds: { bytes: size * 5, files: 1000 }, idleMs: 50 });
			for (let index = 1; index < 9; index++) {
				await thumbnails.get({ path: await write(`${String(index)}.png`, noise(index)) });
			}
			const bytes = () =>
				readdirSync(cache)
					.map((name) => statSync(path.join(cache, name), { throwIfNoEntry: false })?.size ?? 0)
					.reduce((sum, each) => sum + each, 0);
			await until(() => bytes() <= size * 5, 'the sweep');
			assert.ok(bytes() > size * 2);
			// The workers have ended; new ones go on.
			await thumbnails.get({ path: await write('last.png', noise(99)) });
		});
	});
});

/** A PNG of noise, another one for each seed. */
function noise(seed: number): Buffer {
	const random = seeded(seed);
	const kind = { colorType: 0, bitDepth: 8, width: 400, height: 400 } as const;
	const lines = Buffer.from(
		Array.from({ length: 400 * 401 }, (_, at) => (at % 401 === 0 ? 0 : random() * 256)),
	);
	return pngOf(kind, lines);
}

/** Resolves when something has come into a queue. */
function queuedOnce(): Promise<void> {
	const { promise, resolve } = Promise.withResolvers<void>();
	const add = mock.method(PQueue.prototype, 'add', function (this: PQueue, ...args: never[]) {
		add.mock.restore();
		resolve();
		return (this.add as (...args: never[]) => unknown)(...args);
	});
	return promise;
}
