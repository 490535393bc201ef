import assert from 'node:assert/strict';
import { everything } from '../../../../src/protocol/studio';
import { savedStateOf } from '../../../../src/webview/studio/savedState';

const draft = { prompt: 'a harbor', count: 2, size: '1024x1024' };

suite('savedStateOf', () => {
	test('is what was kept', () => {
		const kept = { draft, query: { text: 'boat', among: 'kept' } };
		assert.deepEqual(savedStateOf(kept), kept);
	});

	test('of an earlier version, which knew no rounds, what somebody has written stays', () => {
		const kept = { draft, search: 'boat', shown: 'x' };
		assert.deepEqual(savedStateOf(kept), { draft, query: everything });
	});

	test('is nothing where that makes no sense', () => {
		for (const kept of [undefined, null, 'a', {}, { draft: { prompt: 7 } }]) {
			assert.equal(savedStateOf(kept), undefined);
		}
	});
});
