import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { altText } from '../../../src/documents/altText';
import { htmlImage, htmlSource, vueImage } from '../../../src/documents/html';
import { referenceText } from '../../../src/documents/reference';
import { seeded } from '../images/random';
import {
	fileOf,
	quotedPaths,
	randomAlt,
	randomPath,
	troublesomeAlts,
	troublesomePaths,
} from './troublesome';

suite('htmlImage', () => {
	test('writes a plain path as it is', () => {
		const image = htmlImage({ path: '../images/red-fox.png', alt: 'A red fox' });
		assert.equal(referenceText(image), '<img src="../images/red-fox.png" alt="A red fox">');
	});

	for (const [path, source] of [
		['über/狐 狸.png', 'über/狐%20狸.png'],
		['C#/100%?.png', 'C%23/100%25%3F.png'],
		["R&D (a)'s.png", "R&amp;D%20(a)'s.png"],
		['a"b<c>{d}.png', 'a%22b%3Cc%3E%7Bd%7D.png'],
	] as const) {
		test(`writes the path ${path} as ${source}`, () => assert.equal(htmlSource(path), source));
	}

	for (const path of [...troublesomePaths, ...quotedPaths]) {
		test(`is parsed back: ${JSON.stringify(path)}`, () => assertParsedBack(path, 'Fox'));
	}

	for (const alt of [...troublesomeAlts, '']) {
		test(`is parsed back: ${JSON.stringify(alt)}`, () => assertParsedBack('a b.png', alt));
	}

	test('is parsed back whatever path and alt text there are', () => {
		const random = seeded(11);
		for (let round = 0; round < 500; round++) {
			assertParsedBack(randomPath(random), randomAlt(random));
		}
	});

	test('leaves nothing for templates to read', () => {
		const text = referenceText(
			htmlImage({ path: '{{a}}<%b.png', alt: '{{c}} {d} <% e %> {% f %}' }),
		);
		assert.doesNotMatch(text, /\{|<%/);
	});

	for (const [path, source] of [
		['images/a.png', './images/a.png'],
		['../a.png', '../a.png'],
		['./a:b.png', './a:b.png'],
		['.hidden/a.png', './.hidden/a.png'],
		['/img/a.png', '/img/a.png'],
		['file:///d:/a.png', 'file:///d:/a.png'],
	] as const) {
		test(`marks ${path} for Vue as ${source}`, () => {
			assert.equal(vueImage({ path, alt: '' }).before, `<img src="${source}" alt="`);
		});
	}
});

function assertParsedBack(path: string, alt: string): void {
	const html = referenceText(htmlImage({ path, alt }));
	const { childNodes } = parseFragment(`Before ${html} after.`);
	assert.deepEqual(
		childNodes.map(({ nodeName }) => nodeName),
		['#text', 'img', '#text'],
		html,
	);
	const { attrs } = childNodes[1] as DefaultTreeAdapterTypes.Element;
	assert.deepEqual(
		attrs.map(({ name }) => name),
		['src', 'alt'],
		html,
	);
	assert.equal(fileOf(attrs[0]!.value), posix.join('/root/docs', path), html);
	assert.equal(attrs[1]!.value, altText(alt), html);
}
