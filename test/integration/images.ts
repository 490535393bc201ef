import type * as vscode from 'vscode';
import type { GalleryImage } from '../../src/jobs/gallery.js';
import { drawPicture } from '../service/picture.js';
import { padPng } from '../service/png.js';
import { root } from './workspace.js';

/** A PNG of 1024 by 1024 pixels, as the service of these tests makes it, and of so many bytes at least. */
export async function drawPng(prompt: string, bytes = 0): Promise<Buffer> {
	const picture = await drawPicture({ prompt, size: '1024x1024', references: [], small: true });
	return padPng(picture, bytes);
}

/** An image as the gallery knows it, made in this workspace. */
export function galleryImage(target: vscode.Uri, values: Partial<GalleryImage> = {}): GalleryImage {
	return {
		id: crypto.randomUUID(),
		savedAt: new Date().toISOString(),
		target: target.toString(),
		operation: 'generate',
		prompt: 'A harbor at dusk',
		size: '1024x1024',
		references: [],
		referenceHashes: [],
		workspaceFolder: root().toString(),
		width: 1024,
		height: 1024,
		bytes: 5,
		sha256: 'ab',
		...values,
	};
}
