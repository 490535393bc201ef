import assert from 'node:assert/strict';
import { everything } from '../../../../src/protocol/studio';
import { savedStateOf } from '../../../../src/webview/studio/savedState';

const draft = { prompt: 'a harbor', count: 2, size: '1024x1024' };

suite('savedStateOf', () => {
	test('is what was saved', () => {
		const saved = { draft, query: { text: 'boat', among: 'favorites' } };
		assert.deepEqual(savedStateOf(saved), saved);
	});

	test('of an earlier version, which knew no rounds, what somebody has written stays', () => {
		const saved = { draft, search: 'boat', shown: 'x' };
		assert.deepEqual(savedStateOf(saved), { draft, query: everything });
	});

	test('is nothing where that makes no sense', () => {
		for (const saved of [undefined, null, 'a', {}, { draft: { prompt: 7 } }]) {
			assert.equal(savedStateOf(saved), undefined);
		}
	});
});
