import assert from 'node:assert/strict';
import {
	formatOf,
	languageOfDocument,
	languageOfFile,
	languages,
} from '../../../src/documents/languages.js';
import { linkText } from '../../../src/documents/imageLink.js';
import { imageLinkFor } from '../../../src/documents/writeImageLink.js';

const languageIds = languages.flatMap(({ ids }) => ids);
const uri = (path: string) => ({ scheme: 'file', authority: '', path });

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

	test('write an image link each, and others the plain path', () => {
		const place = { document: uri('/docs/guide'), image: uri('/docs/a.png'), alt: 'A harbor' };
		for (const id of languageIds) {
			assert.ok(formatOf(id), id);
			assert.notEqual(linkText(imageLinkFor(id, place)), 'a.png', id);
		}
		assert.equal(formatOf('plaintext'), undefined);
		assert.equal(linkText(imageLinkFor('plaintext', place)), 'a.png');
	});
});
