// Where marks lie on a picture. Points are fractions of its width and height, unless they are said
// to be of the pane that shows it.
import { maxPoints, type Mark } from '../../../images/marks.js';
import { between, type Point, type Rectangle } from '../../geometry.js';
import { hints } from '../../messages.js';

/** Shape that is drawn, or `move` where those that there are can be moved. */
export type MarkTool = 'move' | Mark['shape'];

/** Step of an arrow key. */
export const keyStep = 0.01;
/** Shortest side that keys and handles leave a mark. */
const minSide = 0.01;
/** Shortest distance that is a stroke and no click, in pixels of the pane. */
const minStroke = 4;
/** Largest distance of an outline from the stroke that it stands for, in pixels of the pane. */
const tolerance = 1.5;
/** Radius of a number, in pixels of the pane. */
export const badgeRadius = 11;
/** Distance of an arrow's number from its tail, and of others from a handle, in pixels of the pane. */
const badgeDistance = 14;
/** Part of what is seen of the picture that a mark from the keyboard takes. */
const defaultSide = 0.25;

/** Returns the rectangle around a mark. */
export function boundsOf(mark: Mark): Rectangle {
	if (mark.shape === 'rectangle') {
		return mark;
	}
	const points = pointsOf(mark);
	const xs = points.map(({ x }) => x);
	const ys = points.map(({ y }) => y);
	const [x, y] = [Math.min(...xs), Math.min(...ys)];
	return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

/** Returns a mark in another place; it stays on the picture. */
export function movedMark(mark: Mark, by: Point): Mark {
	const { x, y, width, height } = boundsOf(mark);
	return fitted(mark, {
		x: between(0, x + by.x, 1 - width),
		y: between(0, y + by.y, 1 - height),
		width,
		height,
	});
}

/** Returns a mark that is wider and higher; its upper left corner, or an arrow's tail, stays. */
export function sizedMark(mark: Mark, by: Point): Mark {
	if (mark.shape === 'arrow') {
		const to = { x: mark.to.x + by.x, y: mark.to.y + by.y };
		return withHandle(mark, 1, to);
	}
	const { x, y, width, height } = boundsOf(mark);
	return withHandle(mark, 2, { x: x + width + by.x, y: y + height + by.y });
}

/** Returns the points by which a mark is sized: the corners around it, or the ends of an arrow. */
export function handlesOf(mark: Mark): readonly Point[] {
	if (mark.shape === 'arrow') {
		return [mark.from, mark.to];
	}
	const { x, y, width, height } = boundsOf(mark);
	return [
		{ x, y },
		{ x: x + width, y },
		{ x: x + width, y: y + height },
		{ x, y: y + height },
	];
}

/** Returns a mark with one of its handles in another place; the opposite one stays. */
export function withHandle(mark: Mark, index: number, at: Point): Mark {
	const to = onPicture(at);
	if (mark.shape === 'arrow') {
		return index === 0 ? { ...mark, from: to } : { ...mark, to };
	}
	const fixed = handlesOf(mark)[(index + 2) % 4]!;
	const side = (end: number, isBefore: boolean, from: number) =>
		between(minSide, isBefore ? from - end : end - from, isBefore ? from : 1 - from);
	const isLeft = index === 0 || index === 3;
	const isAbove = index < 2;
	const width = side(to.x, isLeft, fixed.x);
	const height = side(to.y, isAbove, fixed.y);
	return fitted(mark, {
		x: isLeft ? fixed.x - width : fixed.x,
		y: isAbove ? fixed.y - height : fixed.y,
		width,
		height,
	});
}

/** Returns the mark that fills another rectangle. */
function fitted(mark: Mark, to: Rectangle): Mark {
	if (mark.shape === 'rectangle') {
		const { x, y, width, height } = to;
		return {
			...mark,
			...{ x: rounded(x), y: rounded(y), width: rounded(width), height: rounded(height) },
		};
	}
	const from = boundsOf(mark);
	const along = (value: number, start: number, length: number, toStart: number, toLength: number) =>
		rounded(toStart + (length === 0 ? 0 : ((value - start) / length) * toLength));
	const place = ({ x, y }: Point) => ({
		x: along(x, from.x, from.width, to.x, to.width),
		y: along(y, from.y, from.height, to.y, to.height),
	});
	return mark.shape === 'area'
		? { ...mark, points: mark.points.map(place) }
		: { ...mark, from: place(mark.from), to: place(mark.to) };
}

/**
 * Returns the mark that a stroke of the pointer draws; `undefined` for what was no more than a click.
 *
 * @param stroke in pixels of the pane, from where the pointer went down
 * @param picture rectangle of the picture in the pane
 */
export function drawnMark(
	shape: Mark['shape'],
	stroke: readonly Point[],
	picture: Rectangle,
): Mark | undefined {
	const from = stroke[0]!;
	const to = stroke.at(-1)!;
	const isStroke = stroke.some(({ x, y }) => Math.hypot(x - from.x, y - from.y) >= minStroke);
	if (!isStroke) {
		return undefined;
	}
	const [start, end] = [fromPane(from, picture), fromPane(to, picture)];
	if (shape === 'arrow') {
		return { shape, note: '', from: start, to: end };
	}
	if (shape === 'area') {
		const points = outlineOf(stroke).map((point) => fromPane(point, picture));
		const area: Mark = { shape, note: '', points: [...points] };
		const { width, height } = boundsOf(area);
		// A line has nothing in it that could change.
		return Math.min(width, height) < minSide ? undefined : area;
	}
	const side = (one: number, other: number) => Math.max(minSide, Math.abs(one - other));
	const [width, height] = [side(start.x, end.x), side(start.y, end.y)];
	const x = between(0, Math.min(start.x, end.x), 1 - width);
	const y = between(0, Math.min(start.y, end.y), 1 - height);
	return fitted({ shape, note: '', x, y, width, height }, { x, y, width, height });
}

/**
 * Returns the mark that a key puts in the middle of what is seen of the picture.
 *
 * @param picture rectangle of the picture in the pane
 */
export function defaultMark(
	shape: Mark['shape'],
	picture: Rectangle,
	pane: { readonly width: number; readonly height: number },
): Mark {
	const start = fromPane({ x: 0, y: 0 }, picture);
	const end = fromPane({ x: pane.width, y: pane.height }, picture);
	const width = (end.x - start.x) * defaultSide;
	const height = (end.y - start.y) * defaultSide;
	const x = (start.x + end.x - width) / 2;
	const y = (start.y + end.y - height) / 2;
	if (shape === 'arrow') {
		const from = { x: rounded(x), y: rounded(y) };
		return { shape, note: '', from, to: { x: rounded(x + width), y: rounded(y + height) } };
	}
	const box: Mark = { shape: 'rectangle', note: '', x, y, width, height };
	return shape === 'area'
		? { shape, note: '', points: handlesOf(box).map(onPicture) }
		: fitted(box, box);
}

/** Returns a mark in words: `Mark 2, top left, 20 by 8 percent: make it blue`. */
export function markName(mark: Mark, number: number): string {
	const { x, y, width, height } = boundsOf(mark);
	const third = (middle: number) => between(0, Math.floor(middle * 3), 2) as 0 | 1 | 2;
	const place = hints.markPlaces[third(y + height / 2)][third(x + width / 2)];
	const [across, down] = [Math.round(width * 100), Math.round(height * 100)];
	return hints.mark(number, place, across, down, mark.note.trim());
}

/** Returns the point of the picture at a point of the pane, or the nearest one on it. */
export function fromPane({ x, y }: Point, picture: Rectangle): Point {
	return onPicture({ x: (x - picture.x) / picture.width, y: (y - picture.y) / picture.height });
}

/** Returns where a point of the picture lies in the pane. */
export function toPane({ x, y }: Point, picture: Rectangle): Point {
	return { x: picture.x + x * picture.width, y: picture.y + y * picture.height };
}

/**
 * Returns where the number of a mark lies in the pane: at its outline, and behind an arrow.
 *
 * @param isSelected where it is, the number makes room for the handle of that corner
 */
export function badgeOf(mark: Mark, picture: Rectangle, isSelected: boolean): Point {
	if (mark.shape === 'arrow') {
		const [from, to] = [toPane(mark.from, picture), toPane(mark.to, picture)];
		const length = Math.hypot(from.x - to.x, from.y - to.y) || 1;
		const beyond = (start: number, end: number) => start + ((start - end) / length) * badgeDistance;
		return { x: beyond(from.x, to.x), y: beyond(from.y, to.y) };
	}
	const first = pointsOf(mark).reduce((best, one) =>
		one.x + one.y < best.x + best.y ? one : best,
	);
	const { x, y } = toPane(first, picture);
	const aside = (at: number) => at + (at < badgeDistance + badgeRadius ? 1 : -1) * badgeDistance;
	return isSelected ? { x: aside(x), y: aside(y) } : { x, y };
}

/** Returns the outline of a mark in the pane, as the `d` of an SVG path; an arrow with its head. */
export function pathOf(mark: Mark, picture: Rectangle): string {
	const line = (points: readonly Point[]) =>
		points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L');
	if (mark.shape !== 'arrow') {
		return `M${line(pointsOf(mark).map((point) => toPane(point, picture)))}Z`;
	}
	const [from, to] = [toPane(mark.from, picture), toPane(mark.to, picture)];
	const angle = Math.atan2(to.y - from.y, to.x - from.x);
	const length = between(8, Math.hypot(to.x - from.x, to.y - from.y) / 3, 18);
	const barb = (turn: number) => ({
		x: to.x - length * Math.cos(angle + turn),
		y: to.y - length * Math.sin(angle + turn),
	});
	return `M${line([from, to])}M${line([barb(0.5), to, barb(-0.5)])}`;
}

/** Returns the corners or points of a mark, in their order. */
function pointsOf(mark: Mark): readonly Point[] {
	return mark.shape === 'area'
		? mark.points
		: mark.shape === 'arrow'
			? [mark.from, mark.to]
			: handlesOf(mark);
}

/** Returns the points of a stroke that its outline needs: as few as possible, and not too many. */
export function outlineOf(stroke: readonly Point[]): readonly Point[] {
	const points = simplified(stroke, tolerance);
	const every = Math.ceil(points.length / maxPoints);
	return every <= 1 ? points : points.filter((_, index) => index % every === 0);
}

/** Leaves out points near the line between others (Douglas and Peucker). */
function simplified(stroke: readonly Point[], allowed: number): readonly Point[] {
	const isNeeded = new Set([0, stroke.length - 1]);
	const open: [number, number][] = [[0, stroke.length - 1]];
	for (let span = open.pop(); span !== undefined; span = open.pop()) {
		const [from, to] = span;
		let [farthest, distance] = [0, allowed];
		for (let index = from + 1; index < to; index++) {
			const away = distanceTo(stroke[index]!, stroke[from]!, stroke[to]!);
			if (away > distance) {
				[farthest, distance] = [index, away];
			}
		}
		if (farthest > 0) {
			isNeeded.add(farthest);
			open.push([from, farthest], [farthest, to]);
		}
	}
	return stroke.filter((_, index) => isNeeded.has(index));
}

/** Returns the distance of a point from the line between two others, or from where these meet. */
function distanceTo({ x, y }: Point, from: Point, to: Point): number {
	const [across, down] = [to.x - from.x, to.y - from.y];
	const length = Math.hypot(across, down);
	return length === 0
		? Math.hypot(x - from.x, y - from.y)
		: Math.abs(across * (from.y - y) - (from.x - x) * down) / length;
}

function onPicture({ x, y }: Point): Point {
	return { x: rounded(between(0, x, 1)), y: rounded(between(0, y, 1)) };
}

/** Exact enough for a picture of 10,000 pixels, and short where it is saved. */
function rounded(value: number): number {
	return Math.round(value * 1e4) / 1e4;
}
