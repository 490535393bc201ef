import assert from 'node:assert/strict';
import { createCanvas } from '@napi-rs/canvas';
import { mostColors, paletteOf } from '../../../src/images/palette.js';
import type { Picture } from '../../../src/images/thumbnails/shrink.js';
import { seeded } from './random';

/** Draws stripes from the top down, each with its share of the height. */
function stripes(height: number, colors: readonly (readonly [string, number])[]): Picture {
	const width = 300;
	const context = createCanvas(width, height).getContext('2d');
	let y = 0;
	for (const [color, share] of colors) {
		context.fillStyle = color;
		context.fillRect(0, Math.round(y * height), width, Math.round(share * height));
		y += share;
	}
	return { width, height, data: context.getImageData(0, 0, width, height).data };
}

const hex = ({ red, green, blue }: { red: number; green: number; blue: number }) =>
	`#${[red, green, blue].map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;

suite('images › palette', () => {
	test('has the colors of planes exactly, with their shares, the largest first', () => {
		const colors = [
			['#f4f1ea', 0.6],
			['#1d3557', 0.2],
			['#e63946', 0.1],
			['#a8dadc', 0.06],
			['#457b9d', 0.04],
		] as const;
		const palette = paletteOf(stripes(500, colors));
		assert.deepEqual(
			palette.map((color) => [hex(color), Number(color.share.toFixed(3))]),
			colors,
		);
	});

	test('has no more colors than the picture', () => {
		assert.deepEqual(paletteOf(stripes(100, [['#0f62fe', 1]])), [
			{ red: 0x0f, green: 0x62, blue: 0xfe, share: 1 },
		]);
	});

	test('takes nuances together, and leaves room for an accent', () => {
		const nuances = Array.from(
			{ length: 48 },
			(_, index) => [`hsl(210 30% ${String(85 + index / 6)}%)`, 0.02] as const,
		);
		const palette = paletteOf(stripes(1000, [...nuances, ['#d81b60', 0.04]]));
		assert.ok(palette.length >= 2 && palette.length <= 5, JSON.stringify(palette.map(hex)));
		assert.ok(palette.map(hex).includes('#d81b60'), JSON.stringify(palette.map(hex)));
	});

	test('does not count what cannot be seen', () => {
		const picture = stripes(100, [['#00aa00', 0.25]]);
		assert.deepEqual(paletteOf(picture), [{ red: 0, green: 0xaa, blue: 0, share: 1 }]);
		assert.deepEqual(paletteOf(stripes(10, [])), []);
	});

	test('of whatever picture has at most eight colors, whose shares are no more than all of it, and is the same again', () => {
		for (let seed = 0; seed < 20; seed++) {
			const next = seeded(seed);
			const data = Uint8ClampedArray.from({ length: 40 * 30 * 4 }, () => next() * 256);
			const palette = paletteOf({ width: 40, height: 30, data });
			const all = palette.reduce((sum, { share }) => sum + share, 0);
			assert.ok(
				palette.length >= 1 && palette.length <= mostColors && all <= 1 + 1e-9,
				`seed ${String(seed)}`,
			);
			assert.deepEqual(paletteOf({ width: 40, height: 30, data }), palette, `seed ${String(seed)}`);
		}
	});
});
