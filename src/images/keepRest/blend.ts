import type { Pixels } from '../thumbnails/shrink.js';
import type { Alignment } from './align.js';

/** Width of the edge in which one picture turns into the other, as part of the shorter side. */
const feather = 0.008;
/** The same in pixels. */
const minFeather = 2;
const maxFeather = 24;

/**
 * Puts the marked part of an answer into the picture that it was made of, in place: outside of the marks
 * every pixel stays, and within their edges one turns into the other.
 *
 * @param marked for each pixel of the picture, 1 where it is marked; it is used up
 */
export function blend(
	original: Pixels,
	answer: Pixels,
	{ scaleX, shiftX, scaleY, shiftY }: Alignment,
	marked: Uint8Array,
): void {
	const { width, height, data } = original;
	const edge = Math.min(maxFeather, Math.max(minFeather, feather * Math.min(width, height)));
	const distances = distancesWithin(marked, width, height);
	const color = new Float64Array(4);
	const read = readerOf(answer, scaleX, scaleY);
	for (let y = 0; y < height; y++) {
		const v = scaleY * (y + 0.5) + shiftY - 0.5;
		for (let x = 0, at = y * width; x < width; x++, at++) {
			const distance = distances[at]!;
			const u = scaleX * (x + 0.5) + shiftX - 0.5;
			if (distance === 0 || u < -1 || v < -1 || u > answer.width || v > answer.height) {
				continue;
			}
			read(u, v, color);
			const share = Math.min(1, distance / (chamfer.side * edge));
			mix(data, at * 4, color, share * share * (3 - 2 * share));
		}
	}
}

/** Mixes a color into a pixel; transparent ones do not add their color. */
function mix(data: Uint8ClampedArray, at: number, color: Float64Array, share: number): void {
	const before = data[at + 3]! * (1 - share);
	const after = color[3]! * share;
	const alpha = before + after;
	if (alpha > 0) {
		for (let channel = 0; channel < 3; channel++) {
			data[at + channel] = (data[at + channel]! * before + color[channel]! * after) / alpha;
		}
	}
	data[at + 3] = alpha;
}

/** Ways from a pixel to its neighbors; 3 and 4 are nearly 1 and the root of 2 (Borgefors, 1986). */
const chamfer = { side: 3, corner: 4, max: 255 } as const;

/** Returns the way from each marked pixel to the nearest that is not, in place. The picture's edge is none. */
function distancesWithin(marked: Uint8Array, width: number, height: number): Uint8Array {
	const { side, corner, max } = chamfer;
	for (let at = 0; at < marked.length; at++) {
		if (marked[at] !== 0) {
			marked[at] = max;
		}
	}
	for (const [start, end, turn] of [
		[0, height, 1],
		[height - 1, -1, -1],
	] as const) {
		for (let y = start; y !== end; y += turn) {
			const hasLine = y !== start;
			const [first, last] = turn === 1 ? [0, width] : [width - 1, -1];
			for (let x = first; x !== last; x += turn) {
				const at = y * width + x;
				if (marked[at] === 0) {
					continue;
				}
				let way = marked[at]!;
				if (x !== first) {
					way = Math.min(way, marked[at - turn]! + side);
				}
				if (hasLine) {
					const before = at - turn * width;
					way = Math.min(way, marked[before]! + side);
					way = x === 0 ? way : Math.min(way, marked[before - 1]! + corner);
					way = x === width - 1 ? way : Math.min(way, marked[before + 1]! + corner);
				}
				marked[at] = way;
			}
		}
	}
	return marked;
}

type Reader = (u: number, v: number, color: Float64Array) => void;

/** Returns what reads a picture between its pixels; where it is larger, by the average of several. */
function readerOf(picture: Pixels, scaleX: number, scaleY: number): Reader {
	const across = Math.max(1, Math.round(scaleX));
	const down = Math.max(1, Math.round(scaleY));
	if (across === 1 && down === 1) {
		return (u, v, color) => {
			readCubic(picture, u, v, color);
		};
	}
	const one = new Float64Array(4);
	return (u, v, color) => {
		color.fill(0);
		for (let row = 0; row < down; row++) {
			for (let column = 0; column < across; column++) {
				const left = u + scaleX * ((column + 0.5) / across - 0.5);
				readCubic(picture, left, v + scaleY * ((row + 0.5) / down - 0.5), one);
				for (let channel = 0; channel < 4; channel++) {
					color[channel]! += one[channel]! / (across * down);
				}
			}
		}
	};
}

/** Weights of Catmull and Rom for the four pixels around a place. */
function cubicWeights(part: number, weights: Float64Array): void {
	const square = part * part;
	const cube = square * part;
	weights[0] = (-cube + 2 * square - part) / 2;
	weights[1] = (3 * cube - 5 * square + 2) / 2;
	weights[2] = (-3 * cube + 4 * square + part) / 2;
	weights[3] = (cube - square) / 2;
}

const [weightsX, weightsY] = [new Float64Array(4), new Float64Array(4)];

/** Reads a color at a place between pixels; beyond the edge, that of the edge. */
function readCubic(
	{ width, height, data }: Pixels,
	u: number,
	v: number,
	color: Float64Array,
): void {
	const [left, top] = [Math.floor(u), Math.floor(v)];
	cubicWeights(u - left, weightsX);
	cubicWeights(v - top, weightsY);
	let [red, green, blue, alpha] = [0, 0, 0, 0];
	for (let row = 0; row < 4; row++) {
		const y = Math.min(height - 1, Math.max(0, top - 1 + row));
		for (let column = 0; column < 4; column++) {
			const x = Math.min(width - 1, Math.max(0, left - 1 + column));
			const at = (y * width + x) * 4;
			const weight = weightsX[column]! * weightsY[row]!;
			red += weight * data[at]!;
			green += weight * data[at + 1]!;
			blue += weight * data[at + 2]!;
			alpha += weight * data[at + 3]!;
		}
	}
	color[0] = red;
	color[1] = green;
	color[2] = blue;
	color[3] = Math.min(255, Math.max(0, alpha));
}

/** Difference of a color, 0 to 255, that is seen. */
const seen = 24;
/** Number of pixels that are compared. */
const maxLookedAt = 500_000;

/** Returns the part of the unmarked pixels that an answer shows otherwise, 0 to 1. */
export function changedPart(
	original: Pixels,
	answer: Pixels,
	{ scaleX, shiftX, scaleY, shiftY }: Alignment,
	marked: Uint8Array,
): number {
	const { width, height, data } = original;
	const step = Math.max(1, Math.ceil(Math.sqrt((width * height) / maxLookedAt)));
	const color = new Float64Array(4);
	let [changed, all] = [0, 0];
	for (let y = 0; y < height; y += step) {
		for (let x = 0; x < width; x += step) {
			if (marked[y * width + x] !== 0) {
				continue;
			}
			readCubic(
				answer,
				...([scaleX * (x + 0.5) + shiftX - 0.5, scaleY * (y + 0.5) + shiftY - 0.5] as const),
				color,
			);
			const at = (y * width + x) * 4;
			all++;
			for (let channel = 0; channel < 4; channel++) {
				if (Math.abs(data[at + channel]! - color[channel]!) > seen) {
					changed++;
					break;
				}
			}
		}
	}
	return all === 0 ? 0 : changed / all;
}
