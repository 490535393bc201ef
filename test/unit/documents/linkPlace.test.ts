import assert from 'node:assert/strict';
import { insertImage, marked } from './inserting';

suite('linkPlace', () => {
	const places = (languageId: string, sentence: string, cases: Record<string, string>) => {
		for (const [before, after] of Object.entries(cases)) {
			test(`in ${languageId} ${sentence}: ${JSON.stringify(before)}`, () => {
				const { text, asked } = marked(before);
				assert.equal(insertImage(languageId, text, asked).text, after);
			});
		}
	};
	const image = '![x](a.png)';
	const tag = '<img src="a.png" alt="x">';

	places('markdown', 'is a line of its own with blank lines', {
		'¦': image,
		'One.¦': `One.\n\n${image}`,
		'One. ¦': `One.\n\n${image}`,
		'One.\n¦': `One.\n\n${image}`,
		'One.\n\n¦': `One.\n\n${image}`,
		'One.\n¦\nTwo.': `One.\n\n${image}\n\nTwo.`,
		'One.\n\n¦\n\nTwo.': `One.\n\n${image}\n\nTwo.`,
		'One.\n\n¦Two.': `One.\n\n${image}\n\nTwo.`,
		'¦Two.\nThree.': `${image}\n\nTwo.\nThree.`,
		'One.\n\n¦  \n\nTwo.': `One.\n\n${image}\n\nTwo.`,
		'# One¦\nTwo.': `# One\n\n${image}\n\nTwo.`,
		'One.\n¦# Two': `One.\n\n${image}\n\n# Two`,
		'One¦\n# Two': `One\n\n${image}\n\n# Two`,
		'One¦\n```\ncode\n```': `One\n\n${image}\n\n\`\`\`\ncode\n\`\`\``,
		'```\ncode\n```¦\nTwo': `\`\`\`\ncode\n\`\`\`\n\n${image}\n\nTwo`,
		'<div>\n¦\n</div>': `<div>\n\n${image}\n\n</div>`,
		':::note\n¦\n:::': `:::note\n\n${image}\n\n:::`,
	});

	places('markdown', 'leaves a paragraph, a heading and a table whole', {
		'One\ntwo¦\nthree.\n\nFour.': `One\ntwo\nthree.\n\n${image}\n\nFour.`,
		'One\n¦two.\n\nThree.': `One\ntwo.\n\n${image}\n\nThree.`,
		'One¦\n===\n\nTwo.': `One\n===\n\n${image}\n\nTwo.`,
		'| a |\n|---|\n| b |¦\n| c |': `| a |\n|---|\n| b |\n| c |\n\n${image}`,
		'¦| a |\n|---|\n| b |': `${image}\n\n| a |\n|---|\n| b |`,
	});

	places('markdown', 'is within a line of text, and touches no word', {
		'Before ¦ after.': `Before ${image} after.`,
		'Before¦ after.': `Before ${image} after.`,
		'Before ¦after.': `Before ${image} after.`,
		'Bef¦ore': `Bef ${image} ore`,
		'Before.¦ After': `Before. ${image} After`,
		'The (¦) and so on': `The (${image}) and so on`,
		'**Bold**¦ text': `**Bold** ${image} text`,
		'a **¦bold**': `a **${image} bold**`,
		'Before ¦**bold**': `Before ${image} **bold**`,
		'Before ¦, after': `Before ${image}, after`,
		'家の前¦の狐': `家の前${image}の狐`,
		'# A ¦ heading': `# A ${image} heading`,
		'- One ¦ two': `- One ${image} two`,
		'[a¦b](c.md)': `[a ${image} b](c.md)`,
		'Code `a¦b` code': `Code \`a ${image} b\` code`,
	});

	places('markdown', 'is within the cell of a table', {
		'| a | b |\n|---|---|\n| ¦ | c |': `| a | b |\n|---|---|\n| ${image} | c |`,
		'a | b\n--- | ---\nc ¦ | d': `a | b\n--- | ---\nc ${image} | d`,
	});

	places('markdown', 'takes the place of what is selected', {
		'Before ⟦one⟧ after.': `Before ${image} after.`,
		'One.\n\n⟦Two⟧\n\nThree.': `One.\n\n${image}\n\nThree.`,
		'⟦One⟧ two': `${image}\n\ntwo`,
		'One ⟦two⟧': `One\n\n${image}`,
		'One ⟦two⟧\nthree': `One ${image}\nthree`,
		'⟦![y](b.png)⟧': image,
	});

	places('markdown', 'belongs to the list or the quotation that it was asked for in', {
		'- ¦': `- ${image}`,
		'- ¦\n- two': `- ${image}\n- two`,
		'- One¦\n- two': `- One\n\n  ${image}\n- two`,
		'- One\n  two¦\n  three\n\nFour': `- One\n  two\n  three\n\n  ${image}\n\nFour`,
		'- One\n- ¦two': `- One\n- ${image}\n\n  two`,
		'- One\n¦- two': `- One\n\n  ${image}\n- two`,
		'12. One¦': `12. One\n\n    ${image}`,
		'- One\n\n  ¦\n- two': `- One\n\n  ${image}\n- two`,
		'- One\n  - two¦\n- three': `- One\n  - two\n\n    ${image}\n- three`,
		'- One\n  ¦- two': `- One\n\n  ${image}\n\n  - two`,
		'> One¦': `> One\n>\n> ${image}`,
		'> One¦\n> two\n> \n> three': `> One\n> two\n>\n> ${image}\n> \n> three`,
		'> One\n> ¦\n> two': `> One\n>\n> ${image}\n>\n> two`,
		'> ¦\ntwo': `> ${image}\n>\ntwo`,
		'> ¦Two': `> ${image}\n>\n> Two`,
		'> - One¦\n\nTwo': `> - One\n>\n>   ${image}\n\nTwo`,
	});

	places('markdown', 'leaves a list and a quotation in one piece', {
		'1. One\n¦2. two': `1. One\n\n   ${image}\n2. two`,
		'1. One\n\n¦\n2. two': `1. One\n\n   ${image}\n2. two`,
		'- One\n  - two\n¦- three': `- One\n  - two\n\n  ${image}\n- three`,
		'- One\n¦\n  two': `- One\n\n  ${image}\n\n  two`,
		'- One\n\n ¦ two': `- One\n\n  ${image}\n\n  two`,
		'- One\n¦\n    two': `- One\n\n  ${image}\n\n    two`,
		'- One\n\n    two\n¦\n        code': `- One\n\n    two\n\n  ${image}\n\n        code`,
		'- One\nlazy¦\n- two': `- One\nlazy\n\n  ${image}\n- two`,
		'-¦\n- two': `- ${image}\n- two`,
		'-\n¦- two': `- ${image}\n- two`,
		'- One\n\n¦\n1. two': `- One\n\n${image}\n\n1. two`,
		'- One\n\n¦': `- One\n\n${image}`,
		'> One\n>\n¦> two': `> One\n>\n> ${image}\n>\n> two`,
		'> One\nlazy¦': `> One\nlazy\n>\n> ${image}`,
		'¦> One': `${image}\n\n> One`,
		'- One\n\n> two\n\n¦- three': `- One\n\n> two\n\n${image}\n\n- three`,
		'> - One\n>\n> two\n>\n¦> - three': `> - One\n>\n> two\n>\n> ${image}\n>\n> - three`,
		'> - One\n\n¦> - two': `> - One\n\n${image}\n\n> - two`,
		'- One\nlazy\n¦- two': `- One\nlazy\n\n  ${image}\n- two`,
	});

	places('markdown', 'is indented with tabs where the list is', {
		'-\tOne¦\n-\ttwo': `-\tOne\n\n\t${image}\n-\ttwo`,
		'-\t¦One': `-\t${image}\n\n\tOne`,
		'1.\tOne\n\t-\ttwo¦': `1.\tOne\n\t-\ttwo\n\n\t\t${image}`,
		'-\tOne\n¦\n\ttwo': `-\tOne\n\n\t${image}\n\n\ttwo`,
		'-\tOne\n\n¦\ttwo': `-\tOne\n\n\t${image}\n\n\ttwo`,
		' -\tOne¦': ` -\tOne\n\n \t${image}`,
	});

	places('markdown', 'belongs to the admonition or the tab of MkDocs that it was asked for in', {
		'!!! note\n    One¦\n\n    Two': `!!! note\n    One\n\n    ${image}\n\n    Two`,
		'!!! note "One"¦\n    Two': `!!! note "One"\n\n    ${image}\n\n    Two`,
		'??? tip\n    One\n¦\n    Two': `??? tip\n    One\n\n    ${image}\n\n    Two`,
		'=== "Tab"\n\n    One¦\n\nTwo': `=== "Tab"\n\n    One\n\n    ${image}\n\nTwo`,
	});

	places('markdown', 'stands beside its own paragraph, not behind a rule or another heading', {
		'One¦\n---\nTwo': `One\n---\n\n${image}\n\nTwo`,
		'One\n===\n¦Two': `One\n===\n\n${image}\n\nTwo`,
		'One¦\n***\nTwo': `One\n\n${image}\n\n***\nTwo`,
		'One\n- - -\n¦Two': `One\n- - -\n\n${image}\n\nTwo`,
	});

	places('markdown', 'is not indented so far that it is code', {
		'One.\n\n    ¦code': `One.\n\n${image}\n\n    code`,
		'One.\n\n    code¦\n    code': `One.\n\n    code\n    code\n\n${image}`,
		'One.\n\n    ¦': `One.\n\n${image}`,
		'- One\n\n    ¦': `- One\n\n    ${image}`,
		'- One\n\n        ¦': `- One\n\n  ${image}`,
		'One\n      two¦': `One\n      two\n\n${image}`,
	});

	places('markdown', 'is as it stands in code and front matter', {
		'```\n¦\n```': `\`\`\`\n${image}\n\`\`\``,
		'- ~~~ md\n  a¦b\n  ~~~\n': `- ~~~ md\n  a${image}b\n  ~~~\n`,
		'---\ncover: ¦\n---\n': `---\ncover: ${image}\n---\n`,
		'---\na: b\n---\nOne¦': `---\na: b\n---\nOne\n\n${image}`,
		'```\n```\nOne¦': `\`\`\`\n\`\`\`\nOne\n\n${image}`,
	});

	places('markdown', 'is HTML where HTML stands and Markdown would be shown as it is written', {
		'<p align="center">¦</p>': `<p align="center">${tag}</p>`,
		'<div>\nOne ¦two\n</div>': `<div>\nOne ${tag} two\n</div>`,
		'<details>\n<summary>One ¦two</summary>\n\nThree\n\n</details>': `<details>\n<summary>One ${tag} two</summary>\n\nThree\n\n</details>`,
		'<table>\n  <tr>\n    <td>¦</td>\n  </tr>\n</table>': `<table>\n  <tr>\n    <td>${tag}</td>\n  </tr>\n</table>`,
		'<table>\n  <tr>\n    <td>\n      ¦\n    </td>\n  </tr>\n</table>': `<table>\n  <tr>\n    <td>\n      ${tag}\n    </td>\n  </tr>\n</table>`,
		'<table>\n  <tr>\n    <td>One¦\n    </td>\n  </tr>\n</table>': `<table>\n  <tr>\n    <td>One\n    ${tag}\n    </td>\n  </tr>\n</table>`,
		'<div>\n\nOne ¦ two\n\n</div>': `<div>\n\nOne ${image} two\n\n</div>`,
		'One <b>two ¦three</b>': `One <b>two ${image} three</b>`,
	});
	places('mdx', 'is Markdown within elements', {
		'<td>One ¦ two</td>': `<td>One ${image} two</td>`,
	});

	places('markdown', 'tears nothing apart within a line', {
		'A [text](a¦.md "b") end': `A [text](a.md "b") ${image} end`,
		'A [text](a.md¦)': `A [text](a.md)\n\n${image}`,
		'A [text][re¦f] end': `A [text][ref] ${image} end`,
		'One[^no¦te] end': `One[^note] ${image} end`,
		'See <https://exam¦ple.com> end': `See <https://example.com>${image} end`,
		'See https://exam¦ple.com end': `See https://example.com ${image} end`,
		'One <b cla¦ss="a">two</b>': `One <b class="a">${image} two</b>`,
		'One $a ¦+ b$ two': `One $a + b$ ${image} two`,
		'It costs $5 ¦ and $10': `It costs $5 ${image} and $10`,
		'A &am¦p; b': `A &amp; ${image} b`,
		'A \\¦* b': `A \\*${image} b`,
		'A *¦*bold** word': `A **${image} bold** word`,
		'[a]: a.m¦d\n[b]: b.md': `[a]: a.md\n[b]: b.md\n\n${image}`,
		'#¦# One': `${image}\n\n## One`,
		'## One #¦#': `## One ##\n\n${image}`,
		'One\n=¦==\n\nTwo': `One\n===\n\n${image}\n\nTwo`,
		'-¦--\n\nTwo': `---\n\n${image}\n\nTwo`,
		'| a |\n|-¦-|\n| b |': `| a |\n|--|\n| b |\n\n${image}`,
		'| a | b |\n|--|--|\n| ¦ | - |': `| a | b |\n|--|--|\n| ${image} | - |`,
		':::note Ti¦tle\nOne\n:::': `:::note Title\n\n${image}\n\nOne\n:::`,
		'!!! note "Ti¦tle"\n    One': `!!! note "Title"\n\n    ${image}\n\n    One`,
	});

	places('markdown', 'is behind a formula or a comment, and beside code, not in its delimiters', {
		'$$\na + b¦\n$$\n\nTwo': `$$\na + b\n$$\n\n${image}\n\nTwo`,
		'<!-- A fox¦ -->\n\nTwo': `<!-- A fox -->\n\n${image}\n\nTwo`,
		'<!--\n\nA fox¦\n\n-->': `<!--\n\nA fox\n\n-->\n\n${image}`,
		'One\n\n```js¦\nlet a;\n```': `One\n\n${image}\n\n\`\`\`js\nlet a;\n\`\`\``,
		'```\nlet a;\n`¦``\nTwo': `\`\`\`\nlet a;\n\`\`\`\n\n${image}\n\nTwo`,
		'```\nlet a;\n¦```\nTwo': `\`\`\`\nlet a;\n\`\`\`\n\n${image}\n\nTwo`,
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
		'---\na: b\n...\nOne¦\n\n---\n': `---\na: b\n...\nOne\n\n${image}\n\n---\n`,
		'¦+++\na = "b"\n+++\nOne': `+++\na = "b"\n+++\n\n${image}\n\nOne`,
		'+++\na = "¦"\n+++\nOne': `+++\na = "${image}"\n+++\nOne`,
		'¦---\n\nOne': `${image}\n\n---\n\nOne`,
	});

	places('html', 'is within the body', {
		'¦<!doctype html>\n<title>a</title>\n<p>One': `<!doctype html>\n${tag}\n<title>a</title>\n<p>One`,
		'<html>\n<head>¦\n</head>\n<body class="a">\n<p>One': `<html>\n<head>\n</head>\n<body class="a">\n${tag}\n<p>One`,
		'<html><head><tit¦le>a</title></head>\n<p>One</p>': `<html><head><title>a</title></head>\n${tag}\n<p>One</p>`,
		'<p>¦One</p>': `<p>${tag} One</p>`,
	});
	places('html', 'is not within a tag, a comment or an expression', {
		'<p cla¦ss="a">One</p>': `<p class="a">${tag} One</p>`,
		'<!-- a¦ -->\n<p>One</p>': `<!-- a -->\n${tag}\n<p>One</p>`,
		'<p>{{ a¦ }} One</p>': `<p>{{ a }} ${tag} One</p>`,
	});
	places('astro', 'is behind the script', {
		'¦---\nlet a;\n---\n<p>One</p>': `---\nlet a;\n---\n${tag}\n<p>One</p>`,
	});
	places('vue', 'is within the template', {
		'¦<script></script>\n<template>\n\t<p>One</p>\n</template>': `<script></script>\n<template>\n<img src="./a.png" alt="x">\n\t<p>One</p>\n</template>`,
	});

	places('markdown', 'is behind an image link, never within it', {
		'One\n\n![⟦b⟧](b.png)': `One\n\n![b](b.png)\n\n${image}`,
		'![⟦b⟧](b.png)\n\nTwo': `![b](b.png)\n\n${image}\n\nTwo`,
		'![b¦](b.png)': `![b](b.png)\n\n${image}`,
		'![b](b¦.png)': `![b](b.png)\n\n${image}`,
		'Before ![⟦b⟧](b.png) after': `Before ![b](b.png) ${image} after`,
		'![⟦a [b\\] c]⟧](<b c.png> "title")': `![a [b\\] c]](<b c.png> "title")\n\n${image}`,
		'![⟦b⟧][c]\n\n[c]: c.png': `![b][c]\n\n${image}\n\n[c]: c.png`,
		'<img src="b.png" alt="⟦b > c⟧">': `<img src="b.png" alt="b > c">\n\n${image}`,
		'[![⟦b⟧](b.png)](c.md)': `[![b](b.png)](c.md)\n\n${image}`,
		'- ![⟦b⟧](b.png)\n- two': `- ![b](b.png)\n\n  ${image}\n- two`,
	});

	places('markdown', 'minds line ends of Windows', {
		'One.¦\r\nTwo.\r\n\r\nThree.': `One.\r\nTwo.\n\n${image}\r\n\r\nThree.`,
		'One.\r\n\r\n¦\r\n\r\nTwo.': `One.\r\n\r\n${image}\r\n\r\nTwo.`,
		'One.\r\n¦\r\nTwo.': `One.\r\n\n${image}\n\r\nTwo.`,
	});

	places('mdx', 'is apart from elements', {
		'<Tabs>\n¦\n</Tabs>': `<Tabs>\n\n${image}\n\n</Tabs>`,
		'One¦\n<Tab>\n</Tab>': `One\n\n${image}\n\n<Tab>\n</Tab>`,
	});

	places('html', 'is a line of its own, without blank ones', {
		'<p>¦</p>': `<p>${tag}</p>`,
		'<p>One ¦two</p>': `<p>One ${tag} two</p>`,
		'<div>\n\t¦\n</div>': `<div>\n\t${tag}\n</div>`,
		'<div>\n\t<p>One¦\n</div>': `<div>\n\t<p>One\n\t${tag}\n</div>`,
		'<div>\n\t¦<p>One\n</div>': `<div>\n\t${tag}\n\t<p>One\n</div>`,
		'<img alt="⟦b⟧" src="b.png">': `<img alt="b" src="b.png">\n${tag}`,
		'<p><img alt="⟦b⟧" src="b.png"></p>': `<p><img alt="b" src="b.png"> ${tag}</p>`,
	});

	const macro = 'image::a.png[x]';
	places('asciidoc', 'is a block, or within a line', {
		'One.¦': `One.\n\n${macro}`,
		'One\n¦two': `One\ntwo\n\n${macro}`,
		'One ¦ two': 'One image:a.png[x] two',
		'== One ¦ two': '== One image:a.png[x] two',
		'= Title¦\n:toc:\n\nOne': `= Title\n:toc:\n\n${macro}\n\nOne`,
		'== One¦\nTwo': `== One\n\n${macro}\n\nTwo`,
		'image::b.png[⟦b]⟧]': `image::b.png[b]]\n\n${macro}`,
		'One image:b.png[⟦b⟧] two': 'One image:b.png[b] image:a.png[x] two',
		'----\na¦\n----': `----\na${macro}\n----`,
		'====\nOne¦\n====': `====\nOne\n\n${macro}\n\n====`,
		'|===\n|¦ |b\n|===': '|===\n|image:a.png[x] |b\n|===',
		'|===\n|a¦\n|===': '|===\n|a image:a.png[x]\n|===',
	});
	places('asciidoc', 'is not between a block and its title, attributes or delimiters', {
		'One\n\n.Title¦\n----\na\n----': `One\n\n${macro}\n\n.Title\n----\na\n----`,
		'.Title\n[source,js]¦\n----\na\n----': `${macro}\n\n.Title\n[source,js]\n----\na\n----`,
		'.Title\n¦----\na\n----': `${macro}\n\n.Title\n----\na\n----`,
		'.Title\n----¦\na\n----': `${macro}\n\n.Title\n----\na\n----`,
		'[[a]]¦\n== One': `${macro}\n\n[[a]]\n== One`,
		'----\na\n¦----\n\nOne': `----\na\n----\n\n${macro}\n\nOne`,
		'[cols="1"]\n|===¦\n|a\n|===': `${macro}\n\n[cols="1"]\n|===\n|a\n|===`,
		'|===\n|a\n¦|===': `|===\n|a\n|===\n\n${macro}`,
		'|===\n¦|a |b\n|===': '|===\n|image:a.png[x] a |b\n|===',
		'====\n* One\n* Two\n====¦\n\nThree': `====\n* One\n* Two\n====\n\n${macro}\n\nThree`,
		'|===\na|\n* One\n|===¦': `|===\na|\n* One\n|===\n\n${macro}`,
		'// No¦te\nOne': `// Note\n\n${macro}\n\nOne`,
		'=¦= One': `${macro}\n\n== One`,
	});
	places('asciidoc', 'leaves a list in one piece', {
		'* One\n¦* Two': `* One\n+\n${macro}\n* Two`,
		'* One\n¦\n* Two': `* One\n+\n${macro}\n\n* Two`,
		'. One\n.. Two\n\n¦. Three': `. One\n.. Two\n+\n${macro}\n\n. Three`,
		'*¦ One': '* image:a.png[x] One',
		'Term:: One¦\nOther:: Two': `Term:: One\n+\n${macro}\nOther:: Two`,
		'Term::\n  One¦\n\nTwo': `Term::\n  One\n+\n${macro}\n\nTwo`,
		'* One\n¦+\nTwo': `* One\n+\n${macro}\n+\nTwo`,
		'* One\n+¦\nTwo': `* One\n+\n${macro}\n+\nTwo`,
		'* One\n+\n¦Two': `* One\n+\n${macro}\n+\nTwo`,
		'* One\n+\n¦----\na\n----': `* One\n+\n${macro}\n+\n----\na\n----`,
		'* One\n+\n----\na\n----¦\n* Two': `* One\n+\n----\na\n----\n+\n${macro}\n* Two`,
	});
	places('asciidoc', 'is not indented, which would make it a listing', {
		'One\n\n  ¦': `One\n\n${macro}`,
		'One\n\n ¦listing': `One\n\n${macro}\n\n listing`,
		'One\n\n listing¦': `One\n\n listing\n\n${macro}`,
	});
	places('asciidoc', 'is behind the header of the document', {
		'¦= Title\n:toc:\n\nOne': `= Title\n:toc:\n\n${macro}\n\nOne`,
		'= Title\n¦:imagesdir: .\n\nOne': `= Title\n:imagesdir: .\n\n${macro}\n\nOne`,
		'// a\n¦\n= Title\nOne Two\n': `// a\n\n= Title\nOne Two\n\n${macro}\n`,
		'¦:toc:\n\nOne': `:toc:\n\n${macro}\n\nOne`,
		'¦One': `${macro}\n\nOne`,
	});
	places('asciidoc', 'belongs to the item of a list', {
		'* One¦\n* Two': `* One\n+\n${macro}\n* Two`,
		'. One\n. Two¦': `. One\n. Two\n+\n${macro}`,
		'* One\n+\nTwo¦\n* Three': `* One\n+\nTwo\n+\n${macro}\n* Three`,
		'* One\n+\n¦': `* One\n+\n${macro}`,
		'* One\n+¦': `* One\n+\n${macro}`,
	});

	const directive = '.. image:: a.png\n   :alt: x';
	places('restructuredtext', 'is a block behind the paragraph', {
		'One.¦': `One.\n\n${directive}`,
		'One ¦ two\nthree.\n\nFour.': `One  two\nthree.\n\n${directive}\n\nFour.`,
		'One¦\n===\n\nTwo': `One\n===\n\n${directive}\n\nTwo`,
		'- One¦\n- two': `- One\n\n  .. image:: a.png\n     :alt: x\n\n- two`,
		'.. note::\n\n   One¦\n\nTwo': `.. note::\n\n   One\n\n   .. image:: a.png\n      :alt: x\n\nTwo`,
		'.. image:: b.png\n   :alt: ⟦b⟧': `.. image:: b.png\n   :alt: b\n\n${directive}`,
		'.. image:: b.png\n   :alt: b¦\n\nTwo': `.. image:: b.png\n   :alt: b\n\n${directive}\n\nTwo`,
		'- .. image:: b.png\n     :alt: ⟦b⟧': `- .. image:: b.png\n     :alt: b\n\n  .. image:: a.png\n     :alt: x`,
	});

	places('restructuredtext', 'has nothing below it that would be its own, and is no literal', {
		'¦:Author: Me\n:Date: now\n\nOne': `:Author: Me\n:Date: now\n\n${directive}\n\nOne`,
		'One::¦\n\n  code\n\nTwo': `One::\n\n  code\n\n${directive}\n\nTwo`,
		'One::\n\n  code\n\n  co¦de\n\nTwo': `One::\n\n  code\n\n  code\n\n${directive}\n\nTwo`,
		'.. code-block:: js\n   :caption: a¦\n\n   let a;': `.. code-block:: js\n   :caption: a\n\n   let a;\n\n${directive}`,
		'.. note:: One¦\n   two\n\n   Three\n\nFour': `.. note:: One\n   two\n\n   Three\n\n${directive}\n\nFour`,
		'.. figure:: q.png\n   :alt: q\n¦\n   Caption\n\nTwo': `.. figure:: q.png\n   :alt: q\n\n   Caption\n\n${directive}\n\nTwo`,
		'.. A com¦ment\n   more\n\nTwo': `.. A comment\n   more\n\n${directive}\n\nTwo`,
		'term¦\n  One\n\n  Two\n\nThree': `term\n  One\n\n  Two\n\n${directive}\n\nThree`,
		'One¦\n\n  A quotation\n\nTwo': `One\n\n  A quotation\n\n${directive}\n\nTwo`,
		'.. note::\n\n   One\n¦\n   Two': `.. note::\n\n   One\n\n   .. image:: a.png\n      :alt: x\n\n   Two`,
	});

	const figure = [
		'\\begin{figure}',
		'\t\\centering',
		'\t\\includegraphics[width=\\linewidth]{a.png}',
		'\t\\caption{x}',
		'\\end{figure}',
	];
	const float = figure.join('\n');
	places('latex', 'floats, and the paragraph goes on', {
		'One.¦': `One.\n\n${float}`,
		'One¦\ntwo.': `One\n${float}\ntwo.`,
		'One ¦ two.': `One\n${float}\ntwo.`,
		'One\n¦two.': `One\n${float}\ntwo.`,
		'One % no¦te\ntwo.': `One % note\n${float}\ntwo.`,
		'One.\n\n¦Two.': `One.\n\n${float}\n\nTwo.`,
		'One.\n¦\nTwo.': `One.\n\n${float}\n\nTwo.`,
		'  \\item One¦\n  \\item Two': `  \\item One\n${figure.map((line) => `  ${line}`).join('\n')}\n  \\item Two`,
		'\\begin{figure}\n\\caption{⟦b⟧}\n\\end{figure}': `\\begin{figure}\n\\caption{b}\n\\end{figure}\n\n${float}`,
	});

	places('latex', 'is behind what has no room for a float', {
		'\\section{One¦ two}\nThree': `\\section{One two}\n${float}\nThree`,
		'One \\textbf{two ¦three} four': `One \\textbf{two three}\n${float}\nfour`,
		'One $a¦ + b$ two': `One $a + b$\n${float}\ntwo`,
		'One \\$5 ¦two\\$': `One \\$5\n${float}\ntwo\\$`,
		'\\[\na¦\n\\]\nTwo': `\\[\na\n\\]\n${float}\nTwo`,
		'\\begin{tabular}{l}\na¦ & b\\\\\n\\end{tabular}\n\nTwo': `\\begin{tabular}{l}\na & b\\\\\n\\end{tabular}\n\n${float}\n\nTwo`,
		'\\begin{table}\n\\begin{tabular}{l}\na¦\n\\end{tabular}\n\\end{table}': `\\begin{table}\n\\begin{tabular}{l}\na\n\\end{tabular}\n\\end{table}\n\n${float}`,
		'\\begin{verbatim}\n\n¦\n\\end{verbatim}': `\\begin{verbatim}\n\n\n\\end{verbatim}\n\n${float}`,
		'\\begin{itemize}\n\\item One¦\n\\end{itemize}': `\\begin{itemize}\n\\item One\n${float}\n\\end{itemize}`,
	});
	places('latex', 'is within the document', {
		'¦\\documentclass{article}\n\\begin{document}\nOne\n\\end{document}': `\\documentclass{article}\n\\begin{document}\n${float}\nOne\n\\end{document}`,
		'\\documentclass{article}\n¦\n\\begin{document}\n\n\\end{document}': `\\documentclass{article}\n\n\\begin{document}\n\n${float}\n\n\\end{document}`,
		'\\begin{document}\nOne\n\\end{document}\n¦': `\\begin{document}\nOne\n${float}\n\\end{document}\n`,
		'¦One': `${float}\n\nOne`,
	});

	const call = '#image("a.png", alt: "x")';
	places('typst', 'is a block, or in a box', {
		'One.¦': `One.\n\n${call}`,
		'One ¦ two': 'One #box(image("a.png", alt: "x")) two',
		'- One¦\n- two': `- One\n\n  ${call}\n- two`,
		'= One¦\nTwo': `= One\n\n${call}\n\nTwo`,
		'#image("b.png", alt: "⟦(b⟧")': `#image("b.png", alt: "(b")\n\n${call}`,
		'#figure(\n  image("b.png", alt: "⟦b⟧"),\n  caption: [b],\n)\n\nTwo': `#figure(\n  image("b.png", alt: "b"),\n  caption: [b],\n)\n\n${call}\n\nTwo`,
		'```\n¦\n```': `\`\`\`\n${call}\n\`\`\``,
	});

	places('plaintext', 'is a path where it was asked for, apart from words', {
		'See ¦ there': 'See a.png there',
		'See¦there': 'See a.png there',
		'"¦"': '"a.png"',
		'url(¦)': 'url(a.png)',
		'dir/¦': 'dir/a.png',
		'One.\n¦\nTwo.': 'One.\na.png\nTwo.',
	});

	test('of several images is a line of its own each, in their order', () => {
		for (const [languageId, text, expected] of [
			['markdown', 'One.¦\n\nTwo.', 'One.\n\n![x](1.png)\n\n![x](2.png)\n\nTwo.'],
			['markdown', '¦Two.', '![x](1.png)\n\n![x](2.png)\n\nTwo.'],
			['markdown', 'a ¦ b', 'a ![x](1.png) ![x](2.png) b'],
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

	test('of each of two images is its own: one may be asked for while the alt text of the other is selected', () => {
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
			const kept = one.text.slice(0, one.alt.end);
			assert.ok(two.text.startsWith(kept) && two.text.endsWith('After.\n'), two.text);
			assert.ok(two.alt.start > one.alt.end);
		}
	});
});
