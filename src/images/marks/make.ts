import { writeFile } from 'node:fs/promises';
import { decodeFile, decodeProblem, type DecodeProblem } from '../decodeWhole.js';
import { encodePng } from '../encodePng.js';
import { toSrgb } from '../exports/srgb.js';
import type { Mark } from '../marks.js';
import { encodeJpeg } from '../thumbnails/codecs.js';
import { isTransparent, type Pixels } from '../thumbnails/shrink.js';
import { markedPixels, type Dimensions } from './areas.js';
import { drawMarks } from './draw.js';

/** Order for the picture that marks are sent in. */
export interface MarkOrder {
	/** Absolute path of the image that the marks are on. */
	readonly path: string;
	/** Its dimensions as it is shown, in pixels. */
	readonly size: Dimensions;
	readonly marks: readonly Mark[];
	/** `markup`: the marks alone; `mask`: their places transparent; `copy`: the image with the marks. */
	readonly manner: 'markup' | 'mask' | 'copy';
	/** Absolute path of the picture to be written. */
	readonly file: string;
	/** The most memory that a decoder may take, in bytes. */
	readonly memoryLimit: number;
}

export type MarkAnswer =
	{ readonly drawn: { readonly contentType: 'image/png' | 'image/jpeg' } } | DecodeProblem;

/** Quality of a copy: its marks are read, and nothing is made of its pixels. */
const copyQuality = 90;

/** Draws marks and writes the picture. Run it in a worker: it blocks its thread. It does not throw. */
export async function makeMarkedImage(order: MarkOrder): Promise<MarkAnswer> {
	const { size, marks, manner, file } = order;
	try {
		if (manner !== 'copy') {
			const picture = manner === 'mask' ? maskOf(marks, size) : emptyPicture(size);
			if (manner === 'markup') {
				drawMarks(picture, marks);
			}
			await writeFile(file, await encodePng(picture), { flush: true });
			return { drawn: { contentType: 'image/png' } };
		}
		const decoded = await decodeFile(order.path, order.memoryLimit);
		if ('problem' in decoded) {
			return decoded;
		}
		const { picture, profile } = decoded;
		toSrgb(picture, profile);
		const isOpaque = !isTransparent(picture);
		drawMarks(picture, marks);
		const bytes = isOpaque ? await encodeJpeg(picture, copyQuality) : await encodePng(picture);
		await writeFile(file, bytes, { flush: true });
		return { drawn: { contentType: isOpaque ? 'image/jpeg' : 'image/png' } };
	} catch (error) {
		return decodeProblem(error, 'unwritable');
	}
}

function emptyPicture({ width, height }: Dimensions): Pixels {
	return { width, height, data: new Uint8ClampedArray(width * height * 4) };
}

/** Black, which weighs least, and transparent where the marks are. */
function maskOf(marks: readonly Mark[], size: Dimensions): Pixels {
	const picture = emptyPicture(size);
	const { data } = picture;
	for (const [index, isMarked] of markedPixels(marks, size).entries()) {
		data[index * 4 + 3] = isMarked === 1 ? 0 : 255;
	}
	return picture;
}
