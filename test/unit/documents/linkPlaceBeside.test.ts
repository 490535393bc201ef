import assert from 'node:assert/strict';
import { insertImage, places } from './inserting';

suite('linkPlace, beside what it would tear', () => {
	const image = '![x](a.png)';
	const tag = '<img src="a.png" alt="x">';

	places('markdown', 'is HTML where HTML stands and Markdown would be shown as it is written', {
		'<p align="center">¦</p>': `<p align="center">${tag}</p>`,
		'<div>\nOne ¦two\n</div>': `<div>\nOne ${tag} two\n</div>`,
		'<details>\n<summary>One ¦two</summary>\n\nThree\n\n</details>': `<details>\n<summary>One ${tag} two</summary>\n\nThree\n\n</details>`,
		'<table>\n  <tr>\n    <td>¦</td>\n  </tr>\n</table>': `<table>\n  <tr>\n    <td>${tag}</td>\n  </tr>\n</table>`,
		'<table>\n  <tr>\n    <td>\n      ¦\n    </td>\n  </tr>\n</table>': `<table>\n  <tr>\n    <td>\n      ${tag}\n    </td>\n  </tr>\n</table>`,
		'<table>\n  <tr>\n    <td>One¦\n    </td>\n  </tr>\n</table>': `<table>\n  <tr>\n    <td>One\n    ${tag}\n    </td>\n  </tr>\n</table>`,
		'<details>\n<div>¦\n    <p>One</p>\n</div>\n</details>': `<details>\n<div>\n${tag}\n    <p>One</p>\n</div>\n</details>`,
		'<div>\n\nOne ¦ two\n\n</div>': `<div>\n\nOne  two\n\n${image}\n\n</div>`,
		'<div>\n<p>One</p>¦\n</div>': `<div>\n<p>One</p>\n\n${image}\n\n</div>`,
		'<div>\n¦<p>One</p>\n</div>': `<div>\n\n${image}\n\n<p>One</p>\n</div>`,
		'One <b>two ¦three</b>': `One <b>two three</b>\n\n${image}`,
		'# One <br>\nTwo ¦ three': `# One <br>\nTwo  three\n\n${image}`,
	});

	places('mdx', 'is Markdown within elements', {
		'<td>One ¦ two</td>': `<td>One ${image} two</td>`,
		'<div>\n    One¦\n</div>': `<div>\n    One\n\n${image}\n\n</div>`,
	});

	places('markdown', 'tears nothing apart within a line', {
		'A [text](a¦.md "b") end': `A [text](a.md "b") end\n\n${image}`,
		'A [text](a.md¦)': `A [text](a.md)\n\n${image}`,
		'A [text][re¦f] end': `A [text][ref] end\n\n${image}`,
		'One[^no¦te] end': `One[^note] end\n\n${image}`,
		'See <https://exam¦ple.com> end': `See <https://example.com> end\n\n${image}`,
		'See https://exam¦ple.com end': `See https://example.com end\n\n${image}`,
		'One <b cla¦ss="a">two</b>': `One <b class="a">two</b>\n\n${image}`,
		'One $a ¦+ b$ two': `One $a + b$ two\n\n${image}`,
		'It costs $5 ¦ and $10': `It costs $5  and $10\n\n${image}`,
		'A &am¦p; b': `A &amp; b\n\n${image}`,
		'A \\¦* b': `A \\* b\n\n${image}`,
		'A *¦*bold** word': `A **bold** word\n\n${image}`,
		'[a]: a.m¦d\n[b]: b.md': `[a]: a.md\n[b]: b.md\n\n${image}`,
		'#¦# One': `${image}\n\n## One`,
		'## One #¦#': `## One ##\n\n${image}`,
		'One\n=¦==\n\nTwo': `One\n===\n\n${image}\n\nTwo`,
		'-¦--\n\nTwo': `---\n\n${image}\n\nTwo`,
		'| a |\n|-¦-|\n| b |': `| a |\n|--|\n| b |\n\n${image}`,
		'| a | b |\n|--|--|\n| ¦ | - |': `| a | b |\n|--|--|\n| ${image} | - |`,
		':::note Ti¦tle\nOne\n:::': `:::note Title\n\n${image}\n\nOne\n:::`,
		'A {{< note "a" ¦>}} end': `A {{< note "a" >}} end\n\n${image}`,
		'A {% note ¦%} end': `A {% note %} end\n\n${image}`,
		'!!! note "Ti¦tle"\n    One': `!!! note "Title"\n\n    ${image}\n\n    One`,
	});

	places('markdown', 'is behind a formula or a comment, and beside code, not in its delimiters', {
		'$$\na + b¦\n$$\n\nTwo': `$$\na + b\n$$\n\n${image}\n\nTwo`,
		'<!-- A fox¦ -->\n\nTwo': `<!-- A fox -->\n\n${image}\n\nTwo`,
		'<!--\n\nA fox¦\n\n-->': `<!--\n\nA fox\n\n-->\n\n${image}`,
		'<!-- ![b](b¦.png) -->\n\nTwo': `<!-- ![b](b.png) -->\n\n${image}\n\nTwo`,
		'One\n\n```js¦\nlet a;\n```': `One\n\n${image}\n\n\`\`\`js\nlet a;\n\`\`\``,
		'```\nlet a;\n`¦``\nTwo': `\`\`\`\nlet a;\n\`\`\`\n\n${image}\n\nTwo`,
		'```\nlet a;\n¦```\nTwo': `\`\`\`\nlet a;\n\`\`\`\n\n${image}\n\nTwo`,
		'```\nlet a;\n``¦`  \nTwo': `\`\`\`\nlet a;\n\`\`\`\n\n${image}\n\nTwo`,
		'<pre>\na\n¦\nb\n</pre>': `<pre>\na\n\nb\n</pre>\n\n${image}`,
	});

	test('is never within a character or a line break', () => {
		for (const [languageId, text, at] of [
			['markdown', '🦊🦊', 1],
			['html', '<p>🦊🦊</p>', 4],
			['plaintext', '🦊', 1],
			['markdown', 'One\r\n\r\nTwo', 4],
		] as const) {
			const { text: written } = insertImage(languageId, text, { start: at, end: at });
			assert.ok(written.isWellFormed(), written);
			assert.ok(!/\r(?!\n)/.test(written), JSON.stringify(written));
		}
	});

	places('markdown', 'is never before the front matter, nor in its delimiters', {
		'¦---\na: b\n---\n# One': `---\na: b\n---\n\n${image}\n\n# One`,
		'---¦\na: b\n---\n\nOne': `---\na: b\n---\n\n${image}\n\nOne`,
		'---\na:\n  - b\n¦---\nOne': `---\na:\n  - b\n---\n\n${image}\n\nOne`,
		'---\na: b\n-¦--\n': `---\na: b\n---\n\n${image}\n`,
		'---\na: b\n---¦': `---\na: b\n---\n\n${image}`,
		'---\na: b\n---\n¦One': `---\na: b\n---\n\n${image}\n\nOne`,
		'¦---  \na: b\n---\t\nOne': `---  \na: b\n---\n\n${image}\n\nOne`,
		'¦---\r\na: b\r\n---\r\nOne': `---\r\na: b\r\n---\n\n${image}\n\r\nOne`,
		'¦---\n#\n---\nOne': `---\n#\n---\n\n${image}\n\nOne`,
		'---\na: b\n...\nOne¦\n\n---\n': `---\na: b\n...\nOne\n\n${image}\n\n---\n`,
		'¦+++\na = "b"\n+++\nOne': `+++\na = "b"\n+++\n\n${image}\n\nOne`,
		'¦---\n\nOne': `${image}\n\n---\n\nOne`,
		'---\n¦\n---\nOne': `---\n\n${image}\n\n---\nOne`,
		'¦--- a\n+++\nOne': `${image}\n\n--- a\n+++\nOne`,
	});

	places('markdown', 'is in a value of front matter up to the delimiter, which is a whole line', {
		'---\n# ---\na: ¦\n---\nOne': '---\n# ---\na: ./a.png\n---\nOne',
		'---\n---a: b\nc: ¦\n---\nOne': '---\n---a: b\nc: ./a.png\n---\nOne',
		"+++\n# +++\na = '''\n¦\n'''\n+++\nOne": `+++\n# +++\na = '''\n\n'''\n+++\n\n${image}\n\nOne`,
	});

	places('mdx', 'is behind a comment, also if another image is in it', {
		'{/* ![b](b¦.png) */}\n\nTwo': `{/* ![b](b.png) */}\n\n${image}\n\nTwo`,
	});

	places('mdx', 'is apart from elements', {
		'<Tabs>\n¦\n</Tabs>': `<Tabs>\n\n${image}\n\n</Tabs>`,
		'One¦\n<Tab>\n</Tab>': `One\n\n${image}\n\n<Tab>\n</Tab>`,
	});
});
