/** Whether a text can have an image at all; a quick look that spares the reading. */
export function mayShowImage(text: string): boolean {
	return /!\[|<img|\.(?:png|jpe?g|webp)/i.test(text);
}
