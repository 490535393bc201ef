import type { Span } from './span.js';

/** A path of an image as it stands in a text. */
interface ImagePath extends Span {
	/** As it is written. */
	readonly path: string;
}

/**
 * Finds what looks like the path of an image in a text of any format: the fallback for formats
 * without a parser of ours. Quotes, brackets, white space and the signs before a path end it, so a
 * path with blanks in it is found only where the format encodes them.
 */
export function imagePaths(text: string): ImagePath[] {
	return [...text.matchAll(pattern)].map(({ 0: path, index }) => ({
		path,
		start: index,
		end: index + path.length,
	}));
}

const pattern = /[^\s"'`(){}[\]<>:=|,;]+\.(?:png|jpe?g|webp)(?![\p{L}\p{N}])/giu;
