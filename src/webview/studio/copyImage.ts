/**
 * Puts an image on the clipboard, as PNG, whatever it is. It is drawn on a canvas, as VS Code's own
 * image preview does it: resources of a webview come through its service worker, so that they do
 * not taint the canvas, and fetching them would need a wider policy.
 *
 * @throws what the browser throws: the image cannot be loaded, or the page may not write to the
 * clipboard, which it may only while it has the focus
 */
import { messages } from '../messages.js';
export async function copyImage(source: string): Promise<void> {
	// The promise within, so that the browser still knows the click that allows it.
	await navigator.clipboard.write([new ClipboardItem({ 'image/png': drawn(source) })]);
}

async function drawn(source: string): Promise<Blob> {
	const image = new Image();
	image.src = source;
	await image.decode();
	const canvas = document.createElement('canvas');
	canvas.width = image.naturalWidth;
	canvas.height = image.naturalHeight;
	canvas.getContext('2d')?.drawImage(image, 0, 0);
	const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
	if (blob === null) {
		throw new Error(messages.tooLargeToCopy);
	}
	return blob;
}
