import assert from 'node:assert/strict';
import { convert } from '@asciidoctor/core';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { insertImage, marked } from './inserting';

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

	for (const [text, items] of [
		['. One¦\n. Two\n. Three', 3],
		['. One\n. Two¦\n. Three', 3],
		['* One\n** Two¦\n* Three', 3],
		['. One\n+\nMore¦\n. Two', 2],
	] as const) {
		test(`an AsciiDoc list stays one list: ${JSON.stringify(text)}`, async () => {
			const { text: plain, asked } = marked(text);
			const one = insertImage('asciidoc', plain, asked);
			const two = insertImage('asciidoc', one.text, one.alt);
			const html = await convert(two.text);
			assert.ok(typeof html === 'string');
			assert.equal(html.match(/<img/g)?.length, 2);
			assert.equal(html.match(/<li>/g)?.length, items);
			assert.equal(
				html.match(/<div class="(?:o|u)list[^>]*>\s*<[ou]l(?! class="[^"]*" start)/g)?.length,
				text.includes('**') ? 2 : 1,
			);
		});
	}
});

/** The blocks of a page. A list whose items are apart is the same list. */
function without(images: readonly string[], html: string): string {
	return images.reduce((left, image) => left.replace(image, ''), html).replace(/<\/?p>|\s/g, '');
}
