import assert from 'node:assert/strict';
import MarkdownIt, { type Env, type Token } from 'markdown-it';
import { parser, PositionEnv } from '../../../src/documents/markdownParser.js';

suite('documents › markdownParser', () => {
	test('makes the same blocks as markdown-it, which makes them with methods', () => {
		const text = [
			'# a #',
			'b\n===',
			'> - c\n>   1. d\n>\n>   ```e\n>   f\n>   ```',
			'| g | h |\n|:-|-:|\n| i | j |',
			'<p>\nk\n</p>',
			'    l',
			'***',
			'[m]: n.png "o"',
			'p  \nq\n- r\n- s\n\n  t',
		].join('\n\n');
		const plain = new MarkdownIt({ html: true });
		const blocks = (by: typeof parser, env: Env) => {
			const tokens: Token[] = [];
			by.block.parse(text, by, env, tokens);
			return tokens;
		};
		const expected = blocks(plain, {});
		for (const [index, token] of expected.entries()) {
			// What we add: how the heading around is written.
			if (token.type === 'inline' && expected[index - 1]?.type === 'heading_open') {
				token.markup = expected[index - 1]!.markup;
			}
		}
		const found = blocks(parser, new PositionEnv());
		assert.ok(found.length > 60);
		assert.deepEqual(
			found.map((token) => ({ ...token })),
			expected.map((token) => ({ ...token })),
		);
	});
});
