import assert from 'node:assert/strict';
import path from 'node:path';
import {
	isTooLarge,
	longestPictureSide,
	mostPixels,
	thumbnailFile,
} from '../../../../src/images/thumbnails/order.js';

suite('images › thumbnails › order', () => {
	test('a picture is too large by its pixels, or by one side', () => {
		for (const [width, height, expected] of [
			[1, 1, false],
			[mostPixels / 1024, 1024, false],
			[mostPixels / 1024, 1025, true],
			[longestPictureSide, 1, false],
			[longestPictureSide + 1, 1, true],
			[1, longestPictureSide, false],
			[1, longestPictureSide + 1, true],
		] as const) {
			assert.equal(isTooLarge({ width, height }), expected, `${String(width)} × ${String(height)}`);
		}
	});

	test('a thumbnail bears the hash of its image and its own size', () => {
		assert.equal(thumbnailFile('/a', 'c0ffee', 256), path.join('/a', 'c0ffee-256.webp'));
	});
});
