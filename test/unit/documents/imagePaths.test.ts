import assert from 'node:assert/strict';
import { imagePaths } from '../../../src/documents/imagePaths.js';

suite('documents › imagePaths', () => {
	for (const [text, ...paths] of [
		['image::diagram.png[A diagram]', 'diagram.png'],
		['.. image:: ../images/夜晚.PNG', '../images/夜晚.PNG'],
		['\\includegraphics[width=\\linewidth]{images/a.jpeg}', 'images/a.jpeg'],
		['#image("/images/a.webp", alt: "b.png")', '/images/a.webp', 'b.png'],
		['<img src="a%20b.jpg"> and <img src=c.png>', 'a%20b.jpg', 'c.png'],
		['a.png.png b.png.c.png', 'a.png.png', 'b.png.c.png'],
		['a.png', 'a.png'],
		['a.pngs, .png and a.gif are none', ...[]],
		['', ...[]],
	] as const) {
		test(JSON.stringify(text), () => {
			const found = imagePaths(text);
			assert.deepEqual(
				found.map(({ path }) => path),
				paths,
			);
			for (const { start, end, path } of found) {
				assert.equal(text.slice(start, end), path);
			}
		});
	}
});
