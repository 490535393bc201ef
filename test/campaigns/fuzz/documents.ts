import assert from 'node:assert/strict';
import { findImages } from '../../../src/documents/findImages.js';
import { imagePathBefore } from '../../../src/documents/imagePathBefore.js';
import { imagePaths } from '../../../src/documents/imagePaths.js';
import { languages, type DocumentFormat } from '../../../src/documents/languages.js';
import { localPaths } from '../../../src/documents/localPath.js';
import type { Span } from '../../../src/documents/span.js';
import { documentImagesFolder } from '../../../src/documents/writeImageLink.js';
import { randomText, seeded } from '../../unit/images/random.js';
import { inCase, type Fuzz } from '../campaign';
import { below } from './mutate.js';

/** The most of the processor that one short document may take, in milliseconds. */
const maxMs = 1000;

/**
 * Has random documents of all formats read: nothing throws, nothing takes long, and what is found lies
 * within the text.
 */
export const fuzzDocuments: Fuzz = async ({ cases, seed }) => {
	const random = seeded(seed);
	let images = 0;
	for (let index = 0; index < cases; index++) {
		const { format, ids } = languages[index % languages.length]!;
		const text = randomDocument(format, random);
		const before = process.cpuUsage();
		images += await inCase(seed, index, () => readAll(format, ids[0], text));
		const { user, system } = process.cpuUsage(before);
		assert.ok(
			(user + system) / 1000 < maxMs,
			`Seed ${String(seed)}, ${format}, ${String(user / 1000)} ms: ${JSON.stringify(text)}`,
		);
		if (index % 100 === 0) {
			// Progress, for a long run.
			await new Promise(setImmediate);
		}
	}
	return { cases, note: `${String(images)} images in ${String(languages.length)} formats` };
};

/** Reads a document in every way; returns how many images it has. */
function readAll(format: DocumentFormat, languageId: string, text: string): number {
	const inside = ({ start, end }: Span) => {
		assert.ok(0 <= start && start <= end && end <= text.length, `${String(start)}, ${String(end)}`);
	};
	const page = { document: '/work/docs/page.md', workspaceFolder: '/work' };
	const isMarkdown = format === 'markdown' || format === 'mdx';
	const found = isMarkdown ? findImages(text) : [];
	for (const { span, destinationSpan, raw, href } of found) {
		inside(span);
		inside(destinationSpan);
		assert.equal(raw, text.slice(destinationSpan.start, destinationSpan.end));
		localPaths({ href }, page);
	}
	const paths = imagePaths(text);
	let end = 0;
	for (const path of paths) {
		inside(path);
		assert.ok(path.start >= end);
		assert.equal(path.path, text.slice(path.start, path.end));
		({ end } = path);
		localPaths({ href: path.path }, page);
	}
	assert.ok(text.endsWith(imagePathBefore(format, text)?.typed ?? ''));
	const folder = documentImagesFolder(languageId, {
		document: { scheme: 'file', authority: '', path: '/work/docs/page' },
		workspaceFolder: { scheme: 'file', authority: '', path: '/work' },
		textBefore: text,
	});
	assert.ok(folder === undefined || folder.startsWith('/'));
	return isMarkdown ? found.length : paths.length;
}

function randomDocument(format: DocumentFormat, random: () => number): string {
	const one = (from: readonly string[]) => from[below(random, from.length)] ?? '';
	const own = pieces[format];
	const piece = () => {
		const chance = below(random, 20);
		return chance === 0
			? randomText(random, 5)
			: chance === 1
				? one(common).repeat(1 + below(random, 200))
				: one(chance < 12 ? own : common);
	};
	const line = () => Array.from({ length: below(random, 8) }, piece).join('');
	return Array.from({ length: below(random, 12) }, line).join(
		one(['\n', '\n', '\n\n', '\r\n', '\r']),
	);
}

/** Contents of documents of any kind, whole and in parts. */
const common: readonly string[] = [
	...['a.png', 'images/b c.PNG', '../d.jpeg', 'e%20f.webp', '/g.png', 'h%ff.png', '.png', 'i.pngs'],
	...[
		'https://example.com/j.png',
		'data:image/png;base64,AAAA',
		'C:\\k.png',
		'狐.png',
		'l.png?m#n',
	],
	...[
		'word',
		' ',
		'  ',
		'\t',
		'"',
		"'",
		'(',
		')',
		'[',
		']',
		'{',
		'}',
		'<',
		'>',
		'\\',
		'/',
		'%',
		'&',
	],
	...['ä😀', '\u202e', '\0', '\ud83d', '\ufeff', '\u2028', '&amp;', '&#', ':', '|', '=', '#', '!'],
];

const markdown: readonly string[] = [
	...[
		'![a](b.png)',
		'![c](<d e.png> "t")',
		'![',
		'](',
		'](f.png)',
		'![g][h]',
		'[h]: i.png\n',
		'[j]:',
	],
	...['> ', '- ', '1. ', '    ', '```', '~~~', '---', '# ', '| a |', '|-|-|', '`', '``', '**', '_'],
	...[
		'<!--',
		'-->',
		'<img src="k.png" alt="l">',
		'<img ',
		'<div>',
		'</div>',
		'<script>',
		'</script>',
	],
];
const html: readonly string[] = [
	...[
		'<img src="a.png">',
		"<IMG alt='b>c' src='d.png'/>",
		'<img src=e.png>',
		'<img ',
		'src="',
		'/>',
	],
	...['<!--', '-->', '<script>', '</script>', '<a<a', '{{ f }}', '{#if}', '<%', '%>', '<picture>'],
];

const pieces: Readonly<Record<DocumentFormat, readonly string[]>> = {
	markdown,
	mdx: [...markdown, '{', '}', 'import A from "b.png"\n', '<A b={c} />', 'export const d = '],
	html,
	vue: [...html, '<template>', ':src="a"', "require('b.png')", '</template>'],
	asciidoc: [
		...[
			'image::a.png[b]',
			'image:c.png[',
			':imagesdir: d\n',
			':e: {e}{f}',
			'{imagesdir}',
			'\n:!g:\n',
		],
		...[
			'ifdef::h[]\n',
			'ifndef::i[:imagesdir: j]',
			'endif::[]\n',
			'\n----\n',
			'\n....\n',
			'////',
			'+',
		],
	],
	restructuredText: [
		...[
			'.. image:: a.png\n',
			'   :alt: b\n',
			'.. figure:: ',
			'.. |c| image:: d.png',
			'`',
			'::',
			'.. ',
		],
	],
	latex: [
		...[
			'\\includegraphics[width=1cm]{a.png}',
			'\\includegraphics{',
			'\\graphicspath{{b/}{c/}}',
			'%',
		],
		...[
			'% !TEX root = ../d.tex\n',
			'\\graphicspath',
			'{{',
			'}}',
			'\\begin{figure}',
			'\\%',
			'^^',
			'$',
		],
	],
	typst: [
		'#image("a.png")',
		'#image("',
		'", alt: "b")',
		'#figure(',
		'image(',
		'//',
		'/*',
		'*/',
		'\\u{',
	],
};
