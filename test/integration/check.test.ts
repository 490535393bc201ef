import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { checkFolders } from '../../src/editor/checkFolders.js';
import { rare } from '../host/rare.js';
import { inRoot, remove } from './workspace.js';

suite('Check', () => {
	teardown(async () => {
		await remove('docs');
		await remove('.easel');
	});

	rare('checks each of several folders by its own settings', async () => {
		const outside = await realpath(await mkdtemp(path.join(tmpdir(), 'easel-check-')));
		try {
			const settings = { rules: { 'alt-missing': 'off' } };
			await mkdir(inRoot('docs'), { recursive: true });
			await mkdir(inRoot('.easel'));
			await writeFile(inRoot('.easel', 'check.json'), JSON.stringify(settings));
			const links = '![](https://example.com/a.png)\n\n![image](https://example.com/b.png)\n';
			await writeFile(inRoot('docs', 'a.md'), links);
			await writeFile(path.join(outside, 'b.md'), links);
			const uris = [inRoot('docs'), outside].map((file) => vscode.Uri.file(file));
			const progress: number[] = [];
			const { documents, findings } = await checkFolders(uris, assert.fail, {
				onProgress: ({ images }) => progress.push(images),
			});
			assert.equal(documents, 2);
			assert.deepEqual(
				findings.map(({ document, rule }) => `${path.basename(document)} ${rule}`),
				['a.md alt-generic', 'b.md alt-missing', 'b.md alt-generic'],
			);
			assert.equal(progress.at(-1), 3, 'the sum of both');
		} finally {
			await rm(outside, { recursive: true, force: true });
		}
	});
});
