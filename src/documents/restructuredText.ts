import { altText } from './altText.js';
import { type ImageParts, type ImageReference, percentEncode } from './reference.js';

/** Returns the reStructuredText of an image: the directive `image` with its option `alt`. */
export function restructuredTextImage({ path, alt }: ImageParts): ImageReference {
	return {
		before: `.. image:: ${restructuredTextUri(path)}\n   :alt: `,
		// An option's text has no escapes: it is taken as it stands.
		alt: altText(alt),
		after: '',
		block: true,
	};
}

/**
 * The argument of the directive, a URI. A space has to be escaped, else it is dropped; white space
 * of other kinds is dropped nevertheless and therefore percent-encoded, as is what a URI gives a
 * meaning: `%`, `#`, `?` and the backslash (Docutils, "reStructuredText Directives", "Image", and
 * its function `directives.uri`).
 *
 * Sphinx reads the argument as the name of a file and does not decode it. There, a name with one of
 * those characters cannot be reached.
 */
export function restructuredTextUri(path: string): string {
	return percentEncode(path, /[%#?\\\p{Cc}]|(?! )\s|^ | $/gu).replaceAll(' ', '\\ ');
}
