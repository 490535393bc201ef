import { createCanvas, type Canvas, type SKRSContext2D } from '@napi-rs/canvas';
import type { Mark } from '../../../../src/images/marks.js';
import type { Pixels } from '../../../../src/images/thumbnails/shrink.js';
import { choosePalette } from '../../../service/palette.js';
import { drawScene } from '../../../service/scenes.js';
import { seeded } from '../random.js';

/** Treatment of a picture by a service: it moves, scales and repaints it, and answers in its own size. */
export interface Manner {
	/** By which it moves the picture, in pixels of the original. */
	readonly move?: readonly [across: number, down: number];
	/** By which it scales the picture around its top left corner. */
	readonly zoom?: number;
	/** Dimensions of the answer as parts of the original's. */
	readonly size?: number | readonly [across: number, down: number];
	/** Largest difference of each pixel. */
	readonly noise?: number;
	/** By which everything is brighter. */
	readonly brighter?: number;
}

/** Kinds of pictures; the words of a scene make one of the stand-in's. */
export type Kind = 'page' | 'text' | 'harbor sea' | 'city street' | 'forest' | 'hills';

/** Returns a picture, and what a service answers: the marks have something else in them. */
export function pairOf(
	kind: Kind,
	[width, height]: readonly [number, number],
	marks: readonly Mark[],
	{ move = [0, 0], zoom = 1, size = 1, noise = 0, brighter = 0 }: Manner,
): { readonly original: Pixels; readonly answer: Pixels } {
	const [across, down] = typeof size === 'number' ? [size, size] : size;
	const source = sourceOf(kind, width, height);
	const original = shown(source, width, height, (context) => context);
	const answer = shown(
		...([source, Math.round(width * across), Math.round(height * down)] as const),
		(context, canvas) => {
			context.scale(canvas.width / width, canvas.height / height);
			context.translate(...move);
			context.scale(zoom, zoom);
		},
		(context) => {
			for (const mark of marks) {
				if (mark.shape === 'rectangle') {
					context.fillStyle = '#d0342c';
					const [x, y] = [mark.x * width, mark.y * height];
					context.fillRect(x, y, mark.width * width, mark.height * height);
				}
			}
		},
	);
	const next = seeded(7);
	for (let at = 0; at < answer.data.length && noise + brighter > 0; at++) {
		if (at % 4 < 3) {
			answer.data[at]! += brighter + (next() - 0.5) * 2 * noise;
		}
	}
	return { original, answer };
}

/** Twice the size, and a margin around the picture, so that no way of sampling it is the tested one. */
const times = 2;
const margin = 0.25;

function sourceOf(kind: Kind, width: number, height: number): Canvas {
	const [across, down] = [width, height].map((side) => side * times * (1 + 2 * margin));
	const canvas = createCanvas(Math.ceil(across!), Math.ceil(down!));
	const context = canvas.getContext('2d');
	const area = { x: 0, y: 0, width: canvas.width, height: canvas.height };
	if (kind === 'page' || kind === 'text') {
		drawPage(context, canvas, kind === 'text' ? 0 : 14);
	} else {
		drawScene(context, area, kind, choosePalette(kind));
	}
	return canvas;
}

function drawPage(context: SKRSContext2D, { width, height }: Canvas, cards: number): void {
	const next = seeded(3);
	context.fillStyle = '#f7f7f9';
	context.fillRect(0, 0, width, height);
	const unit = Math.min(width, height) / 40;
	for (let card = 0; card < cards; card++) {
		context.fillStyle = `hsl(${String(Math.floor(next() * 360))} 40% 55%)`;
		context.fillRect(
			next() * width,
			next() * height,
			(4 + next() * 8) * unit,
			(2 + next() * 5) * unit,
		);
	}
	context.fillStyle = '#30323a';
	for (let y = unit; y < height; y += 1.6 * unit) {
		for (let x = unit; x < width * (0.5 + next() * 0.5);) {
			const word = (0.5 + next() * 2.5) * unit;
			context.fillRect(x, y, word, unit * 0.45);
			x += word + unit * 0.6;
		}
	}
}

function shown(
	source: Canvas,
	width: number,
	height: number,
	place: (context: SKRSContext2D, canvas: Canvas) => unknown,
	over: (context: SKRSContext2D) => void = () => undefined,
): Pixels {
	const canvas = createCanvas(width, height);
	const context = canvas.getContext('2d');
	context.imageSmoothingQuality = 'high';
	place(context, canvas);
	const [across, down] = [source.width / times, source.height / times];
	const left = (across / (1 + 2 * margin)) * margin;
	const top = (down / (1 + 2 * margin)) * margin;
	context.drawImage(source, -left, -top, across, down);
	over(context);
	const { data } = context.getImageData(0, 0, width, height);
	return { width, height, data: new Uint8ClampedArray(data) };
}
