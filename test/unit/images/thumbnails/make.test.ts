import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import type * as make from '../../../../src/images/thumbnails/make.js';
import type { MakeAnswer, MakeOrder } from '../../../../src/images/thumbnails/order.js';
import { detectFormat } from '../../../../src/images/inspect.js';
import { thumbnailSize, type Thumbnail } from '../../../../src/images/thumbnails/stored.js';
import { bundleWorker } from './bundle';
import { animation, encoder, pixelsOf, pngOf, quarters } from './pictures';

const size = { width: 64, height: 32 };

suite('images › thumbnails › make', () => {
	let scratch: string;
	let folder: string;
	let cache: string;
	let makeThumbnail: typeof make.makeThumbnail;
	let encode: Awaited<ReturnType<typeof encoder>>;

	suiteSetup(async () => {
		scratch = await mkdtemp(path.join(tmpdir(), 'easel-make-'));
		const file = path.join(scratch, 'make.js');
		// Its codecs are found as in the extension: as files beside the bundle.
		await bundleWorker(file, 'make');
		({ makeThumbnail } = createRequire(file)(file) as typeof make);
		encode = await encoder('webp');
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

	test('makes a JPEG where that is wanted, with what is transparent on white', async () => {
		const row = Buffer.concat([
			Buffer.of(0),
			...Array.from({ length: 16 }, (_, x) => Buffer.of(0, 0, 0, x < 8 ? 0 : 255)),
		]);
		const image = pngOf(
			{ width: 16, height: 16, colorType: 6, bitDepth: 8 },
			Buffer.concat(Array<Buffer>(16).fill(row)),
		);
		const file = path.join(cache, 'thumbnail.jpg');
		assert.deepEqual(await made(image, { file }), { file, width: 16, height: 16 });
		const bytes = await readFile(file);
		assert.equal(detectFormat(bytes), 'jpeg');
		assert.deepEqual(thumbnailSize(bytes.subarray(0, 1024), bytes.length, bytes.subarray(-2)), {
			...{ width: 16, height: 16 },
		});
		assert.equal(thumbnailSize(bytes.subarray(0, -1), bytes.length - 1), undefined);
		const { data } = await pixelsOf(bytes);
		const [left, right] = [data[0]!, data[15 * 4]!];
		assert.ok(left > 245 && right < 10, `${String(left)} ${String(right)}`);
	});

	test('a frame that ends within a pixel of its thumbnail covers a part of it', async () => {
		const file = encode(quarters(32, 14), { lossless: 1 });
		const frame = { file, x: 0, y: 0, width: 32, height: 14 };
		const { data } = await pixelsOf(await readFile((await made(animation(size, [frame]))).file));
		// Two of the four lines of this row are the frame's.
		const alpha = data[3 * 16 * 4 + 3]!;
		assert.ok(alpha > 100 && alpha < 155, String(alpha));
	});

	test('a frame that does not fit its canvas is refused, in either direction', async () => {
		const file = encode(quarters(32, 16), { lossless: 1 });
		for (const place of [
			{ x: 34, y: 0 },
			{ x: 0, y: 18 },
		]) {
			const moving = animation(size, [{ file, width: 32, height: 16, ...place }]);
			await assertProblem('undecodable', /canvas/, moving);
		}
	});
});
