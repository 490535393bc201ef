import { readBoundedSync } from '../../files/boundedRead.js';
import { decodeProblem, decodeWhole } from '../decodeWhole.js';
import { detectFormat, type ImageFormat } from '../inspect.js';
import { encodeJpeg, encodeWebp, optimisePng, resample } from '../thumbnails/codecs.js';
import { colorProfile } from '../thumbnails/colorProfile.js';
import { isCmyk } from '../thumbnails/jpeg.js';
import { checkSize, shrink } from '../thumbnails/make.js';
import { maxFileBytes, maxPixels, type MakeProblem } from '../thumbnails/order.js';
import { isTransparent, type Pixels } from '../thumbnails/shrink.js';
import type { ExportAnswer, ExportOptions, ExportOrder } from './order.js';
import { withFewColors, withPalette } from './palette.js';
import { toSrgb } from './srgb.js';

/**
 * Makes a file of an image in another format, dimensions and weight. Run it in a worker: it blocks
 * its thread. The codecs' memory does not shrink, so end the thread afterwards.
 *
 * @returns the file, or the problem; it does not throw
 */
export async function makeExport(order: ExportOrder): Promise<ExportAnswer> {
	let problem: MakeProblem = 'unreadable';
	try {
		const bytes = readBoundedSync(order.path, { maxBytes: maxFileBytes });
		const format = detectFormat(bytes);
		if (format === undefined) {
			return { problem: 'undecodable', detail: 'it is no image' };
		}
		problem = format === 'jpeg' && isCmyk(bytes) ? 'cmyk' : 'undecodable';
		const source = await decode(bytes, format, order);
		toSrgb(source, colorProfile(bytes, format));
		return await encode(fitted(source, order), order);
	} catch (error) {
		return decodeProblem(error, problem);
	}
}

/** One that is much larger than its export is made smaller while it is read, so that memory is bounded. */
async function decode(bytes: Buffer, format: ImageFormat, order: ExportOrder): Promise<Pixels> {
	const { width = order.height, height = order.width, memoryLimit } = order;
	const size = sizeIn(bytes, format);
	if (size !== undefined && width !== undefined && height !== undefined) {
		const { width: across, height: down } = size;
		// Twice the size is left for the filter, and either side may be turned or cut.
		const scale = (2 * Math.max(width, height)) / Math.min(across, down);
		if (scale < 0.5) {
			return shrink(bytes, format, { maxSide: Math.max(across, down) * scale, memoryLimit });
		}
	}
	return decodeWhole(bytes, format, order.memoryLimit);
}

/** Only a PNG is read line by line; of the others all pixels are in memory anyway. */
function sizeIn(bytes: Buffer, format: ImageFormat): ReturnType<typeof checkSize> | undefined {
	return format === 'png' && bytes.length > 24
		? checkSize({ width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) })
		: undefined;
}

function fitted(source: Pixels, options: ExportOptions): Pixels {
	const { width: across, height: down } = source;
	const { width, height, fit, focus = { x: 0.5, y: 0.5 } } = options;
	if (fit === 'cover' && width !== undefined && height !== undefined) {
		const scale = Math.max(width / across, height / down);
		const whole = { width: Math.round(across * scale), height: Math.round(down * scale) };
		if (whole.width * whole.height > maxPixels) {
			// A narrow strip: what is cut off need not be made large first.
			const cut = { width: Math.ceil(width / scale), height: Math.ceil(height / scale) };
			return resized(cropped(source, around(source, cut, focus)), { width, height });
		}
		const larger = resized(source, whole);
		return cropped(larger, around(larger, { width, height }, focus));
	}
	const scale = Math.min(1, (width ?? Infinity) / across, (height ?? Infinity) / down);
	return resized(source, {
		width: Math.max(1, Math.round(across * scale)),
		height: Math.max(1, Math.round(down * scale)),
	});
}

/** The place of a cut in a picture: the focus comes as near to its middle as the edges allow. */
function around(picture: Size, cut: Size, focus: { readonly x: number; readonly y: number }) {
	const place = (at: number, part: number, whole: number) =>
		Math.round(Math.min(whole - part, Math.max(0, at * whole - part / 2)));
	const width = Math.min(cut.width, picture.width);
	const height = Math.min(cut.height, picture.height);
	return {
		...{ width, height },
		left: place(focus.x, width, picture.width),
		top: place(focus.y, height, picture.height),
	};
}

interface Size {
	readonly width: number;
	readonly height: number;
}

function cropped(
	{ width: across, height: down, data }: Pixels,
	{ width, height, left, top }: Size & { readonly left: number; readonly top: number },
): Pixels {
	if (width === across && height === down) {
		return { width, height, data };
	}
	const cut = new Uint8ClampedArray(width * height * 4);
	for (let y = 0; y < height; y++) {
		const start = ((top + y) * across + left) * 4;
		cut.set(data.subarray(start, start + width * 4), y * width * 4);
	}
	return { width, height, data: cut };
}

function resized(picture: Pixels, { width, height }: Size): Pixels {
	return picture.width === width && picture.height === height
		? picture
		: { width, height, data: resample(picture, width, height) };
}

async function encode(picture: Pixels, options: ExportOptions): Promise<ExportAnswer> {
	const { width, height } = picture;
	const isFlattened = options.format === 'jpeg' && isTransparent(picture);
	const answer = (bytes: Uint8Array, quality?: number): ExportAnswer => ({
		exported: { bytes, width, height, quality, isFlattened },
	});
	const { maxBytes = Infinity } = options;
	if (options.format === 'png') {
		let least = Infinity;
		const whole = options.palette === true ? [] : [undefined];
		const colors = maxBytes === Infinity && whole.length > 0 ? [] : paletteSizes;
		for (const count of [...whole, ...colors]) {
			const draw = count === maxColors ? withFewColors : withPalette;
			const bytes = optimisePng(count === undefined ? picture : draw(picture, count));
			if (bytes.length <= maxBytes) {
				return answer(bytes, count);
			}
			least = Math.min(least, bytes.length);
		}
		return { reached: least };
	}
	const { quality = defaultQuality } = options;
	const write = (value: number) =>
		options.format === 'webp'
			? encodeWebp(picture, value, { method: 4 })
			: encodeJpeg(picture, value, { progressive: true });
	const first = await write(quality);
	if (first.length <= maxBytes) {
		return answer(first, quality);
	}
	let [low, high] = [Math.min(minQuality, quality), quality - 1];
	let best = await write(low);
	if (best.length > maxBytes) {
		return { reached: best.length };
	}
	while (low < high) {
		const middle = Math.ceil((low + high) / 2);
		const bytes = await write(middle);
		if (bytes.length <= maxBytes) {
			[low, best] = [middle, bytes];
		} else {
			high = middle - 1;
		}
	}
	return answer(best, low);
}

const defaultQuality = 80;
/** Below it pictures fall apart into blocks. */
const minQuality = 30;
const maxColors = 256;
const paletteSizes = [maxColors, 128, 64, 32, 16];
