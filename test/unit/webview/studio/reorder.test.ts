import assert from 'node:assert/strict';
import * as reorder from '../../../../src/webview/studio/reorder';

const list = ['a', 'b', 'c', 'd'];

suite('reorder', () => {
	test('a row that is moved is found at the place that was asked for', () => {
		for (const [from, row] of list.entries()) {
			for (const to of list.keys()) {
				const moved = reorder.moveItem(list, from, to);
				assert.equal(moved[to], row);
				assert.deepEqual([...moved].sort(), list);
			}
		}
		assert.deepEqual(reorder.moveItem(list, 0, 2), ['b', 'c', 'a', 'd']);
		assert.deepEqual(list, ['a', 'b', 'c', 'd'], 'the list itself stays');
	});

	test('the gap is the one between the middles of two of a line', () => {
		const line = [0, 40, 80].map((x) => ({ x, y: 0, width: 40, height: 20 }));
		assert.deepEqual(
			[-5, 19, 20, 59, 60, 99, 100, 500].map((x) => reorder.gapAt(line, { x, y: 10 })),
			[0, 0, 1, 1, 2, 2, 3, 3],
		);
		assert.equal(reorder.gapAt([], { x: 10, y: 10 }), 0);
	});

	test('in several lines the gap is one of the line that is pointed at', () => {
		const box = { width: 40, height: 20 };
		const boxes = [
			{ x: 0, y: 0, ...box },
			{ x: 40, y: 0, ...box },
			{ x: 0, y: 24, ...box },
		];
		assert.equal(reorder.gapAt(boxes, { x: 100, y: 10 }), 2, 'at the end of the first line');
		assert.equal(reorder.gapAt(boxes, { x: 5, y: 30 }), 2, 'at the beginning of the second');
		assert.equal(reorder.gapAt(boxes, { x: 100, y: 30 }), 3);
		assert.equal(reorder.gapAt(boxes, { x: 100, y: 100 }), 3, 'below all');
	});

	test('both gaps beside a row leave it where it is', () => {
		for (const from of list.keys()) {
			assert.equal(reorder.placeInGap(from, from), from);
			assert.equal(reorder.placeInGap(from, from + 1), from);
		}
		assert.deepEqual(reorder.moveItem(list, 0, reorder.placeInGap(0, 4)), ['b', 'c', 'd', 'a']);
		assert.deepEqual(reorder.moveItem(list, 3, reorder.placeInGap(3, 0)), ['d', 'a', 'b', 'c']);
	});

	test('arrow keys move by one and stop at the ends', () => {
		assert.equal(reorder.placeForKey('ArrowUp', 2, 4), 1);
		assert.equal(reorder.placeForKey('ArrowLeft', 2, 4), 1);
		assert.equal(reorder.placeForKey('ArrowDown', 2, 4), 3);
		assert.equal(reorder.placeForKey('ArrowRight', 2, 4), 3);
		assert.equal(reorder.placeForKey('ArrowDown', 3, 4), undefined);
		assert.equal(reorder.placeForKey('ArrowUp', 0, 4), undefined);
		assert.equal(reorder.placeForKey('Enter', 1, 4), undefined);
	});
});
