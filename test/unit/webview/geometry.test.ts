import assert from 'node:assert/strict';
import * as geometry from '../../../src/webview/geometry';
import { seeded } from '../images/random';

const box = { width: 1000, height: 500 };
const pane = { width: 400, height: 300 };
const middle = { x: 0.5, y: 0.5 };

function assertClose(actual: number, expected: number, what = ''): void {
	assert.ok(Math.abs(actual - expected) < 1e-6, `${what} ${String(actual)} ≠ ${String(expected)}`);
}

suite('geometry › both images in one box', () => {
	test('the box is that of the image with more pixels', () => {
		const large = { width: 1536, height: 1024 };
		const small = { width: 1024, height: 1024 };
		assert.deepEqual(geometry.commonBox([large, small]), large);
		assert.deepEqual(geometry.commonBox([small, large, small]), large);
		assert.deepEqual(geometry.commonBox([undefined, small]), small);
		assert.deepEqual(geometry.commonBox([undefined, undefined]), { width: 1, height: 1 });
	});

	test('at one width, the box is as high as the highest image of it', () => {
		const wide = { width: 1536, height: 1024 };
		assert.deepEqual(geometry.commonBox([wide, { width: 375, height: 750 }], true), {
			width: 1536,
			height: 3072,
		});
		const page = { x: 10, y: 20, width: 300, height: 600 };
		assert.deepEqual(geometry.acrossIn(wide, page), { x: 10, y: 20, width: 300, height: 200 });
	});

	test('an adjusted image is shifted by parts of the box, and scaled around its middle', () => {
		const place = { x: 10, y: 20, width: 100, height: 50 };
		const whole = { x: 0, y: 0, width: 200, height: 400 };
		const adjusted = geometry.adjustedIn(place, { x: 0.1, y: -0.05, scale: 2 }, whole);
		assert.deepEqual(adjusted, { x: -20, y: -25, width: 200, height: 100 });
	});

	test('two or three stand beside each other where it is wide, else one below the other', () => {
		const landscape = { width: 1536, height: 1024 };
		for (const count of [2, 3]) {
			const columns = (width: number, height: number) =>
				geometry.columnsFor(count, landscape, { width, height });
			assert.equal(columns(2400, 800), count);
			assert.equal(columns(350, 800), 1);
		}
		const portrait = { width: 1024, height: 1536 };
		assert.equal(geometry.columnsFor(3, portrait, { width: 900, height: 600 }), 3);
	});

	test('four stand in two rows, however much room there is', () => {
		for (const width of [350, 2400]) {
			assert.equal(geometry.columnsFor(4, box, { width, height: 800 }), 2);
		}
	});

	test('an image lies in it undistorted, as large as it can be, in the middle', () => {
		const rectangle = { x: 10, y: 20, width: 300, height: 100 };
		assert.deepEqual(geometry.containIn({ width: 50, height: 50 }, rectangle), {
			x: 110,
			y: 20,
			width: 100,
			height: 100,
		});
		assert.deepEqual(geometry.containIn({ width: 3000, height: 1000 }, rectangle), rectangle);
	});
});

suite('geometry › fit', () => {
	test('shows the whole box with some space around it', () => {
		const scale = geometry.fittingScale(box, pane);
		const { x, y, width, height } = geometry.rectangleOf({ scale, center: middle }, box, pane);
		assertClose(x, 16);
		assertClose(width, pane.width - 32);
		assertClose(y, (pane.height - height) / 2);
		assertClose(width / height, 2);
	});

	test('does not enlarge a small image, and stands a pane without any room', () => {
		assert.equal(geometry.fittingScale({ width: 16, height: 16 }, pane), 1);
		assert.ok(geometry.fittingScale(box, { width: 0, height: 0 }) > 0);
	});
});

suite('geometry › clamp', () => {
	test('puts into the middle what is smaller than the pane', () => {
		const { center } = geometry.clamp({ scale: 0.2, center: { x: 0, y: 1 } }, box, pane);
		assert.deepEqual(center, middle);
	});

	test('leaves no empty space where there is more of the image', () => {
		for (const corner of [
			{ x: 0, y: 0 },
			{ x: 1, y: 1 },
		]) {
			const placement = geometry.clamp({ scale: 2, center: corner }, box, pane);
			const { x, y, width, height } = geometry.rectangleOf(placement, box, pane);
			assertClose(corner.x === 0 ? x : x + width, corner.x * pane.width);
			assertClose(corner.y === 0 ? y : y + height, corner.y * pane.height);
		}
	});

	test('keeps the scale between a tenth, or what fits if that is less, and 20', () => {
		const scaleOf = (scale: number, size = box) =>
			geometry.clamp({ scale, center: middle }, size, pane).scale;
		assert.equal(scaleOf(1e9), 20);
		assert.equal(scaleOf(1e-9), 0.1);
		const huge = { width: 40_000, height: 20_000 };
		assert.equal(scaleOf(1e-9, huge), geometry.fittingScale(huge, pane));
	});
});

suite('geometry › zoom and pan', () => {
	/** Which point of the box, in fractions, lies at a place of the pane. */
	function pointAt(placement: geometry.Placement, at: geometry.Point): geometry.Point {
		const { x, y, width, height } = geometry.rectangleOf(placement, box, pane);
		return { x: (at.x - x) / width, y: (at.y - y) / height };
	}

	test('the point under the pointer stays where it is', () => {
		const random = seeded(7);
		for (let round = 0; round < 500; round++) {
			// From far inside, and closer: no edge comes into the pane.
			const center = { x: 0.4 + random() * 0.2, y: 0.4 + random() * 0.2 };
			const from = { scale: 2 + random() * 4, center };
			const at = { x: random() * pane.width, y: random() * pane.height };
			const to = geometry.zoomAt(from, from.scale * (1 + random() * 2), at, box, pane);
			assert.ok(to.scale > from.scale);
			assertClose(pointAt(to, at).x, pointAt(from, at).x);
			assertClose(pointAt(to, at).y, pointAt(from, at).y);
		}
	});

	test('at the limit of the scale nothing moves any more', () => {
		const from = { scale: 20, center: { x: 0.3, y: 0.6 } };
		const to = geometry.zoomAt(from, 40, { x: 10, y: 20 }, box, pane);
		assert.equal(to.scale, 20);
		assertClose(to.center.x, 0.3);
		assertClose(to.center.y, 0.6);
	});

	test('zooming out to all of it brings it back into the middle', () => {
		const from = { scale: 2, center: { x: 0.2, y: 0.8 } };
		assert.deepEqual(geometry.zoomAt(from, 0.3, { x: 0, y: 0 }, box, pane).center, middle);
	});

	test('the image follows the hand pixel by pixel, up to its edge', () => {
		const from = { scale: 2, center: middle };
		const to = geometry.pan(from, { x: 30, y: -20 }, box, pane);
		const [before, after] = [
			geometry.rectangleOf(from, box, pane),
			geometry.rectangleOf(to, box, pane),
		];
		assertClose(after.x - before.x, 30);
		assertClose(after.y - before.y, -20);
		assertClose(
			geometry.rectangleOf(geometry.pan(from, { x: 1e6, y: 0 }, box, pane), box, pane).x,
			0,
		);
	});
});

suite('geometry › slider', () => {
	test('runs over what is seen of the images', () => {
		const small = { x: 100, y: 0, width: 200, height: 100 };
		assert.deepEqual(geometry.sliderTrack(small, pane), { start: 100, end: 300 });
		const large = { x: -500, y: -500, width: 2000, height: 2000 };
		assert.deepEqual(geometry.sliderTrack(large, pane), { start: 0, end: 400 });
	});

	test('has its value in percent, within its ends', () => {
		const track = { start: 100, end: 300 };
		assert.equal(geometry.sliderPosition(150, track), 25);
		assert.equal(geometry.sliderPosition(0, track), 0);
		assert.equal(geometry.sliderPosition(999, track), 100);
		assert.equal(geometry.sliderPosition(5, { start: 0, end: 0 }), 50);
	});
});

suite('geometry › within the window', () => {
	const window = { width: 400, height: 300 };

	test('opens where it is asked for, and as near to that as it can be seen', () => {
		const size = { width: 100, height: 80 };
		assert.deepEqual(geometry.withinWindow({ x: 20, y: 30 }, size, window), { x: 20, y: 30 });
		assert.deepEqual(geometry.withinWindow({ x: 390, y: 290 }, size, window), { x: 296, y: 216 });
		assert.deepEqual(geometry.withinWindow({ x: -5, y: -5 }, size, window), { x: 4, y: 4 });
	});

	test('what is larger than the window begins where it begins', () => {
		const size = { width: 500, height: 500 };
		assert.deepEqual(geometry.withinWindow({ x: 20, y: 30 }, size, window), { x: 4, y: 4 });
	});
});
