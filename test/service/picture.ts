import { createCanvas, loadImage, type Image, type SKRSContext2D } from '@napi-rs/canvas';
import type { PictureFormat } from './contractCheck.js';
import { filmGrain, type Grain } from './grain.js';
import { fontFamilies } from './lettering.js';
import { choosePalette, mix, type Palette } from './palette.js';
import { encodePng } from './png.js';
import { drawScene, type Area } from './scenes.js';

/** Content of a picture. */
export interface PictureOrder {
	readonly prompt: string;
	/** `<width>x<height>` in pixels, or `auto` for 1024x1024. */
	readonly size: string;
	readonly quality?: string | undefined;
	/** The reference images' bytes in their order; `undefined` draws an empty frame. */
	readonly references: readonly (Uint8Array | undefined)[];
	/** The pixels to draw where they are to differ from the size that the caption names. */
	readonly dimensions?: { readonly width: number; readonly height: number } | undefined;
	/** Without film grain: about 0.1 MB at 1024x1024, 0.4 MB at 3840x2160. */
	readonly small?: boolean | undefined;
}

const ink = '#26282d';

/** Sizes of the real service's files of photographic pictures, in MB, by their pixels. */
const fileSizes = [
	{ pixels: 1024 * 1024, least: 1, most: 3 },
	{ pixels: 1536 * 1024, least: 1.5, most: 5 },
	{ pixels: 1536 * 1152, least: 1.5, most: 5 },
	{ pixels: 2048 * 1152, least: 4, most: 6 },
	{ pixels: 2048 * 2048, least: 6, most: 9 },
	{ pixels: 3840 * 2160, least: 12, most: 24 },
] as const;

/**
 * Draws a small poster: a scene in the colors that the prompt asks for, the reference images as
 * numbered prints on it, the prompt below, and film grain over all, so that the file is as large
 * as those of the real service. The same order gives the same picture.
 *
 * @returns a PNG file
 */
export async function drawPicture(order: PictureOrder): Promise<Buffer> {
	const { width, height } = order.dimensions ?? dimensionsOf(order.size);
	const canvas = createCanvas(width, height);
	const context = canvas.getContext('2d');
	const palette = choosePalette(order.prompt);
	const family = fontFamilies();
	const unit = Math.min(width, height);
	const margin = Math.round(unit * 0.045);

	context.fillStyle = mix('#faf8f3', palette.sky[2], 0.08);
	context.fillRect(0, 0, width, height);
	const band = family === undefined ? margin : Math.round(unit * 0.2);
	const art = { x: margin, y: margin, width: width - 2 * margin, height: height - margin - band };
	if (art.width > 0 && art.height > 0) {
		drawScene(context, art, order.prompt, palette);
		drawReferences(context, art, await decode(order.references), family, palette);
	}
	if (family !== undefined) {
		drawCaption(context, order, family, {
			x: margin,
			y: height - band + margin * 0.55,
			width: width - 2 * margin,
			height: band - margin * 1.1,
		});
	}
	const pixels = context.getImageData(0, 0, width, height).data;
	const grain = order.small ? undefined : grainOf(order, width, height);
	return encodePng({
		width,
		height,
		noisy: grain !== undefined,
		rowAt: (y) => {
			const row = pixels.subarray(y * width * 4, (y + 1) * width * 4);
			grain?.(row, y);
			return row;
		},
	});
}

/** Returns a picture in a format; where it is to be transparent, round with nothing around it. */
export async function inFormat(
	png: Buffer,
	format: PictureFormat,
	isTransparent = false,
): Promise<Buffer> {
	if (format === 'png' && !isTransparent) {
		return png;
	}
	const image = await loadImage(png);
	const { width, height } = image;
	const canvas = createCanvas(width, height);
	const context = canvas.getContext('2d');
	if (isTransparent) {
		context.ellipse(width / 2, height / 2, width / 2, height / 2, 0, 0, 2 * Math.PI);
		context.clip();
	}
	context.drawImage(image, 0, 0);
	return format === 'png' ? canvas.encode('png') : canvas.encode(format);
}

/** The pixels of a size of the service's table, or of any other `<width>x<height>`. */
export function dimensionsOf(size: string): { width: number; height: number } {
	const [width, height] = (size === 'auto' ? '1024x1024' : size).split('x').map(Number);
	return { width: width!, height: height! };
}

/** Grain for a file in the lower part of its range of sizes, in the middle, or in the upper part. */
function grainOf({ prompt, quality }: PictureOrder, width: number, height: number): Grain {
	const { pixels, least, most } =
		fileSizes.find((entry) => width * height <= entry.pixels) ?? fileSizes.at(-1)!;
	const share = quality === 'low' ? 0.15 : quality === 'high' ? 0.7 : 0.45;
	return filmGrain(prompt, width, ((least + share * (most - least)) * 1e6) / pixels);
}

function drawCaption(
	context: SKRSContext2D,
	order: PictureOrder,
	family: string,
	area: Area,
): void {
	const small = Math.max(7, Math.round(area.height * 0.13));
	context.textBaseline = 'alphabetic';
	const fontSize = Math.round(area.height * 0.33);
	// More than this fits into no picture; a prompt of a megabyte must not take a minute.
	const [line = ''] =
		/^.{0,60}/su.exec(order.prompt.toWellFormed().replaceAll(/\s+|\0/gu, ' ')) ?? [];
	context.font = `600 ${fontSize}px ${family}`;
	context.fillStyle = ink;
	context.fillText(line, area.x, area.y + fontSize, area.width);
	const details = [order.size, order.quality && `quality ${order.quality}`, 'stand-in'];
	context.font = `600 ${small}px ${family}`;
	context.fillStyle = '#8a8d94';
	context.fillText(details.filter(Boolean).join('  ·  '), area.x, area.y + area.height);
}

/** Framed prints in a row along the art's lower edge, in several rows where one is too narrow. */
function drawReferences(
	context: SKRSContext2D,
	art: Area,
	images: readonly (Image | undefined)[],
	family: string | undefined,
	palette: Palette,
): void {
	if (images.length === 0) {
		return;
	}
	const unit = Math.min(art.width, art.height);
	const gap = unit * 0.03;
	const room = { width: art.width - gap, height: art.height * 0.8 };
	// Up to six stand in one row.
	let frame = Math.min(unit * 0.3, room.width / Math.min(images.length, 6) - gap);
	let columns: number;
	for (; ; frame *= 0.92) {
		columns = Math.max(1, Math.floor(room.width / (frame + gap)));
		if (Math.ceil(images.length / columns) * (frame + gap) <= room.height || frame < 4) {
			break;
		}
	}
	const rows = Math.ceil(images.length / columns);
	for (const [index, image] of images.entries()) {
		const row = Math.floor(index / columns);
		const x = art.x + gap + (index % columns) * (frame + gap);
		const y = art.y + art.height - (rows - row) * (frame + gap);
		drawPrint(context, { x, y, width: frame, height: frame }, image, palette);
		drawNumber(context, x, y, frame, index + 1, family, palette);
	}
}

function drawPrint(
	context: SKRSContext2D,
	at: Area,
	image: Image | undefined,
	palette: Palette,
): void {
	const border = at.width * 0.05;
	context.save();
	context.shadowColor = 'rgba(0, 0, 0, 0.4)';
	context.shadowBlur = at.width * 0.08;
	context.shadowOffsetY = at.width * 0.025;
	context.fillStyle = '#ffffff';
	context.fillRect(at.x, at.y, at.width, at.height);
	context.restore();
	const inside = at.width - 2 * border;
	if (image === undefined) {
		context.fillStyle = mix(palette.far, '#ffffff', 0.55);
		context.fillRect(at.x + border, at.y + border, inside, inside);
		return;
	}
	// The middle square of the reference, so that every print has the same shape.
	const side = Math.min(image.width, image.height);
	const [left, top] = [(image.width - side) / 2, (image.height - side) / 2];
	context.drawImage(image, left, top, side, side, at.x + border, at.y + border, inside, inside);
}

function drawNumber(
	context: SKRSContext2D,
	x: number,
	y: number,
	frame: number,
	number: number,
	family: string | undefined,
	palette: Palette,
): void {
	const radius = frame * 0.11;
	context.fillStyle = palette.near;
	context.beginPath();
	context.arc(x + radius * 0.6, y + radius * 0.6, radius, 0, Math.PI * 2);
	context.fill();
	if (family === undefined) {
		return;
	}
	context.save();
	context.font = `600 ${Math.max(4, Math.round(radius * 1.15))}px ${family}`;
	context.fillStyle = '#ffffff';
	context.textAlign = 'center';
	context.textBaseline = 'middle';
	context.fillText(String(number), x + radius * 0.6, y + radius * 0.64);
	context.restore();
}

async function decode(
	references: readonly (Uint8Array | undefined)[],
): Promise<(Image | undefined)[]> {
	return Promise.all(
		references.map(async (bytes) => {
			try {
				return bytes && (await loadImage(bytes));
			} catch {
				// The service checks what it declares to check; a damaged image is an empty print.
				return undefined;
			}
		}),
	);
}
