import assert from 'node:assert/strict';
import { wordFinder, type Searched } from '../../../src/jobs/wordFinder.js';

const fox: Searched = {
	prompt: 'A Fox in the snow',
	image: { target: 'file:///w/images/winter.png' },
	mark: { title: 'The quiet one', note: 'for page 3' },
};

suite('The words of an image', () => {
	test('are found in any order and case, in prompt, name, title and note', () => {
		for (const text of ['fox', 'SNOW a', ' winter.png  fox ', 'quiet page', 'no', '']) {
			assert.ok(wordFinder(text)(fox), text);
		}
	});

	test('are all looked for, and not in the folder', () => {
		for (const text of ['fox dog', 'images', 'foxinthe']) {
			assert.ok(!wordFinder(text)(fox), text);
		}
	});

	test('are those of the prompt alone where there is nothing else', () => {
		const request: Searched = { prompt: 'a fox', image: undefined, mark: {} };
		assert.ok(wordFinder('fox')(request));
		assert.ok(!wordFinder('undefined')(request));
	});
});
