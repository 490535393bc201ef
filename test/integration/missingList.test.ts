import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { until } from '../host/until.js';
import { atEnd } from './atEnd.js';
import { answering } from './questions.js';
import { QuickPicks } from './quickPicks.js';
import { service, useService } from './service.js';
import { ShownMessages } from './shownMessages.js';
import { inRoot, remove, setSetting } from './workspace.js';
import { rare } from '../host/rare.js';

suite('The list of missing images', () => {
	let picks: QuickPicks;
	let messages: ShownMessages;

	useService();

	setup(async () => {
		await mkdir(inRoot('lacking'));
		await setSetting('easel.image.size', '1536x1152');
		picks = new QuickPicks();
		messages = new ShownMessages(['showInformationMessage']);
	});

	teardown(async () => {
		await picks.leave();
		await setSetting('easel.image.size', undefined);
		await setSetting('easel.service.confirmCalls', 'never');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await remove('lacking');
	});

	/** Runs the command for documents of these texts; it ends with the list. */
	async function begin(...texts: readonly string[]): Promise<{ readonly ended: Promise<void> }> {
		for (const [index, text] of texts.entries()) {
			await writeFile(inRoot('lacking', `${String(index)}.md`), text);
		}
		const folder = vscode.Uri.file(inRoot('lacking'));
		const ended = vscode.commands.executeCommand<void>('easel.generateMissingImages', folder);
		return { ended: Promise.resolve(ended) };
	}

	const ships = (length: number) =>
		Array.from({ length }, (_, index) => `![Ship ${String(index)}](ship${String(index)}.png)`);
	const seven = ships(7);

	test('says what is sent and how long that takes, and follows the ticked rows', async () => {
		await begin(seven.slice(0, 3).join('\n\n'), seven.slice(3).join('\n\n'));
		const pick = await picks.shown(/Select images to generate/);
		assert.equal(pick.title, 'Generate 7 Missing Images · 7 paid requests · 8 to 12 minutes');
		await picks.toggle(pick, 'Ship 0');
		assert.equal(pick.title, 'Generate 6 Missing Images · 6 paid requests · 6 to 9 minutes');
		for (const index of [1, 2, 3, 4, 5]) {
			await picks.toggle(pick, `Ship ${String(index)}`);
		}
		assert.equal(pick.title, 'Generate 1 Missing Image · 1 paid request · 2 to 3 minutes');
	});

	rare('says the cost where the user has set prices', async () => {
		await setSetting('easel.budget.price', { currency: 'EUR', image: 0.04 });
		atEnd(() => setSetting('easel.budget.price', undefined));
		await begin(seven.slice(0, 3).join('\n\n'));
		const pick = await picks.shown(/Select images to generate/);
		assert.match(pick.title ?? '', /· 3 paid requests · about €0\.12 · /);
		await picks.toggle(pick, 'Ship 0');
		assert.match(pick.title ?? '', /· 2 paid requests · about €0\.08 · /);
	});

	rare('stays where nothing is ticked, and sends nothing', async () => {
		const before = service.requests.length;
		await begin('![Ship](ship.png)');
		const pick = await picks.shown(/Select images to generate/);
		await picks.toggle(pick, 'Ship');
		assert.equal(pick.title, 'Generate Missing Images · none selected');
		await picks.accept();
		await picks.toggle(pick, 'Ship');
		assert.match(pick.title ?? '', /1 paid request /);
		assert.equal(service.requests.length, before);
	});

	rare(
		'names the images that cannot be generated with the reason of each, and leaves them unticked',
		async () => {
			await begin(
				'![Ship](ship.png)\n\n![Photo](art/photo.jpg)',
				'![Far](../../far.png)\n\n![Nothing](art/.png)',
			);
			const pick = await picks.shown(/Select images to generate/);
			const rows = pick.items.map(({ label, description, detail }) =>
				[label, description, detail].filter(Boolean).join(' | '),
			);
			assert.deepEqual(rows.slice(1), [
				'cannot be generated',
				'$(circle-slash) art/photo.jpg | lacking/0.md | The name does not end in .png; the service only makes PNG.',
				'$(circle-slash) ../../far.png | lacking/1.md | The path is outside the workspace folder.',
				'$(circle-slash) art/.png | lacking/1.md | This file name is not allowed here.',
			]);
			await picks.toggle(pick, 'photo.jpg');
			await until(() => pick.selectedItems.length === 1, 'only the ship to be ticked');
			assert.equal(pick.selectedItems[0]?.label, 'Ship');
			assert.match(pick.title ?? '', /^Generate 1 Missing Image · 1 paid request /);
			assert.deepEqual(messages.texts, [], 'nothing stands beside the list');
		},
	);

	rare(
		'leads to an image that cannot be generated, in its document, where there is no other',
		async () => {
			const text = '# Photo\n\nHere: ![Photo](art/photo.jpg)\n';
			const { ended } = await begin(text);
			const pick = await picks.shown(/The missing image cannot be generated/);
			assert.equal(pick.canSelectMany, false);
			assert.match(pick.items[0]?.detail ?? '', /does not end in \.png/);
			await picks.accept();
			await ended;
			const editor = vscode.window.activeTextEditor!;
			assert.equal(editor.document.uri.fsPath, inRoot('lacking', '0.md'));
			const selected = () => editor.document.getText(editor.selection);
			await until(() => selected() === '![Photo](art/photo.jpg)', 'the image to be selected');
		},
	);

	rare('says how many links can be fixed, and ticks what is really missing alone', async () => {
		await writeFile(inRoot('lacking', 'Login.PNG'), '');
		await writeFile(inRoot('lacking', 'Photo.JPG'), '');
		await begin(
			[
				...['![The login](login.png)', '![The login again](login.png)', '![A](photo.jpg)'],
				...['![A new ship](ship.png)', '![screenshot](shot.png)', '![B](path/to/image.png)'],
				...['![img](one.png)', '![](two.png)'],
				'![C](@unknown/c.png)',
			].join('\n\n'),
		);
		const pick = await picks.shownTicked(/links can be fixed/);
		assert.equal(pick.placeholder, '1 missing, 3 links can be fixed, 1 may exist');
		assert.deepEqual(
			pick.items.map(({ label }) => label),
			[
				...['A new ship', 'not selected by default'],
				...['$(warning) “screenshot” is not an alt text: describe the image', 'B'],
				'$(warning) “img” is not an alt text: describe the image',
				...['$(warning) no alt text: describe the image', 'exist in other folders'],
				'$(wrench) lacking/Login.PNG exists: Fix Link',
				...['$(wrench) lacking/Photo.JPG exists: Fix Link'],
				...['may exist: Easel cannot tell', '$(question) @unknown/c.png'],
			],
		);
		assert.deepEqual(
			pick.selectedItems.map(({ label }) => label),
			['A new ship'],
		);
		assert.match(pick.items[3]?.detail ?? '', /looks like an example/);
	});

	rare('is the only question, however many are ticked', async () => {
		await setSetting('easel.service.confirmCalls', undefined);
		await setSetting('easel.image.size', '1024x1024');
		const before = service.requests.length;
		const { asked } = await answering(undefined, async () => {
			const { ended } = await begin(ships(11).join('\n\n'));
			const pick = await picks.shown(/Select which of 11 images/);
			for (let index = 0; index < 11; index += 1) {
				await picks.toggle(pick, `Ship ${String(index)}`);
			}
			await picks.accept();
			await ended;
		});
		assert.deepEqual(asked, []);
		assert.equal(service.requests.length, before + 11);
		const images = (await readdir(inRoot('lacking'))).filter((name) => name.endsWith('.png'));
		assert.equal(images.length, 11);
		await until(() => messages.texts.includes('11 images saved.'), 'the end to be reported');
	});

	rare(
		'stands there again, with what was ticked, where a prompt that it needs is not given',
		async () => {
			const { ended } = await begin('![](unnamed.png)\n\n![Ship](ship.png)');
			const pick = await picks.shown(/Select images to generate/);
			assert.deepEqual(
				pick.selectedItems.map(({ label }) => label),
				['Ship'],
			);
			await picks.toggle(pick, 'unnamed.png');
			await picks.accept();
			await picks.askedForText();
			await picks.leave();
			const again = await picks.shown(/Generate 2 Missing Images/);
			assert.notEqual(again, pick);
			await picks.leave();
			await ended;
		},
	);

	rare(
		'does not open where no image is missing, which is said with how many documents were read',
		async () => {
			const { ended } = await begin('# One', 'Two', 'Three');
			await ended;
			assert.deepEqual(messages.texts, ['No images are missing in 3 Markdown documents.']);
		},
	);

	rare('does not open where there is no document', async () => {
		const { ended } = await begin();
		await ended;
		assert.deepEqual(messages.texts, ['This folder has no Markdown documents.']);
	});
});
