import assert from 'node:assert/strict';
import { posix } from 'node:path';
import MarkdownIt from 'markdown-it';
import { altText } from '../../../src/images/altText';
import { markdownAlt, markdownDestination, markdownImage } from '../../../src/documents/markdown';
import { linkText } from '../../../src/documents/imageLink';
import { randomText, seeded } from '../images/random';
import { imagesInHtml, randomPath, troublesomeAlts } from './troublesome';

suite('markdownImage', () => {
	// One as CommonMark has it, one with HTML and the extensions that the editor's preview has.
	const parsers = [new MarkdownIt('commonmark'), new MarkdownIt({ html: true })];

	/** Reads the Markdown back and expects nothing but this image. */
	const assertReadBack = (path: string, alt: string) => {
		const markdown = linkText(markdownImage({ path, alt }));
		assert.doesNotMatch(markdown, /[\r\n]/);
		for (const parser of parsers) {
			const about = `${markdown} for ${JSON.stringify({ path, alt })}`;
			if (path.includes('%')) {
				const html = parser.render(`Before ${markdown} after.`);
				const file = posix.resolve('/root/docs', path);
				assert.deepEqual(imagesInHtml(html), [{ file, alt: altText(alt) }], about);
				assert.match(html, /^<p>Before <img src="[^"]*" alt="[^"]*"> after\.<\/p>\n$/, about);
				continue;
			}
			const blocks = parser.parse(`Before ${markdown} after.`, {});
			const inline = blocks[1]?.children ?? [];
			assert.deepEqual(
				inline.map(({ type }) => type),
				['text', 'image', 'text'],
				about,
			);
			const image = inline[1]!;
			assert.equal(decodeURIComponent(String(image.attrGet('src'))), path, about);
			// Its own renderer forgets escaped characters, so the tokens are read here.
			const shown = (image.children ?? []).map((child) => {
				assert.match(child.type, /^text(_special)?$/, about);
				return child.content;
			});
			assert.equal(shown.join(''), altText(alt), about);
		}
	};

	test('escapes what would begin something else, and nothing more', () => {
		for (const [alt, written] of [
			['x1_2 _a_ 3_ _4', 'x1_2 \\_a\\_ 3\\_ \\_4'],
			['&frac12; &#x1f98a; &#x19; &#19;', '&amp;frac12; &amp;#x1f98a; &amp;#x19; &amp;#19;'],
			['&a b; &#xg; &#a; &;', '&a b; &#xg; &#a; &;'],
			['$5 ~a', '$5 ~a'],
			['$a$ ~b~', '&#36;a$ &#126;b~'],
			['{a} `b` <c>', '&#123;a} &#96;b&#96; &lt;c>'],
			['a | b', 'a \\| b'],
		] as const) {
			assert.equal(markdownAlt(alt), written);
		}
	});

	for (const [path, destination] of [
		['  a.png  ', '%20%20a.png%20%20'],
		['images/狐狸.png', 'images/狐狸.png'],
		['a b.png', '<a b.png>'],
		['a\u00a0b.png', '<a\u00a0b.png>'],
		['a(b).png', 'a(b).png'],
		['a(b.png', '<a(b.png>'],
		['a)b(.png', '<a)b(.png>'],
		['<a>.png', '%3Ca%3E.png'],
		['a <b>.png', '<a %3Cb%3E.png>'],
		['[a].png', '[a].png'],
		['C#.png', 'C%23.png'],
		['100%.png', '100%25.png'],
		['50%20.png', '50%2520.png'],
		['why?.png', 'why%3F.png'],
		['a&b.png', 'a&b.png'],
		['a&amp;b.png', 'a%26amp;b.png'],
		['a&#35;b.png', 'a&%2335;b.png'],
		['a\\b.png', 'a%5Cb.png'],
		['a\nb\tc.png', 'a%0Ab%09c.png'],
		['"a" \'b\'.png', '<"a" \'b\'.png>'],
		['`a`*b*_c_~d~$e$.png', '%60a%60*b*_c_~d~$e$.png'],
		['{{a}}|b.png', '%7B%7Ba}}%7Cb.png'],
		['file:///d:/a b.png', '<file:///d:/a b.png>'],
		['', '<>'],
	] as const) {
		test(`writes the path ${JSON.stringify(path)} as ${destination}`, () => {
			assert.equal(markdownDestination(path), destination);
			// The parser alone forbids links to `file:`; the editor's preview allows them.
			if (!path.startsWith('file:')) {
				assertReadBack(path, 'alt');
			}
		});
	}

	test('is HTML where the path has a character that the preview gets wrong', () => {
		const image = markdownImage({ path: '100% [x]/a "b".png', alt: 'A "red" fox' });
		assert.equal(
			linkText(image),
			'<img src="100%25%20%5Bx%5D/a%20%22b%22.png" alt="A &quot;red&quot; fox">',
		);
	});

	for (const alt of ['', '](evil.png)', '<https://example.com>', ...troublesomeAlts]) {
		test(`reads back the alt text ${JSON.stringify(alt)}`, () => assertReadBack('a b.png', alt));
	}

	test('leaves what needs no escape readable', () => {
		assert.equal(markdownAlt('my_file: R&D, 50% (a-b)!'), 'my_file: R&D, 50% (a-b)!');
	});

	test('reads back whatever path and alt text there are', () => {
		const random = seeded(4);
		for (let round = 0; round < 800; round++) {
			assertReadBack(randomPath(random), randomText(random, 40).toWellFormed());
		}
	});
});
