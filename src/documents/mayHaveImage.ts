/** A first look that costs next to nothing: a Markdown text without these has no image. */
export function mayHaveImage(text: string): boolean {
	return text.includes('![') || /<img/i.test(text);
}
