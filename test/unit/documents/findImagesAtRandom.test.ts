import assert from 'node:assert/strict';
import { findImages } from '../../../src/documents/findImages.js';
import { randomText, seeded } from '../images/random.js';
import { randomMarkdown } from './randomMarkdown.js';
import { shown } from './shownImages.js';

suite('findImages, in random documents', () => {
	test('finds what markdown-it shows', () => {
		const random = seeded(20261121);
		let images = 0;
		for (let round = 0; round < 3000; round++) {
			const text = randomMarkdown(random);
			const expected = shown(text);
			const found = findImages(text);
			images += expected.length;
			assert.deepEqual(
				found.map(({ href }) => href),
				expected,
				JSON.stringify(text),
			);
			for (const { raw, destinationSpan, span } of found) {
				const written = text.slice(destinationSpan.start, destinationSpan.end);
				assert.equal(raw, written);
				assert.match(text.slice(span.start, span.end), /^(?:!\[[^]*[\])]|<img[^]*>)$/i);
			}
		}
		assert.ok(images > 2000, String(images));
	});

	test('takes any text', () => {
		const random = seeded(7);
		for (let round = 0; round < 2000; round++) {
			findImages(`![${randomText(random, 40)}`);
		}
		assert.equal(findImages(`![a](${'%ff'.repeat(100_000)})`).length, 1);
		assert.equal(findImages('> '.repeat(500) + '![a](b)').length, 0);
	});
});
