import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ImageError, inspectImage } from '../../../src/images/inspect.js';
import { ThumbnailError } from '../../../src/images/thumbnails/thumbnailError.js';
import { Thumbnails } from '../../../src/images/thumbnails/thumbnails.js';
import { isWholeImage } from '../../../src/images/whole.js';
import { bundleWorker } from '../../unit/images/thumbnails/bundle.js';
import {
	animation,
	encoder,
	pngOf,
	quarters,
	turned,
	type PngKind,
} from '../../unit/images/thumbnails/pictures.js';
import { seeded } from '../../unit/images/random.js';
import { inCase, type Fuzz } from '../campaign';
import { below, mutated, withChecksums } from './mutate.js';

const mebibyte = 1024 * 1024;

/** Memory of one decoder, in bytes; pictures of the size that the sources have need a tenth of it. */
const memoryLimit = 64 * mebibyte;

/** Above the start, in bytes: two decoders, what they return, and garbage. */
const maxMemory = 400 * mebibyte;

/** Far above what any picture here takes, however busy the machine is. */
const timeLimitMs = 120_000;

/**
 * Damages PNG, JPEG and WebP files and has them read as a workspace's are: for their facts, whether
 * they are whole, and for their thumbnails.
 * No reader fails in another way than it says, no worker ends or hangs, and memory is bounded.
 */
export const fuzzImages: Fuzz = async ({ cases, seed }) => {
	const folder = await mkdtemp(path.join(tmpdir(), 'easel-fuzz-'));
	const script = path.join(folder, 'thumbnails.js');
	await bundleWorker(script);
	const cache = path.join(folder, 'cache');
	const thumbnails = new Thumbnails({ folder: cache, script, memoryLimit, timeLimitMs });
	const random = seeded(seed);
	const before = process.memoryUsage.rss();
	let peak = before;
	const counts = { shown: 0, inspected: 0 };
	try {
		const images = await sources();
		for (let index = 0; index < cases; index += 1) {
			const source = images[index % images.length]!;
			const other = images[below(random, images.length)]!;
			const damaged = mutated(random, source, other);
			const file = path.join(folder, `${String(index % 8)}.png`);
			await writeFile(file, random() < 0.5 ? withChecksums(damaged) : damaged);
			await inCase(seed, index, async () => {
				counts.inspected += await succeeds(() => inspectImage(file));
				await isWholeImage(file);
				counts.shown += await succeeds(() => thumbnails.get({ path: file }));
				peak = Math.max(peak, process.memoryUsage.rss());
				const taken = Math.round((peak - before) / mebibyte);
				assert.ok(peak - before < maxMemory, `${String(taken)} MiB were taken.`);
			});
		}
	} finally {
		await thumbnails.dispose();
		await rm(folder, { recursive: true });
	}
	const taken = Math.round((peak - before) / mebibyte);
	return {
		cases,
		note: `${String(counts.inspected)} inspected, ${String(counts.shown)} shown, at most ${String(taken)} MiB more`,
	};
};

/** 1 where it does; 0 where it fails as it says that it may. */
async function succeeds(read: () => Promise<unknown>): Promise<0 | 1> {
	try {
		await read();
		return 1;
	} catch (error) {
		assert.ok(error instanceof ImageError || error instanceof ThumbnailError, String(error));
		assert.ok(error.kind !== 'crashed' && error.kind !== 'tooSlow', error.kind);
		return 0;
	}
}

/** One of every kind that is read in its own way. */
async function sources(): Promise<readonly Buffer[]> {
	const picture = quarters(60, 40);
	const jpeg = await encoder('jpeg');
	const webp = await encoder('webp');
	const baseline = jpeg(picture, {});
	const still = webp(picture, {});
	return [
		...pngKinds.map((kind) => pngOf(kind, Buffer.alloc(20_000))),
		...[baseline, jpeg(picture, { progressive: true }), turned(baseline, 6)],
		...[still, webp(picture, { lossless: 1 })],
		animation({ width: 60, height: 40 }, [{ file: still, x: 0, y: 0, width: 60, height: 40 }]),
	].map((bytes, index) => {
		assert.ok(bytes.length > 50, String(index));
		return bytes;
	});
}

const size = { width: 30, height: 20 };
const pngKinds: readonly PngKind[] = [
	{ ...size, colorType: 6, bitDepth: 8 },
	{ ...size, colorType: 6, bitDepth: 16, interlaced: true },
	{ ...size, colorType: 3, bitDepth: 4, palette: Buffer.alloc(48), transparency: Buffer.alloc(4) },
	{ ...size, colorType: 0, bitDepth: 1, interlaced: true },
	{ ...size, colorType: 2, bitDepth: 8, transparency: Buffer.alloc(6) },
];
