import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { find, shown } from '../../../../src/documents/reading/find.js';
import { writeTree } from '../missing/tree.js';

suite('documents › reading › find', () => {
	let folder: string;

	setup(async () => {
		folder = await realpath(await mkdtemp(path.join(tmpdir(), 'easel-find-')));
	});

	teardown(() => rm(folder, { recursive: true }));

	/** All steps of a search, by the paths relative to the folder. */
	function found(exclude: Record<string, unknown> = {}, respectGitignore = false): string[] {
		const root = {
			path: folder,
			workspaceFolder: folder,
			exclude: { 'files.exclude': exclude },
		};
		const files: string[] = [];
		for (let open: readonly string[] = [folder]; open.length > 0;) {
			const step = find({ root, places: open, extensions: ['png', 'jpg'], respectGitignore });
			files.push(...step.files);
			open = step.open;
		}
		return files.map((file) => path.relative(folder, file).replaceAll(path.sep, '/')).sort();
	}

	test('finds files by their extensions, in any case, however deep they lie', async () => {
		await writeTree(folder, {
			'a.png': '',
			'b.PNG': '',
			'c.Jpg': '',
			'd.jpeg': '',
			png: '',
			'one/two/three/e.png': '',
			'f.png/g.txt': '',
			'f.png/h.png': '',
		});
		assert.deepEqual(found(), ['a.png', 'b.PNG', 'c.Jpg', 'f.png/h.png', 'one/two/three/e.png']);
	});
});

suite('documents › reading › shown', () => {
	const files = [
		'a.png',
		'hidden/b.png',
		'x/hidden/deep/c.png',
		'node_modules/d.png',
		'x/.git/e.png',
	];

	test('leaves out what lies in packages and what Git keeps', () => {
		assert.deepEqual(shown({ exclude: {}, files }), [
			'a.png',
			'hidden/b.png',
			'x/hidden/deep/c.png',
		]);
	});

	test('leaves out what the settings hide, and what lies in folders that they hide', () => {
		const exclude = { 'files.exclude': { '**/hidden': true, 'a.png': false } };
		assert.deepEqual(shown({ exclude, files }), ['a.png']);
	});

	test('leaves out nothing whose folder is only called alike', () => {
		const alike = ['.github/a.png', 'node_modules.md/b.png', 'my.git/c.png', 'hidden.png'];
		const exclude = { 'files.exclude': { hidden: true } };
		assert.deepEqual(shown({ exclude, files: [...alike, ...files] }), [
			...alike,
			...['a.png', 'x/hidden/deep/c.png'],
		]);
	});

	test('takes ten thousand files in one folder at once', () => {
		const many = Array.from({ length: 10_000 }, (_, index) => `deep/er/${String(index)}.png`);
		assert.equal(shown({ exclude: { s: { '**/7.png': true } }, files: many }).length, 9_999);
	});
});
