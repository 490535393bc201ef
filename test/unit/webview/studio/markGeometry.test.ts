import assert from 'node:assert/strict';
import { markSchema, maxPoints, type Mark } from '../../../../src/images/marks';
import * as geometry from '../../../../src/webview/studio/marks/markGeometry';
import { seeded } from '../../images/random';

/** A picture of 400 by 200 pixels in a pane of 500 by 300. */
const picture = { x: 50, y: 50, width: 400, height: 200 };
const pane = { width: 500, height: 300 };
const box: Mark = { shape: 'rectangle', note: '', x: 0.1, y: 0.2, width: 0.2, height: 0.1 };
const area: Mark = {
	...{ shape: 'area', note: '' },
	points: [
		{ x: 0.1, y: 0.2 },
		{ x: 0.3, y: 0.2 },
		{ x: 0.2, y: 0.3 },
	],
};
const arrow: Mark = {
	...{ shape: 'arrow', note: '' },
	...{ from: { x: 0.5, y: 0.5 }, to: { x: 0.7, y: 0.5 } },
};

suite('markGeometry', () => {
	test('a stroke of the pointer becomes a mark in fractions, whichever corner it begins at', () => {
		const stroke = [
			{ x: 250, y: 150 },
			{ x: 150, y: 100 },
		];
		assert.deepEqual(geometry.drawnMark('rectangle', stroke, picture), {
			...{ shape: 'rectangle', note: '', x: 0.25, y: 0.25, width: 0.25, height: 0.25 },
		});
		assert.deepEqual(geometry.drawnMark('arrow', stroke, picture), {
			...{ shape: 'arrow', note: '', from: { x: 0.5, y: 0.5 }, to: { x: 0.25, y: 0.25 } },
		});
	});

	test('a stroke that leaves the picture ends at its edge, and a click draws nothing', () => {
		const beyond = geometry.drawnMark(
			'rectangle',
			[
				{ x: 410, y: 230 },
				{ x: 900, y: 900 },
			],
			picture,
		);
		assert.deepEqual(beyond, { ...box, x: 0.9, y: 0.9, width: 0.1, height: 0.1 });
		const click = [
			{ x: 100, y: 100 },
			{ x: 102, y: 101 },
		];
		assert.equal(geometry.drawnMark('rectangle', click, picture), undefined);
	});

	test('the number of a selected mark leaves the handle of its corner free, within the pane', () => {
		for (const place of [picture, { ...picture, x: 0, y: 0 }, { ...picture, x: -40, y: 20 }]) {
			for (const mark of [box, { ...box, x: 0, y: 0 }, geometry.defaultMark('area', place, pane)]) {
				const corner = geometry.toPane(geometry.handlesOf(mark)[0]!, place);
				const isSeen = corner.x >= 0 && corner.y >= 0;
				assert.deepEqual(geometry.badgeOf(mark, place, false), corner);
				const { x, y } = geometry.badgeOf(mark, place, true);
				const away = Math.hypot(x - corner.x, y - corner.y);
				assert.ok(away >= geometry.badgeRadius + 6 * Math.SQRT2, String(away));
				assert.ok(!isSeen || Math.min(x, y) >= geometry.badgeRadius, JSON.stringify([x, y]));
			}
		}
	});

	test('what is drawn is never too flat to hold anything', () => {
		const line = [
			{ x: 300, y: 250 },
			{ x: 400, y: 250 },
		];
		assert.deepEqual(geometry.drawnMark('rectangle', line, picture), {
			...{ ...box, x: 0.625, y: 0.99, width: 0.25, height: 0.01 },
		});
		assert.equal(geometry.drawnMark('area', line, picture), undefined);
	});

	test('a long freehand stroke keeps its form with points that fit into a mark', () => {
		const random = seeded(7);
		const stroke = Array.from({ length: 30_000 }, (_, index) => ({
			x: 250 + 100 * Math.cos(index / 10) + random() * 8,
			y: 150 + 80 * Math.sin(index / 10) + random() * 8,
		}));
		const mark = geometry.drawnMark('area', stroke, picture);
		assert.ok(mark?.shape === 'area' && mark.points.length <= maxPoints);
		assert.equal(markSchema.safeParse(mark).success, true);
		const circle = Array.from({ length: 361 }, (_, degrees) => ({
			x: 250 + 100 * Math.cos((degrees * Math.PI) / 180),
			y: 150 + 80 * Math.sin((degrees * Math.PI) / 180),
		}));
		const simple = geometry.outlineOf(circle);
		assert.ok(simple.length >= 8 && simple.length < 40, String(simple.length));
	});

	test('marks are moved and sized on the picture alone', () => {
		for (const mark of [box, area, arrow]) {
			const moved = geometry.movedMark(mark, { x: 5, y: 5 });
			const { x, y, width, height } = geometry.boundsOf(moved);
			assert.ok(Math.abs(x + width - 1) < 1e-3 && Math.abs(y + height - 1) < 1e-3, mark.shape);
			const before = geometry.boundsOf(mark);
			assert.ok(Math.abs(width - before.width) < 1e-3, 'its size stays');
			const sized = geometry.sizedMark(mark, { x: 0.1, y: 0.05 });
			assert.ok(Math.abs(geometry.boundsOf(sized).width - before.width - 0.1) < 1e-3);
			const tiny = geometry.sizedMark(mark, { x: -5, y: -5 });
			assert.equal(markSchema.safeParse(tiny).success, true, mark.shape);
		}
	});

	test('a corner is moved while the opposite one stays', () => {
		assert.deepEqual(geometry.withHandle(box, 0, { x: 0, y: 0 }), {
			...{ ...box, x: 0, y: 0, width: 0.3, height: 0.3 },
		});
		assert.deepEqual(geometry.withHandle(box, 2, { x: 0.05, y: 0.9 }), {
			...{ ...box, width: 0.01, height: 0.7 },
		});
		assert.deepEqual(geometry.withHandle(arrow, 1, { x: 2, y: 0.1 }), {
			...arrow,
			to: { x: 1, y: 0.1 },
		});
	});

	test('a mark from the keyboard lies in the middle of what is seen of the picture', () => {
		assert.deepEqual(geometry.defaultMark('rectangle', picture, pane), {
			...{ ...box, x: 0.375, y: 0.375, width: 0.25, height: 0.25 },
		});
		// Zoomed in to its upper left quarter.
		const zoomed = { x: 0, y: 0, width: 1000, height: 600 };
		const { x, width } = geometry.boundsOf(geometry.defaultMark('area', zoomed, pane));
		assert.deepEqual([x, width], [0.1875, 0.125]);
	});

	test('is named by its number, its place, its size and its note', () => {
		const words = { ...box, height: 0.08, note: ' make this button the primary one ' };
		assert.equal(
			geometry.markName(words, 2),
			'Mark 2, top left, 20 by 8 percent: make this button the primary one',
		);
		assert.equal(geometry.markName(arrow, 1), 'Mark 1, middle, 20 by 0 percent');
		assert.equal(
			geometry.markName({ ...box, x: 0.8, y: 0.9 }, 3),
			'Mark 3, bottom right, 20 by 10 percent',
		);
	});

	test('is drawn where the picture lies in the pane, an arrow with its head', () => {
		assert.equal(geometry.pathOf(box, picture), 'M90.0 90.0L170.0 90.0L170.0 110.0L90.0 110.0Z');
		const head = geometry.pathOf(arrow, picture);
		assert.match(head, /^M250\.0 150\.0L330\.0 150\.0M\S+ \S+L330\.0 150\.0L\S+ \S+$/);
	});
});
