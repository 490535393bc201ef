import assert from 'node:assert/strict';
import { everything as query } from '../../../../src/protocol/studio';
import {
	around,
	selectionWords,
	toggled,
	viewWithout,
} from '../../../../src/webview/studio/streamView';

const ids = ['d', 'c', 'b', 'a'];

suite('what the stream shows', () => {
	test('stays as it is while it is there', () => {
		assert.equal(viewWithout({ query }, ids, []), undefined);
		assert.equal(viewWithout({ query, shown: 'b' }, ids, ['b']), undefined);
		assert.equal(viewWithout({ query, compared: ['b', 'c'] }, ids, ['c', 'b']), undefined);
	});

	test('is the next image where one has gone, or the one before, or all', () => {
		const view = { query, shown: 'c' };
		const shown = (id: string | undefined) => ({ shown: id, compared: undefined });
		assert.deepEqual(viewWithout(view, ids, ['d', 'b', 'a']), shown('b'));
		assert.deepEqual(viewWithout(view, ids, ['d']), shown('d'));
		assert.deepEqual(viewWithout(view, ids, []), shown(undefined));
		assert.deepEqual(viewWithout(view, undefined, ['d']), shown(undefined));
	});

	test('is what is left of those that are compared, as long as these are two', () => {
		const view = { query, compared: ['c', 'b', 'a'] };
		assert.deepEqual(viewWithout(view, ids, ['d', 'c', 'a']), {
			shown: undefined,
			compared: ['c', 'a'],
		});
		assert.deepEqual(viewWithout(view, ids, ['d', 'c']), {
			shown: undefined,
			compared: undefined,
		});
	});
});

suite('images to compare', () => {
	test('are up to four; a fifth is refused, and none is let go for it', () => {
		assert.deepEqual(toggled([], 'a', 4), ['a']);
		assert.deepEqual(toggled(['a', 'b', 'c'], 'd', 4), ['a', 'b', 'c', 'd']);
		assert.deepEqual(toggled(['a', 'b'], 'a', 4), ['b']);
		assert.equal(toggled(['a', 'b', 'c', 'd'], 'e', 4), undefined);
		assert.deepEqual(toggled(['a', 'b', 'c', 'd'], 'b', 4), ['a', 'c', 'd']);
	});

	test('are counted in words', () => {
		assert.deepEqual([0, 1, 2, 3, 4].map(selectionWords), [
			'Nothing selected.',
			'1 image selected.',
			'2 images selected.',
			'3 images selected.',
			'4 images selected.',
		]);
	});
});

test('what is described around an image is its neighbors', () => {
	assert.deepEqual(around('d', ids), ['d', 'c']);
	assert.deepEqual(around('b', ids), ['c', 'b', 'a']);
	assert.deepEqual(around('a', ids), ['b', 'a']);
	assert.deepEqual(around('x', ids), ['x']);
});
