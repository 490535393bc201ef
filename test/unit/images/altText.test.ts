import assert from 'node:assert/strict';
import { altText, firstClause } from '../../../src/images/altText';
import { randomText, seeded } from './random';

suite('firstClause', () => {
	const clauses = (title: string, cases: Record<string, string>) =>
		test(title, () => {
			for (const [prompt, clause] of Object.entries(cases)) {
				assert.equal(firstClause(prompt), clause, JSON.stringify(prompt));
			}
		});

	clauses('ends at a sentence, a semicolon or a dash between words', {
		'a fox': 'a fox',
		'A lighthouse at dusk. Waves break below it.': 'A lighthouse at dusk',
		'A lighthouse at dusk; waves': 'A lighthouse at dusk',
		'A harbor at dusk – boats come home': 'A harbor at dusk',
		'Version 2.0 of 1,000 boats. From above': 'Version 2.0 of 1,000 boats',
		'灯台の絵。夜明け': '灯台の絵',
		'A “Stop!” sign. Rain': 'A “Stop!” sign',
		'“Wait for me!” Two foxes run': '“Wait for me!”',
		'A red fox, a hen and a rabbit in the snow': 'A red fox, a hen and a rabbit in the snow',
	});

	clauses('does not end behind an abbreviation, an initial or an ordinal', {
		'Portrait of Dr. Smith. Oil': 'Portrait of Dr. Smith',
		"St. Mark's Square vs. The Rialto": "St. Mark's Square vs. The Rialto",
		'The house of J. R. R. Tolkien': 'The house of J. R. R. Tolkien',
		'Flugzeuge im 2. Weltkrieg': 'Flugzeuge im 2. Weltkrieg',
	});

	clauses('goes on over a line break within a sentence, and ends at any other', {
		'A lighthouse on\n  a cliff\r\nat dusk': 'A lighthouse on a cliff at dusk',
		'A lighthouse\nFlat illustration\nNo text': 'A lighthouse',
	});

	clauses('has no marks of Markdown', {
		'# Architecture\n\nA diagram': 'Architecture',
		'* **A lighthouse**\n* Style: flat': 'A lighthouse',
		'> 1. a _red_ fox with `code` and snake_case': 'a red fox with code and snake_case',
		'---\n\nA fox': 'A fox',
	});

	test('is at most 125 characters, of whole words, and empty where nothing is said', () => {
		const words = 'word '.repeat(40);
		assert.equal(firstClause(words), 'word '.repeat(25).trim());
		assert.equal(firstClause(`${' '.repeat(5000)}A fox. At night`), 'A fox');
		assert.equal(firstClause(' \n '), '');
		assert.equal(firstClause('?!'), '?!');
	});
});

suite('altText', () => {
	for (const [what, text, alt] of [
		['is one line', '  A red\n\tfox  \u0000 sits\u2028here ', 'A red fox sits here'],
		['keeps joined emoji and turns no direction', 'a \u202e👩‍🚀\u2066 b', 'a 👩‍🚀 b'],
		['ends with no separators', `${'x'.repeat(110)} – (, ${'y'.repeat(20)}`, 'x'.repeat(110)],
		['cuts a text without spaces', 'x'.repeat(500), 'x'.repeat(125)],
	] as const) {
		test(what, () => {
			assert.equal(altText(text), alt);
		});
	}

	test('leaves 125 characters as they are and cuts more between words, without an ellipsis', () => {
		const exact = 'word '.repeat(25).trim() + 's';
		assert.equal(exact.length, 125);
		assert.equal(altText(exact), exact);
		assert.equal(altText(`${exact} more`), exact);
		assert.equal(altText(`${exact}s more`), 'word '.repeat(24).trim());
	});

	test('is at most 125 characters, whole, and stays as it is', () => {
		const random = seeded(5);
		for (let round = 0; round < 500; round++) {
			const text = altText(randomText(random, 200).toWellFormed());
			assert.ok(text.length <= 125);
			assert.ok(text.isWellFormed());
			assert.equal(altText(text), text);
		}
	});
});
