import assert from 'node:assert/strict';
import path from 'node:path';
import { missingIn, type MissingImage } from '../../../../src/documents/missing/missingIn.js';

suite('documents › missing › missingIn', () => {
	const folder = path.resolve('/nowhere/notes');
	const document = path.join(folder, 'a.md');

	function obstacles(
		hrefs: readonly string[],
		workspaceFolder: string | undefined,
		system?: NodeJS.Platform,
	): readonly MissingImage['obstacle'][] {
		const text = hrefs.map((href) => `![x](<${href}>)`).join('\n\n');
		const images = [...missingIn(text, { document, workspaceFolder }, system)];
		assert.equal(images.length, hrefs.length);
		return images.map(({ obstacle }) => obstacle);
	}

	test('an image of a document without a workspace keeps to the document’s folder', () => {
		const hrefs = [
			'a.png',
			'deeper/still/a.png',
			'deeper/../a.png',
			'../../.config/autostart/x.png',
			'../a.png',
			'%2e%2e/a.png',
			'deeper/../../notes-of-others/a.png',
		];
		assert.deepEqual(obstacles(hrefs, undefined), [
			...[undefined, undefined, undefined],
			...['outside', 'outside', 'outside', 'outside'],
		]);
	});

	test('an image of a document in a workspace keeps to that', () => {
		const hrefs = ['../a.png', '/a.png', '../../a.png'];
		assert.deepEqual(obstacles(hrefs, path.dirname(folder)), [undefined, undefined, 'outside']);
	});

	test('is known in a workspace, whatever the folders above it are called', () => {
		const workspaceFolder = path.resolve('/nowhere/shared/_includes/notes');
		const unknown = (document: string) =>
			[...missingIn('![x](a.png)', { document, workspaceFolder })].map((image) => image.unknown);
		assert.deepEqual(unknown(path.join(workspaceFolder, 'docs/a.md')), [undefined]);
		assert.deepEqual(unknown(path.join(workspaceFolder, 'shared/a.md')), ['included']);
	});

	test('names that are none on the system are not offered', () => {
		const hrefs = ['con.png', 'deeper/nul/a.png', 'deeper/notes.txt:evil.png', '.png', 'a%0Ab.png'];
		for (const root of [undefined, folder]) {
			assert.deepEqual(obstacles(hrefs, root, 'win32'), Array(5).fill('name'));
			assert.deepEqual(obstacles(hrefs, root, 'linux'), [
				...[undefined, undefined, undefined],
				...['name', 'name'],
			]);
		}
	});

	test('what stands at a place of its own is not outside, whatever its folders are called', () => {
		const hrefs = ['deeper../a.png', '..deeper/a.png', '../a.png'];
		assert.deepEqual(obstacles(hrefs, folder), [undefined, undefined, 'outside']);
		// The wall itself lies in what the link names.
		const within = path.resolve('/nowhere/notes.png/sub');
		const above = [
			...missingIn('![x](..)', { document: path.join(within, 'a.md'), workspaceFolder: within }),
		];
		assert.deepEqual(
			above.map(({ obstacle }) => obstacle),
			['outside'],
		);
	});

	test('only a name that ends as a PNG does can become one', () => {
		const hrefs = ['a.PNG', 'a.jpg', 'a.png.jpg', 'a.png/b', '../a.jpg'];
		assert.deepEqual(obstacles(hrefs, folder), [
			undefined,
			...['format', 'format', 'format', 'format'],
		]);
	});
});
