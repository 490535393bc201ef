import assert from 'node:assert/strict';
import { searchMatcher, type Searched } from '../../../src/library/searchMatcher.js';

const fox: Searched = {
	prompt: 'A Fox in the snow',
	image: { target: 'file:///w/images/winter.png' },
	mark: { title: 'The quiet one', note: 'for page 3' },
};

suite('The words of an image', () => {
	test('are found in any order and case, in prompt, name, title and note', () => {
		for (const text of ['fox', 'SNOW a', ' winter.png  fox ', 'quiet page', 'no', '']) {
			assert.ok(searchMatcher(text)(fox), text);
		}
	});

	test('are all looked for, and not in the folder', () => {
		for (const text of ['fox dog', 'images', 'foxinthe', 'snowwinter', 'oneor']) {
			assert.ok(!searchMatcher(text)(fox), text);
		}
	});

	const styled = (text: string, name: string, isOlder: boolean) =>
		searchMatcher(text)({ ...fox, style: { path: `.easel/${name}` }, isOlder: () => isOlder });

	test('are those of the style guide’s file name, without its folder', () => {
		assert.ok(styled('fox woodcut.md', 'Woodcut.md', false));
		assert.ok(!styled('easel', 'Woodcut.md', false));
		assert.ok(!searchMatcher('woodcut')(fox));
	});

	test('find what is older than the style of now by “older style”, and nothing else', () => {
		for (const text of ['older style', 'Older   STYLE fox', 'snow older style.md']) {
			assert.ok(styled(text, 'style.md', true), text);
			assert.ok(!styled(text, 'style.md', false), text);
		}
		const older = { ...fox, prompt: 'a folder', style: { path: 'style.md' }, isOlder: () => false };
		for (const text of ['older style', 'older \t style']) {
			assert.ok(!searchMatcher(text)(older), 'two words of two things');
		}
		assert.ok(searchMatcher('older style')({ ...older, prompt: 'in an older style' }));
	});

	test('are those of the prompt alone where there is nothing else', () => {
		const request: Searched = { prompt: 'a fox', image: undefined, mark: {} };
		assert.ok(searchMatcher('fox')(request));
		for (const letter of 'bcdeghijklmnpqrstuvwyz') {
			assert.ok(!searchMatcher(letter)(request), letter);
		}
	});

	test('are no matter where none are looked for', () => {
		const isOlder = () => assert.fail('it takes time to find out');
		assert.ok(searchMatcher(' ')({ ...fox, isOlder }));
	});
});
