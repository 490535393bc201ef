import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Worker } from 'node:worker_threads';
import { createCanvas } from '@napi-rs/canvas';
import { ImageError } from '../../../src/images/inspect.js';
import { paletteOfFile } from '../../../src/images/paletteOfFile.js';
import { ThumbnailError } from '../../../src/images/thumbnails/thumbnailError.js';
import { bundleWorker } from './thumbnails/bundle';

suite('images › paletteOfFile', () => {
	let scratch: string;
	let script: string;

	suiteSetup(async () => {
		scratch = await mkdtemp(path.join(tmpdir(), 'easel-palette-'));
		script = path.join(scratch, 'thumbnails.js');
		await bundleWorker(script);
	});

	suiteTeardown(() => rm(scratch, { recursive: true }));

	/** A page as one designs it: its plane, a bar, cards with lines of text, a button. */
	function page() {
		const canvas = createCanvas(1536, 1024);
		const context = canvas.getContext('2d');
		const fill = (color: string, ...[x, y, width, height]: [number, number, number, number]) => {
			context.fillStyle = color;
			context.fillRect(x, y, width, height);
		};
		fill('#f6f8fa', 0, 0, 1536, 1024);
		fill('#24292f', 0, 0, 1536, 128);
		for (const x of [64, 800]) {
			fill('#d0e2ff', x, 200, 672, 600);
			for (let y = 240; y < 700; y += 40) {
				fill('#57606a', x + 40, y, 480, 12);
			}
		}
		fill('#1a7f37', 1200, 860, 240, 90);
		return canvas;
	}

	for (const type of ['image/png', 'image/jpeg', 'image/webp'] as const) {
		test(`measures the colors of ${type}`, async () => {
			const file = path.join(scratch, `page.${type.slice('image/'.length)}`);
			const bytes =
				type === 'image/png'
					? page().encode('png')
					: page().encode(type === 'image/jpeg' ? 'jpeg' : 'webp', 95);
			await writeFile(file, await bytes);
			const palette = await paletteOfFile(file, script);
			const drawn = [0xd0e2ff, 0xf6f8fa, 0x24292f, 0x57606a, 0x1a7f37];
			for (const color of drawn) {
				const [red, green, blue] = [color >> 16, (color >> 8) & 255, color & 255];
				assert.ok(
					palette.some(
						(one) =>
							Math.abs(one.red - red) <= 3 &&
							Math.abs(one.green - green) <= 3 &&
							Math.abs(one.blue - blue) <= 3,
					),
					`${color.toString(16)} in ${JSON.stringify(palette)}`,
				);
			}
			assert.ok(palette.length >= 5 && palette.length <= 8, JSON.stringify(palette));
			const card = (2 * (672 * 600 - 12 * 480 * 12)) / (1536 * 1024);
			const measured = palette.find(({ red }) => Math.abs(red - 0xd0) <= 3)?.share ?? 0;
			assert.ok(Math.abs(measured - card) < 0.02, `${String(measured)} of ${String(card)}`);
		});
	}

	test('says what is wrong with a file', async () => {
		await assert.rejects(
			paletteOfFile(path.join(scratch, 'gone.png'), script),
			(error: unknown) => {
				assert.ok(error instanceof ImageError, String(error));
				assert.equal(error.kind, 'unreadable');
				assert.equal(error.path, path.join(scratch, 'gone.png'));
				return true;
			},
		);
		const text = path.join(scratch, 'text.png');
		await writeFile(text, 'a text');
		await assert.rejects(paletteOfFile(text, script), ThumbnailError);
	});

	test('measures one of twelve megapixels, and leaves no thread behind', async () => {
		const canvas = createCanvas(4000, 3000);
		const context = canvas.getContext('2d');
		context.fillStyle = '#0f62fe';
		context.fillRect(0, 0, 4000, 3000);
		const file = path.join(scratch, 'large.jpeg');
		await writeFile(file, await canvas.encode('jpeg', 90));
		const threads: Worker[] = [];
		const onThread = (thread: Worker) => threads.push(thread);
		process.on('worker', onThread);
		try {
			const [color] = await paletteOfFile(file, script);
			assert.ok(color !== undefined && color.share > 0.99 && color.blue > 250);
		} finally {
			process.off('worker', onThread);
		}
		assert.deepEqual(
			threads.map(({ threadId }) => threadId),
			[-1],
			'it has ended',
		);
	});
});
