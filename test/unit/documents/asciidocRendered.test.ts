import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { convert } from '@asciidoctor/core';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { altText } from '../../../src/documents/altText';
import {
	asciidocImage,
	asciidocImagesFolder,
	asciidocReference,
} from '../../../src/documents/asciidoc';
import { referenceText } from '../../../src/documents/reference';
import { seeded } from '../images/random';
import {
	file,
	fileOf,
	quotedPaths,
	randomAlt,
	randomPath,
	troublesomeAlts,
	troublesomePaths,
} from './troublesome';

suite('asciidocImage, rendered by Asciidoctor', () => {
	for (const path of [...troublesomePaths, ...quotedPaths]) {
		test(`shows ${JSON.stringify(path)}`, () => assertRendered([{ path, alt: 'Fox' }]));
	}

	test('sets apostrophes as in every paragraph', async () => {
		const macro = referenceText(asciidocImage({ path: 'a.png', alt: "It's (C)" }));
		assert.equal(imagesIn(String(await convert(macro)))[0]?.alt, 'It\u2019s \u00a9');
	});

	for (const alt of troublesomeAlts) {
		test(`says ${JSON.stringify(alt)}`, () => assertRendered([{ path: 'a b.png', alt }]));
	}

	test('shows whatever path and alt text there are', async () => {
		const random = seeded(13);
		await assertRendered(
			Array.from({ length: 400 }, () => ({
				path: randomPath(random),
				alt: randomAlt(random).replace(typographic, ''),
			})),
		);
	});

	for (const folder of ['images', './my images', '../../images', '/img']) {
		test(`shows images where imagesdir is ${folder}`, async () => {
			const document = file('/root/docs/page.adoc');
			const header = `:imagesdir: ${folder}\n\n`;
			// A browser's root is that of the file system here.
			const imagesFolder = asciidocImagesFolder(document, header, '/');
			const images = troublesomePaths.map((path) => file(posix.join('/root/docs', path)));
			const macros = images.map((image) => {
				const path = asciidocReference(document, image, imagesFolder);
				return referenceText(asciidocImage({ path, alt: 'Fox' }));
			});
			const shown = imagesIn(String(await convert(header + macros.join('\n\n'))));
			assert.deepEqual(
				shown.map(({ src }) => fileOf(src)),
				images.map(({ path }) => path),
			);
		});
	}
});

async function assertRendered(images: readonly { path: string; alt: string }[]): Promise<void> {
	const page = images.map((image) => referenceText(asciidocImage(image)));
	const shown = imagesIn(String(await convert(`:fox: wolf\n\n${page.join('\n\n')}\n\nAfter.`)));
	assert.deepEqual(
		shown.map(({ src, alt }) => ({ file: fileOf(src), alt })),
		images.map(({ path, alt }) => ({
			file: posix.join('/root/docs', path),
			alt: altText(alt),
		})),
	);
}

function imagesIn(html: string): { src: string; alt: string }[] {
	const found: { src: string; alt: string }[] = [];
	const visit = (node: DefaultTreeAdapterTypes.Node) => {
		if (node.nodeName === 'img') {
			const { attrs } = node as DefaultTreeAdapterTypes.Element;
			const value = (name: string) => attrs.find((attr) => attr.name === name)?.value ?? '';
			found.push({ src: value('src'), alt: value('alt') });
		}
		if ('childNodes' in node) node.childNodes.forEach(visit);
	};
	visit(parseFragment(html));
	return found;
}

/** "Character Replacements" of the AsciiDoc Language Documentation. */
const typographic = /['`()<>=.-]/g;
