import type { Picture } from './thumbnails/shrink.js';

/** One of the main colors of a picture. */
export interface PaletteColor {
	/** Eight bits each. */
	readonly red: number;
	readonly green: number;
	readonly blue: number;
	/** Of what can be seen of the picture, from 0 to 1. */
	readonly share: number;
}

/** So many colors are measured at most. */
export const maxColors = 8;
/** Fewer than these are never taken together, where the picture has so many. */
const fewestColors = 5;
/** Colors closer than this look alike in a picture. In the units of OKLab, where white is 1 from black. */
const alike = 0.06;
/** Of the picture: what has less is left out. */
const minShare = 0.005;
/** The bits of each channel that tell one bin from another. */
const bits = 5;
const maxRounds = 12;

/** The pixels whose colors begin with the same bits. */
interface Bin {
	/** Sum of their alphas, 1 for one that is opaque. */
	readonly weight: number;
	readonly red: number;
	readonly green: number;
	readonly blue: number;
	readonly lab: Lab;
}

/** Bins that are one color of the palette. */
interface Cluster {
	readonly bins: readonly Bin[];
	readonly weight: number;
	readonly color: Omit<PaletteColor, 'share'>;
	readonly lab: Lab;
}

type Lab = readonly [lightness: number, a: number, b: number];

/**
 * Measures the main colors of a picture, the largest share first: its pixels are counted in bins,
 * and the bins divided by k-means in OKLab, where distances are those that people see. It begins
 * with the bins that are largest and farthest from one another, so the same picture always has the
 * same palette.
 *
 * A color that fills a plane is returned exactly; where it changes gradually it is the mean.
 *
 * @param picture a small one is enough: all of its pixels are read
 * @returns none where nothing can be seen, else up to {@link maxColors}
 */
export function paletteOf(picture: Picture): PaletteColor[] {
	const bins = binsOf(picture);
	const total = weightOf(bins);
	return together(divided(bins).map(clusterOf))
		.map(({ color, weight }) => ({ ...color, share: weight / total }))
		.filter(({ share }) => share >= minShare)
		.sort((one, other) => other.share - one.share);
}

function binsOf({ data }: Picture): Bin[] {
	const drop = 8 - bits;
	const sums = new Float64Array(4 << (3 * bits));
	for (let at = 0; at < data.length; at += 4) {
		const [red, green, blue] = [data[at]!, data[at + 1]!, data[at + 2]!];
		const alpha = data[at + 3]! / 255;
		const bin = ((red >> drop) << (2 * bits)) | ((green >> drop) << bits) | (blue >> drop);
		sums[4 * bin]! += red * alpha;
		sums[4 * bin + 1]! += green * alpha;
		sums[4 * bin + 2]! += blue * alpha;
		sums[4 * bin + 3]! += alpha;
	}
	const bins: Bin[] = [];
	for (let at = 0; at < sums.length; at += 4) {
		const weight = sums[at + 3]!;
		if (weight > 0) {
			const red = sums[at]! / weight;
			const green = sums[at + 1]! / weight;
			const blue = sums[at + 2]! / weight;
			bins.push({ weight, red, green, blue, lab: labOf(red, green, blue) });
		}
	}
	return bins;
}

/** Divides the bins by the center that is nearest (Lloyd's algorithm). */
function divided(bins: readonly Bin[]): Bin[][] {
	const centers = firstCenters(bins);
	const nearest = new Int8Array(bins.length).fill(-1);
	let hasChanged = true;
	for (let round = 0; hasChanged && round < maxRounds; round++) {
		hasChanged = false;
		const means = centers.map(() => [0, 0, 0, 0] as [number, number, number, number]);
		for (const [index, { lab, weight }] of bins.entries()) {
			const own = nearestTo(lab, centers);
			hasChanged ||= own !== nearest[index];
			nearest[index] = own;
			const mean = means[own]!;
			mean[0] += lab[0] * weight;
			mean[1] += lab[1] * weight;
			mean[2] += lab[2] * weight;
			mean[3] += weight;
		}
		for (const [index, [lightness, a, b, weight]] of means.entries()) {
			if (weight > 0) {
				centers[index] = [lightness / weight, a / weight, b / weight];
			}
		}
	}
	const clusters = centers.map((): Bin[] => []);
	for (const [index, bin] of bins.entries()) {
		clusters[nearest[index]!]!.push(bin);
	}
	return clusters.filter(({ length }) => length > 0);
}

/** As k-means++ takes them, with the likeliest one in the place of a random one. */
function firstCenters(bins: readonly Bin[]): Lab[] {
	const centers: Lab[] = [];
	const distances = new Float64Array(bins.length).fill(1);
	while (centers.length < maxColors) {
		let best: Bin | undefined;
		let most = 0;
		for (const [index, bin] of bins.entries()) {
			const score = bin.weight * distances[index]!;
			if (score > most) {
				most = score;
				best = bin;
			}
		}
		if (best === undefined) {
			return centers;
		}
		centers.push(best.lab);
		for (const [index, { lab }] of bins.entries()) {
			const distance = squaredDistance(lab, best.lab);
			distances[index] = centers.length === 1 ? distance : Math.min(distances[index]!, distance);
		}
	}
	return centers;
}

function nearestTo(lab: Lab, centers: readonly Lab[]): number {
	let nearest = 0;
	let least = Infinity;
	for (let index = 0; index < centers.length; index++) {
		const distance = squaredDistance(lab, centers[index]!);
		if (distance < least) {
			least = distance;
			nearest = index;
		}
	}
	return nearest;
}

/** Takes together what looks alike, as long as enough are left. */
function together(clusters: readonly Cluster[]): readonly Cluster[] {
	const [one, other, distance] = closest(clusters);
	return clusters.length <= fewestColors || distance > alike
		? clusters
		: together([
				...clusters.filter((each) => each !== one && each !== other),
				clusterOf([...one!.bins, ...other!.bins]),
			]);
}

function closest(
	clusters: readonly Cluster[],
): readonly [one: Cluster | undefined, other: Cluster | undefined, distance: number] {
	const pairs = clusters.flatMap((one, index) =>
		clusters
			.slice(index + 1)
			.map((other) => [one, other, Math.sqrt(squaredDistance(one.lab, other.lab))] as const),
	);
	return pairs.sort((a, b) => a[2] - b[2])[0] ?? [undefined, undefined, Infinity];
}

function clusterOf(bins: readonly Bin[]): Cluster {
	const color = colorOf(bins);
	return { bins, weight: weightOf(bins), color, lab: labOf(color.red, color.green, color.blue) };
}

/** That of its largest bin where this is a plane of one color, else the mean. */
function colorOf(bins: readonly Bin[]): Cluster['color'] {
	const all = weightOf(bins);
	const largest = bins.reduce((one, other) => (other.weight > one.weight ? other : one));
	const meant = largest.weight * 3 >= all ? [largest] : bins;
	const mean = (channel: 'red' | 'green' | 'blue') =>
		Math.round(meant.reduce((sum, bin) => sum + bin[channel] * bin.weight, 0) / weightOf(meant));
	return { red: mean('red'), green: mean('green'), blue: mean('blue') };
}

function weightOf(bins: readonly Bin[]): number {
	return bins.reduce((sum, { weight }) => sum + weight, 0);
}

function squaredDistance(one: Lab, other: Lab): number {
	return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2 + (one[2] - other[2]) ** 2;
}

/** https://bottosson.github.io/posts/oklab/, from sRGB. */
function labOf(red: number, green: number, blue: number): Lab {
	const [r, g, b] = [linear(red), linear(green), linear(blue)];
	const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
	const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
	const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
	return [
		0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
		1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
		0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
	];
}

function linear(channel: number): number {
	const value = channel / 255;
	return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
