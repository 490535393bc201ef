import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { createCanvas } from '@napi-rs/canvas';
import { exportImage, TooHeavyError } from '../../src/images/exports/exportImage.js';
import type { ExportOptions } from '../../src/images/exports/order.js';
import { ThumbnailError } from '../../src/images/thumbnails/thumbnailError.js';
import {
	fourColorJpeg,
	iccProfile,
	primaries,
	withChunks,
	withProfileParts,
} from '../formats/oddPictures.js';
import { seeded } from '../unit/images/random.js';
import { bundleWorker } from '../unit/images/thumbnails/bundle.js';
import {
	encoder,
	pixelsOf,
	pngChunk,
	pngOf,
	quarters,
	quartersOf,
} from '../unit/images/thumbnails/pictures.js';

suite('exports', () => {
	let folder: string;
	let script: string;

	suiteSetup(async () => {
		folder = await mkdtemp(path.join(tmpdir(), 'easel-exports-'));
		script = path.join(folder, 'thumbnails.js');
		await bundleWorker(script);
	});

	suiteTeardown(() => rm(folder, { recursive: true, maxRetries: 10 }));

	async function exported(image: Buffer, options: ExportOptions, signal?: AbortSignal) {
		const file = path.join(folder, 'source');
		await writeFile(file, image);
		const made = await exportImage(file, options, script, signal);
		return { ...made, bytes: Buffer.from(made.bytes) };
	}

	/** A scene with text, a gradient and a transparent corner. */
	function scene(width: number, height: number, isOpaque = true): Buffer {
		const canvas = createCanvas(width, height);
		const context = canvas.getContext('2d');
		const gradient = context.createLinearGradient(0, 0, width, height);
		gradient.addColorStop(0, '#f60');
		gradient.addColorStop(1, '#039');
		context.fillStyle = gradient;
		context.fillRect(isOpaque ? 0 : width / 2, 0, width, height);
		for (let x = 0; x < width; x += 7) {
			context.fillStyle = `hsl(${String(x * 13)} 80% 50%)`;
			context.fillRect(x, (x * 5) % height, 5, 30);
		}
		return canvas.toBuffer('image/png');
	}

	const box = { width: 30, height: 40 };
	for (const [name, options, size] of [
		['as it is', {}, [120, 80]],
		['to a width', { width: 60 }, [60, 40]],
		['to a height', { height: 20 }, [30, 20]],
		['no larger than it is', { width: 500 }, [120, 80]],
		['inside a box', box, [30, 20]],
		['to fill a box', { ...box, fit: 'cover' }, [30, 40]],
		['to fill a larger box', { width: 256, height: 256, fit: 'cover' }, [256, 256]],
		['to one pixel', { width: 1, height: 1, fit: 'cover' }, [1, 1]],
	] as const satisfies readonly (readonly [string, object, readonly number[]])[]) {
		test(`fit an image ${name}, in every format`, async () => {
			const image = scene(120, 80);
			for (const format of ['png', 'webp', 'jpeg'] as const) {
				const { bytes, width, height } = await exported(image, { ...options, format });
				assert.deepEqual([width, height], size, format);
				const decoded = await pixelsOf(bytes);
				assert.deepEqual([decoded.width, decoded.height], size, format);
			}
		});
	}

	for (const [x, colors] of [
		[0, 'rrbb'],
		[0.5, 'rgby'],
		[1, 'ggyy'],
	] as const) {
		test(`keep the part around a focus at ${String(x)}`, async () => {
			const jpeg = (await encoder('jpeg'))(quarters(128, 64), { quality: 95 });
			const options = { format: 'png', width: 32, height: 32, fit: 'cover' } as const;
			const { bytes } = await exported(jpeg, { ...options, focus: { x, y: 0.5 } });
			assert.equal(await quartersOf(bytes), colors);
		});
	}

	/** Grain, as a photograph has it. */
	function grain(width: number, height: number): Buffer {
		const random = seeded(1);
		const lines = Buffer.alloc(height * (1 + width * 3));
		for (let at = 0; at < lines.length; at++) {
			lines[at] = at % (1 + width * 3) === 0 ? 0 : 100 + random() * 60 + at / 900;
		}
		return pngOf({ width, height, colorType: 2, bitDepth: 8 }, lines);
	}

	for (const format of ['webp', 'jpeg', 'png'] as const) {
		test(`lower the quality of ${format} until a file has few enough bytes`, async () => {
			const image = grain(160, 120);
			const { bytes: first } = await exported(image, { format });
			const maxBytes = Math.round(first.length * 0.7);
			const light = await exported(image, { format, maxBytes });
			assert.ok(light.bytes.length <= maxBytes);
			if (format !== 'png') {
				// One step more would be too much.
				const quality = light.quality! + 1;
				const { bytes: more } = await exported(image, { format, quality });
				assert.ok(more.length > maxBytes);
			}
		});

		test(`say which weight of ${format} was reached where that is too much`, async () => {
			const failed = exported(scene(160, 120), { format, maxBytes: 300 });
			await assert.rejects(
				failed,
				(error) => error instanceof TooHeavyError && error.reached > 300,
			);
		});
	}

	test('draw a PNG with a palette of at most 256 colors, near to the image', async () => {
		for (const isOpaque of [true, false]) {
			const image = scene(200, 150, isOpaque);
			const { bytes } = await exported(image, { format: 'png', palette: true });
			assert.equal(bytes[25], 3, 'the color type is indexed');
			assert.ok((await difference(image, bytes)) < 4);
		}
	});

	test('keep what is transparent, in JPEG as white', async () => {
		const image = scene(100, 100, false);
		for (const format of ['png', 'webp'] as const) {
			const { bytes, isFlattened } = await exported(image, { format, width: 50 });
			assert.equal(isFlattened, false);
			assert.equal((await pixelsOf(bytes)).data[(40 * 50 + 2) * 4 + 3], 0);
		}
		const { bytes, isFlattened } = await exported(image, { format: 'jpeg', width: 50 });
		assert.equal(isFlattened, true);
		const { data } = await pixelsOf(bytes);
		const at = (40 * 50 + 2) * 4;
		assert.ok(data.subarray(at, at + 3).every((value) => value > 250));
	});

	test('convert the colors of a profile to sRGB, from every format', async () => {
		// A strong red of Display P3 is out of reach, and this one is not.
		const color = [200, 100, 100, 255];
		const lines = Buffer.concat(
			Array.from({ length: 8 }, () =>
				Buffer.from([0, ...Array<number[]>(8).fill(color.slice(0, 3)).flat()]),
			),
		);
		const png = pngOf({ width: 8, height: 8, colorType: 2, bitDepth: 8 }, lines);
		const data = Uint8ClampedArray.from(Array<number[]>(64).fill(color).flat());
		const jpeg = (await encoder('jpeg'))({ width: 8, height: 8, data }, { quality: 100 });
		const profile = iccProfile(primaries.p3);
		const iccp = pngChunk('iCCP', Buffer.concat([Buffer.from('p\0\0'), deflateSync(profile)]));
		for (const image of [withChunks(png, [iccp]), withProfileParts(jpeg, profile)]) {
			const { bytes } = await exported(image, { format: 'png' });
			const { data: pixels } = await pixelsOf(bytes);
			// As LittleCMS converts it, relative colorimetric.
			for (const [channel, expected] of [216, 93, 97].entries()) {
				assert.ok(Math.abs(pixels[channel]! - expected) <= 2, String([...pixels.subarray(0, 3)]));
			}
		}
		const srgb = iccProfile(primaries.srgb);
		const same = pngChunk('iCCP', Buffer.concat([Buffer.from('p\0\0'), deflateSync(srgb)]));
		const { bytes } = await exported(withChunks(png, [same]), { format: 'png' });
		assert.ok((await difference(png, bytes)) <= 2);
	});

	test('say what they cannot decode', async () => {
		const cut = scene(100, 100);
		for (const [image, kind] of [
			[fourColorJpeg(0), 'cmyk'],
			[cut.subarray(0, cut.length >> 1), 'undecodable'],
		] as const) {
			const failed = exported(image, { format: 'webp' });
			await assert.rejects(
				failed,
				(error) => error instanceof ThumbnailError && error.kind === kind,
			);
		}
	});

	test('end at once where they are cancelled', async () => {
		const controller = new AbortController();
		const reason = new Error('cancelled');
		const running = exported(scene(2000, 2000), { format: 'png' }, controller.signal);
		setImmediate(() => {
			controller.abort(reason);
		});
		await assert.rejects(running, reason);
	});
});

/** Mean difference of a color, of 255. */
async function difference(one: Buffer, other: Buffer): Promise<number> {
	const [{ data }, { data: second }] = await Promise.all([pixelsOf(one), pixelsOf(other)]);
	return data.reduce((sum, value, at) => sum + Math.abs(value - second[at]!), 0) / data.length;
}
