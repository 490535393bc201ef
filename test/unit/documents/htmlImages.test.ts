import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5';
import { HtmlReader, htmlOfInterest } from '../../../src/documents/htmlImages.js';

/** Pieces of HTML whose every order a browser reads in some way. */
const pieces = [
	...['<img src=a>', '<IMG alt=x SRC="b">', "<img\n title='tt' src='c' src=d />", '<img src=e/>'],
	...['<img src=>', '<img src>', '<img alt=f>', '<img src="g>"', '<imgs src=h>', '<img/src=i>'],
	...['<img src = "j" alt>', '<img src="k"alt=l>', '<img =src=m src=n>', '<img src="', '<img'],
	...[
		'<!--',
		'-->',
		'--!>',
		'<!-->',
		'<!--->',
		'<!---',
		'--',
		'->',
		'<!x',
		'<?x',
		'</>',
		'</ ',
		'<1',
	],
	...[
		'<style>',
		'</style>',
		'</STYLE >',
		'</styles>',
		'<title>',
		'</title/>',
		'<titles>',
		'<xmp a>',
	],
	...[
		'</xmp>',
		'<p title="',
		'<p>',
		'</p',
		'</p a=">">',
		'>',
		'"',
		"'",
		'=',
		'/',
		'<',
		' ',
		'text',
		'\n',
	],
];

suite('images of HTML', () => {
	test('are none in a tag whose quotation mark is not closed', () => {
		for (const beginning of ['<p title="', "<p title = '", '<p title\t="', '<img src="']) {
			const html = `${beginning}<img src=a><img src=b>`;
			assert.deepEqual([...new HtmlReader().read(html)], []);
		}
	});

	for (const name of [
		...['script', 'style', 'textarea', 'title', 'xmp'],
		...['iframe', 'noembed', 'noframes', 'noscript'],
	]) {
		test(`are none in a ${name}, which is text, and go on behind it in another piece`, () => {
			const reader = new HtmlReader();
			assert.equal(reader.shown, true);
			assert.deepEqual([...reader.read(`<${name} a="b"><img src=a>`)], []);
			assert.equal(reader.shown, false);
			const found = [...reader.read(`<img src=b></${name.toUpperCase()}><img src=c>`)];
			assert.deepEqual(
				found.map(({ src }) => src.raw),
				['c'],
			);
			assert.equal(reader.shown, true);
			for (const tag of [`<${name}>`, `</${name}>`, `text <${name.toUpperCase()} a>`]) {
				assert.equal(htmlOfInterest.test(tag), true, tag);
			}
			assert.equal(htmlOfInterest.test(`<${name}s>`), false);
			assert.equal(htmlOfInterest.test(name), false);
		});
	}

	test('are looked for where a tag of theirs or a comment begins, and nowhere else', () => {
		for (const html of ['<img src=a>', 'a\n<IMG', '<!-- a']) {
			assert.equal(htmlOfInterest.test(html), true, html);
		}
		for (const html of ['', '<', '<p>', '</p>', '<!doctype html>', 'img', '|', '< img>']) {
			assert.equal(htmlOfInterest.test(html), false, html);
		}
	});

	test('are none in a comment, which ends in another piece', () => {
		const reader = new HtmlReader();
		assert.deepEqual([...reader.read('<!-- <img src=a>')], []);
		assert.equal(reader.shown, false);
		assert.equal([...reader.read('--> <img src=b>')].length, 1);
		assert.equal(reader.shown, true);
	});

	test('are those that a browser shows, and know where they stand', () => {
		fc.assert(
			fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), (all) => {
				const html = all.join('');
				const found = [...new HtmlReader().read(html)];
				const expected = images(parseFragment(html));
				assert.deepEqual(
					found.map(({ src, alt }) => [src.raw, alt]),
					expected.map(([src, alt = '']) => [src, alt]),
				);
				for (const { start, end, src } of found) {
					assert.match(html.slice(start, end), /^<img[^]*>$/i);
					assert.equal(html.slice(src.start, src.end), src.raw);
					assert.ok(src.start > start && src.end < end);
				}
			}),
			{ numRuns: 5000 },
		);
	});
});

type Shown = readonly (string | undefined)[];

function images(node: DefaultTreeAdapterTypes.ParentNode): Shown[] {
	return node.childNodes.flatMap((child) => {
		if (!('tagName' in child)) {
			return [];
		}
		const value = (wanted: string) => child.attrs.find(({ name }) => name === wanted)?.value;
		const own = child.tagName === 'img' && value('src') !== undefined;
		return [...(own ? [['src', 'alt', 'title'].map(value)] : []), ...images(child)];
	});
}
