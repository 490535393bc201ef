import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import { altText } from '../../../src/documents/altText';
import { referenceText } from '../../../src/documents/reference';
import { typstImage } from '../../../src/documents/typst';
import { seeded } from '../images/random';
import { pictureOfWidth, widthOfPicture } from './pictures';
import {
	quotedPaths,
	randomAlt,
	randomPath,
	troublesomeAlts,
	troublesomePaths,
} from './troublesome';

suite('typstImage, rendered by Typst', () => {
	// The file system is one of the compiler's own, in memory.
	const compiler = NodeCompiler.create({ workspace: '/root' });
	const mainFilePath = '/root/docs/page.typ';

	const assertRendered = (images: readonly { path: string; alt: string }[]) => {
		const page = images.map((image) => referenceText(typstImage(image)));
		compiler.addSource(mainFilePath, `Before.\n\n${page.join('\n\n')}\n\nAfter.`);
		images.forEach(({ path }, index) =>
			compiler.mapShadow(posix.join('/root/docs', path), pictureOfWidth(1 + index)),
		);
		const found = compiler.query({ mainFilePath }, { selector: 'image' }) as { alt: string }[];
		const svg = compiler.svg({ mainFilePath });
		const shown = svg.matchAll(/<image[^>]* xlink:href="data:image\/png;base64,([^"]*)"/g);
		assert.deepEqual(
			Array.from(shown, ([, data]) => widthOfPicture(Buffer.from(data!, 'base64'))),
			images.map((_, index) => 1 + index),
			page.join('\n'),
		);
		assert.deepEqual(
			found.map(({ alt }) => alt),
			images.map(({ alt }) => altText(alt)),
		);
	};

	for (const path of [...troublesomePaths, ...quotedPaths]) {
		test(`shows ${JSON.stringify(path)}`, () => assertRendered([{ path, alt: 'Fox' }]));
	}

	for (const alt of [...troublesomeAlts, '']) {
		test(`says ${JSON.stringify(alt)}`, () => assertRendered([{ path: 'a b.png', alt }]));
	}

	test('shows whatever path and alt text there are', () => {
		const random = seeded(14);
		const images = new Map<string, string>();
		while (images.size < 200) images.set(randomPath(random), randomAlt(random));
		assertRendered(Array.from(images, ([path, alt]) => ({ path, alt })));
	});
});
