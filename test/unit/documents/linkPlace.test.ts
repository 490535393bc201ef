import assert from 'node:assert/strict';
import { linkPlace } from '../../../src/documents/linkPlace';
import { insertImage, marked, places } from './inserting';

suite('linkPlace', () => {
	const image = '![x](a.png)';

	places('markdown', 'is a line of its own with blank lines', {
		'¦': image,
		'¦\nOne.': `${image}\n\nOne.`,
		'One.¦': `One.\n\n${image}`,
		'One. ¦': `One.\n\n${image}`,
		'One.¦  \nTwo.': `One.  \nTwo.\n\n${image}`,
		'一。\n\n\u3000¦': `一。\n\n${image}`,
		'一。\n\n\u3000¦二。': `一。\n\n${image}\n\n\u3000二。`,
		'One.\n¦': `One.\n\n${image}`,
		'One.\n\n¦': `One.\n\n${image}`,
		'One.\n¦\nTwo.': `One.\n\n${image}\n\nTwo.`,
		'One.\n\n¦\n\nTwo.': `One.\n\n${image}\n\nTwo.`,
		'One.\n\n¦Two.': `One.\n\n${image}\n\nTwo.`,
		'¦Two.\nThree.': `${image}\n\nTwo.\nThree.`,
		'One.\n\n¦  \n\nTwo.': `One.\n\n${image}\n\nTwo.`,
		'¦\n  One.': `${image}\n\n  One.`,
		'# One¦\nTwo.': `# One\n\n${image}\n\nTwo.`,
		'One.\n¦# Two': `One.\n\n${image}\n\n# Two`,
		'One¦\n# Two': `One\n\n${image}\n\n# Two`,
		'One¦\n```\ncode\n```': `One\n\n${image}\n\n\`\`\`\ncode\n\`\`\``,
		'```\ncode\n```¦\nTwo': `\`\`\`\ncode\n\`\`\`\n\n${image}\n\nTwo`,
		'One¦\n> two': `One\n\n${image}\n\n> two`,
		'<div>\n¦\n</div>': `<div>\n\n${image}\n\n</div>`,
		':::note\n¦\n:::': `:::note\n\n${image}\n\n:::`,
	});

	places('markdown', 'leaves a paragraph, a heading and a table whole', {
		'One\ntwo¦\nthree.\n\nFour.': `One\ntwo\nthree.\n\n${image}\n\nFour.`,
		'One\n¦two.\n\nThree.': `One\ntwo.\n\n${image}\n\nThree.`,
		'One¦\n===\n\nTwo.': `One\n===\n\n${image}\n\nTwo.`,
		'One¦\n=== \nTwo.': `One\n===\n\n${image}\n\nTwo.`,
		'| a |\n|---|\n| b |¦\n| c |': `| a |\n|---|\n| b |\n| c |\n\n${image}`,
		'¦| a |\n|---|\n| b |': `${image}\n\n| a |\n|---|\n| b |`,
	});

	places('markdown', 'is behind the paragraph wherever it was asked for within it', {
		'Before ¦ after.': `Before  after.\n\n${image}`,
		'Before¦ after.': `Before after.\n\n${image}`,
		'Before ¦after.': `Before after.\n\n${image}`,
		'Bef¦ore': `Before\n\n${image}`,
		'Before.¦ After': `Before. After\n\n${image}`,
		'The (¦) and so on': `The () and so on\n\n${image}`,
		'**Bold**¦ text': `**Bold** text\n\n${image}`,
		'a **¦bold**': `a **bold**\n\n${image}`,
		'Before ¦**bold**': `Before **bold**\n\n${image}`,
		'Before ¦, after': `Before , after\n\n${image}`,
		'家の前¦の狐': `家の前の狐\n\n${image}`,
		'- One ¦ two': `- One  two\n\n  ${image}`,
		'[a¦b](c.md)': `[ab](c.md)\n\n${image}`,
		'Code `a¦b` code': `Code \`ab\` code\n\n${image}`,
	});

	places('markdown', 'is within the line of a heading or a row of badges, and touches no word', {
		'# A ¦ heading': `# A ${image} heading`,
		'# Bef¦ore': `# Bef ${image} ore`,
		'# Before¦ after': `# Before ${image} after`,
		'# A **¦bold**': `# A **${image} bold**`,
		'# A ¦, b': `# A ${image}, b`,
		'# 家の前¦の狐': `# 家の前${image}の狐`,
		'# Code `a¦b` code': `# Code \`ab\` ${image} code`,
		'# See https://exam¦ple.com end': `# See https://example.com ${image} end`,
		'# A [text](a¦.md "b") end': `# A [text](a.md "b") ${image} end`,
		'![a](a.svg) ¦ [![b](b.svg)](b.html)': `![a](a.svg) ${image} [![b](b.svg)](b.html)`,
		'<a href="a"><img src="a.svg"></a>¦ ![b][b]': `<a href="a"><img src="a.svg"></a>${image} ![b][b]`,
	});

	places('markdown', 'is behind the paragraph at the end of a line that the editor wraps', {
		'> A long one. ¦And more.\n> Two.\n\nThree.': `> A long one. And more.\n> Two.\n>\n> ${image}\n\nThree.`,
		'1. A long one. ¦And more.\n2. Two': `1. A long one. And more.\n\n   ${image}\n2. Two`,
		'!!! note\n    A long one. ¦And more.\n\nTwo.': `!!! note\n    A long one. And more.\n\n    ${image}\n\nTwo.`,
		'    code¦ goes on\n    here\n\nOne.': `    code goes on\n    here\n\n${image}\n\nOne.`,
	});

	places('markdown', 'is within the cell of a table', {
		'| a |\n|---|\n| b¦|': `| a |\n|---|\n| b ${image} |`,
		'| a |\n|---|\n| `b¦c` |': `| a |\n|---|\n| \`bc\` ${image} |`,
		'| a | b |\n|---|---|\n| ¦ | c |': `| a | b |\n|---|---|\n| ${image} | c |`,
		'a | b\n--- | ---\nc ¦ | d': `a | b\n--- | ---\nc ${image} | d`,
	});

	for (const [languageId, before, after] of [
		[
			'markdown',
			'| a | b |\n|---|---|\n| ¦ | c |',
			'| a | b |\n|---|---|\n| ![x \\| y](a%7Cb.png) | c |',
		],
		['asciidoc', '|===\n|¦ |c\n|===', '|===\n|image:a\\|b.png[x \\| y] |c\n|==='],
		['markdown', '# One ¦ two', '# One ![x \\| y](a%7Cb.png) two'],
		['asciidoc', 'One¦', 'One\n\nimage::a|b.png[x | y]'],
		['plaintext', 'One ¦ two', 'One a|b.png two'],
	] as const) {
		test(`in ${languageId} does not end the cell that it is in: ${JSON.stringify(before)}`, () => {
			const { text, asked } = marked(before);
			const written = insertImage(languageId, text, asked, { path: 'a|b.png', alt: 'x | y' });
			assert.equal(written.text, after);
		});
	}

	places(
		'markdown',
		'has no bar that would end the cell',
		{
			'| a | b |\n| --- | --- |\n| ¦ | c |': '| a | b |\n| --- | --- |\n| ![1\\|2](a.png) | c |',
			'| a |\n| :-: |\n| b |\n| c ¦ d |': '| a |\n| :-: |\n| b |\n| c ![1\\|2](a.png) d |',
			'a ¦ b | c\n-|-\nd | e': 'a ![1\\|2](a.png) b | c\n-|-\nd | e',
			'One ¦ two\n--- | ---': 'One  two\n--- | ---\n\n![1\\|2](a.png)',
			'a | b\n-|-\nc | d\n\nOne | ¦ two': 'a | b\n-|-\nc | d\n\nOne |  two\n\n![1\\|2](a.png)',
			'One | two ¦ three\n---': 'One | two  three\n---\n\n![1\\|2](a.png)',
			'One | two ¦ three\nfour-five | six': 'One | two  three\nfour-five | six\n\n![1\\|2](a.png)',
			'-- One | two\nthree ¦ four | five': '-- One | two\nthree  four | five\n\n![1\\|2](a.png)',
			'One | two --\nthree ¦ four | five': 'One | two --\nthree  four | five\n\n![1\\|2](a.png)',
		},
		{ alt: '1|2' },
	);

	places('markdown', 'takes the place of what is selected', {
		'Before ⟦one⟧ after.': `Before ${image} after.`,
		'One.\n\n⟦Two⟧\n\nThree.': `One.\n\n${image}\n\nThree.`,
		'⟦One⟧ two': `${image}\n\ntwo`,
		'One ⟦two⟧': `One\n\n${image}`,
		'One ⟦two⟧\nthree': `One ${image}\nthree`,
		'⟦![y](b.png)⟧': image,
	});

	places('markdown', 'is behind an image whose alt text stands behind it and is selected', {
		'![](b.png){fig-alt="⟦b⟧"}': `![](b.png){fig-alt="b"}\n\n${image}`,
	});

	places('markdown', 'is behind code, and before what has no end', {
		'```{note}\nOne\n\n¦\n```': `\`\`\`{note}\nOne\n\n${image}\n\`\`\``,
		'```{r}\na¦\n```': `\`\`\`{r}\na\n\`\`\`\n\n${image}`,
		'```\n¦\n```': `\`\`\`\n\n\`\`\`\n\n${image}`,
		'- ~~~ md\n  a¦b\n  ~~~\n': `- ~~~ md\n  ab\n  ~~~\n\n  ${image}\n`,
		'---\na: b\n---\nOne¦': `---\na: b\n---\nOne\n\n${image}`,
		'```\n```\nOne¦': `\`\`\`\n\`\`\`\nOne\n\n${image}`,
		'10. ```js\n    a¦b\n    ```': `10. \`\`\`js\n    ab\n    \`\`\`\n\n    ${image}`,
		'~~~ a~b\na¦\n~~~': `~~~ a~b\na\n~~~\n\n${image}`,
		'```\na¦': `${image}\n\n\`\`\`\na`,
		'````\n```\na¦\n````': `\`\`\`\`\n\`\`\`\na\n\`\`\`\`\n\n${image}`,
		'```\n```js\na¦\n```': `\`\`\`\n\`\`\`js\na\n\`\`\`\n\n${image}`,
		'```\na\n````\nTwo¦': `\`\`\`\na\n\`\`\`\`\nTwo\n\n${image}`,
		'```\na\n``` \n\nTwo¦': `\`\`\`\na\n\`\`\` \n\nTwo\n\n${image}`,
	});

	places('markdown', 'is the path in a value of front matter that names an image, or nothing yet', {
		'---\ncover: ¦\n---\n': '---\ncover: ./a.png\n---\n',
		'---\ncover:¦\n---\n': '---\ncover: ./a.png\n---\n',
		'---\r\ncover: ¦\r\n---\r\n': '---\r\ncover: ./a.png\r\n---\r\n',
		'---\ncover: "¦" # c\n---\n': '---\ncover: "./a.png" # c\n---\n',
		"---\ncover: ''¦\n---\n": "---\ncover: './a.png'\n---\n",
		'---\ncover: old.png¦\n---\n': '---\ncover: ./a.png\n---\n',
		'---\ncover: ¦"img/old one.jpg"\n---\n': '---\ncover: "./a.png"\n---\n',
		'---\ncover: ⟦old.png⟧\n---\n': '---\ncover: ./a.png\n---\n',
		'---\nimages:\n  -¦\n---\n': '---\nimages:\n  - ./a.png\n---\n',
		'---\nimages: [b.png, ¦]\n---\n': '---\nimages: [b.png, ./a.png]\n---\n',
		'---\nimages: [b.png, "c.png¦"]\n---\n': '---\nimages: [b.png, "./a.png"]\n---\n',
		'+++\ncover = ¦\n+++\n': '+++\ncover = "./a.png"\n+++\n',
		"+++\ncover = '¦'\n+++\n": "+++\ncover = './a.png'\n+++\n",
		'+++\n[a]\nb={src="old.png¦"}\n+++\n': '+++\n[a]\nb={src="./a.png"}\n+++\n',
	});

	places('markdown', 'is behind front matter where another value stands', {
		'---\ntitle: One¦\n---\nTwo': `---\ntitle: One\n---\n\n${image}\n\nTwo`,
		'---\n¦title: One\n---\nTwo': `---\ntitle: One\n---\n\n${image}\n\nTwo`,
		'---\na: b\n# image: ¦\n---\n': `---\na: b\n# image: \n---\n\n${image}\n`,
		'---\na: b\n¦\n---\n': `---\na: b\n\n---\n\n${image}\n`,
	});

	places('mdx', 'is the path in a value of front matter', {
		'---\ncover: ¦\n---\n': '---\ncover: ./a.png\n---\n',
	});

	places('markdown', 'is not in code where something only looks like a fence', {
		'Three ~~~ in a line\n\nTwo¦': `Three ~~~ in a line\n\nTwo\n\n${image}`,
		'~~One~~ two\n\nThree¦': `~~One~~ two\n\nThree\n\n${image}`,
		'```a``` b\n\nTwo¦': `\`\`\`a\`\`\` b\n\nTwo\n\n${image}`,
		'```a`b\n\nTwo¦': `\`\`\`a\`b\n\nTwo\n\n${image}`,
	});

	places('markdown', 'is behind an image link, never within it', {
		'One\n\n![⟦b⟧](b.png)': `One\n\n![b](b.png)\n\n${image}`,
		'![⟦b⟧](b.png)\n\nTwo': `![b](b.png)\n\n${image}\n\nTwo`,
		'![b¦](b.png)': `![b](b.png)\n\n${image}`,
		'![b](b¦.png)': `![b](b.png)\n\n${image}`,
		'![b](b.png)\n\nTwo¦': `![b](b.png)\n\nTwo\n\n${image}`,
		'Before ![⟦b⟧](b.png) after': `Before ![b](b.png) after\n\n${image}`,
		'![⟦a [b\\] c]⟧](<b c.png> "title")': `![a [b\\] c]](<b c.png> "title")\n\n${image}`,
		'![⟦a \\] fox⟧](b.png)': `![a \\] fox](b.png)\n\n${image}`,
		'![⟦b⟧]\n\n[b]: b.png': `![b]\n\n${image}\n\n[b]: b.png`,
		'![⟦b⟧](fox_(red).png)': `![b](fox_(red).png)\n\n${image}`,
		'![⟦b⟧]( b.png  "title" )': `![b]( b.png  "title" )\n\n${image}`,
		'![⟦b⟧](b.png "a \\" fox")': `![b](b.png "a \\" fox")\n\n${image}`,
		"![⟦b⟧](b.png 'a \\' fox')": `![b](b.png 'a \\' fox')\n\n${image}`,
		'![⟦b⟧](b.png (a \\) fox))': `![b](b.png (a \\) fox))\n\n${image}`,
		'![⟦b⟧][ref]\n\n[ref]: c.png': `![b][ref]\n\n${image}\n\n[ref]: c.png`,
		'<img src="b.png" alt="⟦b > c⟧">': `<img src="b.png" alt="b > c">\n\n${image}`,
		'[![⟦b⟧](b.png)](c.md)': `[![b](b.png)](c.md)\n\n${image}`,
		'[![⟦b⟧](b.png "title")](c.md "title")': `[![b](b.png "title")](c.md "title")\n\n${image}`,
		'[![⟦a \\] fox⟧](b.png)][ref]\n\n[ref]: c.md': `[![a \\] fox](b.png)][ref]\n\n${image}\n\n[ref]: c.md`,
		'- ![⟦b⟧](b.png)\n- two': `- ![b](b.png)\n\n  ${image}\n- two`,
	});

	places('markdown', 'minds line ends of Windows', {
		'One.¦\r\nTwo.\r\n\r\nThree.': `One.\r\nTwo.\n\n${image}\r\n\r\nThree.`,
		'One.\r\n\r\n¦\r\n\r\nTwo.': `One.\r\n\r\n${image}\r\n\r\nTwo.`,
		'One.\r\n¦\r\nTwo.': `One.\r\n\n${image}\n\r\nTwo.`,
	});

	test('replaces nothing of an empty line that is indented as it should be', () => {
		const { text, asked } = marked('- One\n\n  ¦');
		assert.deepEqual(linkPlace('markdown', text, asked).span, asked);
	});

	places('plaintext', 'is a path where it was asked for, apart from words and sentences', {
		'One. Two.¦': 'One. Two. a.png',
		'See ¦ there': 'See a.png there',
		'See¦there': 'See a.png there',
		'"¦"': '"a.png"',
		'url(¦)': 'url(a.png)',
		'dir/¦': 'dir/a.png',
		'One.\n¦\nTwo.': 'One.\na.png\nTwo.',
	});

	for (const [before, after] of [
		['A fox¦', 'A fox\n\na.png'],
		['A fox.\n¦', 'A fox.\n\na.png'],
		['A fox.\n\n¦', 'A fox.\n\na.png'],
		['A fox.\n\n\n¦', 'A fox.\n\n\na.png'],
		['A fox.¦\nIt runs.\n\nIt rests.', 'A fox.\n\na.png\n\nIt runs.\n\nIt rests.'],
		['A fox.¦\n\nIt runs.', 'A fox.\n\na.png\n\nIt runs.'],
		['A fox.\r\n¦\r\nIt runs.', 'A fox.\r\n\na.png\n\r\nIt runs.'],
		['⟦A fox.⟧\nIt runs.', 'a.png\n\nIt runs.'],
		['¦', 'a.png'],
		[' \n¦\n', ' \na.png\n'],
	] as const) {
		test(`in plaintext is a paragraph of its own where it is to be one: ${JSON.stringify(before)}`, () => {
			const { text, asked } = marked(before);
			const written = insertImage('plaintext', text, asked, { ownParagraph: true });
			assert.equal(written.text, after);
		});
	}

	test('of several images is a line of its own each, in their order', () => {
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
