import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { wordsOf } from '../../src/editor/errorTexts.js';
import { imagesOfWorkspace } from '../../src/editor/images.js';
import { findWorkspaceFiles } from '../../src/editor/searchExcludes.js';
import { SearchStalledError } from '../../src/documents/reading/search.js';
import { inRoot, remove, setSetting } from './workspace.js';
import { rare } from '../host/rare.js';

suite('What a search leaves out', () => {
	teardown(async () => {
		await setSetting('files.exclude', undefined);
		await setSetting('search.exclude', undefined);
		await remove('found');
	});

	async function write(...names: string[]): Promise<void> {
		for (const name of names) {
			await mkdir(path.dirname(inRoot('found', name)), { recursive: true });
			await writeFile(inRoot('found', name), '');
		}
	}

	/** The images below the folder of this test that a list of images offers. */
	async function listed(): Promise<string[]> {
		const folder = `${inRoot('found')}${path.sep}`;
		const images = await imagesOfWorkspace();
		return images
			.filter(({ uri }) => uri.fsPath.startsWith(folder))
			.map(({ uri }) => path.relative(folder, uri.fsPath).replaceAll(path.sep, '/'));
	}

	rare('is packages and what Git keeps, also where the settings do not say so', async () => {
		await setSetting('files.exclude', { '**/.git': false });
		await setSetting('search.exclude', { '**/node_modules': false });
		await write('a.png', 'node_modules/p/b.png', 'deep/node_modules/c.JPG', '.git/d.png');
		await write('node_modules.png', 'my_node_modules/e.webp', '.github/f.jpeg');
		assert.deepEqual(await listed(), [
			'.github/f.jpeg',
			'a.png',
			'my_node_modules/e.webp',
			'node_modules.png',
		]);
	});

	rare('is what files.exclude and search.exclude hide, braces and all', async () => {
		await setSetting('files.exclude', { '**/hidden': true, '**/shown': false });
		await setSetting('search.exclude', {
			'**/{out,build{1,2}}': true,
			'**/*.{old,{bak,tmp}}.png': true,
			'**/x,y': true,
			'found/top': true,
			'**/*.webp': { when: '$(basename).txt' },
			'**/{broken': true,
			'**/[broken': true,
			'**/[z-a]': true,
			'broken\\': true,
			'**/[op0-9].png': true,
		});
		await write('top/r.png', 'y/top/s.png');
		await write('a.png', 'hidden/b.png', 'shown/c.png', 'out/d.png', 'build2/e.png', 'build/f.png');
		await write(
			'g.old.png',
			'h.tmp.png',
			'i.new.png',
			'x,y/j.png',
			'y/k.png',
			'l.webp',
			'l.webp.txt',
			'o.png',
			'7.png',
			'q.png',
		);
		assert.deepEqual(await listed(), [
			'a.png',
			'build/f.png',
			'i.new.png',
			'l.webp',
			'q.png',
			'shown/c.png',
			'y/k.png',
			'y/top/s.png',
		]);
		assert.equal((await findWorkspaceFiles(['png'], 2)).length, 2);
	});

	rare('is found in no time, whatever a workspace says', async () => {
		await write('a.png', 'out/b.png');
		await setSetting('search.exclude', {
			['{a,b}'.repeat(200)]: true,
			['{'.repeat(100_000)]: true,
			'**/out': true,
			...Object.fromEntries(
				Array.from({ length: 5000 }, (_, index) => [`**/${String(index)}`, true]),
			),
		});
		assert.deepEqual(await listed(), ['a.png']);
	});

	rare(
		'stops a search by its name where it never ends, and the editor goes on meanwhile',
		async () => {
			await write(`${'a'.repeat(100)}.png`);
			const endless = `${'*a'.repeat(20)}c.png`;
			await setSetting('files.exclude', { '**/*.log': true, [`found/${endless}`]: true });
			let ticks = 0;
			const timer = setInterval(() => (ticks += 1), 10);
			await assert.rejects(imagesOfWorkspace(), (error: unknown) => {
				assert.ok(error instanceof SearchStalledError);
				assert.equal(error.setting, 'files.exclude');
				assert.ok(wordsOf(error).includes(endless), error.message);
				return true;
			});
			clearInterval(timer);
			assert.ok(ticks > 2, 'this thread was held up');
		},
	);
});
