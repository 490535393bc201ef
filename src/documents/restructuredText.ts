import { altText } from '../images/altText.js';
import { assertPath, type LinkParts, type ImageLink, percentEncode } from './imageLink.js';

/** Returns the reStructuredText of an image: the directive `image` with its option `alt`. */
export function restructuredTextImage(
	{ path, alt }: LinkParts,
	{ forSphinx = false } = {},
): ImageLink {
	const argument = forSphinx ? sphinxPath(path) : restructuredTextUri(path);
	return {
		before: `.. image:: ${argument}\n   :alt: `,
		// An option's text has no escapes: it is taken as it stands.
		alt: altText(alt),
		after: '',
	};
}

/**
 * The argument of the directive, a URI. A space has to be escaped, else it is dropped; white space
 * of other kinds is dropped nevertheless and therefore percent-encoded, as is what a URI gives a
 * meaning: `%`, `#`, `?` and the backslash (Docutils, "reStructuredText Directives", "Image", and
 * its function `directives.uri`).
 */
export function restructuredTextUri(path: string): string {
	return percentEncode(path, /[%#?\\\p{Cc}]|(?! )\s|^ | $/gu).replaceAll(' ', '\\ ');
}

/**
 * The argument of the directive where Sphinx reads it: the name of a file, which it does not decode.
 * A name with white space other than single spaces within cannot be reached.
 */
export function sphinxPath(path: string): string {
	assertPath(path);
	return path.replace(/[\\ ]/g, '\\$&');
}
