import assert from 'node:assert/strict';
import { itemForKey } from '../../../../src/webview/studio/listKeys';

const texts = ['Open', ' Reveal', 'Save As…', 'Remove'];

suite('itemForKey', () => {
	test('arrows lead to the neighbors, around the ends', () => {
		assert.equal(itemForKey('ArrowDown', texts, 1), 2);
		assert.equal(itemForKey('ArrowDown', texts, 3), 0);
		assert.equal(itemForKey('ArrowUp', texts, 1), 0);
		assert.equal(itemForKey('ArrowUp', texts, 0), 3);
	});

	test('where none has the focus, they lead to the first and the last one', () => {
		assert.equal(itemForKey('ArrowDown', texts, -1), 0);
		assert.equal(itemForKey('ArrowUp', texts, -1), 3);
	});

	test('Home and End lead to both ends', () => {
		assert.equal(itemForKey('Home', texts, 2), 0);
		assert.equal(itemForKey('End', texts, 2), 3);
	});

	test('a letter leads to the next one that begins with it, in turn', () => {
		assert.equal(itemForKey('r', texts, 0), 1);
		assert.equal(itemForKey('R', texts, 1), 3);
		assert.equal(itemForKey('r', texts, 3), 1);
		assert.equal(itemForKey('s', texts, 2), 2, 'the only one stays');
		assert.equal(itemForKey('x', texts, 0), undefined);
	});

	test('other keys lead nowhere, nor does any in an empty list', () => {
		assert.equal(itemForKey(' ', texts, 0), undefined);
		assert.equal(itemForKey('Enter', texts, 0), undefined);
		assert.equal(itemForKey('ArrowDown', [], -1), undefined);
	});
});
