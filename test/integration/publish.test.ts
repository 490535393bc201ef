import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { inspectImage } from '../../src/images/inspect.js';
import { windowLease } from '../../src/jobs/jobFolder.js';
import { galleryImageAt } from '../../src/library/galleryLookup.js';
import { rare } from '../host/rare.js';
import { until } from '../host/until.js';
import { atEnd } from './atEnd.js';
import { imageRequest } from './imageRequest.js';
import { service, useService } from './service.js';
import { QuickPicks } from './quickPicks.js';
import { ShownMessages } from './shownMessages.js';
import { Memory, partsIn } from './studioPage.js';
import { inRoot, remove, setSetting } from './workspace.js';

suite('What documents show of new images', () => {
	let messages: ShownMessages;
	/** The button of the next message that has it. */
	let press: string | undefined;

	useService();

	const uri = (name: string) => vscode.Uri.file(inRoot(name));
	const bytes = (name: string) => readFile(inRoot(name));
	const names = (folder: string) => readdir(inRoot(folder)).catch(() => [] as string[]);

	setup(async () => {
		press = undefined;
		messages = new ShownMessages(['showInformationMessage', 'showErrorMessage'], ({ buttons }) => {
			const pressed = buttons.includes(press ?? '') ? press : undefined;
			press = pressed === undefined ? press : undefined;
			return pressed;
		});
		await setSetting('easel.output.publish', 'webp 320');
		await mkdir(inRoot('notes'), { recursive: true });
		await writeFile(inRoot('notes/page.md'), '# A\n\n');
	});

	teardown(async () => {
		await setSetting('easel.output.publish', undefined);
		await vscode.commands.executeCommand('workbench.action.files.revert');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await remove('notes');
		await remove('images');
	});

	async function generate(prompt: string): Promise<vscode.TextDocument> {
		const editor = await vscode.window.showTextDocument(uri('notes/page.md'));
		const end = editor.document.lineAt(editor.document.lineCount - 1).range.end;
		editor.selection = new vscode.Selection(end, end);
		await vscode.commands.executeCommand('easel.generateImage', { prompt, insert: true });
		return editor.document;
	}

	test('is a small file where images go, and the image is among the masters', async () => {
		const document = await generate('mole');
		assert.match(document.getText(), /!\[.*\]\(\.\.\/images\/mole\.webp\)/);
		assert.deepEqual(await names('images'), ['mole.webp', 'originals']);
		assert.deepEqual(await names('images/originals'), ['mole.png']);
		const { width } = await inspectImage(inRoot('images/mole.webp'));
		assert.equal(width, 320);
	});

	test('is made anew where an edit of it is used, and as before by Undo', async () => {
		await generate('pier');
		const [before, shown] = [await bytes('images/originals/pier.png'), 'images/pier.webp'];
		const small = await bytes(shown);
		await vscode.commands.executeCommand('easel.editWithPrompt', {
			...{ prompt: 'at night', references: [uri(shown)] },
		});
		const [made] = (await names('images/originals')).filter((name) => name !== 'pier.png');
		assert.ok(made !== undefined, 'it is made from the master, and beside it');
		press = 'Undo';
		await vscode.commands.executeCommand('easel.replaceImage', uri(`images/originals/${made}`));
		await until(() => press === undefined, 'Undo to be pressed');
		await until(async () => (await bytes('images/originals/pier.png')).equals(before), 'it back');
		await until(async () => (await bytes(shown)).equals(small), 'the small file as before');
		await vscode.commands.executeCommand('easel.replaceImage', uri(`images/originals/${made}`));
		await until(async () => !(await bytes(shown)).equals(small), 'the small file of the edit');
		await until(async () => (await names('images')).length === 2, 'that of the draft to be gone');
	});

	rare('stays as it is where the user has changed it since, which is said', async () => {
		await generate('jetty');
		await vscode.commands.executeCommand('easel.editWithPrompt', {
			...{ prompt: 'at night', references: [uri('images/jetty.webp')] },
		});
		const made = (await names('images/originals')).find((name) => name !== 'jetty.png');
		const own = await bytes('images/originals/jetty.png');
		await writeFile(inRoot('images/jetty.webp'), own);
		await vscode.commands.executeCommand(
			'easel.replaceImage',
			uri(`images/originals/${made ?? ''}`),
		);
		await until(
			() => messages.texts.some((text) => text.startsWith('jetty.webp, which documents show,')),
			'the message',
		);
		assert.ok((await bytes('images/jetty.webp')).equals(own));
		assert.ok(!(await bytes('images/originals/jetty.png')).equals(own));
	});

	rare('is shown with the export of a dark variant, which is no draft, on dark pages', async () => {
		const document = await generate('quay');
		const picks = new QuickPicks();
		try {
			const running = vscode.commands.executeCommand(
				'easel.makeDarkVariant',
				uri('images/quay.webp'),
			);
			await picks.shown(/Make Dark Variant/);
			await picks.accept();
			await running;
		} finally {
			picks.dispose();
		}
		assert.deepEqual(await names('images/originals'), ['quay-dark.png', 'quay.png']);
		assert.match(
			document.getText(),
			/srcset="\.\.\/images\/quay-dark\.webp"><img src="\.\.\/images\/quay\.webp"/,
		);
		await until(() => messages.texts.some((text) => text.includes('on dark pages')), 'the message');
		assert.ok(!messages.all.some(({ buttons }) => buttons.includes('Use New')));
	});

	test('is made by the next window where this one was closed before that', async () => {
		const storage = await mkdtemp(path.join(tmpdir(), 'easel-publish-'));
		const [before, after] = [partsIn(storage, new Memory()), partsIn(storage, new Memory())];
		atEnd(() => rm(storage, { recursive: true, maxRetries: 10 }));
		atEnd(() => after.dispose());
		atEnd(() => before.dispose());
		const publish = { preset: 'webp 320', folder: uri('images').toString() };
		const asked = service.requests.length;
		service.faults.add({ hold: true, times: 1 });
		const making = before.generator.make([imageRequest('tower', { publish })]);
		await until(() => service.requests.length > asked, 'the request');
		before.generator.dispose();
		service.releaseHeld();
		await making;
		await before.leases.dispose();
		assert.deepEqual(await names('images'), ['tower.png']);
		const {
			entries: [entry],
		} = await after.journal.list();
		assert.ok(entry?.state.state === 'saved');
		await after.leases.acquire(entry.folder, windowLease);
		await after.generator.reportAgain(entry, entry.state);
		assert.deepEqual(await names('images'), ['tower.png', 'tower.webp']);
		const shown = await galleryImageAt(uri('images/tower.webp'), after.gallery);
		assert.equal(shown?.target, uri('images/tower.png').toString());
	});

	rare('is the image itself in LaTeX, which takes no WebP', async () => {
		await writeFile(inRoot('notes/paper.tex'), '\\begin{document}\n\n\\end{document}\n');
		const editor = await vscode.window.showTextDocument(uri('notes/paper.tex'));
		editor.selection = new vscode.Selection(1, 0, 1, 0);
		await vscode.commands.executeCommand('easel.generateImage', { prompt: 'skiff', insert: true });
		assert.match(editor.document.getText(), /\\includegraphics[^\n]*skiff(?:\.png)?\}/);
		assert.deepEqual(await names('images'), ['skiff.png']);
	});

	test('is the image itself where no export can be made, which the message says', async () => {
		await setSetting('easel.output.publish', 'webp 1kB');
		const document = await generate('crane');
		assert.match(document.getText(), /\(\.\.\/images\/originals\/crane\.png\)/);
		assert.match(
			messages.texts.join(),
			/was not exported, so documents show the original: .* still/,
		);
	});

	rare('goes with its image by Discard, and comes back with it by Undo', async () => {
		messages.dispose();
		const presses = ['Discard', 'Undo'];
		const found: string[] = [];
		messages = new ShownMessages(['showInformationMessage'], async ({ buttons }) => {
			found.push([...(await names('images')), ...(await names('images/originals'))].join());
			return buttons.includes(presses[0] ?? '') ? presses.shift() : undefined;
		});
		await generate('lock');
		await until(() => presses.length === 0, 'Undo to be pressed');
		await until(async () => (await names('images')).length === 2, 'the export back');
		assert.deepEqual(await names('images/originals'), ['lock.png']);
		assert.deepEqual(found.slice(-2), ['lock.webp,originals,lock.png', 'originals']);
	});

	rare(
		'needs a folder for the images that the site does not publish: else nothing is sent',
		async () => {
			const before = service.requests.length;
			await writeFile(inRoot('docusaurus.config.js'), 'module.exports = {};');
			await setSetting('easel.output.masters', 'static/originals');
			atEnd(() => remove('docusaurus.config.js'));
			atEnd(() => setSetting('easel.output.masters', undefined));
			await generate('tug').catch(() => undefined);
			assert.equal(service.requests.length, before);
			assert.match(
				messages.texts.join(),
				/easel\.output\.masters.* it publishes static\/originals/,
			);
		},
	);

	test('is nothing else where the setting is no export: nothing is sent', async () => {
		await setSetting('easel.output.publish', 'gif');
		const before = service.requests.length;
		await generate('boat').catch(() => undefined);
		assert.equal(service.requests.length, before);
		assert.match(messages.texts.join(), /easel\.output\.publish/);
	});
});
