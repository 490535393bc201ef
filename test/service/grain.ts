import { randomFrom } from './palette.js';

/** Adds grain to a row of RGBA pixels in place. */
export type Grain = (row: Uint8ClampedArray, y: number) => void;

/**
 * Film grain: what makes a picture as hard to compress as a photograph. The same seed gives the
 * same grain.
 *
 * @param width pixels of a row
 * @param bytesPerPixel size of a pixel in a PNG file, 0.7 to 2.6; with more than that the
 *   noise would cover the picture
 */
export function filmGrain(seed: string, width: number, bytesPerPixel: number): Grain {
	const noise = noiseOf(amplitudeOf(bytesPerPixel));
	const start = Math.floor(randomFrom(seed)() * period);
	return (row, y) => {
		// The noise goes on from row to row, so that it comes back neither close by nor underneath.
		let at = ((start + y * width) % period) * 3;
		for (let pixel = 0; pixel < row.length; pixel += 4) {
			if (at >= noise.length) {
				at = 0;
			}
			row[pixel] = folded[row[pixel]! + noise[at]!]!;
			row[pixel + 1] = folded[row[pixel + 1]! + noise[at + 1]!]!;
			row[pixel + 2] = folded[row[pixel + 2]! + noise[at + 2]!]!;
			at += 3;
		}
	};
}

/** Pixels after which the noise repeats: far more than deflate looks back, and a prime. */
const period = 40_009;
// Red, green, blue: noise in any of them fills a file, and the eye minds it in green most.
const strengths = [1.4, 1, 2] as const;
const middle = 256;
/** By value plus `middle`: what lies beyond 0 or 255 is reflected there; cut off, it would compress. */
const folded = Uint8Array.from({ length: 3 * middle }, (_, index) => {
	const value = index - middle;
	return value < 0 ? -1 - value : value > 255 ? 511 - value : value;
});

// By amplitude: a few, since sizes and qualities are few.
const noises = new Map<number, Int16Array>();

/** Three values for each pixel of `period`, with `middle` added. */
function noiseOf(amplitude: number): Int16Array {
	const noise = noises.get(amplitude) ?? makeNoise(amplitude);
	noises.set(amplitude, noise);
	return noise;
}

function makeNoise(amplitude: number): Int16Array {
	bell ??= makeBell();
	const factors = strengths.map((strength) => (strength * amplitude) / bellDeviation);
	return bell.map((value, index) => {
		const noise = Math.round(value * factors[index % 3]!);
		return middle + Math.max(-middle, Math.min(middle - 1, noise));
	});
}

let bell: Int16Array | undefined;
const bellDeviation = 147.8;

/** Values around 0 of which small ones are the most frequent: sums of four bytes each. */
function makeBell(): Int16Array {
	const random = randomFrom('grain');
	return Int16Array.from({ length: period * 3 }, () => {
		const bits = random() * 2 ** 32;
		return (bits & 255) + ((bits >>> 8) & 255) + ((bits >>> 16) & 255) + (bits >>> 24) - 510;
	});
}

/**
 * The standard deviation in green, in levels of 255, that makes a pixel take so many bytes in a
 * file of `encodePng`. Measured: from 0.25 to 16, twice the noise takes a third of a byte more.
 */
function amplitudeOf(bytesPerPixel: number): number {
	return 2 ** ((bytesPerPixel - 1.27) / 0.335);
}
