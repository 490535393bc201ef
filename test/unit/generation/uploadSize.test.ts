import assert from 'node:assert/strict';
import { uploadSize } from '../../../src/generation/failures.js';
import { referenceOf } from '../jobs/support.js';

suite('How much was sent', () => {
	const mebibyte = 1024 * 1024;

	for (const [sizes, words] of [
		[[], ''],
		[[12 * mebibyte], '1 reference image of 12 MB was sent.'],
		[[12 * mebibyte, 23.5 * mebibyte], '2 reference images were sent, 36 MB in total.'],
	] as const) {
		test(`is said of ${String(sizes.length)} reference images`, () => {
			assert.equal(uploadSize({ references: sizes.map(referenceOf) }), words);
		});
	}
});
