/**
 * What a file is that goes by the name of an image, but is no PNG, JPEG or WebP that can be used.
 */
export type ForeignFormat = keyof typeof descriptions;

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

/** Says what a file is and what helps, as the rest of a sentence that begins with its name. */
export function describeForeignFormat(format: ForeignFormat): string {
	return descriptions[format];
}

const convert = 'Convert it to PNG, JPEG or WebP, or choose another image.';

const descriptions = {
	lfsPointer: 'is a Git LFS pointer, not the image itself. Run `git lfs pull`, then try again.',
	annexPointer:
		'is a git-annex pointer, not the image itself. Run `git annex get`, then try again.',
	applePng:
		"is a PNG in Apple's optimized form (CgBI), which only Apple's software reads. Export it again from its source, or convert it with `pngcrush -revert-iphone-optimizations`.",
	webPage:
		'is a web page, probably an error page that was saved in place of the image. Download the image again.',
	svg: 'is an SVG drawing. Export it as PNG, or choose another image.',
	heic: `is a HEIC image. ${convert}`,
	avif: `is an AVIF image. ${convert}`,
	jxl: `is a JPEG XL image. ${convert}`,
	gif: `is a GIF image. ${convert}`,
	tiff: `is a TIFF image. ${convert}`,
	icon: `is an icon file (ICO). ${convert}`,
	photoshop: 'is a Photoshop document. Export it as PNG, or choose another image.',
	pdf: 'is a PDF document. Export the page as PNG, or choose another image.',
} as const;

/** What stands at which offset, in Latin-1. */
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

/** What a page may begin with: HTML lets the outer elements be left out. */
const pageElements = ['html', 'head', 'body', 'title', 'meta'];
