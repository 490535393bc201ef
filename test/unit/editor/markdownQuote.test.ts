import assert from 'node:assert/strict';
import MarkdownIt from 'markdown-it';
import { flattened } from '../../../src/editor/untrustedText.js';
import { markdownProse, markdownQuote } from '../../../src/editor/markdownQuote.js';
import { randomText, seeded } from '../images/random';
import { troublesomeMarkdown } from './troublesomeMarkdown';

suite('markdownQuote', () => {
	// As the editor's preview reads it, with links of bare addresses on top.
	const parsers = [new MarkdownIt('commonmark'), new MarkdownIt({ html: true, linkify: true })];

	/** Returns the lines of text that a parser shows within one quote, and fails on anything else. */
	function shownLines(markdown: string, parser: (typeof parsers)[number]): string[] {
		const lines: string[] = [];
		for (const { type, children } of parser.parse(`Before:\n\n${markdown}\n\nAfter.`, {})) {
			const inside = ['blockquote_open', 'blockquote_close', 'paragraph_open', 'paragraph_close'];
			if (type !== 'inline') {
				assert.ok(inside.includes(type), `${type} in ${JSON.stringify(markdown)}`);
				continue;
			}
			lines.push('');
			for (const child of children ?? []) {
				if (child.type === 'hardbreak') {
					lines.push('');
					continue;
				}
				assert.match(child.type, /^text(?:_special)?$/, `in ${JSON.stringify(markdown)}`);
				lines.push(lines.pop()! + child.content);
			}
		}
		assert.deepEqual([lines.shift(), lines.pop()], ['Before:', 'After.'], markdown);
		return lines;
	}

	function assertShown(text: string): void {
		const expected = text
			.split(/\r\n|[\n\r\u2028\u2029]/)
			.map((line) => flattened(line))
			.filter((line) => line !== '');
		for (const parser of parsers) {
			assert.deepEqual(shownLines(markdownQuote(text), parser), expected, JSON.stringify(text));
		}
	}

	test('reads like the text itself', () => {
		assert.equal(
			markdownQuote('A settings page, 3 columns: “Save” in green.\nNo icons!\n\nFlat style (2D).'),
			'> A settings page, 3 columns: “Save” in green.\\\n> No icons!\n>\n> Flat style (2D).',
		);
	});

	for (const text of troublesomeMarkdown) {
		test(`shows ${JSON.stringify(text)} as it is`, () => {
			assertShown(text);
		});
	}

	test('shows random texts as they are', () => {
		const seed = Number(process.env['EASEL_SEED'] ?? Date.now() % 2 ** 31);
		const random = seeded(seed);
		for (let round = 0; round < 2000; round++) {
			const pieces = Array.from({ length: 1 + Math.floor(random() * 4) }, () =>
				random() < 0.5
					? troublesomeMarkdown[Math.floor(random() * troublesomeMarkdown.length)]!
					: randomText(random, 8),
			);
			try {
				assertShown(pieces.join(random() < 0.5 ? ' ' : ''));
			} catch (error) {
				throw new Error(`EASEL_SEED=${String(seed)}`, { cause: error });
			}
		}
	});

	test('in a line is one line', () => {
		assert.equal(markdownProse('- a\n\n# b'), '\\- a \\# b');
	});
});
