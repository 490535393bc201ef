import assert from 'node:assert/strict';
import { findImages } from '../../../src/documents/findImages.js';
import { shown } from './shownImages.js';

suite('findImages', () => {
	suite('finds', () => {
		const table: Record<string, [markdown: string, ...hrefs: string[]]> = {
			'several on a line': ['![](a.png)![](b.png) and ![](c.png)', 'a.png', 'b.png', 'c.png'],
			'angle brackets': ['![a](<b c (1.png>)', 'b c (1.png'],
			'balanced parentheses': ['![a](b_(1).png)', 'b_(1).png'],
			'escapes and character references': ['![a](b\\_\\(&amp;&#x20;&auml;.png)', 'b_(& ä.png'],
			titles: ['![a](b.png "t") ![a](c.png \'t\') ![a](d.png (t))', 'b.png', 'c.png', 'd.png'],
			'a destination on the next line': ['> ![a](\n> b.png\n> "t")', 'b.png'],
			'brackets in the alt text': ['![a [b] `]` \\] c](d.png)', 'd.png'],
			'emphasis around it': ['**![a](b.png)**', 'b.png'],
			'the collapsed one': ['![a][]\n\n[A]: c.png', 'c.png'],
			'the shortcut': ['![a B]\n\n[A  b]: <c d.png> "t"', 'c d.png'],
			'a definition above, on two lines': ['> [b]:\n> c.png\n\n![a][b]', 'c.png'],
			'the first of two definitions': ['![b]\n\n[b]: c.png\n[b]: d.png', 'c.png'],
			'HTML blocks': ['<p>\n<img src="a.png">\n<IMG\nalt=x SRC=b.png />\n</p>', 'a.png', 'b.png'],
			'HTML within text': ["text <img alt='>' src='a&amp;b.png'> text", 'a&b.png'],
			'Markdown between HTML': ['<div>\n\n![a](b.png)\n\n</div>', 'b.png'],
			'what follows a comment': [
				'<!-- a -->\n![a](b.png)\n\na <!-- a --> ![a](c.png)',
				'b.png',
				'c.png',
			],
			'a line of dashes that is no front matter': ['---\n\n![a](b.png)', 'b.png'],
			'what follows front matter': ['---\ntitle: ![a](b.png)\n---\n![a](c.png)', 'c.png'],
			'what follows a comment that ends within text': [
				'<div><!--\n\ntext <b title="-->">\n\n![a](b.png)',
				'b.png',
			],
			'what stands between lines that are nearly a fence': [
				'---\na: ![a](b.png)\nb ---\n--- b\n',
				'b.png',
			],
			'what stands between fences in a quote': ['> ---\n> ![a](b.png)\n> ---\n', 'b.png'],
			'an image with another in its alt text': ['![a ![b](c.png)](d.png)', 'd.png'],
			'no destination at all': ['![a]()', ''],
		};
		for (const [name, [markdown, ...hrefs]] of Object.entries(table)) {
			test(name, () => {
				assert.deepEqual(hrefsOf(markdown), hrefs);
				assert.deepEqual(shown(markdown), hrefs, 'the table is wrong');
			});
		}
	});

	suite('passes over', () => {
		const table: Record<string, string> = {
			fences: '```md\n![a](b.png)\n```\n\n~~~\n<img src="b.png">\n~~~',
			'indented code': 'a\n\n    ![a](b.png)\n\n\t<img src="b.png">',
			'code spans': '`![a](b.png)` ``<img src="b.png"> ` ``',
			comments: '<!-- ![a](b.png) -->\n\n<!--\n\n![a](b.png)\n\n<img src="b.png">\n-->',
			'comments within text': 'text <!-- <img src="b.png"> ![a](b.png) --> text',
			'a comment that ends in another block': '<div><!--\n\n![a](b.png)\n\n<p>--></p></div>',
			'scripts and styles': '<script>\n"<img src=b.png>"\n\n![a](b.png)\n</script>',
			'front matter': '---\nimage: <img src="b.png">\n---\n',
			'front matter that ends the text': '---\nimage: ![a](b.png)\n\nb: c\n---',
			'front matter with spaces': '---  \nimage: ![a](b.png)\n\nb: c\n---  \n',
			'front matter of Windows': '---\r\nimage: ![a](b.png)\r\n\r\nb: c\r\n---\r\n',
			'escaped ones': '\\![a](b.png) !\\[a](b.png) \\<img src="b.png">',
			links: '[a](b.png) ! [a](b.png)',
			'undefined labels': '![a][b] ![b]\n\n[c]: d.png',
			'destinations with spaces': '![a](b c.png)',
			'other elements and attributes': '<imgs src="a"> <image-x src="a"> <img data-src="a">',
			'HTML within attributes': '<p title="<img src=b.png>">a</p>',
		};
		for (const [name, markdown] of Object.entries(table)) {
			test(name, () => {
				assert.deepEqual(hrefsOf(markdown), []);
				assert.deepEqual(shown(markdown), [], 'the table is wrong');
			});
		}
	});

	suite('knows where they stand', () => {
		// Each is written as ⟦image⟧ and ⟨destination⟩.
		const documents = [
			'  \n   a\n  b ⟦![c\n   d]( ⟨e\\_.png⟩\n )⟧  \n',
			'a ⟦![b](⟨c.png⟩)⟧\n---\n⟦![](⟨c.png⟩)⟧',
			'- a\n\n  b\n  > c\n  > d ⟦![e](⟨f.png⟩)⟧\n  g ⟦![e](⟨f.png⟩)⟧',
			'| a | ⟦![b](⟨c.png⟩)⟧ |\n|-|-|\n|a\\|b|c \\| ⟦![d \\| e](⟨f.png⟩ "\\|")⟧|\n| | ⟦![](⟨g⟩)⟧',
			'> [b]:\n>   ⟨<d.png>⟩\n\n⟦![b][]⟧',
			'⟦![b\\]]⟧ [c]\n\n- [b\\]]: ⟨d.png⟩',
			'<p>\n  ⟦<img src=⟨d.png⟩\n  alt=c>⟧\n</p>',
			'- <p>\n  ⟦<img src=⟨d.png⟩ alt=c>⟧\n\n      a\n',
			'😀 ä ⟦![😀](⟨ü.png⟩)⟧',
			'- [a\n  b]: ⟨c.png⟩\n\n⟦![x][A  b]⟧',
			'⟦![x][a\\\nb]⟧\n\n> [a\\\n> b]: ⟨c.png⟩',
			'⟦![b]⟧ c] d\n\n[b]: ⟨c.png⟩',
			'⟦![a [b](c) d](⟨e.png⟩)⟧',
			'\n  \n| ⟦![b](⟨c⟩)⟧ | d\n|-|-|\n| \\|⟦![b](⟨c⟩)⟧| ⟦![](⟨c⟩)⟧  ',
			'|a|b|\n|-|-|\n\u00a0|⟦![b](⟨c⟩)⟧|⟦![b](⟨c⟩)⟧|',
			'⟦![a](⟨<b>⟩)⟧ ⟦![]( ⟨b.png⟩ (t) )⟧ ⟦![](⟨⟩)⟧ a',
			'a <i>b</i> ⟦<img src="⟨c⟩" alt="">⟧ <b>⟦<img src="⟨d⟩" alt="e">⟧</b>',
		];
		for (const written of documents) {
			for (const lineBreak of ['\n', '\r\n', '\r']) {
				test(JSON.stringify(written.replaceAll('\n', lineBreak)), () => {
					const marked = written.replaceAll('\n', lineBreak);
					const text = marked.replace(/[⟦⟧⟨⟩]/g, '');
					const at = (pattern: RegExp) =>
						[...marked.matchAll(pattern)].map((match) => {
							const start = marked.slice(0, match.index).replace(/[⟦⟧⟨⟩]/g, '').length;
							return { start, end: start + match[0].replace(/[⟦⟧⟨⟩]/g, '').length };
						});
					const found = findImages(text);
					assert.deepEqual(
						found.map(({ span }) => span),
						at(/⟦[^⟧]*⟧/g),
					);
					assert.deepEqual(
						found.map(({ destinationSpan }) => destinationSpan),
						at(/⟨[^⟩]*⟩/g),
					);
					for (const { raw, destinationSpan } of found) {
						assert.equal(raw, text.slice(destinationSpan.start, destinationSpan.end));
					}
				});
			}
		}
	});

	suite('finds what only some programs show', () => {
		// Each destination stands between ⟨ and ⟩.
		const documents: readonly [kind: string, written: string, ...alts: string[]][] = [
			['embed', '- ![[⟨notes/two words 50%.png⟩|300]]', ''],
			['embed', '![[⟨flow.png⟩|A flow|300x200]]', 'A flow'],
			['embed', '|a|\n|-|\n|![[⟨flow.png⟩\\|A flow]]|', 'A flow'],
			['sized', '![A fox](⟨a.png⟩ =300x200) ![](⟨<b c.png>⟩ "t" =50%x)', 'A fox', ''],
			['html', '{{< figure src="⟨/img/a.png⟩" alt="A fox" >}}', 'A fox'],
			['html', 'a\n{{<figure\n  src=\'⟨a.png⟩\'\n>}}\nb {{% img src=⟨b.png⟩ alt="A" %}}', '', 'A'],
			['directive', '```{figure} ⟨images/x.png⟩\n:alt: A fox\n\nA caption\n```', 'A fox'],
			['directive', '```{image} ⟨x.png⟩\n:alt: "A \\"red\\" fox"\n```', 'A "red" fox'],
			['directive', 'a\n\n> ~~~{image} ⟨images/two words.png⟩  \n> ~~~', ''],
			['directive', ':::{image} ⟨x.png⟩\n:width: 3em\n:alt: A fox\n:::', 'A fox'],
			['directive', '::::{grid}\n:::{figure} ⟨x.png⟩\nA caption\n:::\n::::', ''],
			[
				'import',
				'import fox from \'⟨./img/fox.png⟩\';\nimport a, {b} from "⟨@site/b.jpg⟩"',
				'',
				'',
			],
			['html', '<img src={require(\'⟨@site/img/a.png⟩\').default} alt="A fox" />', 'A fox'],
			['html', 'a <Image src={useBaseUrl(`⟨/img/a.png⟩`)} width={30} /> b', ''],
			['html', '<img srcset="⟨a.png⟩, ⟨b.png⟩ 2x" src="⟨c.png⟩" alt="A">', 'A', 'A', 'A'],
			['html', '<picture>\n<source srcset="⟨dark.png⟩" media="(x)">\n</picture>', ''],
			['value', '---\ncover: "⟨/img/a b.png⟩" # c\n"x": \'⟨b.jpg⟩\'\n---\n', '', ''],
			['value', '---\nimages: [⟨a.png⟩, "⟨b.png⟩"]\n---\n', '', ''],
			['value', '---\nimages:\n  - ⟨a.png⟩\n  - src: ⟨b c.webp⟩\n---\n', '', ''],
			['value', '+++\n[cover]\nimage = "⟨a.png⟩"\nb={src=\'⟨b.png⟩\'}\n+++\n', '', ''],
		];
		for (const [kind, written, ...alts] of documents) {
			for (const lineBreak of ['\n', '\r\n']) {
				const marked = written.replaceAll('\n', lineBreak);
				test(JSON.stringify(marked), () => {
					const text = marked.replace(/[⟨⟩]/g, '');
					const found = findImages(text);
					assert.deepEqual(
						found.map((one) => one.raw).sort(),
						[...marked.matchAll(/⟨([^⟩]*)⟩/g)].map(([, raw]) => raw).sort(),
					);
					for (const { raw, destinationSpan, span } of found) {
						assert.equal(text.slice(destinationSpan.start, destinationSpan.end), raw);
						assert.ok(span.start <= destinationSpan.start && destinationSpan.end <= span.end);
						const before = marked.replaceAll('⟩', '').split('⟨');
						assert.ok(
							before.some((_, index) => {
								const start = before.slice(0, index).join('').length;
								return index > 0 && start === destinationSpan.start;
							}),
						);
					}
					assert.deepEqual(
						found.map(({ kind, alt }) => [kind, alt]),
						alts.map((alt) => [kind, alt]),
					);
				});
			}
		}

		for (const text of [
			'`![[a.png]]` `{{< figure src="a.png" >}}` ![[a.png b',
			'```md\n![[a.png]]\n:::{image} b.png\nimport a from "a.png"\n```',
			'```python\n{figure} a.png\n```',
			'<!-- ![[a.png]] {{< figure src="a.png" >}}\n\n```{figure} x.png\n``` -->',
			'---\n# image: a.png\ntitle: ![a](b.png)\nnext: a.png.md\nb: <img src="b.png">\n---\n',
			'a import x from "a.png" {{ figure.png }} {{< ref "a.png" >}}',
			'image: a.png\n---\n',
		]) {
			test(`passes over ${JSON.stringify(text)}`, () => {
				assert.deepEqual(hrefsOf(text), []);
			});
		}

		test('reads names in which nothing is encoded as the names that they are', () => {
			assert.deepEqual(hrefsOf('![[a%20b.png]]'), ['a%2520b.png']);
			assert.deepEqual(hrefsOf('![[50% done.png]]'), ['50%25 done.png']);
		});
	});

	test('returns what belongs to an image', () => {
		const [inline, reference, html] = findImages(
			[
				'# The *old* harbor',
				'Boats `lie` here.',
				'![A \\* **red** &amp; blue\nboat](b%20%C3%A4.png "A &quot;boat&quot;")',
				'## Lights &copy;',
				'Before ![the lamp][L] after.',
				'<p>Sea <img src="s.png" alt="a &lt; b"></p>',
				'[l]: <l.png> "Lamp"',
			].join('\n\n'),
		);
		assert.deepEqual(pick(inline), {
			kind: 'inline',
			href: 'b%20%C3%A4.png',
			destination: 'b ä.png',
			alt: 'A * red & blue boat',
			heading: 'The old harbor',
			paragraph: 'Boats lie here.',
		});
		assert.deepEqual(pick(reference), {
			kind: 'reference',
			href: 'l.png',
			destination: 'l.png',
			alt: 'the lamp',
			heading: 'Lights ©',
			paragraph: 'Before the lamp after.',
		});
		assert.deepEqual(pick(html), {
			kind: 'html',
			href: 's.png',
			destination: 's.png',
			alt: 'a < b',
			heading: 'Lights ©',
			paragraph: 'Sea',
		});
	});

	test('takes the paragraph before for an image of HTML that stands alone', () => {
		const [named, nameless] = findImages(
			[
				'Before.',
				'<p><img src="a.png" alt="a fox"></p>',
				'# Heading',
				'<p>Sea<br>and <!-- a > b -->  land\n<img src="b.png"></p>',
			].join('\n\n'),
		);
		assert.equal(named?.paragraph, 'Before.');
		assert.equal(nameless?.paragraph, 'Sea and land');
		assert.equal(nameless.alt, '');
	});

	test('leaves comments out of what is around an image of HTML, each as far as it goes', () => {
		for (const [html, paragraph] of [
			['One<!-- a > b -->two', 'One two'],
			['One<!---->two -->', 'One two -->'],
			['One<!-->two -->', 'One two -->'],
			['One<!--->two -->', 'One two -->'],
			['One<!-- a -- > b -->two<!-- c -->three -->', 'One two three -->'],
			['One<!-- a <b>two', 'One two'],
			['One<b>two</b>three', 'One two three'],
			['One<b two', 'One<b two'],
		] as const) {
			const [found] = findImages(`<div>\n<img src="a.png">${html}`);
			assert.equal(found?.paragraph, paragraph, html);
		}
	});

	test('cuts the surroundings between words, or else between characters', () => {
		const words = 'a fox 🦊 '.repeat(100);
		for (const [paragraph, expected] of [
			['x'.repeat(600), 'x'.repeat(500)],
			[`${'x'.repeat(499)}🦊`, 'x'.repeat(499)],
			[`${words}${'x'.repeat(500)}`, words.slice(0, 500).replace(/ \S*$/, '')],
			[`${'x'.repeat(400)} ${'y'.repeat(99)}`, `${'x'.repeat(400)} ${'y'.repeat(99)}`],
			[`${'x'.repeat(400)} ${'y'.repeat(100)}`, 'x'.repeat(400)],
		] as const) {
			const [found] = findImages(`${paragraph}\n\n![](b.png)`);
			assert.equal(found?.paragraph, expected);
		}
	});

	test('resolves character references of every kind in HTML', () => {
		const [found] = findImages('<img src="&#97;&#x62;&#X00063;&auml;&frac12;&nothing;.png">');
		assert.equal(found?.href, 'abcä½&nothing;.png');
	});

	test('has a blank for each kind of line break in an alt text', () => {
		assert.deepEqual(
			findImages('![a\\\nb](c) ![a  \nb](c) ![a\nb](c)').map(({ alt }) => alt),
			['a b', 'a b', 'a b'],
		);
	});

	test('reads a zero as the character for what cannot be shown', () => {
		const [found] = findImages('![a\0b](c\0.png)');
		assert.deepEqual([found?.alt, found?.href], ['a\ufffdb', 'c\ufffd.png']);
	});

	test('leaves out what is not wanted', () => {
		const images = '![](a.png) <img src=a.png> <img src=b.png> ![](c.png)';
		const found = findImages(images, (href) => href > 'b');
		assert.deepEqual(
			found.map(({ href }) => href),
			['b.png', 'c.png'],
		);
	});

	test('takes the alt text of Pandoc and Quarto, which stands behind the image', () => {
		const altOf = (markdown: string) => findImages(markdown)[0]?.alt;
		assert.equal(altOf('![](a.png){fig-alt="A red fox"}'), 'A red fox');
		assert.equal(altOf('![](a.png){#fig-a width=50% alt="A \\"red\\" fox"}'), 'A "red" fox');
		assert.equal(altOf('![A caption](a.png){fig-alt="A red fox"}'), 'A caption');
		assert.equal(altOf('![](a.png) {fig-alt="A red fox"}'), '');
		assert.equal(altOf('![](a.png){.right}'), '');
	});

	test('takes no part in brackets nested deeper than in any document', () => {
		const nested = (depth: number) => `${'['.repeat(depth)}![](a.png)${']'.repeat(depth)}`;
		assert.equal(findImages(nested(50)).length, 1);
		assert.equal(findImages(nested(5000)).length, 0);
		assert.equal(findImages(`${nested(5000)}\n\n![](b.png)`).length, 1);
		// What was closed does not count, however much of it there is, and what was not does.
		assert.equal(findImages(`${'[]'.repeat(300)}![](a.png)`).length, 1);
		assert.equal(findImages(`${']'.repeat(300)}![](a.png)`).length, 1);
		assert.equal(findImages(`${'[[]'.repeat(199)}![](a.png)`).length, 1);
		assert.equal(findImages(`${'[[]'.repeat(200)}![](a.png)`).length, 0);
	});
});

function hrefsOf(markdown: string): string[] {
	return findImages(markdown).map(({ href }) => href);
}

function pick(found: ReturnType<typeof findImages>[number] | undefined) {
	assert.ok(found);
	const { kind, href, destination, alt, heading, paragraph } = found;
	return { kind, href, destination, alt, heading, paragraph };
}
