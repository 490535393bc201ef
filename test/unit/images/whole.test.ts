import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import fc from 'fast-check';
import { isWholeImage } from '../../../src/images/whole.js';
import { padPng } from '../../service/png.js';
import { scratch as folder, useScratch } from '../scratch.js';

suite('images › whole', () => {
	useScratch();
	let file: string;
	let png: Buffer;
	let jpeg: Buffer;
	let webp: Buffer;

	suiteSetup(async () => {
		const canvas = createCanvas(20, 15);
		canvas.getContext('2d').fillRect(3, 3, 9, 9);
		[png, jpeg, webp] = await Promise.all([
			canvas.encode('png'),
			canvas.encode('jpeg', 80),
			canvas.encode('webp', 80),
		]);
	});

	setup(() => {
		file = path.join(folder, 'image');
	});

	async function isWhole(bytes: Uint8Array): Promise<boolean> {
		await writeFile(file, bytes);
		return isWholeImage(file);
	}

	test('is what an encoder has written, small and large', async () => {
		for (const image of [png, jpeg, webp, padPng(png, 700_000), padPng(png, 256 * 1024 + 100)]) {
			assert.equal(await isWhole(image), true);
		}
	});

	test('is none of its beginnings', async () => {
		for (const image of [png, jpeg, webp]) {
			for (let length = 0; length < image.length; length += 1) {
				assert.equal(await isWhole(image.subarray(0, length)), false, String(length));
			}
		}
	});

	test('is no PNG with anything behind its end, or with any byte changed', async () => {
		assert.equal(await isWhole(Buffer.concat([png, Buffer.from([0])])), false);
		await fc.assert(
			fc.asyncProperty(fc.nat(png.length - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
				const damaged = Buffer.from(png);
				damaged[at] = (damaged[at] ?? 0) ^ by;
				assert.equal(await isWhole(damaged), false);
			}),
			{ numRuns: 200 },
		);
	});

	test('is no large PNG with a byte changed beyond the first quarter of a mebibyte', async () => {
		const damaged = Buffer.from(padPng(png, 700_000));
		damaged[600_000] = (damaged[600_000] ?? 0) ^ 1;
		assert.equal(await isWhole(damaged), false);
	});

	test('is no WebP of another length, and no JPEG that goes on behind its end', async () => {
		assert.equal(await isWhole(Buffer.concat([webp, Buffer.from([0])])), false);
		// Of the length that it says, and by its name something else.
		const sound = Buffer.from(webp);
		sound.write('WAVE', 8, 'latin1');
		assert.equal(await isWhole(sound), false);
		for (const end of [
			[0xff, 0x00],
			[0x00, 0xd9],
			[0xff, 0xd9, 0x00],
		]) {
			assert.equal(await isWhole(Buffer.concat([jpeg.subarray(0, -2), Buffer.from(end)])), false);
		}
	});

	test('is not what is no image at all, or not there', async () => {
		assert.equal(await isWhole(Buffer.from('something else than an image')), false);
		assert.equal(await isWholeImage(path.join(folder, 'gone')), false);
		assert.equal(await isWholeImage(path.join(file, 'below a file')), false);
	});

	test('rejects for a file that cannot be read', () =>
		assert.rejects(isWholeImage(folder), { code: 'EISDIR' }));
});
