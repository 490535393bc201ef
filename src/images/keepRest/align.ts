import { halved, halvedOpen, smoothed, type Plane } from './plane.js';

/** Way from a place of one picture to that of another: `x * scaleX + shiftX`, and the same for `y`. */
export interface Alignment {
	readonly scaleX: number;
	readonly shiftX: number;
	readonly scaleY: number;
	readonly shiftY: number;
}

/** Pictures in one size, the one with where it may be compared, 1 for a pixel that may. */
interface Level {
	readonly original: Plane;
	readonly answer: Plane;
	readonly open: Uint8Array;
	/** Pixels of the whole side by side for one of it. */
	readonly factor: number;
}

/** Longer side of the picture that is searched through, in pixels. */
const searchSide = 72;
/** Factors by which the service may have scaled a picture, beside the size of its answer. */
const zooms = [1, 0.96, 1.04, 0.92, 1.08, 0.88, 1.13];
/** The longest way that the service may have moved a picture, as part of its sides. */
const maxShift = 0.12;
/** The largest such factor, and its inverse. */
const maxZoom = 1.15;
/** Part of the unmarked picture that must be in the answer. */
const minOverlap = 0.8;

/**
 * Finds where a picture is in the answer that was made of it, by the light of both in about the same
 * resolution: first by search in small pictures, then in ever larger ones to parts of a pixel
 * (Lucas and Kanade; what was repainted counts less, and light that is brighter as a whole not at all).
 *
 * @param open for each pixel of the picture, 1 where it may be compared
 * @returns `undefined` where it does not fit anywhere: the service has changed the framing
 */
export function align(original: Plane, answer: Plane, open: Uint8Array): Alignment | undefined {
	const levels = pyramid(original, answer, open);
	const [smallest] = levels as [Level];
	const found = framings(original, answer).map((framing) => {
		let best = search(smallest, framing);
		for (const level of levels.filter((one) => isJudged(one) || one === smallest)) {
			best = refine(level, best);
		}
		return { framing, best };
	});
	const judged = levels.findLast(isJudged) ?? smallest;
	const [one] = found
		.map(({ framing, best }) => ({ framing, best, fit: fitOf(judged, best) }))
		.toSorted((a, b) => b.fit - a.fit);
	if (one === undefined || one.fit < minFit || !isNear(one.best, one.framing, original)) {
		return undefined;
	}
	let { best } = one;
	for (const level of levels.filter((each) => each !== smallest && !isJudged(each))) {
		best = refine(level, best);
	}
	const zoom = one.framing.scaleX / best.scaleX;
	if (Math.abs(zoom - 1) < minZoom) {
		const { width, height } = original;
		best = refine(levels.at(-1)!, zoomed(best, zoom, width, height), true);
	}
	return isNear(best, one.framing, original) ? best : undefined;
}

/**
 * Part by which a service scales a picture, if it does: less is an error of the little that is unmarked,
 * which grows towards the other edges.
 */
const minZoom = 0.0006;
/** Likeness that a shift of a pixel must gain. */
const shiftCost = 0.0005;
/** Longer side of the largest picture that decides whether the answer fits. */
const judgedSide = 300;

function isJudged({ original: { width, height } }: Level): boolean {
	return Math.max(width, height) <= judgedSide;
}

/** The smallest first. */
function pyramid(original: Plane, answer: Plane, open: Uint8Array): Level[] {
	const levels: Level[] = [{ original, answer, open, factor: 1 }];
	for (;;) {
		const [{ original: plane, answer: other, open: mask, factor }] = levels as [Level];
		if (
			Math.max(plane.width, plane.height) <= searchSide ||
			Math.min(plane.width, plane.height) < 24
		) {
			break;
		}
		levels.unshift({
			original: halved(plane),
			answer: halved(other),
			open: halvedOpen(mask, plane.width, plane.height),
			factor: factor * 2,
		});
	}
	return levels.map((level) => ({
		original: smoothed(level.original),
		answer: smoothed(level.answer),
		open: level.open,
		factor: level.factor,
	}));
}

/** Ways in which an answer of other proportions may show a picture: stretched, cut, or with margins. */
function framings(original: Plane, answer: Plane): Alignment[] {
	const across = answer.width / original.width;
	const down = answer.height / original.height;
	const stretched = { scaleX: across, shiftX: 0, scaleY: down, shiftY: 0 };
	if (Math.abs(across / down - 1) < 0.004) {
		return [stretched];
	}
	const uniform = (scale: number) => ({
		...{ scaleX: scale, shiftX: (answer.width - scale * original.width) / 2 },
		...{ scaleY: scale, shiftY: (answer.height - scale * original.height) / 2 },
	});
	return [stretched, uniform(Math.max(across, down)), uniform(Math.min(across, down))];
}

function isNear(found: Alignment, framing: Alignment, { width, height }: Plane): boolean {
	const zoom = [found.scaleX / framing.scaleX, found.scaleY / framing.scaleY];
	const middle = (one: Alignment) => [
		(one.scaleX * width) / 2 + one.shiftX,
		(one.scaleY * height) / 2 + one.shiftY,
	];
	const [x = 0, y = 0] = middle(found);
	const [framedX = 0, framedY = 0] = middle(framing);
	return (
		zoom.every((one) => one < maxZoom && one > 1 / maxZoom) &&
		Math.abs(x - framedX) <= maxShift * width * framing.scaleX &&
		Math.abs(y - framedY) <= maxShift * height * framing.scaleY
	);
}

/** Tries all shifts and scales in a small picture. */
function search({ original, answer, open, factor }: Level, framing: Alignment): Alignment {
	const { width, height } = original;
	const reach = Math.ceil(Math.max(width, height) * maxShift);
	let best = { like: -Infinity, alignment: framing };
	for (const zoom of zooms) {
		const base = zoomed(framing, zoom, width * factor, height * factor);
		const small = { ...base, shiftX: base.shiftX / factor, shiftY: base.shiftY / factor };
		const warped = warp(answer, small, width, height, reach);
		for (let down = -reach; down <= reach; down++) {
			for (let across = -reach; across <= reach; across++) {
				// Where nothing is seen, nothing has moved.
				const like =
					likeness(original, open, warped, reach + across, reach + down) -
					shiftCost * (Math.abs(across) + Math.abs(down));
				if (like > best.like) {
					const alignment = {
						...base,
						shiftX: base.shiftX + across * base.scaleX * factor,
						shiftY: base.shiftY + down * base.scaleY * factor,
					};
					best = { like, alignment };
				}
			}
		}
	}
	return best.alignment;
}

/** Scales around the middle of the picture. */
function zoomed(one: Alignment, zoom: number, width: number, height: number): Alignment {
	return {
		...{ scaleX: one.scaleX * zoom, shiftX: one.shiftX + (one.scaleX * (1 - zoom) * width) / 2 },
		...{ scaleY: one.scaleY * zoom, shiftY: one.shiftY + (one.scaleY * (1 - zoom) * height) / 2 },
	};
}

/** Returns an answer on the pixels of a picture, and `margin` around it; -1 where the answer ends. */
function warp(answer: Plane, to: Alignment, width: number, height: number, margin: number): Plane {
	const across = width + 2 * margin;
	const down = height + 2 * margin;
	const data = new Float32Array(across * down);
	for (let y = 0; y < down; y++) {
		const v = to.scaleY * (y - margin + 0.5) + to.shiftY - 0.5;
		for (let x = 0; x < across; x++) {
			data[y * across + x] = sampled(answer, to.scaleX * (x - margin + 0.5) + to.shiftX - 0.5, v);
		}
	}
	return { width: across, height: down, data };
}

/** Returns the light at a place between pixels; -1 outside. */
function sampled({ width, height, data }: Plane, u: number, v: number): number {
	if (!(u >= 0 && v >= 0 && u <= width - 1 && v <= height - 1)) {
		return -1;
	}
	const x = Math.min(width - 2, Math.floor(u));
	const y = Math.min(height - 2, Math.floor(v));
	const [right, below] = [u - x, v - y];
	const at = y * width + x;
	return (
		(data[at]! * (1 - right) + data[at + 1]! * right) * (1 - below) +
		(data[at + width]! * (1 - right) + data[at + width + 1]! * right) * below
	);
}

/** Returns the correlation of a picture with a part of a plane, -1 to 1, where they may be compared. */
function likeness(
	original: Plane,
	open: Uint8Array,
	other: Plane,
	left: number,
	top: number,
): number {
	const { width, height } = original;
	const whole = { x: 0, y: 0, width, height };
	const shared = compare(original, open, other, whole, left, top);
	const { count, outside, variance, variances, covariance } = shared;
	if (count < minOverlap * (count + outside)) {
		return -1;
	}
	const spread = variance * variances;
	return spread <= 0 ? 0 : covariance / Math.sqrt(spread);
}

/** Compares the light of a part of a picture with that of another one, where that may be. */
function compare(
	{ width, data }: Plane,
	open: Uint8Array,
	other: Plane,
	part: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
	left: number,
	top: number,
) {
	let [count, outside] = [0, 0];
	let [sum, sums, square, squares, product] = [0, 0, 0, 0, 0];
	for (let y = part.y; y < part.y + part.height; y++) {
		const end = y * width + part.x + part.width;
		let to = (top + y) * other.width + left + part.x;
		for (let at = y * width + part.x; at < end; at++, to++) {
			if (open[at] === 0) {
				continue;
			}
			const two = other.data[to]!;
			if (two < 0) {
				outside++;
				continue;
			}
			const one = data[at]!;
			count++;
			sum += one;
			sums += two;
			square += one * one;
			squares += two * two;
			product += one * two;
		}
	}
	const [mean, means] = [sum / count, sums / count];
	return {
		...{ count, outside, difference: Math.abs(mean - means) },
		...{ variance: square / count - mean ** 2, variances: squares / count - means ** 2 },
		covariance: product / count - mean * means,
	};
}

/** Number of pixels that are compared in each step. */
const maxCompared = 120_000;

/**
 * Brings an alignment nearer, by the differences of light and its slopes, until it no longer moves.
 *
 * @param isScaled true where its scale is right
 */
function refine(
	{ original, answer, open, factor }: Level,
	start: Alignment,
	isScaled = false,
): Alignment {
	const { width, height, data } = original;
	const step = Math.max(1, Math.round(Math.sqrt((width * height) / maxCompared)));
	const ratio = start.scaleY / start.scaleX;
	const [middleX, middleY] = [width / 2, height / 2];
	// In pixels of the answer: at the middle, and from there to the edges.
	let [u0, v0] = [
		start.scaleX * middleX + start.shiftX / factor,
		start.scaleY * middleY + start.shiftY / factor,
	];
	let [scaleX, scaleY] = [start.scaleX, start.scaleY];
	let [gain, bias] = [1, 0];
	let tolerance = 40;
	for (let round = 0; round < 14; round++) {
		const normal = new NormalEquations(isScaled ? 4 : 5);
		const row = new Float64Array(5);
		let [absolute, count] = [0, 0];
		for (let y = 1 + (step >> 1); y < height - 1; y += step) {
			const down = (y + 0.5 - middleY) / middleY;
			const v = v0 + scaleY * down * middleY - 0.5;
			const top = Math.floor(v);
			if (top < 0 || top >= answer.height - 1) {
				continue;
			}
			const below = v - top;
			for (let x = 1 + (step >> 1); x < width - 1; x += step) {
				const here = y * width + x;
				if (open[here] === 0) {
					continue;
				}
				const across = (x + 0.5 - middleX) / middleX;
				const u = u0 + scaleX * across * middleX - 0.5;
				const left = Math.floor(u);
				if (left < 0 || left >= answer.width - 1) {
					continue;
				}
				const right = u - left;
				const at = top * answer.width + left;
				const [one, two] = [answer.data[at]!, answer.data[at + 1]!];
				const three = answer.data[at + answer.width]!;
				const four = answer.data[at + answer.width + 1]!;
				const upper = one + (two - one) * right;
				const lower = three + (four - three) * right;
				const light = upper + (lower - upper) * below;
				// Those of the original have no noise of the service.
				const slopeX = (data[here + 1]! - data[here - 1]!) / (2 * scaleX);
				const slopeY = (data[here + width]! - data[here - width]!) / (2 * scaleY);
				const error = data[here]! - (gain * light + bias);
				absolute += Math.min(Math.abs(error), 60);
				count++;
				const part = error / tolerance;
				if (part >= 1 || part <= -1) {
					continue;
				}
				// Tukey's weight: what differs much is none of the picture.
				const weight = (1 - part * part) ** 2;
				row[0] = slopeX;
				row[1] = slopeY;
				row[2] = light;
				row[3] = 1;
				row[4] = slopeX * across * middleX + slopeY * ratio * down * middleY;
				normal.add(row, error, weight);
			}
		}
		const found = count < 50 ? undefined : normal.solve();
		if (found === undefined) {
			break;
		}
		const [moveX = 0, moveY = 0, brighter = 0, lighter = 0, grow = 0] = found;
		u0 += moveX;
		v0 += moveY;
		scaleX += grow;
		scaleY += grow * ratio;
		gain = Math.min(2, Math.max(0.5, gain + brighter));
		bias += lighter;
		tolerance = Math.max(8, (4.5 * absolute) / count);
		const moved = Math.abs(moveX) + Math.abs(moveY) + Math.abs(grow) * (middleX + middleY);
		if (moved < 0.004) {
			break;
		}
	}
	return {
		...{ scaleX, shiftX: (u0 - scaleX * middleX) * factor },
		...{ scaleY, shiftY: (v0 - scaleY * middleY) * factor },
	};
}

/** Weighted least squares of a few unknowns. */
class NormalEquations {
	readonly #matrix: Float64Array;
	readonly #right: Float64Array;

	constructor(private readonly size: number) {
		this.#matrix = new Float64Array(size * size);
		this.#right = new Float64Array(size);
	}

	add(row: Float64Array, value: number, weight: number): void {
		for (let one = 0; one < this.size; one++) {
			const weighted = weight * row[one]!;
			this.#right[one]! += weighted * value;
			for (let two = one; two < this.size; two++) {
				this.#matrix[one * this.size + two]! += weighted * row[two]!;
			}
		}
	}

	/** Solves by Cholesky's method; `undefined` where the light says nothing about one of them. */
	solve(): number[] | undefined {
		const { size } = this;
		const lower = new Float64Array(size * size);
		for (let one = 0; one < size; one++) {
			for (let two = 0; two <= one; two++) {
				// A little more on the diagonal: what hardly matters stays as it is.
				let sum = this.#matrix[two * size + one]! * (one === two ? 1 + 1e-7 : 1);
				for (let at = 0; at < two; at++) {
					sum -= lower[one * size + at]! * lower[two * size + at]!;
				}
				if (one === two && sum <= 1e-6) {
					return undefined;
				}
				lower[one * size + two] = one === two ? Math.sqrt(sum) : sum / lower[two * size + two]!;
			}
		}
		const found = [...this.#right];
		for (let one = 0; one < size; one++) {
			for (let at = 0; at < one; at++) {
				found[one]! -= lower[one * size + at]! * found[at]!;
			}
			found[one]! /= lower[one * size + one]!;
		}
		for (let one = size - 1; one >= 0; one--) {
			for (let at = one + 1; at < size; at++) {
				found[one]! -= lower[at * size + one]! * found[at]!;
			}
			found[one]! /= lower[one * size + one]!;
		}
		return found;
	}
}

/** Side of the blocks that are compared, in pixels of the judged picture. */
const blockSide = 12;
/** Part of the blocks that must show the same. */
const minFit = 0.6;

/** Returns the part of the blocks in which answer and picture show the same, 0 to 1. */
function fitOf({ original, answer, open, factor }: Level, found: Alignment): number {
	const { width, height } = original;
	const small = { ...found, shiftX: found.shiftX / factor, shiftY: found.shiftY / factor };
	const warped = warp(answer, small, width, height, 0);
	let [like, all] = [0, 0];
	for (let top = 0; top + blockSide <= height; top += blockSide) {
		for (let left = 0; left + blockSide <= width; left += blockSide) {
			const verdict = isAlike(original, warped, open, left, top);
			all += verdict === undefined ? 0 : 1;
			like += verdict === true ? 1 : 0;
		}
	}
	return all === 0 ? 0 : like / all;
}

/** Returns whether a block shows the same; `undefined` where it may not be compared. */
function isAlike(
	original: Plane,
	warped: Plane,
	open: Uint8Array,
	x: number,
	y: number,
): boolean | undefined {
	const block = { x, y, width: blockSide, height: blockSide };
	const shared = compare(original, open, warped, block, 0, 0);
	const { count, outside, difference, variance, variances, covariance } = shared;
	if (count + outside < (blockSide * blockSide) / 2) {
		return undefined;
	}
	if (outside > count) {
		return false;
	}
	return variance < flat && variances < flat
		? difference < sameLight
		: covariance > minLikeness * Math.sqrt(variance * variances);
}

/** Variance of light below which a block shows nothing. */
const flat = 9;
/** Difference of light of blocks that show nothing. */
const sameLight = 24;
/** Correlation of blocks that show the same. */
const minLikeness = 0.5;
