import type { Pixels } from '../thumbnails/shrink.js';

/**
 * Returns the structural similarity of two pictures (Wang and others, 2004), 1 where they are alike: of the
 * channel in which they differ most, the mean and the worst of all squares of 8 × 8 pixels.
 */
export function likeness(
	{ data: one, width, height }: Pixels,
	{ data: other }: Pixels,
): { readonly mean: number; readonly worst: number } {
	let [mean, worst] = [1, 1];
	for (let channel = 0; channel < 4; channel++) {
		let sum = 0;
		let blocks = 0;
		for (let top = 0; top < height; top += 4) {
			for (let left = 0; left < width; left += 4) {
				const like = squareLikeness(one, other, { width, height, left, top, channel });
				sum += like;
				worst = Math.min(worst, like);
				blocks++;
			}
		}
		mean = Math.min(mean, sum / blocks);
	}
	return { mean, worst };
}

interface Square {
	readonly width: number;
	readonly height: number;
	readonly left: number;
	readonly top: number;
	readonly channel: number;
}

function squareLikeness(
	one: Uint8ClampedArray,
	other: Uint8ClampedArray,
	{ width, height, left, top, channel }: Square,
): number {
	const [c1, c2] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2];
	let [a, b, aa, bb, ab, count] = [0, 0, 0, 0, 0, 0];
	for (let y = top; y < Math.min(top + 8, height); y++) {
		for (let x = left; x < Math.min(left + 8, width); x++) {
			const at = (y * width + x) * 4;
			const [p, q] = [one[at + channel]!, other[at + channel]!];
			const [v, w] =
				channel === 3 ? [p, q] : [(p * one[at + 3]!) / 255, (q * other[at + 3]!) / 255];
			a += v;
			b += w;
			aa += v * v;
			bb += w * w;
			ab += v * w;
			count++;
		}
	}
	[a, b, aa, bb, ab] = [a / count, b / count, aa / count, bb / count, ab / count];
	return (
		((2 * a * b + c1) * (2 * (ab - a * b) + c2)) /
		((a * a + b * b + c1) * (aa - a * a + bb - b * b + c2))
	);
}
