import assert from 'node:assert/strict';
import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import { withFewColors } from '../../../../src/images/exports/palette.js';
import type { Pixels } from '../../../../src/images/thumbnails/shrink.js';

const side = 256;

function drawn(draw: (context: SKRSContext2D) => void): Pixels {
	const context = createCanvas(side, side).getContext('2d');
	context.fillStyle = '#f4f1ea';
	context.fillRect(0, 0, side, side);
	draw(context);
	const { data } = context.getImageData(0, 0, side, side);
	return { width: side, height: side, data: new Uint8ClampedArray(data) };
}

function colorsOf({ data }: Pixels): Set<number> {
	return new Set(new Uint32Array(data.buffer));
}

/** Lines of many widths: their edges have every shade of gray. */
function lines(context: SKRSContext2D): void {
	context.strokeStyle = '#222';
	for (let at = 0; at < 60; at++) {
		context.lineWidth = 0.4 + at / 40;
		context.beginPath();
		context.moveTo(4 * at, 10);
		context.lineTo(250 - 2 * at, 250);
		context.stroke();
	}
}

suite('A small picture with a palette', () => {
	test('has fewer colors where that looks the same, and keeps a small spot of another one', () => {
		const picture = drawn((context) => {
			lines(context);
			context.fillStyle = '#c0392b';
			context.fillRect(8, 200, 5, 5);
		});
		const before = colorsOf(picture).size;
		const made = withFewColors(picture, 256);
		const after = colorsOf(made).size;
		assert.ok(before > 100 && after <= 32, `${String(before)}: ${String(after)}`);
		const at = (202 * side + 10) * 4;
		const [red, green, blue] = made.data.subarray(at, at + 3);
		const isSame = [red! - 0xc0, green! - 0x39, blue! - 0x2b].every((off) => Math.abs(off) < 12);
		assert.ok(isSame, [red, green, blue].join());
	});

	test('keeps its colors in a gradient, where fewer would be seen', () => {
		const picture = drawn((context) => {
			const gradient = context.createRadialGradient(60, 60, 0, 128, 128, 256);
			gradient.addColorStop(0, '#e0a030');
			gradient.addColorStop(1, '#203060');
			context.fillStyle = gradient;
			context.fillRect(0, 0, side, side);
		});
		const { size } = colorsOf(withFewColors(picture, 256));
		assert.ok(size >= 64, String(size));
	});
});
