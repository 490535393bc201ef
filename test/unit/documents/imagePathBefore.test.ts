import assert from 'node:assert/strict';
import { imagePathBefore } from '../../../src/documents/imagePathBefore.js';

suite('imagePathBefore', () => {
	for (const [format, line, typed, written] of [
		['markdown', 'See ![a fox](images/a', 'images/a', '<a b.png>'],
		['markdown', '![a fox](<', '', '<a b.png>'],
		['markdown', '<img alt="x" src="im', 'im', 'a%20b.png'],
		['mdx', '![](', '', '<a b.png>'],
		['html', "<IMG src='a", 'a', 'a%20b.png'],
		['vue', '<img src="./', './', 'a%20b.png'],
		['asciidoc', 'image::a', 'a', 'a b.png'],
		['asciidoc', 'An image:', '', 'a b.png'],
		['restructuredText', '.. figure:: a', 'a', 'a\\ b.png'],
		['restructuredText', '.. image::', '', 'a\\ b.png'],
		['latex', '\\includegraphics[width=1cm]{a', 'a', 'a b.png'],
		['latex', '\\includegraphics{images/a', 'images/a', 'a b.png'],
		['typst', '#image("images/a', 'images/a', 'a b.png'],
	] as const) {
		test(`${format}: ${line} goes on with ${typed || 'nothing'}`, () => {
			const path = imagePathBefore(format, line);
			assert.equal(path?.typed, typed);
			assert.equal(path.write('a b.png'), written);
		});
	}

	for (const [format, line] of [
		['markdown', 'See [a fox](images/a'],
		['markdown', '![a fox](a.png) and'],
		['html', '![a fox](a'],
		['html', '<img src="a.png" alt="'],
		['asciidoc', 'image::a.png[a fox'],
		['restructuredText', '.. image:: a.png b'],
		['latex', '\\includegraphics{a.png}'],
		['typst', 'image("a.png", alt: '],
	] as const) {
		test(`${format}: ${line} is no beginning of a path`, () => {
			assert.equal(imagePathBefore(format, line), undefined);
		});
	}
});
