import type { Mark } from '../marks.js';
import type { Pixels } from '../thumbnails/shrink.js';
import { areaOf, type Dimensions, type Place } from './areas.js';

type Color = readonly [red: number, green: number, blue: number];

/** A color of few pictures, and what sets it off on those. */
const ink: Color = [255, 0, 168];
const halo: Color = [255, 255, 255];

/** A line through places; a badge has one place only, and is a disc. */
interface Stroke {
	readonly places: readonly Place[];
	/** Half of the width of the line, or of the disc. */
	readonly radius: number;
	readonly color: Color;
}

/** Draws marks with their numbers on a picture: outlines, arrows, numbers in discs. */
export function drawMarks(picture: Pixels, marks: readonly Mark[]): void {
	for (const [index, mark] of marks.entries()) {
		for (const stroke of strokesOf(mark, index + 1, picture)) {
			draw(picture, stroke);
		}
	}
}

function strokesOf(mark: Mark, number: number, size: Dimensions): Stroke[] {
	const unit = Math.min(size.width, size.height);
	const radius = Math.max(1.25, unit * 0.003);
	const rim = Math.max(1, unit * 0.0016);
	const lines = linesOf(mark, size, radius);
	const disc = Math.max(7, unit * 0.02);
	const center = badgePlace(mark, size, disc + rim);
	return [
		...lines.map((places) => ({ places, radius: radius + rim, color: halo })),
		...lines.map((places) => ({ places, radius, color: ink })),
		{ places: [center], radius: disc + rim, color: halo },
		{ places: [center], radius: disc, color: ink },
		...digitLines(number, center, disc).map((places) => ({
			...{ places, radius: Math.max(0.7, disc * 0.11), color: halo },
		})),
	];
}

/** @param radius half of the width of the lines */
function linesOf(mark: Mark, size: Dimensions, radius: number): readonly (readonly Place[])[] {
	if (mark.shape !== 'arrow') {
		const places = areaOf(mark, size);
		return [[...places, places[0]!]];
	}
	const [tail, tip] = [mark.from, mark.to].map(({ x, y }) => ({
		...{ x: x * size.width, y: y * size.height },
	})) as [Place, Place];
	const back = Math.atan2(tail.y - tip.y, tail.x - tip.x);
	const length = Math.min(radius * 8, Math.hypot(tail.x - tip.x, tail.y - tip.y));
	const wing = (turn: number) => ({
		x: tip.x + length * Math.cos(back + turn),
		y: tip.y + length * Math.sin(back + turn),
	});
	return [
		[tail, tip],
		[wing(-0.5), tip, wing(0.5)],
	];
}

/** Returns the place of a number: where the mark begins, and whole within the picture. */
function badgePlace(mark: Mark, { width, height }: Dimensions, room: number): Place {
	const start =
		mark.shape === 'rectangle'
			? mark
			: mark.shape === 'arrow'
				? mark.from
				: mark.points.reduce((top, one) => (one.y < top.y ? one : top));
	const inside = (at: number, whole: number) => Math.max(room, Math.min(whole - room, at));
	return { x: inside(start.x * width, width), y: inside(start.y * height, height) };
}

/** Digits as lines, each by its columns and rows on a grid of four and eight. */
const digits = [
	...['00 40 48 08 00', '12 30 38', '00 40 44 04 08 48', '00 40 48 08|14 44', '00 04 44|40 48'],
	...['40 00 04 44 48 08', '40 00 08 48 44 04', '00 40 28', '00 40 48 08 00|04 44'],
	'44 04 00 40 48 08',
];

function digitLines(number: number, center: Place, disc: number): readonly (readonly Place[])[] {
	const signs = String(number).split('').map(Number);
	const cell = (disc * (signs.length > 1 ? 0.85 : 1.1)) / 4;
	const advance = 3.2 * cell;
	const left = center.x - (advance * (signs.length - 1)) / 2 - cell;
	return signs.flatMap((sign, index) =>
		digits[sign]!.split('|').map((line) =>
			line.split(' ').map(([x, y]) => ({
				x: left + index * advance + (Number(x) / 2) * cell,
				y: center.y + (Number(y) / 2 - 2) * cell,
			})),
		),
	);
}

function draw(picture: Pixels, { places, radius, color }: Stroke): void {
	const [first] = places;
	for (const [start, end] of places.length === 1
		? [[first!, first!] as const]
		: places.slice(1).map((end, index) => [places[index]!, end] as const)) {
		drawLine(picture, start, end, radius, color);
	}
}

/** Draws a line with round ends; each pixel gets the color by how near to the line it is. */
function drawLine(
	{ width, height, data }: Pixels,
	start: Place,
	end: Place,
	radius: number,
	color: Color,
): void {
	const [dx, dy] = [end.x - start.x, end.y - start.y];
	const squared = dx * dx + dy * dy;
	const reach = radius + 1;
	const [top, bottom] = [Math.min(start.y, end.y) - reach, Math.max(start.y, end.y) + reach];
	for (let y = Math.max(0, Math.floor(top)); y < Math.min(height, Math.ceil(bottom)); y++) {
		const [left, right] = columnsOf(start, end, y + 0.5, reach);
		for (let x = Math.max(0, Math.floor(left)); x < Math.min(width, Math.ceil(right)); x++) {
			const [px, py] = [x + 0.5 - start.x, y + 0.5 - start.y];
			const along = squared === 0 ? 0 : Math.max(0, Math.min(1, (px * dx + py * dy) / squared));
			const distance = Math.hypot(px - along * dx, py - along * dy);
			const cover = Math.min(1, radius + 0.5 - distance);
			if (cover > 0) {
				blend(data, (y * width + x) * 4, color, cover);
			}
		}
	}
}

/** Returns the columns that a line of a picture can have pixels of a stroke in. */
function columnsOf(start: Place, end: Place, y: number, reach: number): readonly [number, number] {
	const [upper, lower] = start.y < end.y ? [start, end] : [end, start];
	if (lower.y - upper.y < 1) {
		return [Math.min(start.x, end.x) - reach, Math.max(start.x, end.x) + reach];
	}
	const at = (row: number) => {
		const part = Math.max(0, Math.min(1, (row - upper.y) / (lower.y - upper.y)));
		return upper.x + part * (lower.x - upper.x);
	};
	const [one, other] = [at(y - reach), at(y + reach)];
	return [Math.min(one, other) - reach, Math.max(one, other) + reach];
}

/** Lays a color over a pixel, which may be transparent. */
function blend(data: Uint8ClampedArray, at: number, color: Color, cover: number): void {
	const below = (data[at + 3]! / 255) * (1 - cover);
	const alpha = below + cover;
	for (let channel = 0; channel < 3; channel++) {
		data[at + channel] = (data[at + channel]! * below + color[channel]! * cover) / alpha;
	}
	data[at + 3] = alpha * 255;
}
