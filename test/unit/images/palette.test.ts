import assert from 'node:assert/strict';
import { createCanvas } from '@napi-rs/canvas';
import { maxColors, paletteOf, type PaletteColor } from '../../../src/images/palette.js';
import type { Picture } from '../../../src/images/thumbnails/shrink.js';
import { assertLinear } from '../linearTime/growth.js';
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

type Rgb = readonly [red: number, green: number, blue: number];

/** A picture of so many pixels of each color, opaque where nothing else is said. */
function planes(...colors: readonly (readonly [color: Rgb, pixels: number, alpha?: number])[]) {
	const pixels = colors.flatMap(([color, count, alpha = 255]) =>
		new Array<number[]>(count).fill([...color, alpha]),
	);
	return { width: pixels.length, height: 1, data: Uint8ClampedArray.from(pixels.flat()) };
}

const rgb = ({ red, green, blue }: PaletteColor): Rgb => [red, green, blue];

/**
 * The distance of two colors in OKLab by way of XYZ, with the matrices of CSS Color 4 ("Sample code
 * for Color Conversions"), which is another way than the one that is measured.
 */
function distance(one: Rgb, other: Rgb): number {
	const [a, b] = [oklab(one), oklab(other)];
	return Math.hypot(...a.map((value, index) => value - b[index]!));
}

function oklab(color: Rgb): number[] {
	const linear = color.map((channel) => {
		const value = channel / 255;
		return value > 0.04045 ? Math.pow((value + 0.055) / 1.055, 2.4) : value / 12.92;
	});
	const xyz = times(
		[
			[506752 / 1228815, 87881 / 245763, 12673 / 70218],
			[87098 / 409605, 175762 / 245763, 12673 / 175545],
			[7918 / 409605, 87881 / 737289, 1001167 / 1053270],
		],
		linear,
	);
	const lms = times(
		[
			[0.819022437996703, 0.3619062600528904, -0.1288737815209879],
			[0.0329836539323885, 0.9292868615863434, 0.0361446663506424],
			[0.0481771893596242, 0.2642395317527308, 0.6335478284694309],
		],
		xyz,
	);
	return times(
		[
			[0.210454268309314, 0.7936177747023054, -0.0040720430116193],
			[1.9779985324311684, -2.4285922420485799, 0.450593709617411],
			[0.0259040424655478, 0.7827717124575296, -0.8086757549230774],
		],
		lms.map(Math.cbrt),
	);
}

function times(matrix: readonly (readonly number[])[], vector: readonly number[]): number[] {
	return matrix.map((row) => row.reduce((sum, each, index) => sum + each * vector[index]!, 0));
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
				palette.length >= 1 && palette.length <= maxColors && all <= 1 + 1e-9,
				`seed ${String(seed)}`,
			);
			assert.deepEqual(paletteOf({ width: 40, height: 30, data }), palette, `seed ${String(seed)}`);
		}
	});

	/** Far from one another, light and dark, of every hue. */
	const anchors: readonly Rgb[] = [
		[0, 0, 0],
		[255, 255, 255],
		[220, 30, 30],
		[30, 160, 40],
		[30, 40, 220],
	];

	test('has colors of every hue that look alike as one, and those that do not as two', () => {
		const directions: readonly Rgb[] = [
			[1, 0, 0],
			[0, 1, 0],
			[0, 0, 1],
			[1, 1, 1],
			[1, -1, 0],
			[-1, 0, 1],
		];
		let [together, apart] = [0, 0];
		for (const base of [...anchors, [120, 120, 120] as const, [240, 220, 60] as const]) {
			// Five others, so that the two may be taken together or not.
			const others = anchors.map((color) => (color === base ? ([150, 90, 200] as const) : color));
			for (const [step, direction] of directions.flatMap((each) =>
				Array.from({ length: 31 }, (_, index) => [2 * index + 8, each] as const),
			)) {
				const near = base.map((value, index) => value + step * direction[index]!) as unknown as Rgb;
				const away = distance(base, near);
				// So close to the bound that every part of the formula counts; next to black all is farther.
				if (near.some((value) => value < 0 || value > 255) || away < 0.053 || away > 0.14) {
					continue;
				}
				const isSure = Math.abs(away - 0.06) > 0.0005 && isAnotherBin(base, near);
				if (!isSure || [...others].some((color) => distance(color, near) < 0.1)) {
					continue;
				}
				const palette = paletteOf(
					planes(...others.map((color) => [color, 500] as const), [base, 400], [near, 100]),
				);
				const isOne = away < 0.06;
				assert.equal(palette.length, isOne ? 6 : 7, `${String(base)} and ${String(near)}`);
				assert.deepEqual(rgb(palette[5]!), base);
				assert.equal(palette[5]?.share.toFixed(3), isOne ? '0.167' : '0.133');
				together += isOne ? 1 : 0;
				apart += isOne ? 0 : 1;
			}
		}
		assert.ok(together > 15 && apart > 15, `${String(together)} and ${String(apart)}`);
	});

	const isAnotherBin = (one: Rgb, other: Rgb) =>
		one.some((value, index) => value >> 3 !== other[index]! >> 3);

	test('has five of six nuances, and all of five', () => {
		const nuances = [0, 8, 16, 24, 32, 40].map((step): Rgb => [80 + step, 80 + step, 80 + step]);
		const picture = (count: number) =>
			planes(...nuances.slice(0, count).map((color, index) => [color, 100 + index] as const));
		assert.equal(paletteOf(picture(6)).length, 5);
		assert.deepEqual(paletteOf(picture(5)).map(rgb), nuances.slice(0, 5).reverse());
	});

	test('leaves out what has less than half of a percent', () => {
		const [black, white] = anchors as [Rgb, Rgb];
		assert.equal(paletteOf(planes([white, 995], [black, 5])).length, 2);
		assert.equal(paletteOf(planes([white, 996], [black, 4])).length, 1);
	});

	test('counts what is partly transparent for a part, in its own color', () => {
		const palette = paletteOf(planes([[200, 100, 50], 100, 51], [[50, 100, 200], 80]));
		assert.deepEqual(
			palette.map((color) => [rgb(color), color.share.toFixed(3)]),
			[
				[[50, 100, 200], '0.800'],
				[[200, 100, 50], '0.200'],
			],
		);
	});

	test('has the color of a plane where that is a third of what looks like it, else the mean', () => {
		const around: readonly Rgb[] = [
			[95, 100, 100],
			[100, 104, 100],
			[100, 100, 104],
			[104, 104, 104],
		];
		const others = anchors.map((color) => [color, 1000] as const);
		const colorOf = (plane: number) =>
			paletteOf(planes([[100, 100, 100], plane], ...around.map((c) => [c, 50] as const), ...others))
				.map(rgb)
				.at(-1);
		assert.deepEqual(colorOf(100), [100, 100, 100]);
		assert.deepEqual(colorOf(99), [100, 101, 101]);
	});

	test('divides what changes gradually evenly: each of its colors stands for those nearest to it', () => {
		const grays = Array.from({ length: 256 }, (_, value): Rgb => [value, value, value]);
		const palette = paletteOf(planes(...grays.map((gray) => [gray, 4] as const)));
		assert.equal(palette.length, maxColors);
		for (const color of palette) {
			const own = grays.filter((gray) =>
				palette.every((other) => distance(gray, rgb(color)) <= distance(gray, rgb(other))),
			);
			const shown = `${String(rgb(color))}: ${String(color.share)} and ${String(own.length / 256)}`;
			assert.ok(Math.abs(own.length / 256 - color.share) < 0.02, shown);
			assert.ok(color.share > 0.09 && color.share < 0.16, shown);
		}
	});

	test('divides a ring of colors so that each stands for those nearest to it', () => {
		const around = (angle: number) =>
			Math.round(255 * Math.min(Math.max(Math.abs((angle % 6) - 3) - 1, 0), 1));
		const ring = Array.from({ length: 720 }, (_, index) => {
			const angle = index / 120;
			const color: Rgb = [around(angle), around(angle + 4), around(angle + 2)];
			// More of some than of others.
			return [color, 1 + Math.floor(12 * (1 + Math.sin(angle * 5)))] as const;
		});
		const all = ring.reduce((sum, [, pixels]) => sum + pixels, 0);
		const palette = paletteOf(planes(...ring));
		for (const color of palette) {
			const share = ring
				.filter(([one]) =>
					palette.every((other) => distance(one, rgb(color)) <= distance(one, rgb(other))),
				)
				.reduce((sum, [, pixels]) => sum + pixels / all, 0);
			const shown = `${String(rgb(color))}: ${String(color.share)} and ${String(share)}`;
			assert.ok(Math.abs(share - color.share) < 0.008, shown);
		}
	});

	test('take a time that grows no faster than the picture, were each pixel of another color', () => {
		assertLinear((length) => {
			const next = seeded(1);
			const data = Uint8ClampedArray.from({ length: length * 4 }, (_, index) =>
				index % 4 === 3 ? 255 : next() * 256,
			);
			return () => paletteOf({ width: length, height: 1, data });
		}, 'The palette');
	});
});
