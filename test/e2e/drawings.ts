import { createCanvas } from '@napi-rs/canvas';
import { drawPicture } from '../service/picture.js';

/** Draws a PNG as the service makes it, of a size such as `1536x1024`. */
export function draw(prompt: string, size = '1024x1024'): Promise<Buffer> {
	return drawPicture({ prompt, size, references: [] });
}

/** Draws a PNG with a ring on nothing: what lies behind it has to be seen. */
export function drawTransparent(): Buffer {
	const canvas = createCanvas(512, 512);
	const context = canvas.getContext('2d');
	context.strokeStyle = '#d2691e';
	context.lineWidth = 60;
	context.arc(256, 256, 180, 0, 2 * Math.PI);
	context.stroke();
	return canvas.toBuffer('image/png');
}

/** Draws a PNG of 1024 by 1024 with a gray square that is shifted by so many pixels. */
export function drawShifted(by: number): Buffer {
	const canvas = createCanvas(1024, 1024);
	const context = canvas.getContext('2d');
	context.fillStyle = '#ffffff';
	context.fillRect(0, 0, 1024, 1024);
	context.fillStyle = '#c0c0c0';
	context.fillRect(400 + by, 400, 200, 200);
	return canvas.toBuffer('image/png');
}

/** Draws a JPEG of 800 by 600. */
export function drawPhoto(): Buffer {
	const canvas = createCanvas(800, 600);
	const context = canvas.getContext('2d');
	context.fillStyle = '#3a6ea5';
	context.fillRect(0, 0, 800, 600);
	return canvas.toBuffer('image/jpeg');
}
