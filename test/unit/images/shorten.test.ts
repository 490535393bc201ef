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

	test('cuts between words', () => {
		assert.equal(toGraphemes(11)('a red foxtrot'), 'a red ');
	});

	test('cuts between words where that keeps just half of it', () => {
		assert.equal(toGraphemes(8)('red foxtrot'), 'red ');
	});

	test('never cuts inside a grapheme, also where a word begins in it', () => {
		// A sign that belongs to what follows it, and a word of its own kind behind it.
		assert.equal(toGraphemes(7)('abcde\u{110BD}カキクケコ'), 'abcde\u{110BD}カキ');
	});

	test('cuts inside a word where the last boundary is too far away', () => {
		assert.equal(toGraphemes(10)('a foxtrotdancer'), 'a foxtrotd');
	});

	test('knows the words of languages that write no spaces', () => {
		assert.equal(toGraphemes(5)('一只红色狐狸坐在月光下'), '一只红色');
	});

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
