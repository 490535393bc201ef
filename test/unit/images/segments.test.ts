import assert from 'node:assert/strict';
import { segments } from '../../../src/images/segments';

suite('segments', () => {
	const of = (...[text, granularity]: Parameters<typeof segments>) =>
		[...segments(text, granularity)].map(({ segment }) => segment);

	test('are what a reader takes for one character, or words', () => {
		assert.deepEqual(of('e\u0301 👩‍🚀', 'grapheme'), ['e\u0301', ' ', '👩‍🚀']);
		assert.deepEqual(of('a fox’s den', 'word'), ['a', ' ', 'fox’s', ' ', 'den']);
	});
});
