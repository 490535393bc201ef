import assert from 'node:assert/strict';
import { Shrinker, type Pixels } from '../../../../src/images/thumbnails/shrink.js';
import { seeded } from '../random';

suite('shrinking', () => {
	test('keeps what is small enough as it is', () => {
		const random = seeded(1);
		const picture = randomPicture(13, 7, random);
		// The color of what is transparent is lost.
		const opaque = picture.data.map((value, index) => (index % 4 === 3 ? 255 : value));
		const small = shrink({ ...picture, data: opaque }, 13);
		assert.deepEqual(small, { width: 13, height: 7, data: opaque });
	});

	test('averages the area of each pixel, weighted by alpha', () => {
		const random = seeded(2);
		for (const [width, height, side] of [
			[40, 40, 10],
			[41, 29, 10],
			[10, 300, 7],
			[300, 2, 9],
			[19, 20, 19],
			[5, 5, 1],
		] as const) {
			const picture = randomPicture(width, height, random);
			const small = shrink(picture, side);
			assert.equal(Math.max(small.width, small.height), side);
			for (let y = 0; y < small.height; y++) {
				for (let x = 0; x < small.width; x++) {
					const at = (y * small.width + x) * 4;
					const expected = average(picture, small, x, y);
					for (const [channel, value] of expected.entries()) {
						const got = small.data[at + channel]!;
						assert.ok(
							Math.abs(got - value) <= 0.51,
							`${[width, height, x, y, channel].join(' ')}: ${String(got)}, not ${String(value)}`,
						);
					}
				}
			}
		}
	});

	test('reads nothing behind the given pixels', () => {
		const shrinker = new Shrinker({ width: 4, height: 1 }, 4);
		const rgba = Uint8Array.of(10, 20, 30, 255, 40, 50, 60, 255, 99, 99, 99, 255);
		shrinker.add(0, rgba, 2);
		const { data } = shrinker.finish();
		assert.deepEqual([...data], [10, 20, 30, 255, 40, 50, 60, 255, 0, 0, 0, 0, 0, 0, 0, 0]);
	});

	test('never loses a side', () => {
		const shrinker = new Shrinker({ width: 100_000, height: 1 }, 256);
		assert.deepEqual([shrinker.width, shrinker.height], [256, 1]);
	});

	test('takes lines in any order, also in parts; what does not come is transparent', () => {
		const picture = randomPicture(30, 20, seeded(3));
		const shrinker = new Shrinker(picture, 10);
		for (let y = picture.height - 1; y >= 0; y--) {
			const line = picture.data.subarray(y * 120, (y + 1) * 120);
			const [even, odd] = [0, 1].map((offset) =>
				Uint8Array.from(line.filter((_, index) => (index >> 2) % 2 === offset)),
			);
			shrinker.add(y, odd!, 15, 1, 2);
			shrinker.add(y, even!, 15, 0, 2);
		}
		const parts = shrinker.finish().data;
		const whole = shrink(picture, 10).data;
		assert.ok(parts.every((value, index) => Math.abs(value - whole[index]!) <= 1));
		assert.deepEqual(new Set(new Shrinker({ width: 9, height: 9 }, 3).finish().data), new Set([0]));
	});
});

function shrink(picture: Pixels, maxSide: number): Pixels {
	const shrinker = new Shrinker(picture, maxSide);
	for (let y = 0; y < picture.height; y++) {
		const line = picture.data.subarray(y * picture.width * 4, (y + 1) * picture.width * 4);
		shrinker.add(y, line, picture.width);
	}
	return shrinker.finish();
}

function randomPicture(width: number, height: number, random: () => number): Pixels {
	const data = Uint8ClampedArray.from({ length: width * height * 4 }, () => random() * 256);
	return { width, height, data };
}

/** The same in the plainest way: every pixel of the large picture, by how much of it lies below. */
function average(
	{ width, height, data }: Pixels,
	small: Pixels,
	column: number,
	row: number,
): number[] {
	const sums = [0, 0, 0, 0];
	const scale = { x: width / small.width, y: height / small.height };
	for (let y = 0; y < height; y++) {
		for (let x = 0; x < width; x++) {
			const share = overlap(x, column * scale.x, scale.x) * overlap(y, row * scale.y, scale.y);
			const at = (y * width + x) * 4;
			const alpha = data[at + 3]! * share;
			for (let channel = 0; channel < 3; channel++) {
				sums[channel]! += data[at + channel]! * alpha;
			}
			sums[3]! += alpha;
		}
	}
	const [red = 0, green = 0, blue = 0, alpha = 0] = sums;
	return [red / alpha, green / alpha, blue / alpha, alpha / (scale.x * scale.y)];
}

/** Returns the share of the pixel from `index` to `index + 1` between `start` and `start + length`. */
function overlap(index: number, start: number, length: number): number {
	return Math.max(0, Math.min(index + 1, start + length) - Math.max(index, start));
}
