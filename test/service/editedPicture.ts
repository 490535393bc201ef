import { createCanvas, loadImage } from '@napi-rs/canvas';
import { randomFrom } from './palette.js';

/**
 * Ways in which image models edit: all of them paint the picture anew, red in its middle and nearly the
 * same elsewhere; `shift` moves it by 3 pixels as well, `rescale` answers in a size of its own, and
 * `reframe` shows another part of it.
 */
export const editManners = ['repaint', 'shift', 'rescale', 'reframe'] as const;
export type EditManner = (typeof editManners)[number];

/** The middle, as parts of each side, that is painted red. */
export const repaintedMiddle = { from: 0.4, to: 0.6 };

/** Returns a reference image as a model edits it: a PNG file. */
export async function editedPicture(reference: Buffer, manner: EditManner): Promise<Buffer> {
	const image = await loadImage(reference);
	const scale = manner === 'rescale' ? 0.9 : 1;
	const canvas = createCanvas(Math.round(image.width * scale), Math.round(image.height * scale));
	const { width, height } = canvas;
	const context = canvas.getContext('2d');
	context.imageSmoothingQuality = 'high';
	context.drawImage(image, 0, 0, width, height);
	if (manner === 'shift') {
		// What comes in at the edge is the edge.
		context.drawImage(image, 3, 0);
	} else if (manner === 'reframe') {
		context.drawImage(image, -0.5 * width, -0.4 * height, 1.6 * width, 1.6 * height);
	}
	const { from, to } = repaintedMiddle;
	context.fillStyle = '#d0342c';
	context.fillRect(from * width, from * height, (to - from) * width, (to - from) * height);
	const pixels = context.getImageData(0, 0, width, height);
	const random = randomFrom(manner);
	for (let at = 0; at < pixels.data.length; at++) {
		if (at % 4 < 3) {
			pixels.data[at]! += Math.round((random() - 0.5) * 8);
		}
	}
	context.putImageData(pixels, 0, 0);
	return canvas.encode('png');
}
