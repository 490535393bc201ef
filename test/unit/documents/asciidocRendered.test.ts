import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { convert } from '@asciidoctor/core';
import {
	asciidocImage,
	asciidocImagesFolders,
	asciidocReference,
} from '../../../src/documents/asciidoc';
import { linkText } from '../../../src/documents/imageLink';
import { file, imagesInHtml, testRendering, troublesomePaths } from './troublesome';

suite('asciidocImage, rendered by Asciidoctor', () => {
	testRendering(
		(images) => {
			const page = images.map((image) => linkText(asciidocImage(image)));
			return render([':fox: wolf', ...page, 'After.']);
		},
		// "Character Replacements" of the AsciiDoc Language Documentation.
		{ seed: 13, leftOut: /['`()<>=.-]/g },
	);

	suite('within a line', () => {
		testRendering(
			async (images) => {
				const lines = images.map(
					(image) => `Before ${linkText(asciidocImage(image, 'inline'))} after.`,
				);
				return render([':fox: wolf', ...lines, 'After.']);
			},
			{ seed: 17, leftOut: /['`()<>=.-]/g },
		);
	});

	test('sets apostrophes as in every paragraph', async () => {
		const macro = linkText(asciidocImage({ path: 'a.png', alt: "It's (C)" }));
		const [shown] = await render([macro]);
		assert.equal(shown?.alt, 'It\u2019s \u00a9');
	});

	for (const folder of ['images', './my images', '../../images', '/img']) {
		test(`shows images where imagesdir is ${folder}`, async () => {
			const document = file('/root/docs/page.adoc');
			const header = `:imagesdir: ${folder}`;
			// A browser's root is that of the file system here.
			const imagesFolder = asciidocImagesFolders(document, header, '/')(header.length);
			const images = troublesomePaths.map((path) => file(posix.join('/root/docs', path)));
			const macros = images.map((image) => {
				const path = asciidocReference(document, image, imagesFolder);
				return linkText(asciidocImage({ path, alt: 'Fox' }));
			});
			const shown = await render([header, ...macros]);
			assert.deepEqual(
				shown.map(({ file }) => file),
				images.map(({ path }) => path),
			);
		});
	}
});

async function render(blocks: readonly string[]) {
	const html = await convert(blocks.join('\n\n'));
	assert.ok(typeof html === 'string');
	return imagesInHtml(html);
}
