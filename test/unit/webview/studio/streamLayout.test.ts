import assert from 'node:assert/strict';
import * as stream from '../../../../src/webview/studio/streamLayout';
import { indexesIn, roundsBetween } from '../../../../src/webview/studio/streamSpan';

const { gap, headerHeight, captionHeight } = stream;

/** @param slots the ratios of its pictures; a text is that of a failure that is one tile with its like */
function roundOf(id: string, slots: readonly (number | string)[], collapsed = false) {
	return {
		id,
		collapsed,
		slots: slots.map((slot, index) => ({
			id: `${id}${'abcdefghijkl'[index]!}`,
			ratio: typeof slot === 'number' ? slot : 1,
			...(typeof slot === 'number' ? {} : { group: slot }),
		})),
	};
}

/** At this width there are four in a row, 300 wide. */
const width = 4 * 300 + 3 * gap;
const square = 300 + captionHeight;

const placesOf = (layout: stream.StreamLayout) =>
	layout.blocks.map(({ round, x, y }) => [round.id, x, y]);

suite('streamLayout › columns', () => {
	test('two in a panel of 350 pixels, one where there is no room, never the three that leave one of four alone', () => {
		for (const [room, columns] of [
			[140, 1],
			[260, 2],
			[326, 2],
			[535, 2],
			[576, 4],
			[862, 4],
			[900, 4],
			[1256, 4],
			[1896, 5],
		] as const) {
			assert.equal(stream.columnsFor(room), columns, String(room));
		}
	});

	test('tiles fill every width, and are neither narrow nor much wider than 360', () => {
		for (let room = 260; room <= 4000; room++) {
			const { columns, tileWidth } = stream.layOut([], room);
			const used = columns * tileWidth + (columns - 1) * gap;
			assert.ok(tileWidth >= 120 && tileWidth <= 400, `${room}: ${tileWidth}`);
			assert.ok(used <= room && room - used < columns, `${room}: ${used} used`);
		}
	});

	test('a stream without any room stands', () => {
		const { columns, tileWidth } = stream.layOut([roundOf('1', [1, 1])], 0);
		assert.equal(columns, 1);
		assert.ok(tileWidth > 0);
	});
});

suite('streamLayout › rounds', () => {
	test('small ones stand beside each other, newest first, as long as there is room', () => {
		const layout = stream.layOut(
			[roundOf('3', [1, 1]), roundOf('2', [1]), roundOf('1', [1])],
			width,
		);
		assert.deepEqual(placesOf(layout), [
			['3', 0, 0],
			['2', 2 * (300 + gap), 0],
			['1', 3 * (300 + gap), 0],
		]);
		assert.equal(layout.shelves[0]?.height, headerHeight + square);
	});

	test('a new round moves none but those that it stands beside', () => {
		const older = [roundOf('4', [1]), roundOf('3', [1, 1, 1]), roundOf('2', [1, 1, 1, 1])];
		const before = stream.layOut(older, width);
		const after = stream.layOut([roundOf('5', [1]), ...older], width);
		const by = after.height - before.height;
		for (const [id, x, y] of placesOf(before)) {
			const [, newX, newY] = placesOf(after).find(([other]) => other === id)!;
			assert.deepEqual([newX, newY], [x, Number(y) + by], String(id));
		}
	});

	test('an image that comes into its place moves nothing', () => {
		const running = [roundOf('2', [1.5, 1.5, 1.5, 1.5]), roundOf('1', [1])];
		const arrived = running.map((round) => ({ ...round, slots: [...round.slots] }));
		assert.deepEqual(
			placesOf(stream.layOut(arrived, width)),
			placesOf(stream.layOut(running, width)),
		);
	});

	test('one that is collapsed is one line of the whole width', () => {
		const layout = stream.layOut(
			[roundOf('3', [1]), roundOf('2', [1, 1], true), roundOf('1', [1])],
			width,
		);
		const [, line, below] = layout.blocks;
		assert.equal(line?.height, headerHeight);
		assert.equal(line.lineWidth, width);
		assert.ok(below!.y - line.y < headerHeight + gap);
		assert.deepEqual(
			stream.cellsOf(layout, line).map(({ ids, height }) => [ids, height]),
			[[['2'], headerHeight]],
		);
	});

	test('the line of the last one beside others has the room that is left', () => {
		const { blocks } = stream.layOut([roundOf('2', [1]), roundOf('1', [1])], width);
		assert.deepEqual(
			blocks.map(({ lineWidth }) => lineWidth),
			[300, width - 300 - gap],
		);
	});
});

suite('streamLayout › tiles', () => {
	const cells = (slots: readonly (number | string)[]) => {
		const layout = stream.layOut([roundOf('1', slots)], width);
		return stream.cellsOf(layout, layout.blocks[0]!);
	};

	test('keep the ratio of their pictures, within what leaves room for others', () => {
		const heightOf = (ratio: number) => cells([ratio])[0]!.height - captionHeight;
		assert.equal(heightOf(1), 300);
		assert.equal(heightOf(1.5), 200);
		assert.equal(heightOf(3), 120);
		assert.equal(heightOf(20), 120);
		assert.equal(heightOf(0.8), 375);
		assert.equal(heightOf(0.05), 400);
	});

	test('of a row are as high as the highest of them; what does not fit goes on below', () => {
		const places = cells([1, 1.5, 1, 1, 1.5]).map(({ x, y, height, row }) => [x, y, height, row]);
		assert.deepEqual(places[1], [300 + gap, headerHeight, square, 0]);
		assert.deepEqual(places[4], [0, headerHeight + square + gap, 200 + captionHeight, 1]);
	});

	test('that have failed for one reason are one tile, as far as they stand beside each other', () => {
		const groups = cells(['402', '402', 1, '402', '402', '400', '400', 1]).map(
			({ ids, width: wide }) => [ids.join(), wide],
		);
		assert.deepEqual(groups, [
			['1a,1b', 600 + gap],
			['1c', 300],
			['1d', 300],
			['1e', 300],
			['1f,1g', 600 + gap],
			['1h', 300],
		]);
	});
});

suite('streamLayout › what is seen', () => {
	test('is found by heights, in whole shelves', () => {
		const rounds = ['4', '3', '2', '1'].map((id) => roundOf(id, [1, 1, 1, 1]));
		const layout = stream.layOut(rounds, width);
		const second = layout.blocks[1]!;
		const between = (top: number, bottom: number) => {
			const { start, end } = roundsBetween(layout, top, bottom);
			return rounds.slice(start, end).map(({ id }) => id);
		};
		assert.deepEqual(between(0, 10), ['4']);
		assert.deepEqual(between(second.y - 1, second.y + 1), ['3']);
		assert.deepEqual(between(second.y - 20, second.y + 1), ['4', '3']);
		assert.deepEqual(between(-500, -100), []);
		assert.deepEqual(between(layout.height + 100, layout.height + 200), []);
	});

	test('every round of 100,000 is found by its own place', () => {
		const rounds = Array.from({ length: 100_000 }, (_, index) => roundOf(String(index), [1]));
		const layout = stream.layOut(rounds, width);
		for (const index of [0, 3, 4, 49_999, 99_999]) {
			const { y, height } = layout.blocks[index]!;
			const { start, end } = roundsBetween(layout, y, y + height);
			assert.ok(start <= index && index < end && end - start <= 4, String(index));
		}
	});
});

test('streamLayout › what is there is in order, what has the focus among it', () => {
	assert.deepEqual(indexesIn({ start: 2, end: 5 }, undefined), [2, 3, 4]);
	assert.deepEqual(indexesIn({ start: 2, end: 5 }, 2), [2, 3, 4]);
	assert.deepEqual(indexesIn({ start: 2, end: 5 }, 0), [0, 2, 3, 4]);
	assert.deepEqual(indexesIn({ start: 2, end: 5 }, 5), [2, 3, 4, 5]);
	assert.deepEqual(indexesIn({ start: 0, end: 0 }, undefined), []);
});
