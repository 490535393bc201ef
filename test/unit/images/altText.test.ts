import assert from 'node:assert/strict';
import { altText, isGenericAlt } from '../../../src/images/altText';
import { randomText, seeded } from './random';

suite('altText', () => {
	test('is one line', () => {
		assert.equal(altText('  A red\n\tfox  \u0000 sits\u2028here '), 'A red fox sits here');
	});

	test('keeps joined emoji and drops what turns the direction', () => {
		assert.equal(altText('a \u202e👩‍🚀\u2066 b'), 'a 👩‍🚀 b');
	});

	test('leaves 125 characters as they are and cuts more between words, without an ellipsis', () => {
		const exact = 'word '.repeat(25).trim() + 's';
		assert.equal(exact.length, 125);
		assert.equal(altText(exact), exact);
		assert.equal(altText(`${exact} more`), exact);
		assert.equal(altText(`${exact}s more`), 'word '.repeat(24).trim());
	});

	test('ends with no separators where it is cut', () => {
		assert.equal(altText(`${'x'.repeat(110)} – (, ${'y'.repeat(20)}`), 'x'.repeat(110));
	});

	test('cuts a text without spaces', () => {
		assert.equal(altText('x'.repeat(500)), 'x'.repeat(125));
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

suite('isGenericAlt', () => {
	test('is what does not say what an image shows', () => {
		for (const alt of [
			'',
			'img',
			'Image',
			'alt text',
			'Screenshot 3',
			'a.png',
			'1.',
			'The diagram',
		]) {
			assert.ok(isGenericAlt(alt), alt);
		}
		for (const alt of ['A harbor', 'Screenshot of the settings', 'Bild eines Hafens']) {
			assert.ok(!isGenericAlt(alt), alt);
		}
	});
});
