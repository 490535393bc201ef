import assert from 'node:assert/strict';
import { effectivePrompt, isEmptyStyle, styleHash } from '../../../src/recipes/applyStyle.js';

suite('what a style guide applies', () => {
	test('stands behind the prompt, always in the same way', () => {
		assert.equal(effectivePrompt('A fox', '', 0), 'A fox');
		assert.equal(
			effectivePrompt('A fox', 'Flat.\nNo text.', 0),
			'A fox\n\nStyle:\nFlat.\nNo text.',
		);
		assert.equal(
			effectivePrompt('A fox', 'Flat.', 1),
			'A fox\n\nStyle, as in the last image. Take the style of that image, not what it shows:\nFlat.',
		);
		assert.equal(
			effectivePrompt('A fox', '', 2),
			'A fox\n\nStyle, as in the last 2 images. Take the style of these images, not what they show.',
		);
	});

	test('has a hash, another one for each part that is another', () => {
		const style = { text: 'Flat.', size: 'auto', references: ['a', 'b'] } as const;
		const others = [
			style,
			{ ...style, text: 'Flat. ' },
			{ ...style, size: '1024x1024' as const },
			{ text: 'Flat.', references: ['a', 'b'] },
			{ ...style, references: ['b', 'a'] },
			{ ...style, references: ['a'] },
			{ ...style, references: [] },
		];
		assert.equal(new Set(others.map(styleHash)).size, others.length);
		assert.equal(styleHash({ ...style }), styleHash(style));
		assert.match(styleHash(style), /^[\da-f]{64}$/);
		// Requests and recipes carry it: it must not become another one with another version.
		assert.equal(
			styleHash({ text: 'Flat.', references: [] }),
			'fdbdee847228bf93d2295d6128c012c1b5b1fb67a9d1e2ea7e22bd273d43c133',
		);
	});

	test('may be nothing', () => {
		assert.ok(isEmptyStyle({ text: '', references: [] }));
		assert.ok(!isEmptyStyle({ text: 'Flat.', references: [] }));
		assert.ok(!isEmptyStyle({ text: '', references: ['a.png'] }));
		assert.ok(!isEmptyStyle({ text: '', references: [], size: 'auto' }));
	});
});
