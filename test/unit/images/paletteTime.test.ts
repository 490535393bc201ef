import assert from 'node:assert/strict';
import { paletteOf } from '../../../src/images/palette.js';
import { leastMs } from '../budget/leastMs.js';
import { seeded } from './random';

suite('images › palette › time', () => {
	test('of a small copy of a picture of 24 megapixels takes less than 150 ms', () => {
		const next = seeded(1);
		// As many different colors as the copy has pixels.
		const [width, height] = [1024, 683];
		const data = Uint8ClampedArray.from({ length: width * height * 4 }, (_, index) =>
			index % 4 === 3 ? 255 : next() * 256,
		);
		const ms = leastMs(() => paletteOf({ width, height, data }), 5, 75);
		assert.ok(ms < 150, `${String(ms)} ms`);
	});
});
