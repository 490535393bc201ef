import type { Pixels } from '../thumbnails/shrink.js';

/** The light of a picture, 0 to 255 for each pixel. */
export interface Plane {
	readonly width: number;
	readonly height: number;
	readonly data: Float32Array;
}

/** Returns the light of a picture in smaller dimensions; each pixel is the average of what it covers. */
export function lightOf({ width, height, data }: Pixels, across: number, down: number): Plane {
	const columns = shares(width, across);
	const rows = shares(height, down);
	const light = new Float32Array(across * down);
	const line = new Float32Array(across);
	for (let y = 0; y < height; y++) {
		line.fill(0);
		for (let x = 0, from = y * width * 4; x < width; x++, from += 4) {
			const alpha = data[from + 3]! / 255;
			const shown =
				(0.299 * data[from]! + 0.587 * data[from + 1]! + 0.114 * data[from + 2]!) * alpha +
				// What is transparent is looked at on white.
				255 * (1 - alpha);
			const to = columns.first[x]!;
			line[to]! += shown * columns.share[x]!;
			if (columns.rest[x]! > 0) {
				line[to + 1]! += shown * columns.rest[x]!;
			}
		}
		addLine(light, line, rows.first[y]! * across, rows.share[y]!);
		if (rows.rest[y]! > 0) {
			addLine(light, line, (rows.first[y]! + 1) * across, rows.rest[y]!);
		}
	}
	return { width: across, height: down, data: light };
}

function addLine(light: Float32Array, line: Float32Array, start: number, share: number): void {
	for (let x = 0; x < line.length; x++) {
		light[start + x]! += line[x]! * share;
	}
}

/** For each pixel of a side, the first one that it adds to, with its share, and that of the next one. */
function shares(from: number, to: number) {
	const first = new Int32Array(from);
	const share = new Float32Array(from);
	const rest = new Float32Array(from);
	const scale = to / from;
	for (let at = 0; at < from; at++) {
		const start = at * scale;
		first[at] = Math.min(to - 1, Math.floor(start + 1e-9));
		const over = start + scale - (first[at]! + 1);
		rest[at] = over > 1e-6 && first[at]! + 1 < to ? over : 0;
		share[at] = scale - rest[at]!;
	}
	return { first, share, rest };
}

/** Returns a plane of half the dimensions. */
export function halved({ width, height, data }: Plane): Plane {
	const [across, down] = [width >> 1, height >> 1];
	const half = new Float32Array(across * down);
	for (let y = 0; y < down; y++) {
		for (let x = 0, from = 2 * y * width; x < across; x++, from += 2) {
			half[y * across + x] =
				(data[from]! + data[from + 1]! + data[from + width]! + data[from + width + 1]!) / 4;
		}
	}
	return { width: across, height: down, data: half };
}

/** Returns a plane whose noise is less: each pixel with its neighbors, by 1, 2 and 1. */
export function smoothed({ width, height, data }: Plane): Plane {
	const across = new Float32Array(data.length);
	for (let y = 0; y < height; y++) {
		for (let x = 0, at = y * width; x < width; x++, at++) {
			const left = x === 0 ? at : at - 1;
			const right = x === width - 1 ? at : at + 1;
			across[at] = (data[left]! + 2 * data[at]! + data[right]!) / 4;
		}
	}
	const both = new Float32Array(data.length);
	for (let y = 0; y < height; y++) {
		const up = y === 0 ? 0 : -width;
		const below = y === height - 1 ? 0 : width;
		for (let x = 0, at = y * width; x < width; x++, at++) {
			both[at] = (across[at + up]! + 2 * across[at]! + across[at + below]!) / 4;
		}
	}
	return { width, height, data: both };
}

/** Returns where pixels may be compared: those of half the dimensions count where all of theirs do. */
export function halvedOpen(open: Uint8Array, width: number, height: number): Uint8Array {
	const [across, down] = [width >> 1, height >> 1];
	const half = new Uint8Array(across * down);
	for (let y = 0; y < down; y++) {
		for (let x = 0, from = 2 * y * width; x < across; x++, from += 2) {
			half[y * across + x] =
				open[from]! & open[from + 1]! & open[from + width]! & open[from + width + 1]!;
		}
	}
	return half;
}
