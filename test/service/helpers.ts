import { createCanvas } from '@napi-rs/canvas';
import { imageSize } from 'image-size';
import { startImageService, type ImageService, type ImageServiceOptions } from './server.js';

export const key = 'key-for-tests';

/** One service for a test, gone after it. */
export async function withService(
	run: (service: ImageService) => Promise<void>,
	options: ImageServiceOptions = {},
): Promise<void> {
	const service = await startImageService({ key, ...options });
	try {
		await run(service);
	} finally {
		await service.close();
	}
}

/** A small picture as a part of a form. */
export async function reference(
	format: 'png' | 'jpeg' | 'webp' = 'png',
	color = 'red',
): Promise<Blob> {
	const canvas = createCanvas(8, 6);
	const context = canvas.getContext('2d');
	context.fillStyle = color;
	context.fillRect(0, 0, 8, 6);
	const bytes = format === 'png' ? await canvas.encode('png') : await canvas.encode(format);
	return new Blob([new Uint8Array(bytes)], { type: `image/${format}` });
}

/** Format and pixels of a picture, for example `png 1024x1024`. */
export function formatOf(picture: Uint8Array): string {
	const { type, width, height } = imageSize(picture);
	return `${type} ${width}x${height}`;
}
