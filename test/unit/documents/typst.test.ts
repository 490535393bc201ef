import assert from 'node:assert/strict';
import { linkText } from '../../../src/documents/imageLink';
import { typstImage, typstString } from '../../../src/documents/typst';

suite('typstImage', () => {
	test('calls the function image', () => {
		const image = typstImage({ path: '../images/red-fox.png', alt: 'A red fox' });
		assert.equal(linkText(image), '#image("../images/red-fox.png", alt: "A red fox")');
		assert.equal(image.alt, 'A red fox');
	});

	test('is in a box within a line of text', () => {
		const image = typstImage({ path: 'a.png', alt: 'A fox' }, 'inline');
		assert.equal(linkText(image), '#box(image("a.png", alt: "A fox"))');
	});

	for (const [text, escaped] of [
		['über/C# 100% {a} [b] $c$.png', 'über/C# 100% {a} [b] $c$.png'],
		['a "fox"', 'a \\"fox\\"'],
		['a\\b', 'a\\\\b'],
		['a\nb\u0085', 'a\\u{a}b\\u{85}'],
	] as const) {
		test(`writes ${JSON.stringify(text)} as ${escaped}`, () => {
			assert.equal(typstString(text), escaped);
		});
	}
});
