import assert from 'node:assert/strict';
import { titleOfPair } from '../../../../src/features/compare/titles.js';

suite('The title of a comparison', () => {
	test('has both names where they are short', () => {
		assert.equal(titleOfPair('harbor.png', 'harbor-night.png'), 'harbor.png ↔ harbor-night.png');
	});

	const long = 'a-lighthouse-at-dusk-flat-illustration-with-calm-water-and-one-sailing-boat';

	for (const [where, left, right] of [
		['at the end', `${long}.png`, `${long}-1.png`],
		['at the beginning', `b-${long}.png`, `${long}.png`],
		['in the middle', `${long}-by-day-${long}.png`, `${long}-by-night-${long}.png`],
		['by their folders', `before/${long}.png`, `after/${long}.png`],
		['by a folder in the middle', `${long}/before/${long}.png`, `${long}/after/${long}.png`],
		['by marks of one character', `${long}é${long}.png`, `${long}e${long}.png`],
	] as const) {
		test(`distinguishes long names that differ ${where}`, () => {
			const [first, second, ...more] = titleOfPair(left, right).split(' ↔ ');
			assert.deepEqual(more, []);
			assert.notEqual(first, second);
			for (const name of [first, second]) {
				assert.ok(name !== undefined && name.length <= 40, name);
				assert.match(name, /…[^…]+\.png$/, 'the end is there');
			}
		});
	}

	test('shows as much of a name as there is room for', () => {
		assert.equal(
			titleOfPair(
				'a-sailing-boat-at-dusk-flat-illustration.png',
				'a-sailing-boat-at-dusk-flat-show-the-boat-at-night.png',
			),
			'…ling-boat-at-dusk-flat-illustration.png ↔ …at-dusk-flat-show-the-boat-at-night.png',
		);
	});

	test('makes nothing of what stands in a name', () => {
		assert.equal(
			titleOfPair('$(sync)', '[x](command:y)'),
			'$\u200b(sync) ↔ [x] \u200b(command\u200b:y)',
		);
	});
});
