import assert from 'node:assert/strict';
import { insertImage, marked, places } from './inserting';

suite('linkPlace', () => {
	const image = '![x](a.png)';

	suite('among blocks of Markdown', () => {
		places('markdown', 'is a line of its own with blank lines', {
			'¦': image,
			'¦\nOne.': `${image}\n\nOne.`,
			'一。\n\n\u3000¦二。': `一。\n\n${image}\n\n\u3000二。`,
		});

		places('markdown', 'leaves a paragraph, a heading and a table whole', {
			'One\ntwo¦\nthree.\n\nFour.': `One\ntwo\nthree.\n\n${image}\n\nFour.`,
			'One¦\n=== \nTwo.': `One\n===\n\n${image}\n\nTwo.`,
			'| a |\n|---|\n| b |¦\n| c |': `| a |\n|---|\n| b |\n| c |\n\n${image}`,
			'One\n- - -\n¦Two': `One\n- - -\n\n${image}\n\nTwo`,
			'One¦\n-  -- -\nTwo': `One\n\n${image}\n\n-  -- -\nTwo`,
			'One¦\n_ _ _\nTwo': `One\n\n${image}\n\n_ _ _\nTwo`,
			'One¦\n<h2>Two</h2>': `One\n\n${image}\n\n<h2>Two</h2>`,
			'One\n* * * \n¦Two': `One\n* * * \n\n${image}\n\nTwo`,
			'One¦\n***two*** three': `One\n***two*** three\n\n${image}`,
		});

		places('markdown', 'is behind the paragraph wherever it was asked for within it', {
			'Before¦ after.': `Before after.\n\n${image}`,
			':::note Ti¦tle\nOne\n:::': `:::note Title\n\n${image}\n\nOne\n:::`,
			'!!! note "Ti¦tle"\n    One': `!!! note "Title"\n\n    ${image}\n\n    One`,
		});

		places('markdown', 'is within the line of a heading or a row of badges, and touches no word', {
			'# Bef¦ore': `# Bef ${image} ore`,
			'# 家の前¦の狐': `# 家の前${image}の狐`,
			'![a](a.svg) ¦ [![b](b.svg)](b.html)': `![a](a.svg) ${image} [![b](b.svg)](b.html)`,
			'<a href="a"><img src="a.svg"></a>¦ ![b][b]': `<a href="a"><img src="a.svg"></a>${image} ![b][b]`,
		});

		places('markdown', 'takes the place of what is selected', {
			'One ⟦two⟧': `One\n\n${image}`,
			'One ⟦two⟧\nthree': `One ${image}\nthree`,
			'⟦![y](b.png)⟧': image,
		});

		places('markdown', 'is behind an image link, never within it', {
			'![⟦a [b\\] c]⟧](<b c.png> "title")': `![a [b\\] c]](<b c.png> "title")\n\n${image}`,
			'![⟦a \\] fox⟧](b.png)': `![a \\] fox](b.png)\n\n${image}`,
			'![⟦b⟧]( b.png  "title" )': `![b]( b.png  "title" )\n\n${image}`,
			'![⟦b⟧](b.png "a \\" fox")': `![b](b.png "a \\" fox")\n\n${image}`,
			"![⟦b⟧](b.png 'a \\' fox')": `![b](b.png 'a \\' fox')\n\n${image}`,
			'![⟦b⟧][ref]\n\n[ref]: c.png': `![b][ref]\n\n${image}\n\n[ref]: c.png`,
			'<img src="b.png" alt="⟦b > c⟧">': `<img src="b.png" alt="b > c">\n\n${image}`,
			'[![⟦b⟧](b.png)](c.md)': `[![b](b.png)](c.md)\n\n${image}`,
			'![](b.png){fig-alt="⟦b⟧"}': `![](b.png){fig-alt="b"}\n\n${image}`,
		});

		places('markdown', 'is behind code, a formula or a comment, and before code without an end', {
			'```{note}\nOne\n\n¦\n```': `\`\`\`{note}\nOne\n\n${image}\n\`\`\``,
			'```\n¦\n```': `\`\`\`\n\n\`\`\`\n\n${image}`,
			'- ~~~ md\n  a¦b\n  ~~~\n': `- ~~~ md\n  ab\n  ~~~\n\n  ${image}\n`,
			'10. ```js\n    a¦b\n    ```': `10. \`\`\`js\n    ab\n    \`\`\`\n\n    ${image}`,
			'~~~ a~b\na¦\n~~~': `~~~ a~b\na\n~~~\n\n${image}`,
			'```\n```js\na¦\n```': `\`\`\`\n\`\`\`js\na\n\`\`\`\n\n${image}`,
			'```\na\n````\nTwo¦': `\`\`\`\na\n\`\`\`\`\nTwo\n\n${image}`,
			'Three ~~~ in a line\n\nTwo¦': `Three ~~~ in a line\n\nTwo\n\n${image}`,
			'```a`b\n\nTwo¦': `\`\`\`a\`b\n\nTwo\n\n${image}`,
			'$$\na + b¦\n$$\n\nTwo': `$$\na + b\n$$\n\n${image}\n\nTwo`,
			'<!-- A fox¦ -->\n\nTwo': `<!-- A fox -->\n\n${image}\n\nTwo`,
			'```\nlet a;\n``¦`  \nTwo': `\`\`\`\nlet a;\n\`\`\`\n\n${image}\n\nTwo`,
		});

		const tag = '<img src="a.png" alt="x">';

		places('markdown', 'is HTML where HTML stands and Markdown would be shown as it is written', {
			'<p align="center">¦</p>': `<p align="center">${tag}</p>`,
			'<details>\n<summary>One ¦two</summary>\n\nThree\n\n</details>': `<details>\n<summary>One ${tag} two</summary>\n\nThree\n\n</details>`,
			'<table>\n  <tr>\n    <td>\n      ¦\n    </td>\n  </tr>\n</table>': `<table>\n  <tr>\n    <td>\n      ${tag}\n    </td>\n  </tr>\n</table>`,
			'<details>\n<div>¦\n    <p>One</p>\n</div>\n</details>': `<details>\n<div>\n${tag}\n    <p>One</p>\n</div>\n</details>`,
			'<div>\n\nOne ¦ two\n\n</div>': `<div>\n\nOne  two\n\n${image}\n\n</div>`,
			'<div>\n¦<p>One</p>\n</div>': `<div>\n\n${image}\n\n<p>One</p>\n</div>`,
		});

		places('markdown', 'minds line ends of Windows', {
			'One.¦\r\nTwo.\r\n\r\nThree.': `One.\r\nTwo.\n\n${image}\r\n\r\nThree.`,
		});

		places('mdx', 'is beside elements and behind a comment', {
			'<td>One ¦ two</td>': `<td>One ${image} two</td>`,
			'<div>\n    One¦\n</div>': `<div>\n    One\n\n${image}\n\n</div>`,
			'{/* ![b](b¦.png) */}\n\nTwo': `{/* ![b](b.png) */}\n\n${image}\n\nTwo`,
			'One¦\n<Tab>\n</Tab>': `One\n\n${image}\n\n<Tab>\n</Tab>`,
		});

		test('is never within a character or a line break', () => {
			for (const [languageId, text, at] of [
				['markdown', '🦊🦊', 1],
				['html', '<p>🦊🦊</p>', 4],
				['plaintext', '🦊', 1],
				['plaintext', 'One\r\nTwo', 4],
				['markdown', 'One\r\n\r\nTwo', 4],
			] as const) {
				const { text: written } = insertImage(languageId, text, { start: at, end: at });
				assert.ok(written.isWellFormed(), written);
				assert.ok(!/\r(?!\n)/.test(written), JSON.stringify(written));
			}
		});
	});

	suite('in a table of Markdown or AsciiDoc', () => {
		places('markdown', 'is within the cell', {
			'| a |\n|---|\n| `b¦c` |': `| a |\n|---|\n| \`bc\` ${image} |`,
		});

		places(
			'markdown',
			'has no bar that would end the cell',
			{
				'| a | b |\n| --- | --- |\n| ¦ | c |': '| a | b |\n| --- | --- |\n| ![1\\|2](a.png) | c |',
				'a ¦ b | c\n-|-\nd | e': 'a ![1\\|2](a.png) b | c\n-|-\nd | e',
				'One ¦ two\n--- | ---': 'One  two\n--- | ---\n\n![1\\|2](a.png)',
				'a | b\n-|-\nc | d\n\nOne | ¦ two': 'a | b\n-|-\nc | d\n\nOne |  two\n\n![1\\|2](a.png)',
				'One | two ¦ three\n---': 'One | two  three\n---\n\n![1\\|2](a.png)',
			},
			{ alt: '1|2' },
		);

		for (const [languageId, before, after] of [
			['asciidoc', '|===\n|¦ |c\n|===', '|===\n|image:a\\|b.png[x \\| y] |c\n|==='],
			['plaintext', 'One ¦ two', 'One a|b.png two'],
		] as const) {
			test(`in ${languageId} does not end the cell that it is in: ${JSON.stringify(before)}`, () => {
				const { text, asked } = marked(before);
				const written = insertImage(languageId, text, asked, { path: 'a|b.png', alt: 'x | y' });
				assert.equal(written.text, after);
			});
		}
	});

	suite('in front matter', () => {
		places('markdown', 'is the path in a value that names an image, or nothing yet', {
			'---\ncover: ¦\n---\n': '---\ncover: ./a.png\n---\n',
			'---\ncover:¦\n---\n': '---\ncover: ./a.png\n---\n',
			'---\ncover: "¦" # c\n---\n': '---\ncover: "./a.png" # c\n---\n',
			'---\ncover: ¦"img/old one.jpg"\n---\n': '---\ncover: "./a.png"\n---\n',
			'---\ncover: ⟦old.png⟧\n---\n': '---\ncover: ./a.png\n---\n',
			'---\nimages:\n  -¦\n---\n': '---\nimages:\n  - ./a.png\n---\n',
			'---\nimages: [b.png, ¦]\n---\n': '---\nimages: [b.png, ./a.png]\n---\n',
			'---\nimages: [b.png, "c.png¦"]\n---\n': '---\nimages: [b.png, "./a.png"]\n---\n',
			'+++\ncover = ¦\n+++\n': '+++\ncover = "./a.png"\n+++\n',
			"+++\ncover = '¦'\n+++\n": "+++\ncover = './a.png'\n+++\n",
			'+++\n[a]\nb={src="old.png¦"}\n+++\n': '+++\n[a]\nb={src="./a.png"}\n+++\n',
			'---\n---a: b\nc: ¦\n---\nOne': '---\n---a: b\nc: ./a.png\n---\nOne',
			"+++\n# +++\na = '''\n¦\n'''\n+++\nOne": `+++\n# +++\na = '''\n\n'''\n+++\n\n${image}\n\nOne`,
		});

		places('mdx', 'is the path in a value', {
			'---\ncover: ¦\n---\n': '---\ncover: ./a.png\n---\n',
		});

		places('markdown', 'is behind it elsewhere', {
			'---\ntitle: One¦\n---\nTwo': `---\ntitle: One\n---\n\n${image}\n\nTwo`,
			'---\na: b\n# image: ¦\n---\n': `---\na: b\n# image: \n---\n\n${image}\n`,
			'---\na: b\n¦\n---\n': `---\na: b\n\n---\n\n${image}\n`,
			'---\na:\n  - b\n¦---\nOne': `---\na:\n  - b\n---\n\n${image}\n\nOne`,
			'---\na: b\n---\n¦One': `---\na: b\n---\n\n${image}\n\nOne`,
			'¦---  \na: b\n---\t\nOne': `---  \na: b\n---\n\n${image}\n\nOne`,
			'¦---\r\na: b\r\n---\r\nOne': `---\r\na: b\r\n---\n\n${image}\n\r\nOne`,
			'---\na: b\n...\nOne¦\n\n---\n': `---\na: b\n...\nOne\n\n${image}\n\n---\n`,
			'¦+++\na = "b"\n+++\nOne': `+++\na = "b"\n+++\n\n${image}\n\nOne`,
			'---\n¦\n---\nOne': `---\n\n${image}\n\n---\nOne`,
		});
	});

	suite('in lists and quotations of Markdown', () => {
		places('markdown', 'stays within a footnote, a definition, an admonition and a tab', {
			'One[^1]\n\n[^1]: A note.¦\n\nTwo': 'One[^1]\n\n[^1]: A note.\n\n    ![x](a.png)\n\nTwo',
			'One[^1]\n\n[^1]: A note\n    ¦\n': 'One[^1]\n\n[^1]: A note\n\n    ![x](a.png)\n',
			'[^1]: A note.\n\n    More ¦of it.\n':
				'[^1]: A note.\n\n    More of it.\n\n    ![x](a.png)\n',
			'Term\n:   One¦\n\nTwo': 'Term\n:   One\n\n    ![x](a.png)\n\nTwo',
			'One¦\n??? tip\n    Two': `One\n\n${image}\n\n??? tip\n    Two`,
		});

		places('markdown', 'belongs to the list or the quotation that it was asked for in', {
			'- ¦\n- two': `- ${image}\n- two`,
			'- One ---¦\n- two': `- One ---\n\n  ${image}\n- two`,
			'-    One¦': `-    One\n\n     ${image}`,
			'- One\n- ¦two': `- One\n- ${image}\n\n  two`,
			'- One\n  - two¦\n- three': `- One\n  - two\n\n    ${image}\n- three`,
			'One\n> ¦': `One\n> ${image}`,
			'> - One\n>   ¦1. two': `> - One\n>\n>   ${image}\n>\n>   1. two`,
		});

		places('markdown', 'leaves a list and a quotation in one piece', {
			'- One\n¦\n    two': `- One\n\n  ${image}\n\n    two`,
			'-\n¦- two': `- ${image}\n- two`,
			'- One\n\n¦\n1. two': `- One\n\n${image}\n\n1. two`,
			'> - One\n>\n> two\n>\n¦> - three': `> - One\n>\n> two\n>\n> ${image}\n>\n> - three`,
			'> - One\n\n¦> - two': `> - One\n\n${image}\n\n> - two`,
			'> One\nlazy\n> ¦two': `> One\nlazy\n>\n> ${image}\n>\n> two`,
			'One\n\n  > Two\n  >\n  ¦> - three': `One\n\n  > Two\n  >\n  > ${image}\n  >\n  > - three`,
			'> One\n  ¦- two': `> One\n\n  ${image}\n\n  - two`,
			'- 1. One\n\n¦\n- 2. two': `- 1. One\n\n  ${image}\n- 2. two`,
			'- One\n\n  > two\n\n¦- three': `- One\n\n  > two\n\n  ${image}\n- three`,
			'- One\n\n> - two\n\n¦- three': `- One\n\n> - two\n\n${image}\n\n- three`,
		});

		places('markdown', 'is indented with tabs where the list is', {
			'1.\tOne\n\t-\ttwo¦': `1.\tOne\n\t-\ttwo\n\n\t\t${image}`,
			'-   One\n\n\t¦\n\n    two': `-   One\n\n\t${image}\n\n    two`,
			'1.\t One¦': `1.\t One\n\n\t ${image}`,
			'  >\t- One¦': `  >\t- One\n  >\n  >   ${image}`,
		});

		places('markdown', 'is not indented so far that it is code', {
			'One.\n\n    code¦\n    code': `One.\n\n    code\n    code\n\n${image}`,
			'-     ¦code\n- two': `- ${image}\n\n      code\n- two`,
			'-     # code¦\n  two': `-     # code\n  two\n\n  ${image}`,
			'1.\t\tcode¦': `1.\t\tcode\n\n   ${image}`,
			'> - One\n>\n>         ¦': `> - One\n>\n>   ${image}`,
			'>\t  code¦': `>\t  code\n>\n> ${image}`,
			'- One\n  100. two\n\n      ¦code': `- One\n  100. two\n\n  ${image}\n\n      code`,
		});
	});

	suite('in a language without image links', () => {
		places('plaintext', 'is a path where it was asked for, apart from words and sentences', {
			'One. Two.¦': 'One. Two. a.png',
			'See¦there': 'See a.png there',
		});

		for (const [before, after] of [
			['A fox¦', 'A fox\n\na.png'],
			['A fox.\n\n\n¦', 'A fox.\n\n\na.png'],
			['A fox.¦\nIt runs.\n\nIt rests.', 'A fox.\n\na.png\n\nIt runs.\n\nIt rests.'],
			['A fox.¦\n\nIt runs.', 'A fox.\n\na.png\n\nIt runs.'],
			['A fox.\r\n¦\r\nIt runs.', 'A fox.\r\n\na.png\n\r\nIt runs.'],
			['⟦A fox.⟧\nIt runs.', 'a.png\n\nIt runs.'],
			[' \n¦\n', ' \na.png\n'],
		] as const) {
			test(`in plaintext is a paragraph of its own where it is to be one: ${JSON.stringify(before)}`, () => {
				const { text, asked } = marked(before);
				const written = insertImage('plaintext', text, asked, { ownParagraph: true });
				assert.equal(written.text, after);
			});
		}
	});

	suite('in AsciiDoc', () => {
		const macro = 'image::a.png[x]';

		places('asciidoc', 'is a block behind the paragraph', {
			'== One ¦ two': '== One image:a.png[x] two',
			'One image:b.png[⟦b⟧] two': 'One image:b.png[b] two\n\nimage::a.png[x]',
			'See image::b.png[⟦b⟧] two': 'See image::b.png[image:a.png[x]] two',
			'One == two¦\nthree': `One == two\nthree\n\n${macro}`,
			'One¦\ntwo ----': `One\ntwo ----\n\n${macro}`,
			'One¦\n--two': `One\n--two\n\n${macro}`,
			'One¦\nsee https://a.b': `One\nsee https://a.b\n\n${macro}`,
			'One¦\n[red]#two# three': `One\n[red]#two# three\n\n${macro}`,
		});

		places('asciidoc', 'is behind code, what is shown as it is, and comments', {
			'----\na¦\n----': '----\na\n----\n\nimage::a.png[x]',
			'----\n-----\na¦\n----': '----\n-----\na\n----\n\nimage::a.png[x]',
			'....\na¦\n....': '....\na\n....\n\nimage::a.png[x]',
			'++++\na¦\n++++': '++++\na\n++++\n\nimage::a.png[x]',
			'////\na¦\n////': '////\na\n////\n\nimage::a.png[x]',
			'```ruby\na¦\n```': '```ruby\na\n```\n\nimage::a.png[x]',
			'````\n\nTwo¦': `\`\`\`\`\n\nTwo\n\n${macro}`,
		});

		places('asciidoc', 'is not between a block and its title, attributes or delimiters', {
			'.Title\n[source,js]¦\n----\na\n----': `${macro}\n\n.Title\n[source,js]\n----\na\n----`,
			'.Title\n----¦\na\n----': `${macro}\n\n.Title\n----\na\n----`,
			'|===\n|a\n¦|===': `|===\n|a\n|===\n\n${macro}`,
			'====\n* One\n* Two\n====¦\n\nThree': `====\n* One\n* Two\n====\n\n${macro}\n\nThree`,
			'// No¦te\nOne': `// Note\n\n${macro}\n\nOne`,
			'=¦= One': `${macro}\n\n== One`,
			'[a] One¦': `[a] One\n\n${macro}`,
			'One\n\n.Title\n¦\n\nTwo': `One\n\n.Title\n\n${macro}\n\nTwo`,
			'video::v.mp4[]¦\nOne': `video::v.mp4[]\n\n${macro}\n\nOne`,
			'One¦\n[NOTE]\nTwo': `One\n\n${macro}\n\n[NOTE]\nTwo`,
		});

		places('asciidoc', 'is in the cell of a table, and leaves all others', {
			'|===\n|a |b  \n¦\n|c |d\n|===\n\nOne': '|===\n|a |b  image:a.png[x]\n\n|c |d\n|===\n\nOne',
			'|===\n|a\n\n  ¦\n|b\n|===': '|===\n|a image:a.png[x]\n\n  \n|b\n|===',
			'|===\n¦\n|a |b\n\n|c |d\n|===': '|===\n\n|image:a.png[x] a |b\n\n|c |d\n|===',
			',===\n¦\n  a,b\n,===': ',===\n\n  image:a.png[x] a,b\n,===',
			'|===\n¦': '|===\nimage:a.png[x]',
			'|===\n2.3¦+^.>s|a\n|===': '|===\n2.3+^.>s|image:a.png[x] a\n|===',
			'|===\n|a\n¦One |b\n|===': '|===\n|a\nimage:a.png[x] One |b\n|===',
		});

		const delimiters = ['--', '----', '====', '****', '____', '....', '|===', '```'];

		places(
			'asciidoc',
			'is between a paragraph and the block that ends it',
			Object.fromEntries(
				delimiters.map((delimiter) => [
					`One¦\n${delimiter}\nTwo\n${delimiter}`,
					`One\n\n${macro}\n\n${delimiter}\nTwo\n${delimiter}`,
				]),
			),
		);

		places('asciidoc', 'leaves a list in one piece', {
			'* One\n¦\n* Two': `* One\n+\n${macro}\n\n* Two`,
			'. One\n.. Two\n\n¦. Three': `. One\n.. Two\n+\n${macro}\n\n. Three`,
			'-¦ One': '- One\n+\nimage::a.png[x]',
			'1¦2. One': '12. One\n+\nimage::a.png[x]',
			'<1¦2> One': '<12> One\n+\nimage::a.png[x]',
			'<.¦> One': '<.> One\n+\nimage::a.png[x]',
			'O¦ne - two': 'One - two\n\nimage::a.png[x]',
			'Term:: One¦\nOther:: Two': `Term:: One\n+\n${macro}\nOther:: Two`,
			'Term::\n  One¦\n\nTwo': `Term::\n  One\n+\n${macro}\n\nTwo`,
			'* One\n¦+\nTwo': `* One\n+\n${macro}\n+\nTwo`,
			'* One\n+¦\nTwo': `* One\n+\n${macro}\n+\nTwo`,
			'* One\n+\n¦Two': `* One\n+\n${macro}\n+\nTwo`,
		});

		places('asciidoc', 'belongs to the item of a list until a block or an empty line ends it', {
			'* One\n////\nnote\n////\nTwo¦\n\nThree': `* One\n////\nnote\n////\nTwo\n\n${macro}\n\nThree`,
			'* One\n+\n.Title\n----\na\n----¦\n* Two': `* One\n+\n.Title\n----\na\n----\n+\n${macro}\n* Two`,
			'.... One¦': `.... One\n+\n${macro}`,
			'* One\n+¦': `* One\n+\n${macro}`,
		});

		places('asciidoc', 'is behind the header of the document', {
			'// a\n¦\n= Title\nOne Two\n': `// a\n\n= Title\nOne Two\n\n${macro}\n`,
			'¦= Title\n// a\n:toc:\n\nOne': `= Title\n// a\n:toc:\n\n${macro}\n\nOne`,
			' \t\n¦= Title\n\nOne': ` \t\n= Title\n\n${macro}\n\nOne`,
			'¦////\n= Comment\n////\nOne': `${macro}\n\n////\n= Comment\n////\nOne`,
			'¦:!toc:\n:sect-nums!:\n:a: b\n\nOne': `:!toc:\n:sect-nums!:\n:a: b\n\n${macro}\n\nOne`,
			'¦:toc:\r\n:a: b\r\n\r\nOne': `:toc:\r\n:a: b\n\n${macro}\r\n\r\nOne`,
		});
	});

	suite('in reStructuredText', () => {
		const directive = '.. image:: a.png\n   :alt: x';

		places('restructuredtext', 'is a block behind the paragraph', {
			'One¦\n===\n\nTwo': `One\n===\n\n${directive}\n\nTwo`,
			'iv. One¦': `iv. One\n\n    .. image:: a.png\n       :alt: x`,
			'(a) One¦': `(a) One\n\n    .. image:: a.png\n       :alt: x`,
			'#. One\n¦#. Two': `#. One\n\n   .. image:: a.png\n      :alt: x\n\n#. Two`,
			'1. .. image:: b.png\n      :alt: ⟦b⟧': `1. .. image:: b.png\n      :alt: b\n\n   .. image:: a.png\n      :alt: x`,
			'-  .. image:: b.png\n      :alt: ⟦b⟧': `-  .. image:: b.png\n      :alt: b\n\n   .. image:: a.png\n      :alt: x`,
			'.. image:: b.png\n :alt: ⟦b⟧': `.. image:: b.png\n :alt: b\n\n${directive}`,
			'-     One¦\n-     two': `-     One\n\n      .. image:: a.png\n         :alt: x\n\n-     two`,
		});

		places('restructuredtext', 'has nothing below it that would be its own, and is no literal', {
			'¦:Abstract: One\n   two\n:Date: now\n\nThree': `:Abstract: One\n   two\n:Date: now\n\n${directive}\n\nThree`,
			'¦:Date: now\n:Abstract: One\n   two\n\n   three\n\nFour': `:Date: now\n:Abstract: One\n   two\n\n   three\n\n${directive}\n\nFour`,
			'¦:Abstract: One\n two\n \n three\n:Date: now\n\nFour': `:Abstract: One\n two\n \n three\n:Date: now\n\n${directive}\n\nFour`,
			'¦:orphan:': `:orphan:\n\n${directive}`,
			'¦:Author: Me\r\n:Date: now\r\n\r\nOne': `:Author: Me\r\n:Date: now\r\n\n${directive}\n\r\nOne`,
			'¦One\n\n:Author: Me\n\nTwo': `${directive}\n\nOne\n\n:Author: Me\n\nTwo`,
			'¦:ref:`a` is here': `${directive}\n\n:ref:\`a\` is here`,
			'One::¦\n\n  code\n\nTwo': `One::\n\n  code\n\n${directive}\n\nTwo`,
			'.. figure:: q.png\n   :alt: ⟦q⟧\n\n   Caption\n\nTwo': `.. figure:: q.png\n   :alt: q\n\n   Caption\n\n${directive}\n\nTwo`,
			'One\n\n¦\n\n  A quotation': `One\n\n  .. image:: a.png\n     :alt: x\n\n  A quotation`,
		});

		places('restructuredtext', 'takes the place of what is selected, also of a literal', {
			'Write::\n\n   ⟦this⟧\n\nTwo': `Write::\n\n   .. image:: a.png\n      :alt: x\n\nTwo`,
		});
	});

	suite('in HTML', () => {
		const tag = '<img src="a.png" alt="x">';

		places('html', 'is a line of its own, without blank ones', {
			'<p>One\n ¦ two</p>': `<p>One\n  ${tag}\n  two</p>`,
			'<div>\n\t<p>One\n¦\n\t<p>Two\n</div>': `<div>\n\t<p>One\n\t${tag}\n\t<p>Two\n</div>`,
			"<img alt='⟦b > c⟧' src='b.png'>": `<img alt='b > c' src='b.png'>\n${tag}`,
			'<p><img alt="⟦b⟧" src="b.png"></p>': `<p><img alt="b" src="b.png"> ${tag}</p>`,
		});

		places('html', 'is within the body', {
			'¦<!doctype html>\n<title>a</title>\n<p>One': `<!doctype html>\n${tag}\n<title>a</title>\n<p>One`,
			'<html>\n<head>¦\n</head>\n<body class="a">\n<p>One': `<html>\n<head>\n</head>\n<body class="a">\n${tag}\n<p>One`,
			'\n¦<!doctype html>\n<p>One': `\n<!doctype html>\n${tag}\n<p>One`,
			'¦<p>One</p>\n<script>\nwrite("<!doctype html>");\n</script>': `${tag}\n<p>One</p>\n<script>\nwrite("<!doctype html>");\n</script>`,
			'<head>¦\n<title>a</title>\n</head >\n<p>One': `<head>\n<title>a</title>\n</head >\n${tag}\n<p>One`,
			'<html><head><tit¦le>a</title></head>\n<p>One</p>': `<html><head><title>a</title></head>\n${tag}\n<p>One</p>`,
		});

		places('html', 'is not within a tag, a comment or an expression', {
			'<p cla¦ss="a">One</p>': `<p class="a">${tag} One</p>`,
			'<!-- <img src="b¦.png"> -->\n<p>One</p>': `<!-- <img src="b.png"> -->\n${tag}\n<p>One</p>`,
		});

		places('astro', 'is behind the script', {
			'---\nlet ¦a;\n---\n<p>One</p>': `---\nlet a;\n---\n${tag}\n<p>One</p>`,
			'<p>One</p>\n<script>let ¦a;</script>\n<p>Two</p>': `<p>One</p>\n<script>let a;</script>\n${tag}\n<p>Two</p>`,
		});

		const asset = '<img src="./a.png" alt="x">';
		const template = '<template>\n\t<p>One</p>\n</template>';
		const atStart = `<template>\n${asset}\n\t<p>One</p>\n</template>`;

		places('vue', 'is within the template', {
			[`¦<script></script>\n${template}`]: `<script></script>\n${atStart}`,
			[`<script></script>¦\n${template}`]: `<script></script>\n${atStart}`,
			'¦<template lang="html">\n</template>': `<template lang="html">\n${asset}\n</template>`,
			'<template></template>¦': `<template>${asset}</template>`,
			'<template>\n\t<p></p>¦\n\t<p></p>': `<template>\n\t<p></p>\n\t${asset}\n\t<p></p>`,
		});

		places('vue-html', 'stays where it is among what is shown', {
			'<p>¦One</p>\n<template></template>': `<p>${asset} One</p>\n<template></template>`,
			'<p>One¦</p>\n<template></template>': `<p>One ${asset}</p>\n<template></template>`,
			'<a-b>¦<b></b>\n\t<template #c></template>\n</a-b>': `<a-b>${asset}<b></b>\n\t<template #c></template>\n</a-b>`,
		});
	});

	suite('in LaTeX', () => {
		const figure = [
			'\\begin{figure}',
			'\t\\centering',
			'\t\\includegraphics[width=\\linewidth]{a.png}',
			'\t\\caption{x}',
			'\\end{figure}',
		];

		const float = figure.join('\n');

		places('latex', 'floats, and the paragraph goes on', {
			'One % ⟦no⟧te\ntwo.': `One % note\n${float}\ntwo.`,
			'Of 5\\% ⟦one⟧ two.': `Of 5\\%\n${float}\ntwo.`,
			'\\begin{sidewaysfigure}\n\\caption{⟦b⟧}\n\\end{sidewaysfigure}': `\\begin{sidewaysfigure}\n\\caption{b}\n\\end{sidewaysfigure}\n\n${float}`,
			'One \\includegraphics{⟦b.png⟧} two': `One \\includegraphics{b.png}\n${float}\ntwo`,
			'\\includegraphics[width=⟦5cm⟧]{b.png}\n\nTwo': `\\includegraphics[width=5cm]{b.png}\n\n${float}\n\nTwo`,
		});

		places('latex', 'is behind what has no room for a float', {
			'\\section{One¦ two}\nThree': `\\section{One two}\n${float}\nThree`,
			'One \\textbf{two \\emph{three}¦ four} five': `One \\textbf{two \\emph{three} four}\n${float}\nfive`,
			'One \\textbf{two ¦$a$ three} four': `One \\textbf{two $a$ three}\n${float}\nfour`,
			'\\textbf{One % two }\nthr¦ee} four': `\\textbf{One % two }\nthree}\n${float}\nfour`,
			'One.\n\n\\textbf{two ¦three} four': `One.\n\n\\textbf{two three}\n${float}\nfour`,
			'One $\\alpha¦ + b$ two': `One $\\alpha + b$\n${float}\ntwo`,
			'One $a_{1¦} + b$ two': `One $a_{1} + b$\n${float}\ntwo`,
			'One \\(a¦ + b\\) two': `One \\(a + b\\)\n${float}\ntwo`,
			'One\n$$\na¦\n$$\ntwo': `One\n$$\na\n$$\n${float}\ntwo`,
			'\\[\na¦\n\\]\nTwo': `\\[\na\n\\]\n${float}\nTwo`,
			'\\begin{table}\n\\begin{tabular}{l}\na¦\n\\end{tabular}\n\\end{table}': `\\begin{table}\n\\begin{tabular}{l}\na\n\\end{tabular}\n\\end{table}\n\n${float}`,
			'\\begin{figure}\nOne\n\\end{figure}\n\n\\begin{tabular}{l}\na¦\n\\end{tabular}\n\nTwo': `\\begin{figure}\nOne\n\\end{figure}\n\n\\begin{tabular}{l}\na\n\\end{tabular}\n\n${float}\n\nTwo`,
			'\\begin{tabular}{l}\na¦ & \\begin{tabular}{l}b\\end{tabular}\n\\end{tabular}\n\nTwo': `\\begin{tabular}{l}\na & \\begin{tabular}{l}b\\end{tabular}\n\\end{tabular}\n\n${float}\n\nTwo`,
			'\\begin{align*}\na¦\n\\end{align*}\nTwo': `\\begin{align*}\na\n\\end{align*}\n${float}\nTwo`,
			'\\begin{verbatim}\n\n¦\n\\end{verbatim}': `\\begin{verbatim}\n\n\n\\end{verbatim}\n\n${float}`,
		});

		places('latex', 'stays where a group ends in another paragraph, which has room for a float', {
			'{One¦\n \t\ntwo} three': `{One\n\n${float}\n \t\ntwo} three`,
			'{One¦\r\n\r\ntwo} three': `{One\n\n${float}\r\n\r\ntwo} three`,
		});

		places('latex', 'is within the document', {
			'\\documentclass{article}\n¦\n\\begin{document}\n\n\\end{document}': `\\documentclass{article}\n\n\\begin{document}\n\n${float}\n\n\\end{document}`,
			'\\begin{document}\nOne\n\\end{document}\n¦': `\\begin{document}\nOne\n${float}\n\\end{document}\n`,
			'¦% A \\begin{document} is elsewhere\nOne': `${float}\n\n% A \\begin{document} is elsewhere\nOne`,
			'¦\\documentclass{article}\\begin{document}\nOne': `\\documentclass{article}\\begin{document}\n${float}\nOne`,
		});
	});

	suite('in Typst', () => {
		const call = '#image("a.png", alt: "x")';

		places('typst', 'is a block, or in a box', {
			'= One ¦two': '= One #box(image("a.png", alt: "x")) two',
			'10. One¦': `10. One\n\n    ${call}`,
			'-¦': `- ${call}`,
			'One¦\n== Two': `One\n\n${call}\n\n== Two`,
			'One¦\n```\nTwo\n```': `One\n\n${call}\n\n\`\`\`\nTwo\n\`\`\``,
			'#image("b.png", alt: "a \\") \\"⟦b⟧")': `#image("b.png", alt: "a \\") \\"b")\n\n${call}`,
			'#figure(\n  image("b.png", alt: "⟦b⟧"),\n  caption: [b],\n)\n\nTwo': `#figure(\n  image("b.png", alt: "b"),\n  caption: [b],\n)\n\n${call}\n\nTwo`,
			'```\n¦\n```': `\`\`\`\n\n\`\`\`\n\n${call}`,
			'One // ```\n\nTwo¦': `One // \`\`\`\n\nTwo\n\n${call}`,
			'One #emph[two]¦\nthree': `One #emph[two]\nthree\n\n${call}`,
		});
	});

	suite('of several images', () => {
		test('is a line of its own each, in their order', () => {
			for (const [languageId, text, expected] of [
				['markdown', 'One.¦\n\nTwo.', 'One.\n\n![x](1.png)\n\n![x](2.png)\n\nTwo.'],
				['markdown', '¦Two.', '![x](1.png)\n\n![x](2.png)\n\nTwo.'],
				['markdown', 'a ¦ b', 'a  b\n\n![x](1.png)\n\n![x](2.png)'],
				['markdown', '# a ¦ b', '# a ![x](1.png) ![x](2.png) b'],
				['markdown', '```\n¦\n```', '```\n\n```\n\n![x](1.png)\n\n![x](2.png)'],
				['markdown', '- a¦\n- b', '- a\n\n  ![x](1.png)\n\n  ![x](2.png)\n- b'],
				['html', '<p>¦</p>', '<p><img src="1.png" alt="x"> <img src="2.png" alt="x"></p>'],
				['asciidoc', '* a¦', '* a\n+\nimage::1.png[x]\n+\nimage::2.png[x]'],
				['restructuredtext', '¦', '.. image:: 1.png\n   :alt: x\n\n.. image:: 2.png\n   :alt: x'],
				['plaintext', 'See ¦ there', 'See 1.png\n2.png there'],
			] as const) {
				const { text: plain, asked } = marked(text);
				const one = insertImage(languageId, plain, asked, { path: '1.png' });
				const { end } = one;
				const two = insertImage(
					languageId,
					one.text,
					{ start: end, end, behind: true },
					{ path: '2.png' },
				);
				assert.equal(two.text, expected);
			}
		});

		for (const [languageId, text, expected] of [
			['markdown', 'One.\n', 'One.\n\n![x](1.png)\n\n![x](2.png)\n'],
			['markdown', 'One.\r\n', 'One.\r\n\n![x](1.png)\n\n![x](2.png)\n'],
			['markdown', 'One.\n\n', 'One.\n\n![x](1.png)\n\n![x](2.png)\n'],
			['markdown', '- One\n', '- One\n\n![x](1.png)\n\n![x](2.png)\n'],
			['markdown', 'One.', 'One.\n\n![x](1.png)\n\n![x](2.png)'],
			['markdown', '', '![x](1.png)\n\n![x](2.png)'],
			['asciidoc', 'One.\n', 'One.\n\nimage::1.png[x]\n\nimage::2.png[x]\n'],
		] as const) {
			test(`in ${languageId} leaves the document its line end, as the last paragraph: ${JSON.stringify(text)}`, () => {
				let written = { text: text as string, end: text.length };
				for (const [index, path] of ['1.png', '2.png'].entries()) {
					const asked = { start: written.end, end: written.end, behind: index > 0 };
					written = insertImage(languageId, written.text, asked, { path, ownParagraph: true });
				}
				assert.equal(written.text, expected);
			});
		}

		test('is behind the one whose alt text is selected', () => {
			for (const languageId of [
				'markdown',
				'mdx',
				'html',
				'asciidoc',
				'restructuredtext',
				'latex',
				'typst',
			]) {
				const one = insertImage(
					languageId,
					'Before.\n\nAfter.\n',
					{ start: 7, end: 7 },
					{ path: '1.png' },
				);
				const two = insertImage(languageId, one.text, one.alt, { path: '2.png' });
				const before = one.text.slice(0, one.alt.end);
				assert.ok(two.text.startsWith(before) && two.text.endsWith('After.\n'), two.text);
				assert.ok(two.alt.start > one.alt.end);
			}
		});
	});
});
