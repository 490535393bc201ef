import { pageMessages } from '../messages.js';
import type { StudioStore } from './store.js';

/** Puts an image on the clipboard. */
export async function copyImage(
	{ library, notices }: Pick<StudioStore, 'library' | 'notices'>,
	id: string,
): Promise<void> {
	const source = library.images.get(id)?.source;
	if (source === undefined) {
		return;
	}
	try {
		// The promise within, so that the browser still knows the click that allows it.
		await navigator.clipboard.write([new ClipboardItem({ 'image/png': pngOf(source) })]);
		notices.show({ severity: 'info', text: pageMessages.copied });
	} catch (error) {
		notices.showError(
			pageMessages.notCopied(error instanceof Error ? error.message : String(error)),
		);
	}
}

/**
 * Draws an image on a canvas, as VS Code's own image preview does it: resources of a webview come through
 * its service worker, so that they do not taint the canvas, and fetching them would need a wider policy.
 *
 * @throws what the browser throws where the image cannot be loaded
 */
async function pngOf(source: string): Promise<Blob> {
	const image = new Image();
	image.src = source;
	await image.decode();
	const canvas = document.createElement('canvas');
	canvas.width = image.naturalWidth;
	canvas.height = image.naturalHeight;
	canvas.getContext('2d')?.drawImage(image, 0, 0);
	const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
	if (blob === null) {
		throw new Error(pageMessages.tooLargeToCopy);
	}
	return blob;
}
