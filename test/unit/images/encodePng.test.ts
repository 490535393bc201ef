import assert from 'node:assert/strict';
import { encodePng } from '../../../src/images/encodePng.js';
import { colorProfile } from '../../../src/images/thumbnails/colorProfile.js';
import { readPng } from '../../../src/images/thumbnails/png.js';
import type { Pixels } from '../../../src/images/thumbnails/shrink.js';
import { iccProfile, primaries } from '../../formats/oddPictures.js';
import { seeded } from './random.js';

function picture(width: number, height: number, isOpaque: boolean): Pixels {
	const random = seeded(width * height);
	const data = new Uint8ClampedArray(width * height * 4);
	for (let at = 0; at < data.length; at++) {
		// Noise above, then lines that repeat: each filter has its place.
		const row = Math.floor(at / 4 / width);
		data[at] = at % 4 === 3 && isOpaque ? 255 : row % 3 === 0 ? random() * 256 : (at % 4) * 60;
	}
	return { width, height, data };
}

async function pixelsIn(png: Buffer): Promise<Uint8Array> {
	const lines: Uint8Array[] = [];
	await readPng(png, () => (_y, rgba, count) => {
		lines.push(rgba.slice(0, count * 4));
	});
	return Buffer.concat(lines);
}

suite('A PNG that is encoded', () => {
	for (const [width, height] of [
		[1, 1],
		[7, 5],
		[300, 200],
		[1, 600],
	] as const) {
		for (const isOpaque of [true, false]) {
			const what = isOpaque ? 'opaque' : 'transparent';
			test(`has every pixel: ${width} × ${height}, ${what}`, async () => {
				const original = picture(width, height, isOpaque);
				const png = await encodePng(original);
				assert.ok(Buffer.from(original.data).equals(await pixelsIn(png)));
				assert.equal(png[25], isOpaque ? 2 : 6, 'the color type');
			});
		}
	}

	test('has the profile of its colors', async () => {
		const profile = iccProfile(primaries.p3);
		const png = await encodePng(picture(4, 4, true), profile);
		assert.ok(colorProfile(png, 'png')?.equals(profile));
	});
});
