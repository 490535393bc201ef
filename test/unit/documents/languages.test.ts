import assert from 'node:assert/strict';
import { languageOfDocument, languageOfFile, languages } from '../../../src/documents/languages.js';

const languageIds = languages.flatMap(({ ids }) => ids);

suite('documents › languages', () => {
	test('have identifiers and extensions that no other one has', () => {
		const extensions = languages.flatMap((language) => language.extensions);
		for (const all of [languageIds, extensions]) {
			assert.equal(new Set(all).size, all.length);
		}
		assert.deepEqual(
			extensions,
			extensions.map((extension) => extension.toLowerCase()),
		);
	});

	test('are recognized by the names of files in any case', () => {
		for (const { ids, extensions } of languages) {
			assert.ok(extensions.length > 0, ids[0]);
			for (const extension of extensions) {
				assert.equal(languageOfFile(`/docs/a.b/Guide.${extension.toUpperCase()}`), ids[0]);
			}
		}
		for (const name of ['/docs/md', '/docs.md/guide', 'guide.txt', '', 'guide.']) {
			assert.equal(languageOfFile(name), undefined, name);
		}
	});

	test('are recognized by the name where VS Code takes a document for plain text', () => {
		assert.equal(languageOfDocument('plaintext', '/docs/manual.adoc'), 'asciidoc');
		assert.equal(languageOfDocument('plaintext', '/docs/page.mdx'), 'mdx');
		assert.equal(languageOfDocument('plaintext', '/docs/notes.txt'), 'plaintext');
		assert.equal(languageOfDocument('html', '/docs/page.md'), 'html');
		assert.equal(languageOfDocument('javascript', '/docs/page.mdx'), 'javascript');
	});
});
