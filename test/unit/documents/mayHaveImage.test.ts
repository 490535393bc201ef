import assert from 'node:assert/strict';
import { mayHaveImage } from '../../../src/documents/mayHaveImage.js';

suite('mayHaveImage', () => {
	test('sees the beginnings of images alone', () => {
		for (const [text, may] of [
			['![a](b.png)', true],
			['text <IMG src=b.png>', true],
			['[a](b.png)! a <b> !', false],
			['img', false],
			['', false],
		] as const) {
			assert.equal(mayHaveImage(text), may, text);
		}
	});
});
