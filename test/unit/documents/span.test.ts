import assert from 'node:assert/strict';
import { moveSpan, paragraphEnd } from '../../../src/documents/span.js';
import { seeded } from '../images/random.js';

suite('documents › span', () => {
	suite('moved', () => {
		const place = { start: 10, end: 10 };
		for (const [name, change, expected] of [
			['typed at the place', { start: 10, end: 10, length: 5 }, place],
			['deleted up to it', { start: 4, end: 10, length: 0 }, { start: 4, end: 4 }],
			['deleted around it', { start: 9, end: 11, length: 0 }, undefined],
			['replaced around it', { start: 0, end: 20, length: 20 }, undefined],
		] as const) {
			test(name, () => {
				assert.deepEqual(moveSpan(place, change), expected);
			});
		}

		test('a range takes in what is typed in it, and goes where it is cut at an end', () => {
			const range = { start: 10, end: 20 };
			assert.deepEqual(moveSpan(range, { start: 12, end: 14, length: 5 }), { start: 10, end: 23 });
			assert.deepEqual(moveSpan(range, { start: 10, end: 14, length: 5 }), { start: 10, end: 21 });
			assert.deepEqual(moveSpan(range, { start: 14, end: 20, length: 0 }), { start: 10, end: 14 });
			assert.equal(moveSpan(range, { start: 5, end: 15, length: 0 }), undefined);
			assert.equal(moveSpan(range, { start: 15, end: 25, length: 1 }), undefined);
			assert.deepEqual(moveSpan(range, { start: 20, end: 20, length: 3 }), range);
		});

		test('stays before the same character, whatever is done elsewhere', () => {
			const random = seeded(7);
			for (let round = 0; round < 500; round += 1) {
				let text = `${'a'.repeat(20)}X${'b'.repeat(20)}`;
				let at: { start: number; end: number } | undefined = { start: 20, end: 20 };
				for (let step = 0; step < 20; step += 1) {
					const x = text.indexOf('X');
					const above = random() < 0.5;
					const from = above ? 0 : x + 1;
					const to = above ? x : text.length;
					const start = from + Math.floor(random() * (to - from + 1));
					const end = start + Math.floor(random() * (to - start + 1));
					// At the very place, a person who types goes on behind it.
					if (above && end === x && start === x) {
						continue;
					}
					const insert = (above ? 'a' : 'b').repeat(Math.floor(random() * 5));
					text = text.slice(0, start) + insert + text.slice(end);
					at = at && moveSpan(at, { start, end, length: insert.length });
					assert.equal(at?.start, text.indexOf('X'));
				}
			}
		});
	});

	test('paragraphEnd is before the next blank line, or the end of the text', () => {
		assert.equal(paragraphEnd('One\ntwo\n\nthree', 1), 7);
		assert.equal(paragraphEnd('One\r\ntwo\r\n \r\nthree', 1), 8);
		assert.equal(paragraphEnd('One\n\nthree\n', 7), 10);
		assert.equal(paragraphEnd('One  \n  ', 0), 3);
		assert.equal(paragraphEnd('', 0), 0);
	});
});
