import assert from 'node:assert/strict';
import type { Image } from '../../../../src/protocol/studio';
import {
	around,
	byAge,
	isSearching,
	toggled,
	viewWithout,
} from '../../../../src/webview/studio/galleryView';

const ids = ['d', 'c', 'b', 'a'];

suite('what the gallery shows', () => {
	test('stays as it is while it is there', () => {
		assert.equal(viewWithout({ search: '' }, ids, []), undefined);
		assert.equal(viewWithout({ search: '', shown: 'b' }, ids, ['b']), undefined);
		assert.equal(
			viewWithout({ search: '', shown: 'b', compared: 'c' }, ids, ['c', 'b']),
			undefined,
		);
	});

	test('is the next image where one has gone, or the one before, or all', () => {
		const view = { search: '', shown: 'c' };
		assert.deepEqual(viewWithout(view, ids, ['d', 'b', 'a']), { shown: 'b' });
		assert.deepEqual(viewWithout(view, ids, ['d']), { shown: 'd' });
		assert.deepEqual(viewWithout(view, ids, []), { shown: undefined });
		assert.deepEqual(viewWithout(view, undefined, ['d']), { shown: undefined });
	});

	test('is all images where one of two has gone', () => {
		const all = { shown: undefined, compared: undefined };
		const view = { search: '', shown: 'c', compared: 'b' };
		assert.deepEqual(viewWithout(view, ids, ['d', 'c', 'a']), all);
		assert.deepEqual(viewWithout(view, ids, ['d', 'b', 'a']), all);
		assert.deepEqual(viewWithout({ search: '', compared: 'b' }, ids, ids), all);
	});

	test('is searched until the images are those of the search', () => {
		const gallery = { search: 'boat', ids, total: 9 };
		assert.equal(isSearching(undefined, 'boat'), false);
		assert.equal(isSearching(gallery, 'boat'), false);
		assert.equal(isSearching(gallery, 'boats'), true);
	});
});

suite('images to compare', () => {
	test('are at most two, and the first is let go for a third', () => {
		assert.deepEqual(toggled([], 'a'), ['a']);
		assert.deepEqual(toggled(['a'], 'b'), ['a', 'b']);
		assert.deepEqual(toggled(['a', 'b'], 'a'), ['b']);
		assert.deepEqual(toggled(['a', 'b'], 'c'), ['b', 'c']);
	});

	test('stand with the older one first; of those not known, by their places', () => {
		const images = new Map(
			[
				['a', 1],
				['b', 2],
				['c', 2],
			].map(([id, madeAt]) => [id, { madeAt } as Image] as [string, Image]),
		);
		for (const [first, second, expected] of [
			['a', 'b', 'ab'],
			['b', 'a', 'ab'],
			['c', 'b', 'bc'],
			['d', 'a', 'ad'],
			['a', 'd', 'ad'],
		] as const) {
			assert.equal(byAge(first, second, images, ids).join(''), expected);
		}
	});
});

test('what is described around an image is its neighbors', () => {
	assert.deepEqual(around('d', ids), ['d', 'c']);
	assert.deepEqual(around('b', ids), ['c', 'b', 'a']);
	assert.deepEqual(around('a', ids), ['b', 'a']);
	assert.deepEqual(around('x', ids), ['x']);
});
