import assert from 'node:assert/strict';
import { readableDimensions, readableSize, weightWords } from '../../../src/images/readableSize';

suite('readableSize', () => {
	for (const [bytes, text] of [
		[0, '0 B'],
		[1, '1 B'],
		[1023, '1023 B'],
		[1024, '1 KB'],
		[10_188, '9.9 KB'],
		[10_189, '10 KB'],
		[10_650, '10 KB'],
		[15_872, '16 KB'],
		[1_048_575, '1 MB'],
		[1_468_006, '1.4 MB'],
		[25_165_824, '24 MB'],
		[5 * 1024 ** 4, '5120 GB'],
	] as const) {
		test(`${bytes} bytes are ${text}`, () => assert.equal(readableSize(bytes), text));
	}
});

suite('weightWords', () => {
	for (const [bytes, text] of [
		[199_001, '200 kB'],
		[200_000, '200 kB'],
		[2_840_000, '2.8 MB'],
	] as const) {
		test(`${bytes} bytes are ${text}`, () => assert.equal(weightWords(bytes), text));
	}
});

suite('readableDimensions', () => {
	test('is width before height', () =>
		assert.equal(readableDimensions({ width: 1024, height: 768 }), '1024 × 768'));
});
