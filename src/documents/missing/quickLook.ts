import { metadataImages } from '../metadata.js';

/**
 * Tells quickly that every image of a Markdown text is there, without parsing it. It takes for an
 * image whatever looks like one, also in code and comments, and says `false` where one is not there
 * or is written in a way that takes a parser to understand. So `true` is certain, `false` is not.
 */
export function everyImageIsThere(text: string, isThere: (href: string) => boolean): boolean {
	if (otherImage.test(text) || metadataImages(text).length > 0) {
		return false;
	}
	let plain = 0;
	for (const [, bracketed, bare, attributes] of text.matchAll(plainImage)) {
		const href = bracketed ?? bare ?? /[ \t]src="([^"]*)"/i.exec(attributes ?? '')?.[1];
		if (href === undefined || !isThere(href)) {
			return false;
		}
		plain++;
	}
	// Each of them begins where a plain one does, unless there is another one.
	return plain === (text.match(/!\[|<img/gi)?.length ?? 0);
}

/** Beginnings of what may show an image as no plain one does. */
const otherImage = /\{\{[<%]|\{(?:figure|image)\}|srcset|<(?:image|figure)|^import[ \t]/im;

/**
 * Alt text with nothing in it that hides the next `]`, then a destination without escapes, character
 * references and parentheses, on one line; or a tag with its attributes in double quotes, without
 * character references, on one line.
 */
const plainImage =
	// eslint-disable-next-line no-control-regex -- they end a destination
	/!\[[^[\]\\`<\r\n]*\]\([ \t]*(?:<([^<>\\&\r\n]*)>|([^\x00-\x20\x7f()\\&<>]*))(?=[ \t\r\n)])|<img((?:[ \t]+[a-z-]+="[^"<>&\r\n{]*")*)[ \t]*\/?>/gi;
