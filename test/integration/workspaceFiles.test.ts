import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findWorkspaceFiles } from '../../src/editor/searchExcludes.js';
import { rare } from '../host/rare';
import { inRoot, remove, root, setSetting } from './workspace.js';

suite('files of the workspace', () => {
	const files = [
		'own.easel',
		'.git/a.easel',
		'a,b/own.easel',
		'build/a.easel',
		'deep/build/own.easel',
		'deep/hidden/a.easel',
		'deep/node_modules/package/a.easel',
		'generated/one/a.easel',
		'generated/two/a.easel',
		'node_modules/package/a.easel',
		'shown/own.easel',
	];

	suiteSetup(async () => {
		for (const file of files) {
			await mkdir(path.dirname(inRoot('search', file)), { recursive: true });
			await writeFile(inRoot('search', file), '');
		}
	});

	suiteTeardown(async () => {
		await setSetting('files.exclude', undefined);
		await setSetting('search.exclude', undefined);
		await remove('search');
	});

	const find = async (most = 100) =>
		(await findWorkspaceFiles(['easel'], most))
			.map((uri) => path.posix.relative(`${root().path}/search`, uri.path))
			.sort();

	rare('are never those of packages and of git', async () => {
		// As people do who want to see them in the explorer.
		await setSetting('files.exclude', { '**/.git': false });
		await setSetting('search.exclude', { '**/node_modules': false });
		const own = files.filter((file) => !/node_modules|\.git/.test(file));
		assert.deepEqual(await find(), own.sort());
	});

	rare('are not what the settings leave out', async () => {
		await setSetting('files.exclude', { '**/hidden': true, '**/shown': false });
		await setSetting('search.exclude', {
			'search/build': true,
			'search/a,c': true,
			'**/generated/{one,two}': true,
			'**/own.easel': { when: '$(basename).other' },
		});
		const own = files.filter((file) => path.posix.basename(file) === 'own.easel');
		assert.deepEqual(await find(), own.sort());
	});

	test('are as many as were asked for', async () => {
		assert.equal((await find(2)).length, 2);
	});

	test('are found with whatever stands in the settings', async () => {
		await setSetting('search.exclude', {
			['{a,b}'.repeat(100)]: true,
			'{{a,b},c}': true,
			'{': true,
			'': true,
			'**/build': true,
		});
		assert.ok(!(await find()).includes('build/a.easel'));
		assert.ok((await find()).includes('own.easel'));
	});
});
