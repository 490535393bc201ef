import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseStyleGuide, StyleGuideError } from '../../../src/recipes/styleGuide.js';
import { formatStyleGuide, withReference } from '../../../src/recipes/writeStyleGuide.js';

/** Generates paths of files. */
const paths = fc
	.oneof(
		fc.stringMatching(/^[a-z./ #'",:[\]{}-]{1,12}$/),
		fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }),
	)
	.filter((path) => path === path.trim());

/** Asserts that a guide is read back as written, or refused. */
function ifPossible(write: () => string, check: (content: string) => void): void {
	let content: string;
	try {
		content = write();
	} catch (error) {
		assert.ok(error instanceof StyleGuideError, String(error));
		return;
	}
	check(content);
}

suite('writing a style guide', () => {
	test('gives one that says what was meant', () => {
		const guide = {
			text: '# Flat\n\n- no text',
			size: '1536x1024',
			references: ['../images/a.png', '../images/the #1.png', "../it's.png", '/b, c.png'],
		} as const;
		assert.deepEqual(parseStyleGuide(formatStyleGuide(guide)), guide);
		const least = { text: 'Flat', references: [] };
		assert.deepEqual(parseStyleGuide(formatStyleGuide(least)), least);
	});

	test('quotes what has to be quoted, and nothing else', () => {
		const references = ['the image.png', 'the #1.png', 'a #1.png', "it's.png", 'say "hi".png'];
		const lines = formatStyleGuide({ text: '\n Flat.\n\n', references }).split('\n');
		assert.deepEqual(lines.slice(3), [
			...['references:', '  - the image.png', '  - "the #1.png"', '  - "a #1.png"'],
			...['  - "it\'s.png"', '  - \'say "hi".png\'', '---', '', 'Flat.', ''],
		]);
	});

	test('of any paths gives these, or refuses', () => {
		fc.assert(
			fc.property(fc.array(paths, { maxLength: 8 }), (references) => {
				ifPossible(
					() => formatStyleGuide({ text: 'Flat.', references }),
					(content) => {
						// An address looks like none of ours, and is refused when it is read.
						const isRead = () => parseStyleGuide(content).references;
						if (references.every((path) => !/^[a-z][a-z\d+.-]+:/i.test(path))) {
							assert.deepEqual(isRead(), references);
						}
					},
				);
			}),
		);
	});

	test('adds an image to any guide, and leaves the rest as it is', () => {
		for (const [content, expected] of [
			['Flat.\n', '---\nreferences:\n  - a.png\n---\n\nFlat.\n'],
			['', '---\nreferences:\n  - a.png\n---\n\n'],
			['---\nsize: auto\n---\nFlat.', '---\nsize: auto\nreferences:\n  - a.png\n---\nFlat.'],
			[
				'---\r\nreferences: # two\r\n- b.png\r\n# last\r\n- c.png\r\nsize: auto\r\n---\r\nFlat.',
				'---\r\nreferences: # two\r\n- b.png\r\n# last\r\n- c.png\r\n- a.png\r\nsize: auto\r\n---\r\nFlat.',
			],
			['---\nreferences:\n---\n', '---\nreferences:\n  - a.png\n---\n'],
			[
				'---\nreferences: [b.png]\nsize: auto\n---\nFlat.\n---\n- x',
				'---\nreferences:\n  - b.png\n  - a.png\nsize: auto\n---\nFlat.\n---\n- x',
			],
			// A mark of the byte order stays at the beginning, and anywhere else.
			['\ufeff---\nreferences:\n---\n', '\ufeff---\nreferences:\n  - a.png\n---\n'],
			['\ufeffFl\ufeffat.', '---\nreferences:\n  - a.png\n---\n\nFl\ufeffat.'],
			['Fl\ufeffat.', '---\nreferences:\n  - a.png\n---\n\nFl\ufeffat.'],
			// What only looks like a head is text.
			['Flat.\n---\n- x', '---\nreferences:\n  - a.png\n---\n\nFlat.\n---\n- x'],
			['Flat ---\n\n---\n', '---\nreferences:\n  - a.png\n---\n\nFlat ---\n\n---\n'],
			['--- x\n\n---\n', '---\nreferences:\n  - a.png\n---\n\n--- x\n\n---\n'],
			['Flat\rand\nred', '---\nreferences:\n  - a.png\n---\n\nFlat\rand\nred'],
			// Neither is it looked for below the head.
			[
				'---\nsize: auto\n---\nreferences: none',
				'---\nsize: auto\nreferences:\n  - a.png\n---\nreferences: none',
			],
			[
				'---\nreferences:\n- b.png\nsize: auto\n---\n- x',
				'---\nreferences:\n- b.png\n- a.png\nsize: auto\n---\n- x',
			],
			[
				'---\nreferences: [b.png] # references:\n---\n',
				'---\nreferences:\n  - b.png\n  - a.png\n---\n',
			],
		] as const) {
			assert.equal(withReference(content, 'a.png'), expected);
			assert.equal(parseStyleGuide(expected).text, parseStyleGuide(content).text);
		}
	});

	test('adds no more than it may have, and nothing to what is none', () => {
		const full = Array.from({ length: 8 }, (_, at) => `${at}.png`).join(', ');
		assert.throws(() => withReference(`---\nreferences: [${full}]\n---`, 'a.png'), StyleGuideError);
		assert.throws(() => withReference('---\ncolor: red\n---', 'a.png'), StyleGuideError);
	});

	test('adds any path to any guide, or refuses', () => {
		const contents = fc.constantFrom('Flat.', '---\n---\n', '---\nreferences: [b.png] # x\n---\nA');
		fc.assert(
			fc.property(contents, paths, (content, path) => {
				ifPossible(
					() => withReference(content, path),
					(after) => {
						assert.equal(parseStyleGuide(after).references.at(-1), path);
						assert.equal(parseStyleGuide(after).text, parseStyleGuide(content).text);
					},
				);
			}),
		);
	});
});
