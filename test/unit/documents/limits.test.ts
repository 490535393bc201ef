import assert from 'node:assert/strict';
import { altText } from '../../../src/images/altText.js';
import { asciidocImagesFolders } from '../../../src/documents/asciidoc.js';
import { AsciidocAttributes } from '../../../src/documents/asciidocAttributes.js';
import { htmlImage } from '../../../src/documents/html.js';
import { maxPathLength, relativeReference } from '../../../src/documents/imageLink.js';
import { imagePaths } from '../../../src/documents/imagePaths.js';
import { latexPath, latexRoot } from '../../../src/documents/latex.js';
import { linkPlace } from '../../../src/documents/linkPlace.js';
import { localPaths } from '../../../src/documents/localPath.js';
import { markdownImage } from '../../../src/documents/markdown.js';
import { sphinxPath } from '../../../src/documents/restructuredText.js';
import { siteOfSetting } from '../../../src/documents/sites.js';
import { surroundingsAt } from '../../../src/documents/delimited.js';
import { typstString } from '../../../src/documents/typst.js';
import { insertImage, marked } from './inserting.js';

/** The value at the end of a text. */
const asciidocAttribute = (text: string, name: string) =>
	new AsciidocAttributes(text).at(text.length, name);

suite('documents › limits', () => {
	const long = 'a/'.repeat(maxPathLength);
	const file = (path: string) => ({ scheme: 'file', authority: '', path });

	for (const [name, write] of [
		['relativeReference', () => relativeReference(file('/a.md'), file(`/${long}`))],
		['relativeReference from there', () => relativeReference(file(`/${long}`), file('/a.png'))],
		['markdownImage', () => markdownImage({ path: long, alt: '' })],
		['htmlImage', () => htmlImage({ path: long, alt: '' })],
		['asciidocImagesFolders', () => asciidocImagesFolders(file(`/${long}`), '', '/')(0)],
		['latexPath', () => latexPath(long)],
		['sphinxPath', () => sphinxPath(long)],
		['typstString', () => typstString(long)],
	] as const) {
		test(`${name} refuses a path that no system has`, () => {
			assert.throws(write, RangeError);
		});
	}

	test('a path of the length that is allowed is written', () => {
		const path = 'a'.repeat(maxPathLength);
		assert.equal(markdownImage({ path, alt: '' }).after, `](${path})`);
	});

	test('what a document or a setting names as such a path counts as nothing', () => {
		const document = file('/work/a.adoc');
		const attribute = `:imagesdir: ${long}`;
		assert.equal(asciidocImagesFolders(document, attribute, '/')(attribute.length), undefined);
		assert.deepEqual(latexRoot(document, `% !TEX root = ${long}`), document);
		assert.equal(siteOfSetting('/work', long), undefined);
		const place = { document: '/work/a.md', workspaceFolder: '/work' };
		assert.deepEqual(localPaths({ href: long.repeat(3) + 'a.png' }, place), []);
	});

	test('a place far from all text stays where it is', () => {
		const table = `|===\n${'\n'.repeat(4000)}|===\n`;
		const asked = { start: 2000, end: 2000 };
		assert.deepEqual(linkPlace('asciidoc', table, asked).span, asked);
	});

	test('attributes that refer to one another, twice each, come to an end', () => {
		const bomb = Array.from(
			{ length: 30 },
			(_, index) => `:a${String(index + 1)}: {a${String(index)}}{a${String(index)}}\n`,
		);
		const text = `:a0: ${'x'.repeat(10)}\n${bomb.join('')}`;
		assert.equal(asciidocAttribute(`${text}:imagesdir: {a3}`, 'imagesdir'), 'x'.repeat(80));
		assert.equal(asciidocAttribute(`${text}:imagesdir: {a30}`, 'imagesdir'), undefined);
		assert.equal(asciidocAttribute(`${text}:imagesdir: images`, 'imagesdir'), 'images');
	});

	test('conditions within conditions are counted, however deep', () => {
		const text = `${'ifndef::a[]\n'.repeat(9000)}:imagesdir: images\n`;
		assert.equal(asciidocAttribute(text, 'imagesdir'), 'images');
		assert.equal(asciidocAttribute(`ifdef::a[]\n${text}`, 'imagesdir'), undefined);
	});

	test('an excess of entries is not read to its end', () => {
		const text = `${':a: b\n'.repeat(100_000)}:imagesdir: images\n`;
		assert.equal(asciidocAttribute(text, 'imagesdir'), undefined);
	});

	test('as many lines of attributes as that are read, and lists of any length', () => {
		const lines = ':a:\n'.repeat(19_999);
		assert.equal(asciidocAttribute(`${lines}:imagesdir: images`, 'imagesdir'), 'images');
		assert.equal(asciidocAttribute(`${lines}:a:\n:imagesdir: images`, 'imagesdir'), undefined);
		for (const other of ['- One', '-- two', '. One', '.. Two', '+', '// Note', '`one`']) {
			const text = `${`${other}\n`.repeat(20_001)}:imagesdir: images`;
			assert.equal(asciidocAttribute(text, 'imagesdir'), 'images', other);
		}
	});

	test('an excess of references is not resolved', () => {
		const line = `:b: ${'{a}'.repeat(1000)}\n`;
		const text = (lines: number) => `:a: x\n${line.repeat(lines)}:imagesdir: images`;
		assert.equal(asciidocAttribute(text(19), 'imagesdir'), 'images');
		assert.equal(asciidocAttribute(text(20), 'imagesdir'), undefined);
	});

	test('a value of an attribute has at most 4,096 characters', () => {
		const value = 'x'.repeat(4096);
		assert.equal(asciidocAttribute(`:imagesdir: ${value}`, 'imagesdir'), value);
		assert.equal(asciidocAttribute(`:imagesdir: ${value}x`, 'imagesdir'), undefined);
		const none = '{none}'.repeat(1000);
		assert.equal(asciidocAttribute(`:none:\n:imagesdir: a${none}`, 'imagesdir'), 'a');
	});

	test('an alt text is made of the beginning of its prompt', () => {
		assert.equal(altText(`${' '.repeat(100_000)}fox${'\u202e'.repeat(100_000)}`), 'fox');
		assert.ok(altText('ก'.repeat(100_000)).length <= 125);
		assert.equal(altText('Fox:', 4), 'Fox:');
	});

	test('what a line belongs to is looked for in a thousand lines, its own among them', () => {
		const prefixBehind = (lines: number) => {
			const text = `> One\n${'two\n'.repeat(lines - 2)}three`;
			return linkPlace('markdown', text, { start: text.length, end: text.length }).prefix;
		};
		assert.equal(prefixBehind(1000), '> ');
		assert.equal(prefixBehind(1001), '');
	});

	test('a thousand lines are one paragraph, and what is below them is another one', () => {
		const text = 'One\n'.repeat(3000);
		const place = linkPlace('markdown', text, { start: 3, end: 3 });
		assert.deepEqual(place.span, { start: 3999, end: 3999 });
	});

	test('delimiters of code are counted to twenty thousand', () => {
		const surroundings = (blocks: number) => {
			const text = `${'```\n```\n'.repeat(blocks - 1)}\`\`\`\ncode\n\`\`\``;
			return surroundingsAt('markdown', text, text.length - 5);
		};
		assert.equal(surroundings(10_000), 'verbatim');
		assert.equal(surroundings(10_001), 'text');
	});

	test('ten thousand paths of images are found, and no more', () => {
		assert.equal(imagePaths('a.png '.repeat(9999)).length, 9999);
		assert.equal(imagePaths('a.png '.repeat(20_000)).length, 10_000);
	});

	for (const [where, before, after] of [
		['before', '', '\n\nOne'.repeat(15_000)],
		['behind', 'One\n\n'.repeat(15_000), ''],
	] as const) {
		for (const [languageId, text, expected] of [
			['markdown', '![⟦b⟧](b.png)', '![b](b.png)\n\n![x](a.png)'],
			['latex', '\\textbf{¦two} three', '\\textbf{two}\nfigure\nthree'],
			[
				'latex',
				'\\begin{tabular}{l}\na¦\n\\end{tabular}',
				'\\begin{tabular}{l}\na\n\\end{tabular}\n\nfigure',
			],
		] as const) {
			test(`what a place lies in is found ${where} a long text: ${JSON.stringify(text)}`, () => {
				const place = marked(before + text + after);
				const written = insertImage(languageId, place.text, place.asked).text;
				const short = written.replace(/\\begin\{figure\}[^]*\\end\{figure\}/, 'figure');
				assert.equal(short, before + expected + after);
			});
		}
	}

	test('more than a thousand empty lines belong to no item of a list', () => {
		for (const [count, indent] of [
			[1000, '  '],
			[1001, ''],
		] as const) {
			const text = `- One\n\n${'\n'.repeat(count)}  two`;
			const at = text.indexOf('\n\n') + 1;
			const written = insertImage('markdown', text, { start: at, end: at }).text;
			assert.ok(written.startsWith(`- One\n\n${indent}![x](a.png)\n`));
		}
	});

	test('of quotations within one another an image belongs to fifty', () => {
		const text = `${'> '.repeat(51)}One`;
		const { text: written } = insertImage('markdown', text, {
			start: text.length,
			end: text.length,
		});
		assert.equal(written.split('\n').at(-1), `${'> '.repeat(50)}![x](a.png)`);
	});

	test('what stands behind more than a thousand blanks is no mark of a quotation', () => {
		const text = `${' '.repeat(1001)}> One`;
		const { text: written } = insertImage('markdown', text, {
			start: text.length,
			end: text.length,
		});
		assert.equal(written, `${text}\n\n![x](a.png)`);
	});
});
