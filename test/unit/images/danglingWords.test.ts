import assert from 'node:assert/strict';
import { withoutDanglingWords } from '../../../src/images/danglingWords.js';

const cut = (text: string) => withoutDanglingWords(text.split(' ')).join(' ');

suite('images › danglingWords', () => {
	test('are left out at the end, as many as there are, and nowhere else', () => {
		for (const [text, left] of [
			['a harbor with two', 'a harbor'],
			['the view of the harbor at the', 'the view of the harbor'],
			['a harbor', 'a harbor'],
			['a Harbor WITH (the', 'a Harbor'],
			['a harbor with 12', 'a harbor'],
			['a harbor with - ', 'a harbor'],
			['a harbor, and, “the', 'a harbor,'],
			// A count, but no name of something.
			['a harbor of 3d', 'a harbor of 3d'],
			['a harbor of mp3', 'a harbor of mp3'],
			['a harbor mit dem', 'a harbor mit dem'],
			['harbor', 'harbor'],
			['harbor of', 'harbor'],
		] as const) {
			assert.equal(cut(text), left);
		}
	});

	test('stay where there is nothing else', () => {
		for (const text of ['with the', 'two', '', 'of 12 -']) {
			assert.equal(cut(text), text);
		}
	});

	test('are looked for among the last hundred', () => {
		const the = (count: number) => Array.from({ length: count }, () => 'the');
		assert.deepEqual(withoutDanglingWords(['harbor', ...the(99)]), ['harbor']);
		assert.deepEqual(withoutDanglingWords(['harbor', ...the(100)]), ['harbor', ...the(100)]);
		assert.deepEqual(withoutDanglingWords([...the(150), 'harbor', 'of']), [...the(150), 'harbor']);
	});

	test('are no longer than words are', () => {
		for (const [word, isLeftOut] of [
			['7'.repeat(40), true],
			['7'.repeat(41), false],
			['-'.repeat(41), false],
		] as const) {
			assert.equal(cut(`harbor ${word}`), isLeftOut ? 'harbor' : `harbor ${word}`);
		}
	});

	test('are known with signs between their letters', () => {
		assert.equal(cut('harbor w-i--t-h'), 'harbor');
	});
});
