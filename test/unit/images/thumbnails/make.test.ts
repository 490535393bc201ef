import assert from 'node:assert/strict';
import fs from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import type * as make from '../../../../src/images/thumbnails/make.js';
import {
	maxFileBytes,
	type MakeAnswer,
	type MakeOrder,
} from '../../../../src/images/thumbnails/order.js';
import type { Thumbnail } from '../../../../src/images/thumbnails/stored.js';
import { bundleWorker } from './bundle';
import { animation, encoder, pixelsOf, pngOf, quarters, quartersOf } from './pictures';

const size = { width: 64, height: 32 };

suite('images › thumbnails › make', () => {
	let scratch: string;
	let folder: string;
	let cache: string;
	let makeThumbnail: typeof make.makeThumbnail;
	let encode: { [kind in 'jpeg' | 'webp']: Awaited<ReturnType<typeof encoder>> };

	suiteSetup(async () => {
		scratch = await mkdtemp(path.join(tmpdir(), 'easel-make-'));
		const file = path.join(scratch, 'make.js');
		// Its codecs are found as in the extension: as files beside the bundle.
		await bundleWorker(file, 'make');
		({ makeThumbnail } = createRequire(file)(file) as typeof make);
		encode = { jpeg: await encoder('jpeg'), webp: await encoder('webp') };
	});

	suiteTeardown(() => rm(scratch, { recursive: true }));

	setup(async () => {
		folder = await mkdtemp(path.join(scratch, 'images-'));
		cache = path.join(folder, 'deep/cache');
	});

	teardown(() => {
		mock.restoreAll();
	});

	async function write(bytes: Uint8Array): Promise<string> {
		const file = path.join(folder, 'image');
		await writeFile(file, bytes);
		return file;
	}

	async function answerTo(bytes: Uint8Array, change: Partial<MakeOrder> = {}): Promise<MakeAnswer> {
		return makeThumbnail({
			path: await write(bytes),
			file: path.join(cache, 'thumbnail.webp'),
			maxSide: 16,
			quality: 80,
			memoryLimit: 640 * 1024 * 1024,
			...change,
		});
	}

	async function made(bytes: Uint8Array, change?: Partial<MakeOrder>): Promise<Thumbnail> {
		const answer = await answerTo(bytes, change);
		assert.ok('made' in answer, JSON.stringify(answer));
		return answer.made;
	}

	async function assertProblem(
		problem: string,
		detail: RegExp,
		bytes: Uint8Array,
		change?: Partial<MakeOrder>,
	): Promise<void> {
		const answer = await answerTo(bytes, change);
		assert.ok('problem' in answer, JSON.stringify(answer));
		assert.equal(answer.problem, problem);
		assert.match(answer.detail, detail);
	}

	/** Four quarters, red and green above, blue and yellow below. */
	const pngOfQuarters = ({ width, height }: { width: number; height: number }) => {
		const { data } = quarters(width, height);
		const lines = Array.from({ length: height }, (_, y) => [
			Buffer.of(0),
			Buffer.from(data.subarray(y * width * 4, (y + 1) * width * 4)),
		]);
		return pngOf({ width, height, colorType: 6, bitDepth: 8 }, Buffer.concat(lines.flat()));
	};

	test('an image of each format gets one, stored where it was told', async () => {
		const picture = quarters(size.width, size.height);
		for (const bytes of [
			pngOfQuarters(size),
			encode.jpeg(picture, { quality: 95 }),
			encode.webp(picture, { lossless: 1 }),
			animation(size, [{ file: encode.webp(picture, { lossless: 1 }), x: 0, y: 0, ...size }]),
		]) {
			const file = path.join(cache, crypto.randomUUID());
			assert.deepEqual(await made(bytes, { file }), { file, width: 16, height: 8 });
			const thumbnail = await readFile(file);
			const { width, height } = await pixelsOf(thumbnail);
			assert.deepEqual([width, height], [16, 8]);
			assert.equal(await quartersOf(thumbnail), 'rgby');
		}
		assert.equal((await readdir(cache)).length, 4, 'and nothing half written is left');
	});

	test('the first frame of a moving one lies where it lies on its canvas', async () => {
		const file = encode.webp(quarters(32, 16), { lossless: 1 });
		for (const [x, y, colors] of [
			[32, 16, '---y'],
			[0, 0, 'r---'],
			[32, 0, '-g--'],
		] as const) {
			const moving = animation(size, [{ file, x, y, width: 32, height: 16 }]);
			const place = path.join(cache, crypto.randomUUID());
			const { file: small, width, height } = await made(moving, { file: place });
			assert.deepEqual([width, height], [16, 8]);
			const { data } = await pixelsOf(await readFile(small));
			// The corner of the frame's own quarter of that color.
			const corner = { '---y': [15, 7], 'r---': [0, 0], '-g--': [15, 0] }[colors];
			const at = (corner[1]! * 16 + corner[0]!) * 4;
			assert.ok(data[at + 3]! > 200, colors);
			const opposite = (((corner[1]! + 4) % 8) * 16 + ((corner[0]! + 8) % 16)) * 4;
			assert.ok(data[opposite + 3]! < 50, colors);
		}
	});

	test('a frame that ends within a pixel of its thumbnail covers a part of it', async () => {
		const file = encode.webp(quarters(32, 14), { lossless: 1 });
		const frame = { file, x: 0, y: 0, width: 32, height: 14 };
		const { data } = await pixelsOf(await readFile((await made(animation(size, [frame]))).file));
		// Two of the four lines of this row are the frame's.
		const alpha = data[3 * 16 * 4 + 3]!;
		assert.ok(alpha > 100 && alpha < 155, String(alpha));
	});

	test('a frame that does not fit its canvas is refused, in either direction', async () => {
		const file = encode.webp(quarters(32, 16), { lossless: 1 });
		for (const place of [
			{ x: 34, y: 0 },
			{ x: 0, y: 18 },
		]) {
			const moving = animation(size, [{ file, width: 32, height: 16, ...place }]);
			await assertProblem('undecodable', /canvas/, moving);
		}
	});

	test('one that is there already is not made again; a damaged one is', async () => {
		const bytes = pngOfQuarters(size);
		const { file } = await made(bytes);
		const thumbnail = await readFile(file);
		// Another window has made it a little smaller.
		const theirs = encode.webp(quarters(6, 4), {});
		await writeFile(file, theirs);
		assert.deepEqual(await made(bytes), { file, width: 6, height: 4 });
		assert.deepEqual(await readFile(file), theirs);
		await writeFile(file, theirs.subarray(0, -1));
		assert.deepEqual(await made(bytes), { file, width: 16, height: 8 });
		assert.deepEqual(await readFile(file), thumbnail);
	});

	test('what cannot be read says why', async () => {
		const gone = path.join(folder, 'gone');
		await assertProblem('unreadable', /ENOENT/, Buffer.alloc(0), { path: gone });
		await assertProblem('unreadable', /not a regular file/, Buffer.alloc(0), { path: folder });
	});

	test('what is no image, or a damaged one, is not decoded', async () => {
		await assertProblem('undecodable', /no image/, Buffer.from('text'));
		await assertProblem('undecodable', /./, pngOfQuarters(size).subarray(0, -100));
		const jpeg = encode.jpeg(quarters(64, 32), {});
		await assertProblem('undecodable', /Premature end/, jpeg.subarray(0, jpeg.length >> 1));
		const webp = encode.webp(quarters(64, 32), {});
		await assertProblem('undecodable', /^/, webp.subarray(0, webp.length >> 1));
	});

	test('more bytes, pixels or memory than are given to an image are too much', async () => {
		const huge = path.join(folder, 'huge');
		await writeFile(huge, '');
		await truncate(huge, maxFileBytes + 1);
		await assertProblem('tooLarge', /too large/, Buffer.alloc(0), { path: huge });
		const bomb = { colorType: 0, bitDepth: 1, width: 20_000, height: 20_000 } as const;
		const pixels = /^20000 × 20000 pixels$/;
		await assertProblem('tooLarge', pixels, pngOf(bomb, Buffer.alloc(0)));
		const large = { width: 3000, height: 2000 };
		const picture = quarters(large.width, large.height);
		const still = encode.webp(picture, { method: 0 });
		const frame = { file: still, x: 0, y: 0, ...large };
		for (const bytes of [still, encode.jpeg(picture, {}), animation(large, [frame])]) {
			await assertProblem('tooLarge', /^/, bytes, { memoryLimit: 24 * 1024 * 1024 });
		}
		const canvas = { width: 16_000, height: 16_000 };
		await assertProblem('tooLarge', /^16000 × 16000 pixels$/, animation(canvas, [frame]));
	});

	test('a folder that cannot be made is said', async () => {
		await mkdir(path.dirname(cache));
		await writeFile(cache, '');
		await assertProblem('unwritable', /./, pngOfQuarters(size));
	});

	const refusal = (code: string) => Object.assign(new Error(`refused: ${code}`), { code });

	test('it is written under another name first, and gets its own when it is whole', async () => {
		const { renameSync } = fs;
		const renamed: string[][] = [];
		mock.method(fs, 'renameSync', (from: string, to: string) => {
			renamed.push([from, to]);
			assert.ok(fs.readFileSync(from).length > 12);
			renameSync(from, to);
		});
		const { file } = await made(pngOfQuarters(size));
		const [[from = '', to] = []] = renamed;
		assert.equal(to, file);
		assert.ok(from.startsWith(`${file}.`));
		assert.match(from.slice(file.length), /^\.[\da-f-]{36}\.part$/);
		assert.deepEqual(await readdir(cache), [path.basename(file)]);
	});

	test('what could not be stored leaves nothing half behind', async () => {
		for (const step of ['renameSync', 'writeFileSync'] as const) {
			mock.method(fs, step, () => {
				throw refusal('EPERM');
			});
			await assertProblem('unwritable', /^refused: EPERM$/, pngOfQuarters(size));
			mock.restoreAll();
			assert.deepEqual(await readdir(cache), []);
		}
	});

	test('one that somebody reads stands; another refusal is said all the same', async () => {
		const bytes = pngOfQuarters(size);
		const { file } = await made(bytes);
		const whole = await readFile(file);
		const refuse = (code: string) => {
			fs.rmSync(file);
			mock.method(fs, 'renameSync', () => {
				// Another window was quicker.
				writeFileSync(file, whole);
				throw refusal(code);
			});
		};
		const { writeFileSync } = fs;
		for (const code of ['EPERM', 'EACCES', 'EBUSY']) {
			refuse(code);
			assert.equal((await made(bytes)).file, file, code);
			mock.restoreAll();
			assert.deepEqual(await readdir(cache), [path.basename(file)]);
		}
		refuse('ENOSPC');
		await assertProblem('unwritable', /^refused: ENOSPC$/, bytes);
	});

	// Windows has no modes to look at.
	if (process.platform !== 'win32') {
		test('it is nobody else’s to look at', async () => {
			const before = process.umask(0);
			try {
				const { file } = await made(pngOfQuarters(size));
				assert.equal((await stat(cache)).mode & 0o777, 0o700);
				assert.equal((await stat(file)).mode & 0o777, 0o600);
			} finally {
				process.umask(before);
			}
		});
	}
});
