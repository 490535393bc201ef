import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { altText } from '../../../src/images/altText';
import {
	type LinkParts,
	relativeReference,
	type ResourceUri,
} from '../../../src/documents/imageLink';
import { randomText, seeded } from '../images/random';

/** Paths of images that each format has to bring home. */
export const troublesomePaths: readonly string[] = [
	'red-fox.png',
	'../images/red-fox.png',
	'two words/in a name.png',
	'two  spaces.png',
	'über/Ärger ß.png',
	'e\u0301 (decomposed).png',
	'狐狸/家の前.png',
	'🦊👩‍🚀.png',
	'[draft]/[a]].png',
	'(a)/b(.png',
	'a)b(.png',
	'{a}/{{b}}{c.png',
	'C#/F# 1.png',
	'100%/50%20.png',
	'R&D/a&amp;b&copy.png',
	'why?.png',
	"it's `quoted`.png",
	'-dash/--more.png',
	'.hidden/.a.png',
	'~/~a~b.png',
	'$HOME/$a$.png',
	'a^b^^c.png',
	'a_b__c_.png',
	'a,b;c=d+e@f!.png',
	'a*b**c.png',
	'./a:b.png',
	'a.b.c.d.png',
	'...png',
	'x/:a: b.png',
	'./a::b[c].png',
	'a\u00a0b.png',
];

/** Such that no file of Windows has, and TeX cannot name. */
const quotedPaths: readonly string[] = [
	'"a" "b.png',
	'<a> <b.png',
	'a|b.png',
	'a\\b\\\\c.png',
	'a\nb\tc.png',
	'x/ a.png ',
];

export const troublesomeAlts: readonly string[] = [
	'A red fox',
	'A fox, red, with "quotes" and a = b',
	'"quoted"',
	"'single'",
	'[a] b] [c',
	'ends in ]',
	'ends in \\',
	'\\[ already \\] \\{x\\}',
	'{name} {{mustache}} {lone } {set:a:b} {counter:c}',
	'`code` and a lone `',
	'*bold* **b** _i_ snake_case __x__ #mark# ^up^ ~down~',
	'<b onclick="x"> <a.b> < c > <% d %> <? e ?>',
	'a & b &amp; &#35; &copy; &copy',
	'100% $5 #1 ~x^2 C:\\dir',
	'![nested](x.png) image::x.png[y] :alt: z',
	'two\n\nlines\r\nand\u2028more',
	'// no comment % neither # nor this',
	'family=fox, id=x',
	'a | b || c \\| d',
	'{author} {% a %} {# b #} {{< c >}} {{% d %}} `r 1`',
	'$a$ $$b$$ ~~c~~',
	'家の前の狐 🦊👩‍🚀 Ärger',
];

/** A path to a file. No URI has a form for lone surrogates, and no file has U+0000. */
export function randomPath(random: () => number): string {
	const name = `x/${randomText(random, 12)}.png`.toWellFormed().replaceAll('\0', '');
	return relativeReference(file('/root/docs/page.md'), file(posix.join('/root/docs', name)));
}

/** An image as a page shows it. */
export interface Shown {
	/** The file, with its absolute path; the page is `/root/docs/page`. */
	readonly file: string;
	readonly alt: string;
}

/**
 * Defines the tests that every format has to pass.
 * @param show renders a page with these images and returns what a reader gets, in order
 * @param leftOut characters that the format makes others of, on purpose
 */
export function testRendering(
	show: (images: readonly LinkParts[]) => readonly Shown[] | Promise<readonly Shown[]>,
	{ seed, leftOut = /(?!)/ }: { readonly seed: number; readonly leftOut?: RegExp },
): void {
	const assertShown = async (images: readonly LinkParts[]) =>
		assert.deepEqual(
			await show(images),
			images.map(({ path, alt }) => ({ file: posix.join('/root/docs', path), alt: altText(alt) })),
		);

	test('shows every path', () =>
		assertShown([...troublesomePaths, ...quotedPaths].map((path) => ({ path, alt: 'Fox' }))));

	test('says every alt text', () =>
		assertShown(troublesomeAlts.map((alt) => ({ path: 'a b.png', alt }))));

	test('shows whatever path and alt text there are', async () => {
		const random = seeded(seed);
		const images = new Map<string, string>();
		while (images.size < 300) {
			// Beginning with some text, so that it does not depend on what an empty one means.
			const alt = `Fox ${randomText(random, 40).toWellFormed().replace(leftOut, '')}`;
			images.set(randomPath(random), alt);
		}
		await assertShown(Array.from(images, ([path, alt]) => ({ path, alt })));
	});
}

/** The attributes of the images in HTML, in order. */
export function imagesInHtml(html: string): Shown[] {
	const found: Shown[] = [];
	const visit = (node: DefaultTreeAdapterTypes.Node) => {
		if ('attrs' in node && node.nodeName === 'img') {
			const value = (name: string) => node.attrs.find((attr) => attr.name === name)?.value ?? '';
			found.push({ file: fileOf(value('src')), alt: value('alt') });
		}
		if ('childNodes' in node) node.childNodes.forEach(visit);
	};
	visit(parseFragment(html));
	return found;
}

/** Returns the request of a browser that shows the page of a document, as a path of files. */
export function fileOf(src: string, page = '/root/docs/page.html'): string {
	const { href, pathname } = new URL(src, new URL(`file://${page}`));
	if (/[?#]/.test(href)) {
		throw new Error(`Not all of ${src} is a path.`);
	}
	return decodeURIComponent(pathname);
}

/** The URI of a file on this machine. */
export function file(path: string): ResourceUri {
	return { scheme: 'file', authority: '', path };
}
