import assert from 'node:assert/strict';
import { findWrongWords, quotedIn } from '../../../src/images/pictureWords.js';

suite('images › pictureWords', () => {
	const prompt = 'A pier with a board “Low tide 04:12”, and "HARBOR" above the door';

	for (const [name, seen, known, expected] of [
		['all right', ['Low tide 04:12', 'Harbor'], '', []],
		['in two lines', ['Low tide', '04:12', 'HARBOR'], '', []],
		['a letter is wrong', ['Low tide 04:12', 'HARBUR'], '', [['HARBUR', 'HARBOR']]],
		['one is missing', ['HARBOR'], '', [[undefined, 'Low tide 04:12']]],
		[
			'nothing is there',
			[],
			'',
			[
				[undefined, 'Low tide 04:12'],
				[undefined, 'HARBOR'],
			],
		],
		[
			'a word of the document is misspelled',
			['Low tide 04:12', 'HARBOR', 'The sensr'],
			'The sensor measures the level.',
			[['sensr', 'sensor']],
		],
		['an unknown word is left alone', ['Low tide 04:12', 'HARBOR', 'Xylophone'], 'A sensor.', []],
		[
			'neighboring letters are swapped',
			['Low tide 04:12', 'HARBOR', 'WATHC'],
			'The watch.',
			[['WATHC', 'watch']],
		],
		[
			'a quoted text of the document is nearly there',
			['Low tide 04:12', 'HARBOR', 'TIDE WACTH 2', 'TIDEMARK'],
			'The board says "TIDE WATCH 2", the door says "NO ENTRY".',
			[['TIDE WACTH 2', 'TIDE WATCH 2']],
		],
		['short words are left alone', ['Low tide 04:12', 'HARBOR', 'peir'.slice(0, 3)], 'A pie.', []],
	] as const) {
		test(name, () => {
			assert.deepEqual(
				findWrongWords(seen, prompt, known).map((one) => [one.seen, one.expected]),
				expected,
			);
		});
	}

	test('quotation marks of several languages', () => {
		const text = '"a," “b” „c“ «d» 「e」 "" and "a"';
		assert.deepEqual(quotedIn(text), ['a', 'b', 'c', 'd', 'e']);
	});
});
