import assert from 'node:assert/strict';
import { foreignText, shortened } from '../../../src/editor/foreignText.js';

suite('editor › foreign text', () => {
	test('loses links, commands, control and direction characters', () => {
		assert.ok(!/\]\(/.test(foreignText('see [this](https://evil.example.net)')));
		assert.ok(!/command:/i.test(foreignText('[x](COMMAND:workbench.action.quit)')));
		assert.equal(foreignText('a\u0000b\nc\u202ed\u2066e'), 'a b cde');
	});

	test('is bounded in length in a notification, by whole characters', () => {
		assert.equal(foreignText('🦊'.repeat(1000), 10), `${'🦊'.repeat(9)}…`);
		assert.equal(foreignText('short', 10), 'short');
	});

	test('is shortened to so many code units, and never within what a reader takes for one', () => {
		const family = '👩‍👩‍👧';
		assert.equal(shortened('a lighthouse', 12), 'a lighthouse');
		assert.equal(shortened('a lighthouse', 11), 'a lighthou…');
		assert.equal(shortened(`a ship 🚢🚢`, 10), 'a ship 🚢…');
		assert.equal(shortened(`four ${family}${family}`, 14), `four ${family}…`);
	});

	test('of a million characters is shortened too', () => {
		const text = 'word '.repeat(200_000);
		assert.equal(shortened(text, 20_000), `${text.slice(0, 19_999)}…`);
	});
});
