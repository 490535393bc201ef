import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { missingIn, type MissingImage } from '../../../../src/documents/missing/missingIn.js';
import { writeTree } from './tree.js';

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

	test('what is there, or is no file of this machine, is not missing', async () => {
		const there = await mkdtemp(path.join(tmpdir(), 'easel-missing-in-'));
		try {
			await writeTree(there, { 'a.png': '', 'b.txt': '' });
			const text = '![](a.png) ![](https://example.com/c.png) ![](d.png) ![](b.txt/e.png)';
			const place = { document: path.join(there, 'a.md'), workspaceFolder: there };
			const images = [...missingIn(text, place)];
			assert.deepEqual(
				images.map((image) => path.relative(there, image.path)),
				['d.png'],
			);
		} finally {
			await rm(there, { recursive: true });
		}
	});

	test('on a page of a site a path with a slash is the site’s, or what the editor takes it for', async () => {
		const there = await mkdtemp(path.join(tmpdir(), 'easel-missing-in-'));
		try {
			await writeTree(there, { 'static/img/site.png': '', 'img/editor.png': '' });
			const text = [
				...['![](/img/site.png)', '![](/img/editor.png)', '![](/img/none%20%C3%A4.png)'],
				...[
					'![](img/beside.png)',
					'![](/../../easel-nowhere.png)',
					'<img src="/img/site.png/x.png">',
				],
			].join('\n\n');
			const missing = (name: string, publicFolder?: string) =>
				[
					...missingIn(text, {
						document: path.join(there, name),
						workspaceFolder: there,
						publicFolder,
					}),
				].map(({ path: file, obstacle }) => [path.relative(there, file), obstacle]);
			const out = [path.join('..', 'easel-nowhere.png'), 'outside'];
			const beside = path.join('docs', 'img', 'beside.png');
			assert.deepEqual(missing('docs/a.md', 'static'), [
				[path.join('static', 'img', 'none ä.png'), undefined],
				[beside, undefined],
				out,
			]);
			for (const publicFolder of ['', undefined, 'docs/public/static']) {
				assert.deepEqual(
					missing('docs/a.md', publicFolder).map(([file]) => file),
					[
						path.join('img', 'site.png'),
						path.join('img', 'none ä.png'),
						beside,
						path.join('..', '..', 'easel-nowhere.png'),
						path.join('img', 'site.png', 'x.png'),
					],
					publicFolder,
				);
			}
		} finally {
			await rm(there, { recursive: true });
		}
	});
});
