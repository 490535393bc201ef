import assert from 'node:assert/strict';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { referencesTo } from '../../src/features/edit/references.js';
import { inRoot, remove, root, setSetting } from './workspace.js';

suite('references to a replaced image', () => {
	const uri = (name: string) => vscode.Uri.joinPath(root(), 'refs', name);

	setup(() => mkdir(inRoot('refs')));

	teardown(async () => {
		await setSetting('search.exclude', undefined);
		await remove('refs');
	});

	async function write(name: string, text: string): Promise<void> {
		await mkdir(path.dirname(inRoot('refs', name)), { recursive: true });
		await writeFile(inRoot('refs', name), text);
	}

	/** The documents that would be changed, and to what. */
	async function found(most?: number): Promise<Record<string, string>> {
		const documents = await referencesTo(uri('a.jpg'), uri('a.png'), most);
		return Object.fromEntries(
			documents.map(({ uri: document, edits }) => [
				path.posix.relative(uri('').path, document.path),
				edits.map(({ newText }) => newText).join(' '),
			]),
		);
	}

	test('are found in the documents of the workspace, and not in those of packages', async () => {
		await setSetting('search.exclude', { '**/archive': true });
		await write('own.md', '![a](a.jpg "title") ![a](<a.jpg>) ![b](b.jpg) `a.jpg`');
		await write('deep/own.html', '<img src="../a.jpg?raw">');
		await write('archive/old.md', '![a](../a.jpg)');
		await write('node_modules/package/README.md', '![a](../../a.jpg)');
		await write('.git/description.md', '![a](../a.jpg)');
		assert.deepEqual(await found(), {
			'own.md': 'a.png <a.png>',
			'deep/own.html': '../a.png',
		});
	});

	test('are left alone in documents that are too large, or that nobody can read', async () => {
		const line = '![a](a.jpg)\n';
		await write('large.md', line + ' '.repeat(1024 * 1024));
		await write('fits.md', line + ' '.repeat(1024 * 1024 - line.length));
		await write('secret.md', line);
		await chmod(inRoot('refs', 'secret.md'), 0o000);
		await symlink('/dev/zero', inRoot('refs', 'endless.md'));
		await symlink('nowhere.md', inRoot('refs', 'dangling.md'));
		const documents = Object.keys(await found());
		// Root reads everything.
		assert.deepEqual(
			documents.filter((name) => name !== 'secret.md'),
			['fits.md'],
		);
	});

	test('are looked for in so many documents at most', async () => {
		for (const name of ['1', '2', '3', '4']) {
			await write(`${name}.md`, '![a](a.jpg)');
		}
		assert.equal(Object.keys(await found()).length, 4);
		assert.ok(Object.keys(await found(3)).length <= 3);
	});
});
