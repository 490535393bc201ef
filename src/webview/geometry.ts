/** In pixels: of the screen or of an image, as the context says. */
export interface Extent {
	readonly width: number;
	readonly height: number;
}

export interface Point {
	readonly x: number;
	readonly y: number;
}

export interface Rectangle extends Point, Extent {}

/** Placement of the box that holds both images. Same values, same part of both images. */
export interface Placement {
	/** Pixels of the screen for one pixel of the box. */
	readonly scale: number;
	/** The point of the box in the middle of the pane, in fractions of its width and height. */
	readonly center: Point;
}

/** Free space around images that fit, so that the slider's handle is not cut at their edges. */
const margin = 16;
const maxScale = 20;

/**
 * Returns the box in which all images are shown: the one with most pixels fills it, the others are
 * scaled into it, or to its width, for which it becomes as high as the highest of them.
 *
 * @param sizes of the images; `undefined` for one that is not known
 */
export function commonBox(sizes: readonly (Extent | undefined)[], isOfWidth = false): Extent {
	const none: Extent = { width: 1, height: 1 };
	const pixels = ({ width, height }: Extent) => width * height;
	const known = sizes.filter((size) => size !== undefined);
	const largest = known.reduce((most, size) => (pixels(size) > pixels(most) ? size : most), none);
	const { width } = largest;
	return isOfWidth
		? { width, height: Math.max(...known.map((size) => (size.height / size.width) * width)) }
		: largest;
}

/**
 * Returns in how many columns images stand so that they are seen as large as possible: beside each
 * other or one below the other, four of them in two rows.
 *
 * @param box what each of them fills
 * @param room for all of them
 */
export function columnsFor(count: number, box: Extent, room: Extent): number {
	const options = count === 4 ? [2] : [1, count];
	const scale = (columns: number) =>
		Math.min(room.width / columns / box.width, (room.height * columns) / count / box.height);
	return options.reduce((best, columns) => (scale(columns) > scale(best) ? columns : best));
}

/** Returns where an image lies in a rectangle: as large as it can be, undistorted, centered. */
export function containIn(image: Extent, { x, y, width, height }: Rectangle): Rectangle {
	const scale = Math.min(width / image.width, height / image.height);
	const own = { width: image.width * scale, height: image.height * scale };
	return { x: x + (width - own.width) / 2, y: y + (height - own.height) / 2, ...own };
}

/** Returns where an image lies in a rectangle that it has the width of: at its upper edge. */
export function acrossIn(image: Extent, { x, y, width }: Rectangle): Rectangle {
	return { x, y, width, height: (width / image.width) * image.height };
}

/** Adjustment of one image by hand: shift in fractions of the box, and scale around its middle. */
export interface Adjustment extends Point {
	readonly scale: number;
}

/** Returns where an adjusted image lies. */
export function adjustedIn(
	{ x, y, width, height }: Rectangle,
	{ x: across, y: down, scale }: Adjustment,
	box: Rectangle,
): Rectangle {
	return {
		x: x + across * box.width + (width * (1 - scale)) / 2,
		y: y + down * box.height + (height * (1 - scale)) / 2,
		width: width * scale,
		height: height * scale,
	};
}

/** The scale at which the whole box is seen; small images are not enlarged. */
export function fittingScale(box: Extent, pane: Extent): number {
	const room = (length: number) => Math.max(length - 2 * margin, 1);
	return Math.min(1, room(pane.width) / box.width, room(pane.height) / box.height);
}

/** Returns where the box lies in the pane. */
export function rectangleOf({ scale, center }: Placement, box: Extent, pane: Extent): Rectangle {
	const width = box.width * scale;
	const height = box.height * scale;
	return {
		x: pane.width / 2 - center.x * width,
		y: pane.height / 2 - center.y * height,
		width,
		height,
	};
}

/**
 * Returns the nearest placement that the user can make sense of: not smaller than what fits or a
 * tenth, no empty space where there is more of the images, and in the middle where there is not.
 */
export function clamp({ scale, center }: Placement, box: Extent, pane: Extent): Placement {
	const smallest = Math.min(0.1, fittingScale(box, pane));
	const clamped = between(smallest, scale, maxScale);
	const axis = (value: number, boxLength: number, paneLength: number) => {
		const half = paneLength / 2 / (boxLength * clamped);
		return half >= 0.5 ? 0.5 : between(half, value, 1 - half);
	};
	return {
		scale: clamped,
		center: {
			x: axis(center.x, box.width, pane.width),
			y: axis(center.y, box.height, pane.height),
		},
	};
}

/**
 * Zooms so that what lies under a point stays there, as far as the edges of the images allow.
 * @param at in pixels from the upper left corner of the pane
 */
export function zoomAt(
	from: Placement,
	scale: number,
	at: Point,
	box: Extent,
	pane: Extent,
): Placement {
	const before = rectangleOf(from, box, pane);
	const target = clamp({ scale, center: from.center }, box, pane).scale;
	const axis = (point: number, start: number, length: number, box: number, pane: number) =>
		(point - start) / length + (pane / 2 - point) / (box * target);
	return clamp(
		{
			scale: target,
			center: {
				x: axis(at.x, before.x, before.width, box.width, pane.width),
				y: axis(at.y, before.y, before.height, box.height, pane.height),
			},
		},
		box,
		pane,
	);
}

/** Moves the images by so many pixels of the screen, as far as their edges allow. */
export function pan({ scale, center }: Placement, by: Point, box: Extent, pane: Extent): Placement {
	return clamp(
		{
			scale,
			center: {
				x: center.x - by.x / (box.width * scale),
				y: center.y - by.y / (box.height * scale),
			},
		},
		box,
		pane,
	);
}

/** The slider runs over what is seen of the box, so that its handle can always be reached. */
export function sliderTrack(box: Rectangle, pane: Extent): { start: number; end: number } {
	const start = between(0, box.x, pane.width);
	return { start, end: between(start, box.x + box.width, pane.width) };
}

/** The value of the slider, in percent, for a place on its track. */
export function sliderPosition(x: number, track: { start: number; end: number }): number {
	const length = track.end - track.start;
	return length === 0 ? 50 : between(0, ((x - track.start) / length) * 100, 100);
}

/** Returns `value`, or the limit that it exceeds. */
export function between(least: number, value: number, most: number): number {
	return Math.max(least, Math.min(value, most));
}

/** Between what lies over the page and the edge of the window, in pixels. */
const edge = 4;

/** Returns where something comes to lie so that it is seen, as near to `at` as that allows. */
export function withinWindow(at: Point, { width, height }: Extent, window: Extent): Point {
	return {
		x: between(edge, at.x, Math.max(edge, window.width - width - edge)),
		y: between(edge, at.y, Math.max(edge, window.height - height - edge)),
	};
}

/** For the `style` property: the page's policy allows no style attributes. */
export function rectangleStyle({ x, y, width, height }: Rectangle): string {
	return `left: ${x}px; top: ${y}px; width: ${width}px; height: ${height}px`;
}
