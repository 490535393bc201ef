import assert from 'node:assert/strict';
import {
	restructuredTextImage,
	restructuredTextUri,
	sphinxPath,
} from '../../../src/documents/restructuredText';

suite('restructuredTextImage', () => {
	for (const [path, uri] of [
		['two  spaces.png', 'two\\ \\ spaces.png'],
		['C#/100%?.png', 'C%23/100%25%3F.png'],
		['a\\b.png', 'a%5Cb.png'],
		['a\u00a0b.png', 'a%C2%A0b.png'],
		['`a`_*b*|c|.png', '`a`_*b*|c|.png'],
	] as const) {
		test(`writes the path ${path} as ${uri}`, () => assert.equal(restructuredTextUri(path), uri));
	}

	for (const [path, argument] of [
		['C#/100%?.png', 'C#/100%?.png'],
		['a\\b.png', 'a\\\\b.png'],
	] as const) {
		test(`writes the path ${path} for Sphinx as ${argument}`, () => {
			assert.equal(sphinxPath(path), argument);
			const { before } = restructuredTextImage({ path, alt: '' }, { forSphinx: true });
			assert.ok(before.startsWith(`.. image:: ${argument}\n`));
		});
	}

	test('takes the alt text as it stands', () => {
		const alt = ':a: *b* \\c `d`_ [e]_ |f|';
		assert.equal(restructuredTextImage({ path: 'a.png', alt }).alt, alt);
	});
});
