import assert from 'node:assert/strict';
import { convert } from '@asciidoctor/core';
import MarkdownIt from 'markdown-it';
import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import { shownImages } from '../../../src/documents/check/shownImages.js';
import { formatOf } from '../../../src/documents/languages.js';
import { replaceAlt } from '../../../src/documents/replaceAlt.js';
import { altText } from '../../../src/images/altText.js';
import { troublesomeAlts } from './troublesome.js';

/** Texts that have what ends a table's cell, an attribute, an expression or a macro. */
const texts = [
	'A pier at dusk',
	'Costs | gains per year',
	'The "old" pier\'s [end]',
	'A < B && C > D',
	'{x} and {{ y }} ${z}',
	'100% of #1 \\ ~ ^ _a_ *b* `c`',
	'key=value, other="x"',
	'] | ) } > " ) ]',
];

/** Text that Jekyll, Hugo, Eleventy and knitr evaluate before they read Markdown or HTML. */
const evaluated = /\{[{%#]|`r /;

const markdownIt = new MarkdownIt({ html: true });
const html = (text: string) => Promise.resolve(text);

/** Documents by language, `‹›` around the link, and what makes HTML of them where that can be had. */
const documents: Readonly<
	Record<string, { links: readonly string[]; render?: (text: string) => Promise<string> }>
> = {
	markdown: {
		links: [
			'A ‹![](a.png)› b',
			'| a | b |\n|---|---|\n| ‹![old](a.png "t")› | c |',
			'- > ‹![Old [one] \\] here](a.png)›',
			'‹![ref]›\n\n[ref]: a.png',
			'‹![ref][]›\n\n[ref]: a.png',
			'‹<img src="a.png">›',
			"‹<img alt='old' src=a.png>›",
			'‹<img src="x alt=\'no\'" alt=old>›',
			'| a | b |\n|---|---|\n| ‹<img src="a.png" alt>› | c |',
		],
		render: (text) => Promise.resolve(markdownIt.render(text)),
	},
	mdx: {
		links: ['A ‹![](a.png)› b', '‹<img src="a.png" />›', "‹<img src={'x'} alt={'a'} />›"],
		render: async (text) => {
			const alts: string[] = [];
			const element = (type: unknown, { alt }: { alt?: string }) => {
				if (type === 'img') alts.push(alt ?? '');
			};
			const { evaluate } = await import('@mdx-js/mdx');
			const options = { Fragment: 'fragment', jsx: element, jsxs: element } as never;
			const { default: content } = await evaluate(text, options);
			content({});
			const escaped = (alt: string) => alt.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
			return alts.map((alt) => `<img alt="${escaped(alt)}">`).join('');
		},
	},
	html: {
		links: ['<p>‹<img src="a.png">›</p>', '<p>‹<img src="a.png" alt="">›</p>'],
		render: html,
	},
	vue: { links: ['<template>‹<img :src="a" alt="b" />›</template>'] },
	asciidoc: {
		links: [
			'‹image::a.png[]›',
			'‹image::a.png[Old, 300]›',
			'‹image::a.png[width=30]›',
			'‹image::a.png[alt="a, b",width=30]›',
			'See ‹image:a.png[]› here.',
			'|===\n| ‹image:a.png[]› | b\n|===',
		],
		render: async (text) => (await convert(text)) as string,
	},
	restructuredtext: {
		links: [
			'‹.. image:: a.png›\n\nText',
			'* ‹.. figure:: a.png›\n\n     Caption',
			'‹.. image:: a.png\n   :alt: Old\n     text\n   :width: 3›',
			'‹.. image:: a.png\n   :width: 3›',
		],
	},
	latex: {
		links: [
			'‹\\includegraphics{a}›',
			'‹\\includegraphics[width=1cm]{a}›',
			'‹\\includegraphics[width=1cm,alt={a}]{a}›',
		],
	},
	typst: { links: ['#‹image("a.png")›', '#figure(‹image("a.png", width: 3cm, alt: "b")›)'] },
	quarto: { links: ['‹![](a.png)›', '‹![](a.png)›{width=3}'] },
};

suite('documents › replaceAlt', () => {
	function replaced(languageId: string, document: string, alt: string): string {
		const [, above = '', link = '', below = ''] = /^([^]*)‹([^]*)›([^]*)$/.exec(document) ?? [];
		const before = above.slice(above.lastIndexOf('\n') + 1);
		const found = replaceAlt({ link, languageId, before, behind: below }, alt);
		assert.ok(found, document);
		const text = above + link + below;
		const start = above.length + found.start;
		return text.slice(0, start) + found.text + text.slice(above.length + found.end);
	}

	for (const [languageId, { links, render }] of Object.entries(documents)) {
		test(`writes texts that ${languageId} reads as they are`, async () => {
			for (const link of links) {
				const troublesome = troublesomeAlts.filter((alt) => alt !== '');
				for (const alt of render === undefined ? texts : [...texts, ...troublesome]) {
					const text = replaced(languageId, link, alt);
					if (render !== undefined) {
						const expected = typographic(languageId, altText(alt));
						assert.ok(languageId === 'asciidoc' || !evaluated.test(text), text);
						assert.deepEqual(
							altsAndCells(await render(text)),
							{
								alts: [expected],
								cells: link.includes('|') ? 2 : 0,
							},
							text,
						);
					}
					const [image, ...others] = shownImages(text, formatOf(languageId)!);
					assert.equal(others.length, 0, text);
					assert.notEqual(image?.alt.type, 'none', text);
				}
			}
		});
	}

	test('marks images as decorative where the format can say so', () => {
		for (const [languageId, link] of [
			['html', '‹<img src="a.png">›'],
			['asciidoc', '‹image::a.png[]›'],
			['restructuredtext', '‹.. image:: a.png›\n'],
			['latex', '‹\\includegraphics{a}›'],
			['typst', '#‹image("a.png")›'],
			['markdown', '‹```{image} a.png\n```›'],
		] as const) {
			const [image] = shownImages(replaced(languageId, link, ''), formatOf(languageId)!);
			assert.equal(image?.alt.type, 'decorative', link);
		}
		assert.equal(replaceAlt({ link: '![](a.png)', languageId: 'markdown' }, ''), undefined);
	});

	test('keeps what stands beside the text', () => {
		for (const [languageId, link, expected] of [
			['markdown', '‹![[a.png|300]]›', '![[a.png|A pier|300]]'],
			['markdown', '| ‹![[a.png]]› |', '| ![[a.png\\|A pier]] |'],
			['markdown', '‹> ```{image} a.png\n> ```›', '> ```{image} a.png\n> :alt: "A pier"\n> ```'],
			['quarto', '‹![](a.png)›{width=3}', '![](a.png){fig-alt="A pier" width=3}'],
			['asciidoc', '‹image::a.png[Old, 300]›', 'image::a.png[A pier, 300]'],
			[
				'restructuredtext',
				'‹.. image:: a.png\n   :alt: Old\n     text\n   :width: 3›',
				'.. image:: a.png\n   :alt: A pier\n   :width: 3',
			],
			[
				'latex',
				'‹\\includegraphics[width=1cm]{a}›',
				'\\includegraphics[alt={A pier},width=1cm]{a}',
			],
			['markdown', '{{<‹ figure src="a.png" ›>}}', '{{< figure alt="A pier" src="a.png" >}}'],
		] as const) {
			assert.equal(replaced(languageId, link, 'A pier'), expected);
		}
	});
});

/** AsciiDoc sets apostrophes and ellipses as in every paragraph. */
function typographic(languageId: string, text: string): string {
	return languageId === 'asciidoc' ? text.replace(/(?<=\w)'(?=\w)/g, '\u2019') : text;
}

function altsAndCells(page: string): { alts: string[]; cells: number } {
	const alts: string[] = [];
	let cells = 0;
	const visit = (node: DefaultTreeAdapterTypes.Node) => {
		if (node.nodeName === 'img' && 'attrs' in node) {
			alts.push(node.attrs.find(({ name }) => name === 'alt')?.value ?? '');
		}
		cells += node.nodeName === 'td' ? 1 : 0;
		if ('childNodes' in node) {
			node.childNodes.forEach(visit);
		}
	};
	visit(parse(page));
	return { alts, cells };
}
