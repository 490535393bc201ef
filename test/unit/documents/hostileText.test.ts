import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { convert } from '@asciidoctor/core';
import MarkdownIt from 'markdown-it';
import { parseFragment, serialize, type DefaultTreeAdapterTypes } from 'parse5';
import { destinationFor } from '../../../src/documents/writeImageLink';
import { altText } from '../../../src/images/altText';
import { insertImage, marked } from './inserting';
import { file, imagesInHtml, troublesomeAlts } from './troublesome';

/** Beside what is troublesome everywhere: what ends or begins something in HTML or in a template. */
const hostile = [
	...troublesomeAlts,
	'a `b` ``c`` </d> <!-- e',
	'{%- a -%} {{{{ b }}}} {: .c}',
	'a\n# b\n| c |',
];

/** Text that Jekyll, Hugo, Eleventy and knitr evaluate before they read Markdown or HTML. */
const evaluated = /\{[{%#]|`r /;

/** Parser of the editor's preview and of many generators. */
const markdown = new MarkdownIt({ html: true });

/** Documents of every language that is rendered to HTML, and the places in them that differ. */
const places: Readonly<
	Record<
		string,
		[languageId: string, render: (text: string) => string | Promise<string>, ...string[]]
	>
> = {
	Markdown: [
		'markdown',
		(text) => markdown.render(text),
		'Before.\n\n¦\n\nAfter.',
		'# One ¦ two',
		'> - One\n>\n>   ¦',
		'| a | b |\n|---|---|\n| ¦ | keep |\n| c | d |',
		'a | b\n--- | ---\none ¦ two | keep',
		'<div>\n<p>One ¦ two</p>\n</div>',
	],
	MDX: ['mdx', renderMdx, 'Before.\n\n¦\n\nAfter.', '# One ¦ two', '<div>\n\n¦\n\n</div>'],
	HTML: [
		'html',
		(text) => text,
		'<p>One ¦ two</p>',
		'<table><tr><td>¦</td><td>b</td></tr></table>',
	],
	Svelte: ['svelte', (text) => text, '<p>One ¦ two</p>'],
	Handlebars: ['handlebars', (text) => text, '<p>One ¦ two</p>'],
	// A browser shows nothing of a template.
	Vue: [
		'vue',
		(text) => text.replace(/<.?template>/g, ''),
		'<template>\n<p>One ¦ two</p>\n</template>',
	],
	AsciiDoc: [
		'asciidoc',
		renderAsciidoc,
		'= Page\nThe Author\n\nBefore.\n\n¦\n\nAfter.',
		'= Page\nThe Author\n\n== One ¦ two',
		'= Page\nThe Author\n\n|===\n|¦ |keep\n|c |d\n|===',
	],
};

suite('Hostile alt texts and paths', () => {
	for (const [name, [languageId, render, ...documents]] of Object.entries(places)) {
		for (const document of documents) {
			const { text, asked } = marked(document);
			const write = (image: { readonly alt: string; readonly path?: string }) =>
				insertImage(languageId, text, asked, image).text;

			test(`in ${name} read back, and change nothing around them: ${JSON.stringify(document)}`, async () => {
				const around = without(await render(write({ alt: 'x' })));
				for (const alt of hostile) {
					const path = `${altText(alt).replaceAll('/', '-')}.png`;
					for (const image of [
						{ alt, path: 'a.png' },
						{ alt: 'x', path },
					]) {
						const written = write(image);
						const html = await render(written);
						assert.deepEqual(
							imagesInHtml(html),
							[{ file: posix.join('/root/docs', image.path), alt: altText(image.alt) }],
							written,
						);
						assert.equal(without(html), around, written);
						assert.ok(name === 'AsciiDoc' || !evaluated.test(written), written);
					}
				}
			});
		}
	}

	test('of a file that a link is changed to read back in a cell of Markdown', () => {
		for (const text of hostile) {
			const name = `${altText(text).replaceAll('/', '-')}.png`;
			for (const [kind, link] of [
				['inline', (path: string) => `![x](${path})`],
				['html', (path: string) => `<img src="${path}" alt="x">`],
			] as const) {
				const path = destinationFor(
					{ kind, href: 'old.png' },
					{ document: file('/root/docs/page'), image: file(`/root/docs/${name}`) },
				);
				const written = `| a | b |\n|---|---|\n| ${link(path)} | keep |`;
				const html = markdown.render(written);
				assert.deepEqual(imagesInHtml(html), [{ file: `/root/docs/${name}`, alt: 'x' }], written);
				assert.match(html, /<td>keep<\/td>/);
				assert.doesNotMatch(written, evaluated);
			}
		}
	});
});

/** HTML as a browser reads it, without its images, and the paragraphs in which nothing else is. */
function without(html: string): string {
	const root = parseFragment(html);
	const visit = (node: DefaultTreeAdapterTypes.ParentNode) => {
		node.childNodes = node.childNodes.filter(({ nodeName }) => nodeName !== 'img');
		for (const child of node.childNodes) if ('childNodes' in child) visit(child);
	};
	visit(root);
	return serialize(root)
		.replace(/<p>\s*<\/p>/g, '')
		.replace(/\s*\n\s*/g, '\n');
}

async function renderAsciidoc(text: string): Promise<string> {
	const html = await convert(text);
	assert.ok(typeof html === 'string');
	return html;
}

async function renderMdx(text: string): Promise<string> {
	// MDX and what it needs can be imported, but not required.
	const { evaluate } = await import('@mdx-js/mdx');
	const element = (type: unknown, { children = '', ...attributes }: Record<string, unknown>) => {
		const content = [children].flat().map(String).join('');
		const written = Object.entries(attributes).map(
			([name, value]) => ` ${name}="${markdown.utils.escapeHtml(String(value))}"`,
		);
		if (type === 'fragment') return content;
		return `<${String(type)}${written.join('')}>${type === 'img' ? '' : `${content}</${String(type)}>`}`;
	};
	const { default: content } = await evaluate(text, {
		Fragment: 'fragment',
		jsx: element as never,
		jsxs: element as never,
	});
	return String(content({}));
}
