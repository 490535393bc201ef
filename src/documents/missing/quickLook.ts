/**
 * Tells quickly that every image of a Markdown text is there, without parsing it and without making
 * a string of all of it. It looks at anything that might be an image, also in code and comments,
 * and says `false` where one is not there or is written in a way that takes a parser to understand.
 * So `true` is certain, `false` is not.
 *
 * @param text in UTF-8
 */
export function everyImageIsThere(text: Buffer, isThere: (href: string) => boolean): boolean {
	for (let at = text.indexOf('!['); at >= 0; at = text.indexOf('![', at + 2)) {
		const line = lineFrom(text, at);
		const match = plainImage.exec(line);
		if (match === null || match[0].length === line.length) {
			return false;
		}
		const href = match[1] ?? match[2];
		// Without a destination of its own it is an image only if there is a definition.
		if (href === undefined ? text.includes(']:') : !isThere(href)) {
			return false;
		}
	}
	return everyTagIsThere(text, '<i', isThere) && everyTagIsThere(text, '<I', isThere);
}

function everyTagIsThere(
	text: Buffer,
	start: '<i' | '<I',
	isThere: (href: string) => boolean,
): boolean {
	for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + 2)) {
		// Both letters, whatever their case; a line is made of what is a tag only.
		if ((text[at + 2]! | 0x20) === 0x6d && (text[at + 3]! | 0x20) === 0x67) {
			const line = lineFrom(text, at);
			const src = /[ \t]src="([^"]*)"/i.exec(plainTag.exec(line)?.[1] ?? '')?.[1];
			if (src === undefined || !isThere(src)) {
				return false;
			}
		}
	}
	return true;
}

/** In bytes. What goes on behind a line is not seen, so nothing that ends there is certain. */
const longestLine = 4096;

function lineFrom(text: Buffer, start: number): string {
	const end = text.indexOf('\n', start);
	const next = end < 0 ? text.length : end + 1;
	return text.toString('utf8', start, Math.min(next, start + longestLine));
}

/**
 * Alt text with nothing in it that hides the next `]`, then a destination without escapes,
 * character references and parentheses, on one line.
 */
const plainImage =
	// eslint-disable-next-line no-control-regex -- they end a destination
	/^!\[[^[\]\\`<\r\n]*\](?:\([ \t]*(?:<([^<>\\&\r\n]*)>|([^\x00-\x20\x7f()\\&<>]*))(?=[ \t\r\n)])|(?!\())/;

/** Attributes in double quotes, without character references, on one line. */
const plainTag = /^<img((?:[ \t]+[a-z-]+="[^"<>&\r\n{]*")*)[ \t]*\/?>/i;
