import assert from 'node:assert/strict';
import { beginningOf, shorten } from '../../../src/images/shorten';

suite('shorten', () => {
	const toGraphemes = (limit: number) => (text: string) =>
		shorten(text, (_, graphemes) => graphemes <= limit);
	const toUnits = (limit: number) => (text: string) =>
		shorten(text, (beginning) => beginning.length <= limit);

	test('leaves what fits as it is', () => {
		assert.equal(toGraphemes(7)('red fox'), 'red fox');
		assert.equal(toGraphemes(1)(''), '');
	});

	for (const [where, limit, text, beginning] of [
		['between words', 11, 'a red foxtrot', 'a red '],
		['between words where that keeps just half of it', 8, 'red foxtrot', 'red '],
		// A sign that belongs to what follows it, and a word of its own kind behind it.
		[
			'at no grapheme, also where a word begins',
			7,
			'abcde\u{110BD}カキクケコ',
			'abcde\u{110BD}カキ',
		],
		['inside a word where its beginning is too far', 10, 'a foxtrotdancer', 'a foxtrotd'],
		['between words of languages without spaces', 5, '一只红色狐狸坐在月光下', '一只红色'],
	] as const) {
		test(`cuts ${where}`, () => {
			assert.equal(toGraphemes(limit)(text), beginning);
		});
	}

	test('counts a letter with its marks and a joined emoji as one', () => {
		assert.equal(toGraphemes(2)('👩‍🚀👩‍🚀👩‍🚀'), '👩‍🚀👩‍🚀');
		assert.equal(toUnits(7)('👩‍🚀👩‍🚀'), '👩‍🚀');
		assert.equal(toUnits(3)('abce\u0301'), 'abc');
		assert.equal(toUnits(4)('abce\u0301'), 'abc');
	});

	test('returns nothing where the first grapheme is too long', () => {
		assert.equal(toUnits(4)('a\u0301\u0301\u0301\u0301'), '');
	});

	test('cuts what is far longer than most texts where it has to', () => {
		const text = 'a red fox '.repeat(1000);
		assert.equal(toUnits(20_000)(text).length, 10_000);
		assert.equal(toUnits(9004)(text).length, 9002);
		assert.equal(toUnits(12)(text), 'a red fox a ');
	});
});

suite('beginningOf', () => {
	test('is the text itself where it is no longer', () => {
		assert.equal(beginningOf('a fox', 6), 'a fox');
		assert.equal(beginningOf('a fox', 5), 'a fox');
		assert.equal(beginningOf('fox 🦊', 6), 'fox 🦊');
		assert.equal(beginningOf('fox \ud83e', 5), 'fox \ud83e');
	});

	test('has as much of it as is asked for, and no half of a character', () => {
		assert.equal(beginningOf('a fox', 4), 'a fo');
		assert.equal(beginningOf('🦊 fox', 5), '🦊 fo');
		assert.equal(beginningOf('fox 🦊 🦊', 6), 'fox 🦊');
		assert.equal(beginningOf('fox 🦊 🦊', 5), 'fox ');
	});
});
