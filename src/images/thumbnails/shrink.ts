import { turnedSize, type Orientation } from '../orientation.js';

/** Pixels in rows from the top, four bytes each: red, green, blue, alpha, not premultiplied. */
export interface Pixels {
	readonly width: number;
	readonly height: number;
	readonly data: Uint8ClampedArray;
}

/** Returns whether a picture has a pixel that is not opaque. */
export function isTransparent({ data }: Pixels): boolean {
	for (let at = 3; at < data.length; at += 4) {
		if (data[at] !== 255) {
			return true;
		}
	}
	return false;
}

/** Turns and mirrors a picture as its orientation says. */
export function turn(picture: Pixels, orientation: Orientation): Pixels {
	if (orientation === 1) {
		return picture;
	}
	const { width, height } = turnedSize(picture, orientation);
	const from = new Uint32Array(picture.data.buffer);
	const to = new Uint32Array(from.length);
	const isMirrored = [2, 3, 7, 8].includes(orientation);
	const isUpsideDown = [3, 4, 6, 7].includes(orientation);
	for (let y = 0, at = 0; y < height; y++) {
		for (let x = 0; x < width; x++, at++) {
			const [column, row] = orientation < 5 ? [x, y] : [y, x];
			to[at] =
				from[
					(isUpsideDown ? picture.height - 1 - row : row) * picture.width +
						(isMirrored ? picture.width - 1 - column : column)
				]!;
		}
	}
	return { width, height, data: new Uint8ClampedArray(to.buffer) };
}

/**
 * Makes a picture small while its pixels arrive, so that the large one need not be in memory. Each
 * pixel of the result is the average of the area that it covers, weighted by alpha: every pixel of
 * the large picture counts, but transparent ones do not add their color.
 */
export class Shrinker {
	readonly width: number;
	readonly height: number;
	/** Sums of each pixel of the result: colors times alpha, and alpha. */
	readonly #sums: Float64Array;
	/** The same for one line of the large picture. */
	readonly #line: Float64Array;
	/** For each column of the large picture: where in the result it adds, and which share. */
	readonly #offset: Int32Array;
	readonly #share: Float64Array;
	/** The share that it adds to the next pixel. */
	readonly #rest: Float64Array;
	readonly #scaleY: number;

	/**
	 * @param size of the large picture, in pixels
	 * @param maxSide of the result, in pixels; a picture that is smaller keeps its size
	 */
	constructor(size: { readonly width: number; readonly height: number }, maxSide: number) {
		const scale = Math.min(1, maxSide / Math.max(size.width, size.height));
		this.width = Math.max(1, Math.round(size.width * scale));
		this.height = Math.max(1, Math.round(size.height * scale));
		this.#sums = new Float64Array(this.width * this.height * 4);
		this.#line = new Float64Array(this.width * 4);
		this.#scaleY = this.height / size.height;
		const scaleX = this.width / size.width;
		this.#offset = new Int32Array(size.width);
		this.#share = new Float64Array(size.width);
		this.#rest = new Float64Array(size.width);
		for (let x = 0; x < size.width; x++) {
			const { at, share, rest } = spread(x, scaleX);
			this.#offset[x] = at * 4;
			this.#share[x] = share;
			this.#rest[x] = rest;
		}
	}

	/**
	 * Adds pixels of one line. Lines may come in any order and in parts; missing ones are
	 * transparent.
	 *
	 * @param y line of the large picture
	 * @param rgba the pixels
	 * @param count how many of them are added, from the first
	 * @param x column of the first
	 * @param step columns from one to the next
	 */
	add(y: number, rgba: Uint8Array | Uint8ClampedArray, count: number, x = 0, step = 1): void {
		const line = this.#line.fill(0);
		for (let from = 0, end = count * 4; from < end; from += 4, x += step) {
			const alpha = rgba[from + 3]!;
			const to = this.#offset[x]!;
			const weight = this.#share[x]! * alpha;
			line[to]! += rgba[from]! * weight;
			line[to + 1]! += rgba[from + 1]! * weight;
			line[to + 2]! += rgba[from + 2]! * weight;
			line[to + 3]! += weight;
			const rest = this.#rest[x]! * alpha;
			if (rest > 0) {
				line[to + 4]! += rgba[from]! * rest;
				line[to + 5]! += rgba[from + 1]! * rest;
				line[to + 6]! += rgba[from + 2]! * rest;
				line[to + 7]! += rest;
			}
		}
		const { at, share, rest } = spread(y, this.#scaleY);
		this.#addLine(at, share);
		if (rest > 0) {
			this.#addLine(at + 1, rest);
		}
	}

	#addLine(row: number, share: number): void {
		const start = row * this.#line.length;
		for (let index = 0; index < this.#line.length; index++) {
			this.#sums[start + index]! += this.#line[index]! * share;
		}
	}

	/** Returns the small picture. */
	finish(): Pixels {
		const sums = this.#sums;
		const data = new Uint8ClampedArray(sums.length);
		for (let at = 0; at < sums.length; at += 4) {
			// Where it is 0, so are the colors: 0 / 0 is NaN, which this array stores as 0.
			const alpha = sums[at + 3]!;
			data[at] = sums[at]! / alpha;
			data[at + 1] = sums[at + 1]! / alpha;
			data[at + 2] = sums[at + 2]! / alpha;
			data[at + 3] = alpha;
		}
		return { width: this.width, height: this.height, data };
	}
}

/** To which row or column of the result the large one at `index` adds, and with which share. */
function spread(
	index: number,
	scale: number,
): { readonly at: number; readonly share: number; readonly rest: number } {
	const start = index * scale;
	const at = Math.floor(start);
	const rest = start + scale - (at + 1);
	// A smaller rest comes from rounding alone, also at the end, where there is no next one.
	return rest > 1e-9 ? { at, share: scale - rest, rest } : { at, share: scale, rest: 0 };
}
