import assert from 'node:assert/strict';
import { assertLinear } from '../linearTime/growth.js';
import { findImages } from '../../../src/documents/findImages.js';

suite('findImages, however long the text is', () => {
	test('takes a paragraph and a table cell of ten thousand images', () => {
		const images = '![a](b.png)\n'.repeat(10_000);
		const cell = `|a|\n|-|\n|${'![\\|](b)'.repeat(10_000)}|`;
		assert.equal(findImages(images).length, 10_000);
		assert.equal(findImages(cell).at(-1)?.span.end, cell.length - 1);
	});

	const repeated: Readonly<
		Record<string, readonly [before: string, piece: string, behind?: string]>
	> = {
		'opening brackets': ['![](a.png) ', '['],
		'images that do not end': ['![](a.png) ', '!['],
		'nested brackets': ['![](a.png) ', '['.repeat(30) + ']'.repeat(30)],
		'emphasis that does not end': ['![](a.png) ', '*a_ '],
		'tags that do not end': ['<div><img src="a.png">\n', '<'],
		'comments that do not end': ['<div><img src="a.png">\n', '<!--a>'],
		'attributes that do not end': ['<div><img src="a.png">\n', '<a b="'],
		'embeds and sizes that do not end': ['![](a.png) ', '![[a ![a](b =3'],
		'shortcodes that do not end': ['{{< a >}}\n\n', '{{< a b="'],
		'directives that do not end': [':::{image} a\n', ':::{image} a\n:b: c\n'],
		'imports that do not end': ['![](a.png)\n', 'import a "'],
		'values of front matter': ['---\n', 'a: [b.png, "c, - d: ', '\n---\n'],
		'lines of front matter': ['---\n', 'a: b.png\n', '\n---\n'],
		'sources of a set': ['<img srcset="', 'a.png 2x, ', '">'],
		quotes: ['![](a.png)\n\n', '> '],
		lists: ['![](a.png)\n\n', '- '],
		definitions: ['![a]\n\n', '[a]: b.png\n'],
		'front matter that does not end': ['---\n', '--- \n ', '![](a.png)'],
	};
	const texts: Readonly<Record<string, (length: number) => string>> = {
		...Object.fromEntries(
			Object.entries(repeated).map(([what, [before, piece, behind = '']]) => [
				what,
				(length: number) => before + piece.repeat(length / piece.length) + behind,
			]),
		),
		'images before blanks': (length) => '![](a.png)'.repeat(length / 20) + ' '.repeat(length / 2),
		cells: (length) => {
			const row = (cell: string) => cell.repeat(length / 12);
			return `${row('|a')}\n${row('|-')}\n${row('|![](a)')}`;
		},
	};
	for (const [what, write] of Object.entries(texts)) {
		test(`takes a time that grows no faster than the text, for ${what}`, () => {
			assertLinear((length) => {
				const text = write(length);
				return () => findImages(text);
			}, what);
		});
	}
});
