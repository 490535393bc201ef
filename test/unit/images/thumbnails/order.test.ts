import assert from 'node:assert/strict';
import { isTooLarge, maxPictureSide, maxPixels } from '../../../../src/images/thumbnails/order.js';

suite('images › thumbnails › order', () => {
	test('a picture is too large by its pixels, or by one side', () => {
		for (const [width, height, expected] of [
			[1, 1, false],
			[maxPixels / 1024, 1024, false],
			[maxPixels / 1024, 1025, true],
			[maxPictureSide, 1, false],
			[maxPictureSide + 1, 1, true],
			[1, maxPictureSide, false],
			[1, maxPictureSide + 1, true],
		] as const) {
			assert.equal(isTooLarge({ width, height }), expected, `${String(width)} × ${String(height)}`);
		}
	});
});
