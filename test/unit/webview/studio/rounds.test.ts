import assert from 'node:assert/strict';
import type { Slot } from '../../../../src/protocol/studio';
import { besideIn, chainOf, stripAround } from '../../../../src/webview/studio/lineage';

suite('chainOf', () => {
	test('leads from the first image to the last one, which is the image itself', () => {
		const chain = [{ label: '1c', id: 'c' }, { label: 'logo.png' }];
		assert.deepEqual(chainOf({ id: 'a', label: '3a', chain }), [
			...chain,
			{ label: '3a', id: 'a' },
		]);
	});

	test('is empty for what was made of a prompt alone', () => {
		assert.deepEqual(chainOf({ id: 'a', label: '1a', chain: [] }), []);
	});

	test('of many images names the first ones and the last ones', () => {
		const chain = Array.from({ length: 20 }, (_, index) => ({ label: `${index + 1}a` }));
		const labels = chainOf({ id: 'a', label: '21a', chain }).map(({ label }) => label);
		assert.deepEqual(labels, ['1a', '2a', '…', '17a', '18a', '19a', '20a', '21a']);
	});

	test('names all of eight', () => {
		const chain = Array.from({ length: 7 }, (_, index) => ({ label: `${index + 1}a` }));
		assert.equal(chainOf({ id: 'a', label: '8a', chain }).length, 8);
		assert.ok(!chainOf({ id: 'a', label: '8a', chain }).some(({ label }) => label === '…'));
	});
});

suite('the images of a round', () => {
	const round = (kinds: string): Slot[] =>
		Array.from(kinds, (kind, index) => ({
			id: String(index),
			kind: kind === 'i' ? 'image' : 'job',
			ratio: 1,
		}));

	test('stand beside one of them, unless it is alone', () => {
		assert.deepEqual(stripAround(round('i'), '0'), []);
		assert.deepEqual(stripAround(round('iji'), '0'), round('iji'));
	});

	test('are those around it, where it is one of thousands', () => {
		const slots = round('i'.repeat(5000));
		for (const at of [0, 10, 2500, 4999]) {
			const strip = stripAround(slots, String(at));
			assert.equal(strip.length, 60);
			assert.ok(strip.some(({ id }) => id === String(at)));
		}
	});

	test('are gone through one by one; what is not there yet is passed over', () => {
		const slots = round('ijji');
		assert.equal(besideIn(slots, '0', 1), '3');
		assert.equal(besideIn(slots, '3', -1), '0');
		assert.equal(besideIn(slots, '0', -1), undefined);
		assert.equal(besideIn(slots, '3', 1), undefined);
	});
});
