import type { KeptRest, Mark } from '../marks.js';
import { markedPixels } from '../marks/areas.js';
import type { Pixels } from '../thumbnails/shrink.js';
import { align, type Alignment } from './align.js';
import { blend, changedPart } from './blend.js';
import { lightOf } from './plane.js';

/** Longer side of the pictures that are laid over each other, in pixels: a part of one is found in them. */
const maxComparedSide = 2048;
/** Width of the edge around marks that is not compared, as part of the longer side. */
const margin = 0.008;

/**
 * Gives the original's pixels back to an answer of the service outside of the marks, in `original`.
 *
 * @returns its figures; `reframed` where the answer does not fit, and `original` is as it was
 */
export function keepRest(
	original: Pixels,
	answer: Pixels,
	marks: readonly Mark[],
): KeptRest | 'reframed' {
	const marked = markedPixels(marks, original);
	const share = 1 - countOf(marked) / marked.length;
	const found = alignmentOf(original, answer, marks);
	if (found === undefined || !isWithin(found, answer, marked, original.width)) {
		return 'reframed';
	}
	const changed = changedPart(original, answer, found, marked);
	blend(original, answer, found, marked);
	return { share, changed, ...movement(original, answer, found) };
}

/** Returns the way from places of the original to those of the answer, in their pixels. */
export function alignmentOf(
	original: Pixels,
	answer: Pixels,
	marks: readonly Mark[],
): Alignment | undefined {
	const { width, height } = original;
	// Both in one resolution, that of the smaller one.
	const sides = Math.sqrt((answer.width / width) * (answer.height / height));
	const fits = (longer: number) => Math.min(1, maxComparedSide / longer);
	const scale = Math.min(1, sides) * fits(Math.max(width, height) * Math.min(1, sides));
	const size = {
		width: Math.max(1, Math.round(width * scale)),
		height: Math.max(1, Math.round(height * scale)),
	};
	const across = Math.min(answer.width, Math.max(1, Math.round((answer.width * scale) / sides)));
	const down = Math.min(answer.height, Math.max(1, Math.round((answer.height * scale) / sides)));
	const open = openPixels(marks, size);
	if (countOf(open) < minOpen * open.length) {
		// Nothing says that it was moved.
		return unmoved(original, answer);
	}
	const found = align(
		lightOf(original, size.width, size.height),
		lightOf(answer, across, down),
		open,
	);
	if (found === undefined) {
		return undefined;
	}
	return {
		scaleX: (found.scaleX * (size.width / width) * answer.width) / across,
		shiftX: (found.shiftX * answer.width) / across,
		scaleY: (found.scaleY * (size.height / height) * answer.height) / down,
		shiftY: (found.shiftY * answer.height) / down,
	};
}

/** Part of the picture that must be unmarked for a comparison. */
const minOpen = 0.02;

/** Returns 1 for each pixel that is not marked, and not beside one that is: edges are repainted, too. */
function openPixels(
	marks: readonly Mark[],
	size: { readonly width: number; readonly height: number },
): Uint8Array {
	const { width, height } = size;
	const marked = markedPixels(marks, size);
	const reach = Math.max(1, Math.round(margin * Math.max(width, height)));
	const open = new Uint8Array(marked.length).fill(1);
	// Line by line, then column by column.
	for (const [line, count, along, across] of [
		[width, height, 1, width],
		[height, width, width, 1],
	] as const) {
		// What was closed along lines is spread along columns.
		const source = along === 1 ? marked : inverted(open);
		for (let index = 0; index < count; index++) {
			let until = -1;
			for (let at = 0; at < line; at++) {
				if (source[index * across + at * along] === 1) {
					const from = Math.max(until + 1, at - reach);
					until = Math.min(line - 1, at + reach);
					for (let each = from; each <= until; each++) {
						open[index * across + each * along] = 0;
					}
				}
			}
		}
	}
	return open;
}

function inverted(bits: Uint8Array): Uint8Array {
	const other = new Uint8Array(bits.length);
	for (let at = 0; at < bits.length; at++) {
		other[at] = 1 - bits[at]!;
	}
	return other;
}

/** Returns the number of ones. */
function countOf(bits: Uint8Array): number {
	let count = 0;
	for (let at = 0; at < bits.length; at++) {
		count += bits[at]!;
	}
	return count;
}

function unmoved({ width, height }: Pixels, answer: Pixels): Alignment {
	return {
		...{ scaleX: answer.width / width, shiftX: 0 },
		...{ scaleY: answer.height / height, shiftY: 0 },
	};
}

/** Part of the marked pixels that the answer must show; the original has the others. */
const minShown = 0.9;

function isWithin(
	{ scaleX, shiftX, scaleY, shiftY }: Alignment,
	answer: Pixels,
	marked: Uint8Array,
	width: number,
): boolean {
	let [shown, all] = [0, 0];
	const height = marked.length / width;
	for (let y = 0; y < height; y += 4) {
		const v = scaleY * (y + 0.5) + shiftY;
		const hasLine = v >= -1 && v <= answer.height + 1;
		for (let x = 0; x < width; x += 4) {
			if (marked[y * width + x] === 1) {
				const u = scaleX * (x + 0.5) + shiftX;
				all++;
				shown += hasLine && u >= -1 && u <= answer.width + 1 ? 1 : 0;
			}
		}
	}
	return shown >= minShown * all;
}

/** Returns how far the middle was moved, in pixels of the original, and by what the picture was scaled. */
function movement(
	{ width, height }: Pixels,
	answer: Pixels,
	found: Alignment,
): Pick<KeptRest, 'shift' | 'scale'> {
	const across = (found.scaleX * width) / 2 + found.shiftX - answer.width / 2;
	const down = (found.scaleY * height) / 2 + found.shiftY - answer.height / 2;
	return {
		shift: Math.hypot((across / answer.width) * width, (down / answer.height) * height),
		scale: Math.sqrt(
			((found.scaleX * width) / answer.width) * ((found.scaleY * height) / answer.height),
		),
	};
}
