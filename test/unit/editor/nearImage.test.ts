import assert from 'node:assert/strict';
import { mayShowImage } from '../../../src/editor/nearImage.js';

suite('mayShowImage', () => {
	for (const text of [
		...['![](a)', 'text\n![a boat][boat]', '<img>', '<IMG src="a">', '.. image:: a.png'],
		...['image::a.jpg[]', '#image("a.jpeg")', '\\includegraphics{A.WEBP}', 'a.PNG'],
	]) {
		test(`there may be an image in ${JSON.stringify(text)}`, () => {
			assert.equal(mayShowImage(text), true);
		});
	}

	for (const text of [
		'',
		'text',
		'[a](b)',
		'!(a)',
		'! [a]',
		'img',
		'< img',
		'png',
		'a-png',
		'.gif',
	]) {
		test(`there is none in ${JSON.stringify(text)}`, () => {
			assert.equal(mayShowImage(text), false);
		});
	}
});
