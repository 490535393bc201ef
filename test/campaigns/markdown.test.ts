import assert from 'node:assert/strict';
import { findImages } from '../../src/documents/findImages.js';
import { randomMarkdown } from '../unit/documents/randomMarkdown.js';
import { shown } from '../unit/documents/shownImages.js';
import { randomText, seeded } from '../unit/images/random.js';
import { report, scaled, seed } from './campaign';

suite('findImages, in random documents', () => {
	test('finds what markdown-it shows', async () => {
		const random = seeded(seed);
		const rounds = scaled(10_000);
		let images = 0;
		for (let round = 0; round < rounds; round++) {
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
		assert.ok(images > rounds / 2, String(images));
		await report('Markdown', { runs: rounds, note: `${images} images` });
	});

	test('takes any text', () => {
		const random = seeded(seed);
		for (let round = 0; round < scaled(5000); round++) {
			findImages(`![${randomText(random, 40)}`);
		}
	});
});
