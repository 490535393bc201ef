import assert from 'node:assert/strict';
import * as grid from '../../../../src/webview/studio/gridLayout';

const { gap } = grid;
/** Four in a row, 100 × 150. */
const four: grid.GridLayout = { count: 10, columns: 4, width: 100, height: 150 };
const pitch = 150 + gap;

suite('gridLayout › layOut', () => {
	test('fills every width with tiles that are neither narrow nor wide', () => {
		for (let width = 496; width <= 4000; width++) {
			const { columns, width: tile, height } = grid.layOut(width, 1000);
			const used = columns * tile + (columns - 1) * gap;
			assert.ok(tile >= 159 && tile <= 221, `${width}: ${tile}`);
			assert.ok(used <= width && width - used < columns, `${width}: ${used} used`);
			assert.equal(height, tile + grid.captionHeight);
		}
	});

	test('has two in a row in a panel of 320 pixels, one in half of it', () => {
		for (const width of [240, 288, 296, 320, 400, 460]) {
			assert.equal(grid.layOut(width, 5).columns, 2, String(width));
		}
		assert.equal(grid.layOut(140, 5).columns, 1);
	});

	test('stands a grid without any room', () => {
		const layout = grid.layOut(0, 5);
		assert.equal(layout.columns, 1);
		assert.ok(layout.width > 0);
	});
});

suite('gridLayout › places', () => {
	test('a tile lies beside and below the others, with a gap', () => {
		assert.deepEqual(grid.placeOf(four, 0), { x: 0, y: 0, width: 100, height: 150 });
		assert.deepEqual(grid.placeOf(four, 6), {
			x: 2 * (100 + gap),
			y: pitch,
			width: 100,
			height: 150,
		});
	});

	test('the grid ends with its last row, and is nothing without images', () => {
		assert.equal(grid.heightOf(four), 3 * 150 + 2 * gap);
		assert.equal(grid.heightOf({ ...four, count: 12 }), grid.heightOf(four));
		assert.equal(grid.heightOf({ ...four, count: 0 }), 0);
	});

	test('what lies between two heights is found by arithmetic alone, in whole rows', () => {
		assert.deepEqual(grid.tilesBetween(four, 0, 150), { start: 0, end: 4 });
		assert.deepEqual(grid.tilesBetween(four, 149, 150), { start: 0, end: 4 });
		assert.deepEqual(grid.tilesBetween(four, 151, pitch + 1), { start: 4, end: 8 });
		assert.deepEqual(grid.tilesBetween(four, pitch, 3 * pitch), { start: 4, end: 10 });
		assert.deepEqual(grid.tilesBetween(four, -500, -100), { start: 0, end: 0 });
		assert.deepEqual(grid.tilesBetween(four, 5000, 6000), { start: 10, end: 10 });
	});

	test('every tile is found by its own place, in a large grid too', () => {
		const layout = grid.layOut(1000, 100_000);
		for (const index of [0, 1, 4, 5, 49_999, 99_999]) {
			const { y, height } = grid.placeOf(layout, index);
			const { start, end } = grid.tilesBetween(layout, y, y + height);
			assert.ok(start <= index && index < end, String(index));
			assert.ok(end - start <= layout.columns, String(index));
		}
	});
});

suite('gridLayout › what to have ready', () => {
	const many = { ...four, count: 1000 };

	test('one screen more above and below', () => {
		const [top, bottom] = [10 * pitch, 12 * pitch];
		assert.deepEqual(grid.tilesAround(many, top, bottom, 200), { start: 8 * 4, end: 14 * 4 });
		assert.deepEqual(grid.tilesAround(many, 0, 2 * pitch, 200), { start: 0, end: 4 * 4 });
	});

	test('never more than so many: what is seen first, then what is below', () => {
		const [top, bottom] = [10 * pitch, 12 * pitch];
		assert.deepEqual(grid.tilesAround(many, top, bottom, 8), { start: 40, end: 48 });
		assert.deepEqual(grid.tilesAround(many, top, bottom, 16), { start: 40, end: 56 });
		assert.deepEqual(grid.tilesAround(many, top, bottom, 20), { start: 36, end: 56 });
		const { start, end } = grid.tilesAround({ ...many, columns: 7 }, top, bottom, 20);
		assert.ok(end - start <= 20);
	});
});

suite('gridLayout › keys', () => {
	const to = (key: string, from: number) => grid.tileFor(key, from, four, 2 * pitch);

	test('arrows move by one and by a row, and stay at the edges', () => {
		assert.equal(to('ArrowRight', 3), 4);
		assert.equal(to('ArrowLeft', 4), 3);
		assert.equal(to('ArrowLeft', 0), 0);
		assert.equal(to('ArrowRight', 9), 9);
		assert.equal(to('ArrowDown', 1), 5);
		assert.equal(to('ArrowUp', 5), 1);
		assert.equal(to('ArrowUp', 1), 1);
		assert.equal(to('ArrowDown', 9), 9);
	});

	test('down leads into a last row that is not full', () => {
		assert.equal(to('ArrowDown', 7), 9);
		assert.equal(to('ArrowDown', 8), 8);
	});

	test('pages are what is seen, Home and End the first and the last', () => {
		assert.equal(to('PageDown', 1), 9);
		assert.equal(to('PageUp', 9), 1);
		assert.equal(to('PageUp', 7), 3);
		assert.equal(grid.tileFor('PageDown', 0, four, 10), 4);
		assert.equal(to('Home', 7), 0);
		assert.equal(to('End', 0), 9);
	});

	test('other keys are left to others', () => {
		assert.equal(to('Tab', 3), undefined);
		assert.equal(to('a', 3), undefined);
	});
});

suite('gridLayout › successor', () => {
	const before = ['a', 'b', 'c', 'd'];

	test('itself, as long as it is there, wherever it is now', () => {
		assert.equal(grid.successor('b', before, ['new', 'a', 'b', 'd']), 'b');
	});

	test('the next one that is left, else the one before', () => {
		assert.equal(grid.successor('b', before, ['a', 'c', 'd']), 'c');
		assert.equal(grid.successor('b', before, ['new', 'a', 'd']), 'd');
		assert.equal(grid.successor('d', before, ['a', 'c']), 'c');
		assert.equal(grid.successor('b', before, []), undefined);
		assert.equal(grid.successor('b', before, ['x', 'y']), 'x');
	});
});

test('gridLayout › the tiles that are there are in order, the one with the focus among them', () => {
	assert.deepEqual(grid.indexesIn({ start: 2, end: 5 }, -1), [2, 3, 4]);
	assert.deepEqual(grid.indexesIn({ start: 2, end: 5 }, 2), [2, 3, 4]);
	assert.deepEqual(grid.indexesIn({ start: 2, end: 5 }, 0), [0, 2, 3, 4]);
	assert.deepEqual(grid.indexesIn({ start: 2, end: 5 }, 5), [2, 3, 4, 5]);
	assert.deepEqual(grid.indexesIn({ start: 0, end: 0 }, -1), []);
});
