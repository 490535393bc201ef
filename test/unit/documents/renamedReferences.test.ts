import assert from 'node:assert/strict';
import { imagePaths } from '../../../src/documents/imagePaths.js';
import { renamedReferences } from '../../../src/documents/renamedReferences.js';

/** A path as it is written, under the new name. */
function renamed(written: string, languageId: string, from: string, to: string): string {
	const whole = { start: 0, end: written.length };
	return renamedReferences(written, [whole], languageId, { from, to })[0]!.newText;
}

suite('renamedReferences', () => {
	test('changes nothing but the end of a name, and leads back to the same text', () => {
		for (const [languageId, written, wanted] of [
			['latex', 'img/größe.jpg', 'img/größe.png'],
			['typst', '../größe.jpg', '../größe.png'],
			['restructuredtext', 'gr%C3%B6%c3%9Fe.jpg', 'gr%C3%B6%c3%9Fe.png'],
			['asciidoc', 'größe.jpg', 'größe.png'],
			['html', './gr%C3%B6ße.jpg', './gr%C3%B6ße.png'],
			['markdown', '<größe.jpg>', '<größe.png>'],
			['markdown', 'größe.jpg?raw=1#a.jpg', 'größe.png?raw=1#a.jpg'],
			['markdown', '<größe.jpg?raw>', '<größe.png?raw>'],
			['markdown', 'gr&#246;%C3%9fe\\.jpg', 'gr&#246;%C3%9fe\\.png'],
		] as const) {
			assert.equal(renamed(written, languageId, 'größe.jpg', 'größe.png'), wanted);
			assert.equal(renamed(wanted, languageId, 'größe.png', 'größe.jpg'), written);
		}
	});

	test('adds and takes away a number', () => {
		for (const [from, to] of [
			['a.jpg', 'a-1.png'],
			['a-1.jpg', 'a-1-2.png'],
			['a-1.JPEG', 'a-2.png'],
			['50%.jpg', '50%-1.png'],
		] as const) {
			assert.equal(renamed(`b/${from}`, 'latex', from, to), `b/${to}`);
			assert.equal(renamed(`b/${to}`, 'latex', to, from), `b/${from}`);
		}
		assert.equal(renamed('a-%31.jpg', 'markdown', 'a-1.jpg', 'a-2.png'), 'a-2.png');
	});

	test('writes the whole name as the format has it, where the end is not written plainly', () => {
		const name = "50% (ö) & 'x'.png";
		const webName = '50%25%20%28ö%29%20&amp;%20%27x%27.png';
		for (const [languageId, written, wanted] of [
			['markdown', 'a/b%2Ejpg', `a/${webName}`],
			['markdown', '<a/b%2Ejpg?raw>', `<a/${webName}?raw>`],
			['mdx', 'b&#46;jpg', webName],
			['html', 'b%2Ejpg', webName],
			['vue', './b%2Ejpg', `./${webName}`],
			['asciidoc', 'b%2Ejpg', "50%25 (ö) & 'x'.png"],
			['restructuredtext', 'a/b%2Ejpg', "a/50%25\\ (ö)\\ &\\ 'x'.png"],
			['restructuredtext', 'a/b.jpg', "a/50%\\ (ö)\\ &\\ 'x'.png"],
			['latex', 'b.jpg', "50\\csname c_percent_str\\endcsname \\space (ö) & 'x'.png"],
			['typst', 'a/b.jpg', `a/${name}`],
			['plaintext', 'a/b.jpg', `a/${name}`],
		] as const) {
			assert.equal(renamed(written, languageId, 'b.jpg', name), wanted, languageId);
		}
	});

	test('changes a place once, and in the order of the text', () => {
		const text = 'a.jpg b/a.jpg';
		const [first, second] = imagePaths(text);
		const names = { from: 'a.jpg', to: 'a.png' };
		assert.deepEqual(renamedReferences(text, [second!, first!, { ...second! }], 'latex', names), [
			{ start: 0, end: 5, newText: 'a.png' },
			{ start: 6, end: 13, newText: 'b/a.png' },
		]);
	});

	test('refuses places that overlap', () => {
		const places = [
			{ start: 0, end: 5 },
			{ start: 4, end: 9 },
		];
		const names = { from: 'a.jpg', to: 'a.png' };
		assert.throws(() => renamedReferences('a.jpga.jpg', places, 'markdown', names), RangeError);
	});
});
