import { quantize } from 'gifenc';
import { isTransparent, type Pixels } from '../thumbnails/shrink.js';
import { likeness } from './likeness.js';

/** Returns the picture in at most `count` colors; one that has no more is returned as it is. */
export function withPalette(picture: Pixels, count: number): Pixels {
	const pixels = new Uint32Array(picture.data.buffer);
	if (!hasMoreColors(pixels, count)) {
		return picture;
	}
	const format = isTransparent(picture) ? 'rgba4444' : 'rgb565';
	const start = quantize(picture.data, count, { format, clearAlpha: false });
	const bins = binsOf(picture);
	const first = start.map(([r, g, b, a = 255]) => [r!, g!, b!, a]);
	const palette = refined(grown(first, count, bins), bins);
	return { ...picture, data: dithered(picture, palette) };
}

/**
 * Returns the picture in at most `count` colors: of a small one in half of them, again and again, while that
 * looks the same everywhere.
 */
export function withFewColors(picture: Pixels, count: number): Pixels {
	let fewest = withPalette(picture, count);
	if (picture.width * picture.height > maxComparedPixels) {
		return fewest;
	}
	const { mean, worst } = likeness(picture, fewest);
	for (let half = count / 2; half >= minColors; half /= 2) {
		const next = withPalette(picture, half);
		const now = likeness(picture, next);
		if (now.mean < mean - 0.001 || now.worst < worst - 0.05) {
			break;
		}
		fewest = next;
	}
	return fewest;
}

/** Comparing larger ones takes longer than making them. */
const maxComparedPixels = 512 * 512;
/** Fewer make a text thin. */
const minColors = 32;

type Color = readonly number[];

function hasMoreColors(pixels: Uint32Array, count: number): boolean {
	const seen = new Set<number>();
	return pixels.some((pixel) => seen.add(pixel).size > count);
}

/**
 * Adds colors to a palette, up to a count, where one stands for pixels that differ visibly: its first
 * colors are few in a smooth gradient, and what is dithered for that is heavy.
 */
function grown(palette: readonly Color[], count: number, bins: readonly Bin[]): readonly Color[] {
	let colors = palette;
	for (let round = 0; round < 8 && colors.length < count; round++) {
		const find = finder(colors);
		const groups = Map.groupBy(bins, ({ color: [r, g, b, a] }) => find(r!, g!, b!, a!));
		const splits = [...groups]
			.map(([index, group]) => ({ index, group, ...spreadOf(group) }))
			.filter(({ spread }) => spread > visibleSpread)
			.sort((one, other) => other.error - one.error)
			.slice(0, count - colors.length);
		if (splits.length === 0) {
			break;
		}
		const halves = splits.map(({ index, group, channel, mean }) => {
			const [low, high] = [true, false].map((isLow) =>
				meanOf(group.filter(({ color }) => color[channel]! <= mean === isLow)),
			);
			return { index, low: low!, high: high! };
		});
		const lower = new Map(halves.map(({ index, low }) => [index, low]));
		colors = [
			...colors.map((color, index) => lower.get(index) ?? color),
			...halves.map(({ high }) => high),
		];
	}
	return colors;
}

/** Variance of the values of a color above which it takes another one. */
const visibleSpread = 1;

/** The channel in which colors differ most, their mean there, and how far they are from it. */
function spreadOf(group: readonly Bin[]): {
	readonly channel: number;
	readonly mean: number;
	/** Variance of the channel. */
	readonly spread: number;
	/** Sum of the squared differences, of all pixels. */
	readonly error: number;
} {
	const means = meanOf(group);
	const pixels = group.reduce((sum, { count }) => sum + count, 0);
	const errors = means.map((mean, channel) =>
		group.reduce((sum, { color, count }) => sum + count * (color[channel]! - mean) ** 2, 0),
	);
	const error = Math.max(...errors);
	const channel = errors.indexOf(error);
	return { channel, mean: means[channel]!, spread: error / pixels, error };
}

function meanOf(group: readonly Bin[]): Color {
	const pixels = group.reduce((sum, { count }) => sum + count, 0);
	return [0, 1, 2, 3].map(
		(channel) => group.reduce((sum, { color, count }) => sum + color[channel]! * count, 0) / pixels,
	);
}

/** Moves each color of a palette to the middle of the pixels that take it, a few times (k-means). */
function refined(palette: readonly Color[], bins: readonly Bin[]): readonly Color[] {
	let colors = palette;
	for (let round = 0; round < 5; round++) {
		const find = finder(colors);
		const moved = colors.map(() => [0, 0, 0, 0, 0]);
		for (const { color, count } of bins) {
			const sum = moved[find(color[0]!, color[1]!, color[2]!, color[3]!)]!;
			color.forEach((value, channel) => (sum[channel]! += value * count));
			sum[4]! += count;
		}
		colors = colors.map((color, index) => {
			const { [4]: count = 0, ...sum } = moved[index]!;
			return count === 0 ? color : [0, 1, 2, 3].map((channel) => sum[channel]! / count);
		});
	}
	return colors.map((color) => color.map(Math.round));
}

interface Bin {
	readonly color: Color;
	readonly count: number;
}

/** Counts the colors of a picture; where there are many, similar ones count as one. */
function binsOf({ data }: Pixels): readonly Bin[] {
	const pixels = new Uint32Array(data.buffer, data.byteOffset, data.length / 4);
	const isVaried = hasMoreColors(pixels, maxExactColors);
	const bins = new Map<number, number[]>();
	pixels.forEach((pixel, index) => {
		const key = isVaried ? pixel & 0xf0f8f8f8 : pixel;
		const sum = bins.get(key) ?? [0, 0, 0, 0, 0];
		for (let channel = 0; channel < 4; channel++) {
			sum[channel]! += data[index * 4 + channel]!;
		}
		sum[4]! += 1;
		bins.set(key, sum);
	});
	return [...bins.values()].map(({ 4: count = 1, ...sum }) => ({
		color: [0, 1, 2, 3].map((channel) => sum[channel as 0]! / count),
		count,
	}));
}

const maxExactColors = 10_000;

/** Draws with a palette, and hands the error of each pixel on to its neighbors (Floyd and Steinberg). */
function dithered({ data, width, height }: Pixels, palette: readonly Color[]): Uint8ClampedArray {
	const find = finder(palette);
	const exact = new Map(palette.map((color, index) => [keyOf(color), index]));
	// The last colors that were looked for, each in the slot of its hash.
	const keys = new Float64Array(2 ** 16).fill(-1);
	const near = new Uint8Array(2 ** 16);
	const drawn = new Uint8ClampedArray(data.length);
	let errors = new Float32Array((width + 2) * 4);
	let below = new Float32Array((width + 2) * 4);
	const value = [0, 0, 0, 0];
	for (let y = 0; y < height; y++) {
		for (let x = 0; x < width; x++) {
			const at = (y * width + x) * 4;
			for (let channel = 0; channel < 4; channel++) {
				const sum = data[at + channel]! + errors[(x + 1) * 4 + channel]!;
				value[channel] = Math.min(255, Math.max(0, Math.round(sum)));
			}
			const [r, g, b, a] = value as [number, number, number, number];
			const key = keyOf(value);
			const slot = (Math.imul(key | 0, 0x9e3779b1) >>> 16) & 0xffff;
			let index = exact.get(key) ?? near[slot]!;
			if (keys[slot] !== key && !exact.has(key)) {
				keys[slot] = key;
				near[slot] = index = find(r, g, b, a);
			}
			const color = palette[index]!;
			for (let channel = 0; channel < 4; channel++) {
				drawn[at + channel] = color[channel]!;
				const rest = value[channel]! - color[channel]!;
				const error = Math.abs(rest) <= unseen ? 0 : rest * strength;
				const here = (x + 1) * 4 + channel;
				errors[here + 4]! += (error * 7) / 16;
				below[here - 4]! += (error * 3) / 16;
				below[here]! += (error * 5) / 16;
				below[here + 4]! += error / 16;
			}
		}
		[errors, below] = [below, errors.fill(0)];
	}
	return drawn;
}

/** Less than 1: noise costs bytes. */
const strength = 0.75;
/** Difference of a value that is too small to be seen, so it is not handed on. */
const unseen = 2;

function keyOf([r, g, b, a]: Color): number {
	return r! * 2 ** 24 + g! * 2 ** 16 + b! * 2 ** 8 + a!;
}

/** Returns a function that finds the nearest color of a palette; of what is transparent, alpha counts most. */
function finder(palette: readonly Color[]): (r: number, g: number, b: number, a: number) => number {
	const flat = Float64Array.from(palette.flat());
	return (r, g, b, a) => {
		const weight = a / 255;
		let best = 0;
		let least = Infinity;
		for (let at = 0; at < flat.length; at += 4) {
			const alpha = a - flat[at + 3]!;
			const red = r - flat[at]!;
			const green = g - flat[at + 1]!;
			const blue = b - flat[at + 2]!;
			const distance =
				(2 * red * red + 4 * green * green + blue * blue) * weight + 7 * alpha * alpha;
			if (distance < least) {
				least = distance;
				best = at / 4;
			}
		}
		return best;
	};
}
