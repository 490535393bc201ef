import type { SizeOption } from '../../protocol/studio.js';
import type { Size } from '../geometry.js';

/** Of the longest edge, in CSS pixels: what has twice the pixels on it is a step longer. */
const edgeOf1024 = 16;
const step = 6;

/** Returns how large a size is drawn, in CSS pixels; `undefined` where the service chooses it. */
export function pictureOf(size: string): Size | undefined {
	const [width, height] = size.split('x').map(Number);
	if (width === undefined || height === undefined) {
		return undefined;
	}
	const longest = Math.max(width, height);
	const edge = edgeOf1024 + step * Math.log2(longest / 1024);
	const scale = Math.max(edge, 6) / longest;
	// Halves are drawn sharply where it matters, and keep the ratio.
	const drawn = (length: number) => Math.round(length * scale * 2) / 2;
	return { width: drawn(width), height: drawn(height) };
}

/** What a size is called, and what kind of picture it is. */
export function namesOf({ size, ratio }: SizeOption): readonly [name: string, kind: string] {
	if (size === 'auto') {
		return ['Automatic', 'any ratio'];
	}
	return [size.replace('x', ' × '), ratio === '1:1' ? 'Square' : ratio];
}
