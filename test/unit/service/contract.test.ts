import assert from 'node:assert/strict';
import { errorResponseSchema, nearestSize } from '../../../src/service/contract.js';

suite('contract › nearestSize', () => {
	for (const [width, height, size] of [
		[1024, 1024, '1024x1024'],
		[64, 64, '1024x1024'],
		[4000, 4000, '2048x2048'],
		[800, 600, '1536x1152'],
		[3000, 2000, '1536x1024'],
		[2000, 3000, '1024x1536'],
		[600, 800, '1152x1536'],
		[1366, 768, '2048x1152'],
		// The experimental one of the same ratio has more pixels, and is not proposed.
		[3840, 2160, '2048x1152'],
		// Of this ratio there is only an experimental one.
		[1170, 2532, '2160x3840'],
		[10_000, 1, '2048x1152'],
		[1, 10_000, '2160x3840'],
	] as const) {
		test(`of ${String(width)} x ${String(height)} is ${size}`, () => {
			assert.equal(nearestSize({ width, height }), size);
		});
	}
});

suite('contract › errorResponseSchema', () => {
	const wordsOf = (body: object) => {
		const { error, message } = errorResponseSchema.parse(body);
		return [error?.message, error?.type, error?.code, message];
	};

	test('finds the words wherever they stand', () => {
		const error = { message: 'no', type: 'invalid_request_error', code: 'invalid', param: 'n' };
		assert.deepEqual(wordsOf({ error }), ['no', 'invalid_request_error', 'invalid', undefined]);
		assert.deepEqual(wordsOf({ error: { code: 7 }, message: 'no quota', more: 1 }), [
			...[undefined, undefined, 7],
			'no quota',
		]);
	});

	test('takes an error that is a text alone', () => {
		assert.deepEqual(wordsOf({ error: 'no' }), ['no', undefined, undefined, undefined]);
	});

	test('takes a field of another kind for one that is not there, and keeps the other', () => {
		const none = [undefined, undefined, undefined];
		assert.deepEqual(wordsOf({ error: ['no'], message: 'no quota' }), [...none, 'no quota']);
		assert.deepEqual(wordsOf({ error: { message: 5 }, message: 'no quota' }), [
			...none,
			'no quota',
		]);
		assert.deepEqual(wordsOf({ error: { message: 'no' }, message: ['no quota'] }), [
			...['no', undefined, undefined],
			undefined,
		]);
	});
});
