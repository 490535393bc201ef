import assert from 'node:assert/strict';
import { asciidocImagesFolders } from '../../../src/documents/asciidoc.js';
import { AsciidocAttributes } from '../../../src/documents/asciidocAttributes.js';
import { htmlImage } from '../../../src/documents/html.js';
import { maxPathLength, relativeReference } from '../../../src/documents/imageLink.js';
import { latexPath, latexRoot } from '../../../src/documents/latex.js';
import { localPaths } from '../../../src/documents/localPath.js';
import { markdownImage } from '../../../src/documents/markdown.js';
import { sphinxPath } from '../../../src/documents/restructuredText.js';
import { siteOfSetting } from '../../../src/documents/sites.js';
import { typstString } from '../../../src/documents/typst.js';

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
});
