/**
 * Kind of a file with the name of an image that is no PNG, JPEG or WebP that can be used.
 */
export type ForeignFormat =
	| ('lfsPointer' | 'annexPointer' | 'applePng' | 'webPage' | 'svg' | 'heic' | 'avif')
	| ('jxl' | 'gif' | 'tiff' | 'icon' | 'photoshop' | 'pdf');

/**
 * Returns what the first bytes of a file belong to that is no image for Easel, or `undefined` where
 * they say nothing. 4 KiB decide.
 *
 * Sources: Git LFS specification, "Pointer"; ISO/IEC 14496-12, part 4.3 (`ftyp`), with the brands of
 * ISO/IEC 23008-12 (HEIF) and of AVIF 1.1; the `CgBI` chunk that Xcode puts before `IHDR`.
 */
export function detectForeignFormat(head: Uint8Array): ForeignFormat | undefined {
	const start = Buffer.from(head.subarray(0, 4096)).toString('latin1');
	return (
		signatures.find(([, at, ...starts]) =>
			starts.some((each) => start.startsWith(each, at)),
		)?.[0] ?? formatOfMarkup(start.replace(/^\xef\xbb\xbf/, '').trimStart())
	);
}

/** Formats with an offset and the bytes that stand there, in Latin-1. */
const signatures: readonly (readonly [ForeignFormat, number, ...string[]])[] = [
	[
		'lfsPointer',
		0,
		'version https://git-lfs.github.com/spec/',
		'version https://hawser.github.com/',
	],
	['annexPointer', 0, '/annex/objects/', '.git/annex/objects/'],
	['applePng', 0, '\x89PNG\r\n\x1a\n\0\0\0\x04CgBI'],
	['avif', 4, 'ftypavif', 'ftypavis'],
	['heic', 4, 'ftyphe', 'ftypmif1', 'ftypmsf1'],
	['jxl', 0, '\xff\x0a', '\0\0\0\x0cJXL '],
	['gif', 0, 'GIF87a', 'GIF89a'],
	['tiff', 0, 'II*\0', 'MM\0*'],
	['icon', 0, '\0\0\x01\0'],
	['photoshop', 0, '8BPS'],
	['pdf', 0, '%PDF-'],
];

/** @param start without blanks before it */
function formatOfMarkup(start: string): ForeignFormat | undefined {
	if (!start.startsWith('<')) {
		return undefined;
	}
	// What comes first may be a declaration or a comment, so the first element decides.
	const text = start.replaceAll(/<!--[^]*?(?:-->|$)/g, '');
	const element = /<([a-z][\w:]*)/i.exec(text)?.[1]?.toLowerCase() ?? '';
	if (element === 'svg' || element === 'svg:svg') {
		return 'svg';
	}
	const isPage = /^\s*<!doctype html/i.test(text) || pageElements.includes(element);
	return isPage ? 'webPage' : undefined;
}

/** First elements of a page: HTML lets the outer ones be left out. */
const pageElements = ['html', 'head', 'body', 'title', 'meta'];
