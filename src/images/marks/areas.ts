import type { Mark } from '../marks.js';

/** Dimensions of a picture, in pixels. */
export interface Dimensions {
	readonly width: number;
	readonly height: number;
}

/** Place on a picture, in pixels from its top left corner. */
export interface Place {
	readonly x: number;
	readonly y: number;
}

/** Side of the square that an arrow marks around its tip, as part of the shorter side of the picture. */
export const arrowSide = 0.25;

/** Returns the outline of the place that a mark leaves open for changes, as a closed polygon. */
export function areaOf(mark: Mark, { width, height }: Dimensions): readonly Place[] {
	switch (mark.shape) {
		case 'rectangle':
			return box(
				...([mark.x * width, mark.y * height] as const),
				...([(mark.x + mark.width) * width, (mark.y + mark.height) * height] as const),
			);
		case 'area':
			return mark.points.map(({ x, y }) => ({ x: x * width, y: y * height }));
		case 'arrow': {
			const half = (arrowSide * Math.min(width, height)) / 2;
			const [x, y] = [mark.to.x * width, mark.to.y * height];
			return box(x - half, y - half, x + half, y + half);
		}
	}
}

function box(left: number, top: number, right: number, bottom: number): readonly Place[] {
	return [
		{ x: left, y: top },
		{ x: right, y: top },
		{ x: right, y: bottom },
		{ x: left, y: bottom },
	];
}

function within(value: number, max: number): number {
	return Math.min(max, Math.max(0, value));
}

/** Box around a mark, as fractions of the picture; of an arrow its tip alone. */
export interface MarkRange {
	readonly left: number;
	readonly right: number;
	readonly top: number;
	readonly bottom: number;
}

export function rangeOfMark(mark: Mark): MarkRange {
	switch (mark.shape) {
		case 'rectangle': {
			const { x: left, y: top, width, height } = mark;
			return { left, right: left + width, top, bottom: top + height };
		}
		case 'area': {
			const [xs, ys] = [mark.points.map(({ x }) => x), mark.points.map(({ y }) => y)];
			return {
				...{ left: Math.min(...xs), right: Math.max(...xs) },
				...{ top: Math.min(...ys), bottom: Math.max(...ys) },
			};
		}
		case 'arrow': {
			const { x, y } = mark.to;
			return { left: x, right: x, top: y, bottom: y };
		}
	}
}

/** Returns for each pixel of a picture 1 where a mark leaves it open for changes, else 0. */
export function markedPixels(marks: readonly Mark[], size: Dimensions): Uint8Array {
	const marked = new Uint8Array(size.width * size.height);
	for (const mark of marks) {
		fillPolygon(marked, areaOf(mark, size), size);
	}
	return marked;
}

/** Fills what an outline goes around; where it crosses itself, both loops. Line by line. */
function fillPolygon(
	marked: Uint8Array,
	corners: readonly Place[],
	{ width, height }: Dimensions,
): void {
	const ys = corners.map(({ y }) => y);
	const from = within(Math.ceil(Math.min(...ys) - 0.5), height);
	const to = within(Math.ceil(Math.max(...ys) - 0.5), height);
	for (let row = from; row < to; row++) {
		const middle = row + 0.5;
		const crossings: { readonly x: number; readonly turn: number }[] = [];
		for (const [index, start] of corners.entries()) {
			const end = corners[(index + 1) % corners.length]!;
			if (start.y <= middle !== end.y <= middle) {
				const x = start.x + ((middle - start.y) / (end.y - start.y)) * (end.x - start.x);
				crossings.push({ x, turn: start.y < end.y ? 1 : -1 });
			}
		}
		crossings.sort((one, other) => one.x - other.x);
		let turns = 0;
		for (const [index, { x, turn }] of crossings.entries()) {
			turns += turn;
			const next = crossings[index + 1];
			if (turns !== 0 && next !== undefined) {
				const [left, right] = [x, next.x].map((one) => within(Math.ceil(one - 0.5), width));
				marked.fill(1, row * width + left!, row * width + right!);
			}
		}
	}
}
