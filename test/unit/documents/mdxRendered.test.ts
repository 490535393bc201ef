import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { altText } from '../../../src/documents/altText';
import { mdxImage } from '../../../src/documents/mdx';
import { referenceText } from '../../../src/documents/reference';
import { seeded } from '../images/random';
import {
	fileOf,
	quotedPaths,
	randomAlt,
	randomPath,
	troublesomeAlts,
	troublesomePaths,
} from './troublesome';

suite('mdxImage, rendered by MDX', () => {
	for (const path of [...troublesomePaths, ...quotedPaths]) {
		test(`shows ${JSON.stringify(path)}`, () => assertRendered([{ path, alt: 'Fox' }]));
	}

	for (const alt of [...troublesomeAlts, '']) {
		test(`says ${JSON.stringify(alt)}`, () => assertRendered([{ path: 'a b.png', alt }]));
	}

	test('shows whatever path and alt text there are', async () => {
		const random = seeded(12);
		await assertRendered(
			Array.from({ length: 400 }, () => ({ path: randomPath(random), alt: randomAlt(random) })),
		);
	});
});

/** Renders a page with these images, each in a paragraph of its own with text around it. */
async function assertRendered(images: readonly { path: string; alt: string }[]): Promise<void> {
	const page = images.map((image) => `Before ${referenceText(mdxImage(image))} after.`);
	const rendered: { src: string; alt: string }[] = [];
	const element = (type: unknown, props: { src: string; alt: string }) => {
		if (type === 'img') rendered.push(props);
		return { type, props };
	};
	// MDX and what it needs can be imported, but not required.
	const { evaluate } = await import('@mdx-js/mdx');
	const { default: content } = await evaluate(page.join('\n\n'), {
		Fragment: 'fragment',
		jsx: element as never,
		jsxs: element as never,
	});
	content({});
	assert.deepEqual(
		rendered.map(({ src, alt }) => ({ file: fileOf(src), alt })),
		images.map(({ path, alt }) => ({ file: posix.join('/root/docs', path), alt: altText(alt) })),
	);
}
