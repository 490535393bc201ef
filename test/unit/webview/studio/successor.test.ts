import assert from 'node:assert/strict';
import { successor } from '../../../../src/webview/studio/successor';

suite('successor', () => {
	const before = ['a', 'b', 'c', 'd'];

	test('itself, as long as it is there, wherever it is now', () => {
		assert.equal(successor('b', before, ['new', 'a', 'b', 'd']), 'b');
	});

	test('the next one that is left, else the one before', () => {
		assert.equal(successor('b', before, ['a', 'c', 'd']), 'c');
		assert.equal(successor('b', before, ['new', 'a', 'd']), 'd');
		assert.equal(successor('d', before, ['a', 'c']), 'c');
		assert.equal(successor('b', before, []), undefined);
		assert.equal(successor('b', before, ['x', 'y']), 'x');
	});
});
