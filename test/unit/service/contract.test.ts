import assert from 'node:assert/strict';
import { nearestSize } from '../../../src/service/contract.js';
import { services } from '../../../src/service/services.js';

suite('contract › nearestSize', () => {
	for (const [width, height, size] of [
		[1024, 1024, '1024x1024'],
		[64, 64, '1024x1024'],
		[4000, 4000, '2048x2048'],
		[800, 600, '1536x1152'],
		[2000, 3000, '1024x1536'],
		[1366, 768, '2048x1152'],
		// The experimental one of the same ratio has more pixels, and is not proposed.
		[3840, 2160, '2048x1152'],
		// Of this ratio there is only an experimental one.
		[1170, 2532, '2160x3840'],
		[10_000, 1, '2048x1152'],
		[1, 10_000, '2160x3840'],
	] as const) {
		test(`of ${String(width)} x ${String(height)} is ${size}`, () => {
			assert.equal(nearestSize({ width, height }, services.standard.sizes), size);
		});
	}
});
