import assert from 'node:assert/strict';
import { mdxImage } from '../../../src/documents/mdx';
import { linkText } from '../../../src/documents/imageLink';

suite('mdxImage', () => {
	test('writes what Markdown has', () => {
		const image = mdxImage({ path: '../my images/red-fox.png', alt: 'A red fox' });
		assert.equal(linkText(image), '![A red fox](<../my images/red-fox.png>)');
	});
});
