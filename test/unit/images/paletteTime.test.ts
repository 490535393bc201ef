import assert from 'node:assert/strict';
import { paletteOf } from '../../../src/images/palette.js';
import { seeded } from './random';

suite('images › palette › time', () => {
	test('of a small copy of a picture of 24 megapixels takes less than 150 ms', () => {
		const next = seeded(1);
		// As many different colors as the copy has pixels.
		const [width, height] = [1024, 683];
		const data = Uint8ClampedArray.from({ length: width * height * 4 }, (_, index) =>
			index % 4 === 3 ? 255 : next() * 256,
		);
		paletteOf({ width, height, data });
		const since = process.threadCpuUsage();
		paletteOf({ width, height, data });
		const { user, system } = process.threadCpuUsage(since);
		assert.ok(user + system < 150_000, `${String((user + system) / 1000)} ms`);
	});
});
