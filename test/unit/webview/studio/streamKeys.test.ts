import assert from 'node:assert/strict';
import { cellFor, cellWith, type PlacedCell } from '../../../../src/webview/studio/streamKeys';
import { gap, layOut, type RoundShape } from '../../../../src/webview/studio/streamLayout';

/** `6a 6b 6c 6d / 6e`, `5a 5b` beside `4a`, `3` collapsed, `2a 2b` as one tile, `1a 1b 1c 1d`. */
const rounds: readonly RoundShape[] = [
	roundOf('6', 5),
	roundOf('5', 2),
	roundOf('4', 1),
	{ ...roundOf('3', 2), collapsed: true },
	{ ...roundOf('2', 3, '402') },
	roundOf('1', 4),
];
const layout = layOut(rounds, 4 * 300 + 3 * gap);

function roundOf(id: string, count: number, group?: string): RoundShape {
	const slots = Array.from({ length: count }, (_, index) => ({
		id: `${id}${'abcde'[index]!}`,
		ratio: 1,
		...(group === undefined ? {} : { group }),
	}));
	return { id, slots, collapsed: false };
}

/** The cell of a slot, or of a collapsed round. */
function cellOf(id: string): PlacedCell | undefined {
	return cellWith(
		layout,
		rounds.findIndex((round) => id.startsWith(round.id)),
		id,
	);
}

/** Where a key leads from a slot, or a collapsed round. */
function from(id: string, key: string, screen = 800): string | undefined {
	const at = cellOf(id);
	return at && cellFor(key, at, layout, screen)?.ids[0];
}

suite('streamKeys', () => {
	test('left and right go through all tiles and lines, from round to round, and stay at the ends', () => {
		const ids = ['6a', '6b', '6c', '6d', '6e', '5a', '5b', '4a', '3', '2a', '1a', '1b'];
		for (const [index, id] of ids.entries()) {
			assert.equal(from(id, 'ArrowLeft'), ids[Math.max(index - 1, 0)], id);
			assert.equal(from(id, 'ArrowRight'), ids[index + 1] ?? '1c', id);
		}
		assert.equal(from('1d', 'ArrowRight'), '1d');
	});

	test('down and up go straight, to the nearest where there is none', () => {
		assert.equal(from('6b', 'ArrowDown'), '6e');
		assert.equal(from('6e', 'ArrowUp'), '6a');
		assert.equal(from('6e', 'ArrowDown'), '5a');
		assert.equal(from('4a', 'ArrowUp'), '6e');
		assert.equal(from('4a', 'ArrowDown'), '3');
		assert.equal(from('3', 'ArrowDown'), '2a');
		assert.equal(from('1d', 'ArrowUp'), '2a');
		assert.equal(from('1d', 'ArrowDown'), '1d');
		assert.equal(from('6a', 'ArrowUp'), '6a');
	});

	test('pages are what is seen, and at least a row; Home and End the first and the last', () => {
		assert.equal(from('6b', 'PageDown', 10), '6e');
		assert.equal(from('6a', 'PageDown', 1060), '5a');
		assert.equal(from('6a', 'PageDown', 100_000), '1a');
		assert.equal(from('1d', 'PageUp', 100_000), '6d');
		assert.equal(from('6a', 'PageUp'), '6a');
		assert.equal(from('4a', 'Home'), '6a');
		assert.equal(from('4a', 'End'), '1d');
	});

	test('other keys are left to others', () => {
		assert.equal(from('6a', 'Tab'), undefined);
		assert.equal(from('6a', 'k'), undefined);
	});

	test('a slot of a collapsed round is its line, one within a common tile that tile', () => {
		assert.deepEqual(cellOf('3b')?.cell.ids, ['3']);
		assert.deepEqual(cellOf('2b')?.cell.ids, ['2a', '2b', '2c']);
	});

	test('who is nowhere is the first; where there is nobody, nobody', () => {
		assert.deepEqual(cellWith(layout, 0, 'gone')?.cell.ids, ['6a']);
		assert.deepEqual(cellWith(layout, 0, undefined)?.cell.ids, ['6a']);
		assert.equal(cellWith(layOut([], 500), 0, '6a'), undefined);
	});
});
