import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { checkFolders } from '../../src/editor/checkFolders.js';
import type { GalleryImage } from '../../src/jobs/gallery.js';
import { rare } from '../host/rare.js';
import type { ImageService } from '../service/server.js';
import { drawPng } from './images.js';
import { QuickPicks } from './quickPicks.js';
import { closeService, openService } from './service.js';
import { ShownMessages } from './shownMessages.js';
import { inRoot, remove, setSetting } from './workspace.js';

suite('Check', () => {
	let service: ImageService;
	let picks: QuickPicks;
	let messages: ShownMessages;

	suiteSetup(async () => {
		service = await openService();
	});

	suiteTeardown(() => closeService(service));

	setup(async () => {
		await mkdir(inRoot('checked'), { recursive: true });
		await mkdir(inRoot('.easel'));
		await setSetting('easel.words.provider', 'chat');
		await setSetting('easel.words.model', 'words-1');
		picks = new QuickPicks();
		messages = new ShownMessages(['showInformationMessage', 'showWarningMessage']);
	});

	teardown(async () => {
		await picks.leave();
		picks.dispose();
		messages.dispose();
		service.faults.clear();
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await setSetting('easel.words.provider', undefined);
		await setSetting('easel.words.model', undefined);
		await remove('checked');
		await remove('.easel');
	});

	const writeSettings = (settings: object) =>
		writeFile(inRoot('.easel', 'check.json'), JSON.stringify(settings));

	/** Runs the command for the folder of documents; it ends with its list. */
	function checkImages(): Promise<void> {
		const folder = vscode.Uri.file(inRoot('checked'));
		return Promise.resolve(vscode.commands.executeCommand<void>('easel.checkImages', folder));
	}

	rare('checks each of several folders by its own settings', async () => {
		const outside = await realpath(await mkdtemp(path.join(tmpdir(), 'easel-check-')));
		try {
			await writeSettings({ rules: { 'alt-missing': 'off', recipe: 'warning', words: 'error' } });
			const links = '![](https://example.com/a.png)\n\n![image](made.png)\n';
			await writeFile(inRoot('checked', 'a.md'), links);
			await writeFile(path.join(outside, 'b.md'), links);
			const made = await drawPng('A pier');
			const sha256 = createHash('sha256').update(made).digest('hex');
			const saved = { bytes: made.length, sha256 } as GalleryImage;
			for (const folder of [inRoot('checked'), outside]) {
				await writeFile(path.join(folder, 'made.png'), made);
			}
			const uris = [inRoot('checked'), outside].map((file) => vscode.Uri.file(file));
			const progress: number[] = [];
			const { documents, findings } = await checkFolders(uris, {
				gallery: { list: () => Promise.resolve([saved]) },
				onBadSettings: assert.fail,
				onProgress: ({ images }) => progress.push(images),
			});
			assert.equal(documents, 2);
			assert.deepEqual(
				findings.map(({ document, rule }) => `${path.basename(document)} ${rule}`),
				['a.md alt-generic', 'a.md recipe', 'b.md alt-missing', 'b.md alt-generic'],
			);
			assert.equal(progress.at(-1), 4, 'the sum of both');
		} finally {
			await rm(outside, { recursive: true, force: true });
		}
	});

	rare('has the words in pictures read after one question, each picture once', async () => {
		await writeSettings({ rules: { words: 'warning' } });
		const text = '# Port\n\nPress “Receive” in the **Harbor** view.\n\n';
		await writeFile(inRoot('checked', 'a.md'), `${text}![A](one.png)\n\n![B](two.png)\n`);
		await writeFile(inRoot('checked', 'b.md'), `${text}![A](one.png)\n`);
		for (const name of ['one.png', 'two.png']) {
			await writeFile(inRoot('checked', name), await drawPng(name));
		}
		service.modelReplies.push('Recieve', 'NONE');
		const ended = checkImages();
		const question = await picks.shown(/Check Words in Picture/);
		assert.match(question.items[0]!.label, /Check Words in 2 Pictures · words-1/);
		assert.match(question.items[0]!.description!, /^2 calls, each with one picture$/);
		await picks.accept();
		const list = await picks.shown(/Check Images/);
		assert.deepEqual(
			list.items.map(({ label }) => label),
			['words · 1', 'The picture says “Recieve”. It should probably be “Receive”.'],
		);
		assert.equal(service.modelReplies.length, 0);
		await picks.leave();
		await ended;

		const again = checkImages();
		await picks.shown(/Check Words in Picture/);
		await picks.leave();
		await again;
		assert.match(messages.texts.at(-1)!, /The words of 2 pictures were not checked\.$/);
	});
});
