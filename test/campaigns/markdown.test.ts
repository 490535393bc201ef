import assert from 'node:assert/strict';
import { findImages } from '../../src/documents/findImages.js';
import { randomMarkdown } from '../unit/documents/randomMarkdown.js';
import { shown } from '../unit/documents/shownImages.js';
import { randomText, seeded } from '../unit/images/random.js';
import { report, scaled } from './campaign';

/** The same in each run: a script that is not closed, and lone CRs, are still read in another way. */
const seed = Number(process.env['EASEL_SEED'] ?? 20261121);

suite('findImages, in random documents', () => {
	test('finds what markdown-it shows', async () => {
		const random = seeded(seed);
		const rounds = scaled(3000);
		let images = 0;
		for (let round = 0; round < rounds; round++) {
			const text = randomMarkdown(random);
			const expected = shown(text).map(withoutLineEnd);
			const found = findImages(text);
			images += expected.length;
			assert.deepEqual(
				found.map(({ href }) => href),
				expected,
				`EASEL_SEED=${seed}: ${JSON.stringify(text)}`,
			);
			for (const { raw, destinationSpan, span } of found) {
				const written = text.slice(destinationSpan.start, destinationSpan.end);
				assert.equal(raw, written);
				assert.match(text.slice(span.start, span.end), /^(?:!\[[^]*[\])]|<img[^]*>)$/i);
			}
		}
		assert.ok(images > rounds / 2, String(images));
		await report('Markdown', { seed, runs: rounds, note: `${images} images` });
	});

	test('takes any text', () => {
		const random = seeded(seed);
		for (let round = 0; round < scaled(5000); round++) {
			findImages(`![${randomText(random, 40)}`);
		}
	});
});

/**
 * markdown-it takes the end of the line into a destination that ends with a backslash; CommonMark 0.31
 * (6.3) lets a destination have no control characters.
 */
function withoutLineEnd(href: string): string {
	return href.replace(/\\\n$/, '\\');
}
