import assert from 'node:assert/strict';
import { linkText } from '../../../src/documents/imageLink';
import { typstImage, typstString } from '../../../src/documents/typst';

suite('typstImage', () => {
	test('is in a box within a line of text', () => {
		const image = typstImage({ path: 'a.png', alt: 'A fox' }, 'inline');
		assert.equal(linkText(image), '#box(image("a.png", alt: "A fox"))');
	});

	for (const [text, escaped] of [
		['a "fox"', 'a \\"fox\\"'],
		['a\\b', 'a\\\\b'],
		['a\nb\u0085', 'a\\u{a}b\\u{85}'],
	] as const) {
		test(`writes ${JSON.stringify(text)} as ${escaped}`, () => {
			assert.equal(typstString(text), escaped);
		});
	}
});
