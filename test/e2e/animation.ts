import { createCanvas, loadImage, type Canvas } from '@napi-rs/canvas';

/** One picture of an animation: a PNG file, and how long it is shown, in milliseconds. */
export interface Frame {
	readonly png: Buffer;
	readonly durationMs: number;
}

/** A part of the picture, in pixels. */
interface Area {
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly height: number;
}

/**
 * Joins pictures of one size to an animated WebP that repeats for ever. Of each picture but the first,
 * only the part that has changed is stored. The format is that of
 * https://developers.google.com/speed/webp/docs/riff_container.
 *
 * @param quality of the pictures, from 1 to 99
 */
export async function animatedWebp(frames: readonly Frame[], quality: number): Promise<Buffer> {
	const chunks: Buffer[] = [];
	let before: Canvas | undefined;
	let size = { width: 0, height: 0 };
	for (const { png, durationMs } of frames) {
		const canvas = await draw(png);
		const whole = { x: 0, y: 0, width: canvas.width, height: canvas.height };
		const area = before === undefined ? whole : changedArea(before, canvas);
		const picture = await part(canvas, area).encode('webp', quality);
		chunks.push(
			chunk(
				'ANMF',
				uint24(area.x / 2),
				uint24(area.y / 2),
				uint24(area.width - 1),
				uint24(area.height - 1),
				uint24(durationMs),
				// The part replaces what was there, and stays.
				Buffer.from([0b10]),
				imageChunks(picture),
			),
		);
		before = canvas;
		size = whole;
	}
	const isAnimation = Buffer.from([0b10, 0, 0, 0]);
	const header = chunk('VP8X', isAnimation, uint24(size.width - 1), uint24(size.height - 1));
	// Transparent background, repeated for ever.
	const animation = chunk('ANIM', Buffer.alloc(4), Buffer.alloc(2));
	return chunk('RIFF', Buffer.from('WEBP'), header, animation, ...chunks);
}

async function draw(png: Buffer): Promise<Canvas> {
	const image = await loadImage(png);
	const canvas = createCanvas(image.width, image.height);
	canvas.getContext('2d').drawImage(image, 0, 0);
	return canvas;
}

function part(canvas: Canvas, { x, y, width, height }: Area): Canvas {
	const result = createCanvas(width, height);
	result.getContext('2d').drawImage(canvas, -x, -y);
	return result;
}

/** The smallest area with all differences, which begins at even pixels; never empty. */
function changedArea(before: Canvas, now: Canvas): Area {
	const { width, height } = now;
	const [one, other] = [before, now].map(
		(canvas) =>
			new Uint32Array(canvas.getContext('2d').getImageData(0, 0, width, height).data.buffer),
	) as [Uint32Array, Uint32Array];
	let [left, top, right, bottom] = [width, height, 0, 0];
	for (let index = 0; index < one.length; index++) {
		if (one[index] !== other[index]) {
			const x = index % width;
			const y = Math.floor(index / width);
			[left, right] = [Math.min(left, x), Math.max(right, x + 1)];
			[top, bottom] = [Math.min(top, y), Math.max(bottom, y + 1)];
		}
	}
	if (right === 0) {
		return { x: 0, y: 0, width: 2, height: 2 };
	}
	const [x, y] = [left - (left % 2), top - (top % 2)];
	return { x, y, width: right - x, height: bottom - y };
}

/** The chunks of a still picture that hold its pixels. */
function imageChunks(webp: Buffer): Buffer {
	const found: Buffer[] = [];
	for (let at = 12; at + 8 <= webp.length;) {
		const size = webp.readUInt32LE(at + 4);
		const end = at + 8 + size + (size % 2);
		if (/^(VP8 |VP8L|ALPH)$/.test(webp.toString('latin1', at, at + 4))) {
			found.push(webp.subarray(at, end));
		}
		at = end;
	}
	return Buffer.concat(found);
}

function chunk(name: string, ...content: readonly Buffer[]): Buffer {
	const body = Buffer.concat(content);
	const size = Buffer.alloc(4);
	size.writeUInt32LE(body.length);
	return Buffer.concat([Buffer.from(name), size, body, Buffer.alloc(body.length % 2)]);
}

function uint24(value: number): Buffer {
	const bytes = Buffer.alloc(3);
	bytes.writeUIntLE(value, 0, 3);
	return bytes;
}
