import { altText } from '../images/altText.js';
import { assertPath, type LinkParts, type ImageLink } from './imageLink.js';
import type { LinkForm } from './place.js';

/**
 * Returns the Typst of an image: `#image("path", alt: "alt")`. No figure, because a caption is
 * printed and an alt text is not. Within a line of text it is in a box, because an image is a block
 * of its own ("image", part "Within text"). The path is one of the file system, not a URI; whether it may lead
 * out of the document's folder is for the compiler's `--root` to say.
 */
export function typstImage({ path, alt }: LinkParts, form: LinkForm = 'block'): ImageLink {
	const call = `image("${typstString(path)}", alt: "`;
	return {
		before: form === 'block' ? `#${call}` : `#box(${call}`,
		alt: typstString(altText(alt)),
		after: form === 'block' ? '")' : '"))',
	};
}

/** The part between the quotation marks (Typst, "String", part "Escapes"). */
export function typstString(text: string): string {
	assertPath(text);
	return text
		.replace(/[\\"]/g, '\\$&')
		.replace(/\p{Cc}/gu, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}
