import assert from 'node:assert/strict';
import { convert } from '@asciidoctor/core';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { surroundingsAt } from '../../../src/documents/delimited';
import { insertImage } from './inserting';

suite('linkPlace, rendered', () => {
	/** As the editor's preview is set up. */
	const markdown = new MarkdownIt({ html: true });

	const words = fc.constantFrom(
		'One two',
		'A **bold** word',
		'1986 was',
		'A `code` and [link](a.md).',
	);
	const paragraph = fc
		.array(words, { minLength: 1, maxLength: 3 })
		.map((lines) => lines.join('\n'));
	const indented = (text: string, by: string) => text.replaceAll('\n', `\n${by}`);
	const block = fc.oneof(
		paragraph,
		paragraph.map((text) => `> ${text.replaceAll('\n', '\n> ')}`),
		fc
			.array(paragraph, { minLength: 1, maxLength: 3 })
			.map((items) => items.map((item) => `- ${indented(item, '  ')}`).join('\n')),
		fc
			.array(paragraph, { minLength: 2, maxLength: 4 })
			.map((items) => items.map((item) => `1. ${indented(item, '   ')}`).join('\n\n')),
		fc
			.tuple(paragraph, paragraph, paragraph)
			.map(([one, two, three]) =>
				[
					`-\t${indented(one, '\t')}\n\n\t${indented(two, '\t')}`,
					`\t1.\t${indented(three, '\t\t')}\n\t2.\tA word`,
					'-\tAnother',
				].join('\n'),
			),
		fc.tuple(paragraph, words).map(([one, lazy]) => `- ${indented(one, '  ')}\n${lazy}\n- two`),
		words.map((text) => `- ${text}\n\n      code\n\n  ${text}`),
		fc.tuple(words, words).map(([one, two]) => `${one}\n***\n${two}\n---\n${one}`),
		paragraph.map((text) => `10. ${indented(text, '    ')}\n    - ${indented(text, '      ')}`),
		words.map((text) => `- 1. ${text}\n  2. ${text}\n- ${text}`),
		paragraph.map((text) => `> 1. ${text.replaceAll('\n', '\n>    ')}`),
		words.map((text) => `## ${text}`),
		words.map((text) => `${text}\n---`),
		words.map((text) => `| a | b |\n|---|---|\n| ${text} | c |\n| d | e |`),
		fc.constant('***'),
	);
	const document = fc
		.tuple(fc.array(block, { minLength: 1, maxLength: 4 }), fc.constantFrom('\n', '\r\n'))
		.map(([blocks, lineBreak]) => blocks.join('\n\n').replaceAll('\n', lineBreak));
	/** At the beginning or the end of a line, or at a blank within it; not in code. */
	const place = fc.tuple(document, fc.nat()).map(([text, pick]) => {
		const places = [
			...text.matchAll(/^(?! {6}code)|(?<! {6}code)(?=\r?$)|(?<=[a-z]) (?=[a-z])/gm),
		].map(({ index }) => index);
		return { text, at: places[pick % places.length]! };
	});

	test('a Markdown document shows each image once, and all else in the same lists, quotations and tables', () => {
		fc.assert(
			fc.property(place, ({ text, at }) => {
				const one = insertImage('markdown', text, { start: at, end: at });
				const two = insertImage('markdown', one.text, one.alt, { path: 'b.png' });
				const html = markdown.render(two.text);
				const images = html.match(/<img[^>]*>/g) ?? [];
				assert.deepEqual(
					images,
					['<img src="a.png" alt="x">', '<img src="b.png" alt="x">'],
					two.text,
				);
				assert.equal(without(images, html), without([], markdown.render(text)), two.text);
				if (/^(?:[ >\d.-]*)!\[x\]\(a\.png\)\r?$/m.test(one.text)) {
					assert.match(
						html,
						/<p><img src="a\.png" alt="x"><\/p>|<li><img src="a\.png" alt="x"><\/li>/,
						two.text,
					);
				}
			}),
			{ numRuns: 3000 },
		);
	});

	for (const text of [
		'One\n\n.Title\n[source,js]\n----\ncode <1> <2>\n----\n<1> a callout\n<2> another\n\nTwo',
		'One\n.5 mm\n[red]#two# three\n--four\n+five+ - six ----\n\n== Seven',
		'.Title\n[NOTE]\n====\nOne\n\n* a\n* b\n====\n\nTwo',
		'====\nOne\n\n=====\nTwo\n=====\n\n--\nThree\n--\n====\n\nFour',
		'* One\n\n* Two\n** Three\n\n* Four\n+\nattached\n+\n----\ncode\n----\n\nFive',
		'. One\n.. Two\n. Three\n\nTerm:: Four\nOther:: Five\n+\nSix',
		'[quote, Me]\n____\nOne\n\nTwo\n____\n\n listing\n listing\n\nThree',
		'* One\n  ** Two\n\n  * Three\n\n|===\n\n|a |b\n\n2+|c\n|===\n\n,===\n\na,b\nc,d\n,===',
		'.Title\n[cols="1,1"]\n|===\n|a |b\n\n|c\n|d\n|===\n\nOne',
		'= Title\nA Person\n:attr: a\n\nOne\n\n:other: b\n\n[[two]]\n== Two\n\n.Title\nimage::q.png[q]',
	]) {
		test(`an AsciiDoc document stays as it is around the image: ${JSON.stringify(text)}`, async () => {
			const before = withoutImage(await page(text));
			for (const { index } of text.matchAll(/^(?=.)|(?=$)/gm)) {
				if (surroundingsAt('asciidoc', text, index) !== 'verbatim') {
					const one = insertImage('asciidoc', text, { start: index, end: index });
					const html = await page(one.text);
					assert.equal(html.match(/<img src="a\.png" alt="x">/g)?.length, 1, one.text);
					assert.equal(withoutImage(html), before, one.text);
				}
			}
		});
	}
});

/** The blocks of a page. A list whose items are apart is the same list. */
function without(images: readonly string[], html: string): string {
	return images.reduce((left, image) => left.replace(image, ''), html).replace(/<\/?p>|\s/g, '');
}

/** As Asciidoctor shows it, with its header and without the time. */
async function page(text: string): Promise<string> {
	const html = await convert(text, { standalone: true, attributes: { reproducible: '' } });
	assert.ok(typeof html === 'string');
	return html;
}

function withoutImage(html: string): string {
	return html
		.replace(
			/<div class="imageblock">\s*<div class="content">\s*<img src="a\.png"[^]*?(?:<\/div>\s*){2}/,
			'',
		)
		.replace(/<span class="image"><img src="a\.png"[^>]*><\/span>/, '')
		.replace(/<div class="paragraph">|<\/?(?:p|div)>|\s/g, '');
}
