import assert from 'node:assert/strict';
import { firstWords, ellipsized } from '../../../../src/webview/studio/prompts';

suite('beginningOf', () => {
	for (const [prompt, beginning] of [
		['a harbor at night', 'a harbor at night'],
		['\n  \r\n a harbor \nat night', 'a harbor'],
		['', ''],
		[' \n ', ''],
		['a'.repeat(160), 'a'.repeat(160)],
		['a'.repeat(161), `${'a'.repeat(160)}…`],
		// Cut between characters.
		['🚢'.repeat(1000), `${'🚢'.repeat(160)}…`],
	] as const) {
		test(`of ${JSON.stringify(prompt.slice(0, 30))}, ${prompt.length} long`, () => {
			assert.equal(firstWords(prompt), beginning);
		});
	}
});

test('a text is shortened between characters, and only where it is longer', () => {
	assert.equal(ellipsized('abcd', 4), 'abcd');
	assert.equal(ellipsized('abcde', 4), 'abc…');
	assert.equal(ellipsized('🚢🚢🚢🚢', 4), '🚢🚢🚢🚢');
	assert.equal(ellipsized('🚢🚢🚢🚢🚢', 4), '🚢🚢🚢…');
});
