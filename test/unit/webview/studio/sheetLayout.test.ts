import assert from 'node:assert/strict';
import {
	cellFor,
	cellsBetween,
	layOutSheet,
	nameHeight,
	placeOf,
	type CellSize,
} from '../../../../src/webview/studio/sheetLayout';

const sizes: readonly CellSize[] = ['small', 'medium', 'large'];

suite('webview › studio › sheetLayout', () => {
	for (const size of sizes) {
		for (const width of [200, 326, 576, 1256, 1896]) {
			test(`cells are of one size and fill ${String(width)} px, ${size}`, () => {
				const layout = layOutSheet(100, width, size);
				const places = Array.from({ length: 100 }, (_, index) => placeOf(layout, index));
				for (const { width: wide, height } of places) {
					assert.deepEqual([wide, height], [layout.cellWidth, layout.cellWidth + nameHeight]);
				}
				const right = Math.max(...places.map((place) => place.x + place.width));
				assert.ok(right <= width && right > width - layout.columns, String(right));
				const bottom = Math.max(...places.map((place) => place.y + place.height));
				assert.ok(bottom <= layout.height);
			});
		}
	}

	test('a larger size has fewer columns, also in a narrow panel', () => {
		for (const width of [326, 1256]) {
			const columns = sizes.map((size) => layOutSheet(10, width, size).columns);
			assert.deepEqual(
				columns.toSorted((a, b) => b - a),
				columns,
			);
			assert.equal(new Set(columns).size, 3, String(columns));
		}
	});

	test('a width that is not known yet, and no files, make no trouble', () => {
		assert.equal(layOutSheet(3, 0, 'small').columns, 1);
		const none = layOutSheet(0, 500, 'small');
		assert.equal(none.height, 0);
		assert.deepEqual(cellsBetween(none, { top: 0, bottom: 1000 }), { start: 0, end: 0 });
	});

	test('finds the cells of the rows between two heights, and no others', () => {
		const layout = layOutSheet(95, 1000, 'small');
		for (const [top, bottom] of [
			[0, 1],
			[-500, 0],
			[0, 400],
			[123, 456],
			[layout.height - 10, layout.height + 500],
			[layout.height + 100, layout.height + 500],
			[-1000, -500],
		] as const) {
			const { start, end } = cellsBetween(layout, { top, bottom });
			assert.ok(start >= 0 && start <= end && end <= 95);
			for (let index = 0; index < 95; index++) {
				const { y, height } = placeOf(layout, index);
				const isWithin = y < bottom && y + height > top;
				if (isWithin) {
					assert.ok(index >= start && index < end, `${String(index)} at ${String(top)}`);
				}
			}
			const rows = (end - start) / layout.columns;
			assert.ok(rows <= (bottom - top) / layout.cellHeight + 2, String(rows));
		}
	});

	test('has ten thousand without laying out each', () => {
		const layout = layOutSheet(10_000, 326, 'large');
		assert.deepEqual(cellsBetween(layout, { top: layout.height, bottom: layout.height + 1 }), {
			start: 10_000,
			end: 10_000,
		});
		assert.equal(layout.height, 10_000 * (layout.cellHeight + 12));
	});

	test('keys lead to neighbors, rows, screens and both ends, and nowhere beyond', () => {
		// Ten in a row, the last row has three.
		const layout = layOutSheet(33, 1000, 'small');
		assert.equal(layout.columns, 10);
		const row = layout.cellHeight + 12;
		const to = (key: string, from: number) => cellFor(key, from, layout, 2 * row);
		assert.deepEqual(
			[to('ArrowLeft', 0), to('ArrowLeft', 11), to('ArrowRight', 9), to('ArrowRight', 32)],
			[0, 10, 10, 32],
		);
		assert.deepEqual(
			[to('ArrowUp', 5), to('ArrowUp', 15), to('ArrowDown', 5), to('ArrowDown', 31)],
			[5, 5, 15, 31],
		);
		assert.equal(to('ArrowDown', 28), 32, 'the last row is shorter');
		assert.deepEqual(
			[to('PageDown', 4), to('PageDown', 14), to('PageUp', 32), to('PageUp', 12)],
			[24, 32, 12, 2],
		);
		assert.deepEqual([to('Home', 20), to('End', 20)], [0, 32]);
		for (const key of ['a', ' ', 'Enter', 'Escape', 'Tab', '']) {
			assert.equal(to(key, 3), undefined);
		}
		assert.equal(cellFor('PageDown', 0, layout, 1), 10, 'by one row at least');
	});
});
