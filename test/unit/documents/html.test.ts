import assert from 'node:assert/strict';
import { parseFragment } from 'parse5';
import { htmlImage, htmlSource, vueImage } from '../../../src/documents/html';
import { linkText } from '../../../src/documents/imageLink';
import { imagesInHtml, testRendering } from './troublesome';

suite('htmlImage', () => {
	for (const [path, source] of [
		["R&D (a)'s.png", "R&amp;D%20(a)'s.png"],
		['a"b<c>{d}.png', 'a%22b%3Cc%3E%7Bd%7D.png'],
	] as const) {
		test(`writes the path ${path} as ${source}`, () => assert.equal(htmlSource(path), source));
	}

	testRendering(
		(images) => {
			const page = images.map((image) => `Before ${linkText(htmlImage(image))}`).join(' ');
			// Nothing else is left of them, such as the end of an attribute.
			const { childNodes } = parseFragment(page);
			assert.ok(
				childNodes.every(({ nodeName }, index) => nodeName === ['#text', 'img'][index % 2]),
			);
			return imagesInHtml(page);
		},
		{ seed: 11 },
	);

	test('leaves nothing for templates to read', () => {
		const text = linkText(htmlImage({ path: '{{a}}<%b.png', alt: '{{c}} {d} <% e %> {% f %}' }));
		assert.doesNotMatch(text, /\{|<%/);
	});

	for (const [path, source] of [
		['images/a.png', './images/a.png'],
		['../a.png', '../a.png'],
		['a/b:c.png', './a/b:c.png'],
		['.hidden/a.png', './.hidden/a.png'],
		['/img/a.png', '/img/a.png'],
		['file:///d:/a.png', 'file:///d:/a.png'],
	] as const) {
		test(`marks ${path} for Vue as ${source}`, () => {
			assert.equal(vueImage({ path, alt: '' }).before, `<img src="${source}" alt="`);
		});
	}
});
