import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createCanvas } from '@napi-rs/canvas';
import MarkdownIt from 'markdown-it';
import * as vscode from 'vscode';
import { registerBrief } from '../../src/features/brief/index.js';
import { runRequestCommand } from '../../src/asking/requestCommands.js';
import type { GalleryImage } from '../../src/jobs/gallery.js';
import { until } from '../host/until.js';
import { roundOf } from '../unit/jobs/support.js';
import { galleryImage } from './images.js';
import { QuickPicks } from './quickPicks.js';
import { rare } from '../host/rare.js';
import { ShownMessages } from './shownMessages.js';
import { Memory, partsIn } from './studioPage.js';
import { storage, useStorage } from './storage.js';
import { inRoot, remove, root } from './workspace.js';

suite('Write Brief', () => {
	let parts: ReturnType<typeof partsIn>;
	let feature: vscode.Disposable;
	let picks: QuickPicks;
	let messages: ShownMessages;
	/** The button that is pressed in the message. */
	let button: string | undefined;

	useStorage();

	setup(async () => {
		await mkdir(inRoot('drafts'), { recursive: true });
		parts = partsIn(storage, new Memory());
		feature = registerBrief(parts);
		picks = new QuickPicks();
		button = undefined;
		messages = new ShownMessages(['showInformationMessage'], () => button);
	});

	teardown(async () => {
		feature.dispose();
		parts.dispose();
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await remove('drafts');
	});

	async function draw(name: string): Promise<vscode.Uri> {
		await writeFile(inRoot('drafts', name), await createCanvas(1536, 1024).encode('png'));
		return vscode.Uri.joinPath(root(), 'drafts', name);
	}

	async function made(
		name: string,
		minute: number,
		values: Partial<GalleryImage> = {},
	): Promise<GalleryImage> {
		const uri = await draw(name);
		const image = galleryImage(uri, {
			savedAt: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
			...{ size: '1536x1024', width: 1536, height: 1024 },
			...values,
		});
		await parts.gallery.restore(image);
		return image;
	}

	const briefs = async () => (await readdir(inRoot('drafts'))).filter((name) => /\.md$/.test(name));

	/** The chosen one of two drafts after an edit, and a starred one beside it. */
	async function drafts() {
		const round = roundOf({ number: 1 });
		const first = await made('my draft.png', 1, {
			prompt: 'A settings page\n\n# <b>bold</b>',
			round: { ...round, place: 0 },
		});
		const other = await made('other.png', 2, { round: { ...round, place: 1 } });
		const chosen = await made('chosen.png', 3, {
			operation: 'edit',
			prompt: 'Make the accent [green](command:x)',
			references: [first.target],
			round: roundOf({ number: 2 }),
		});
		await parts.annotations.setImages([other.id], { isFavorite: true, title: 'Quieter' });
		await parts.annotations.setImages([chosen.id], { isFavorite: true, note: 'Ask Ann.' });
		return { first, other, chosen };
	}

	test('writes the brief beside the image, under a free name', async () => {
		const { chosen } = await drafts();
		await writeFile(inRoot('drafts', 'chosen.brief.md'), 'mine');
		const handing = runRequestCommand('writeBrief', 'edit', chosen);
		(await picks.askedForText()).value = 'The *settings* page';
		await picks.accept();
		const pick = await picks.shownTicked(/Select the starred drafts/);
		assert.deepEqual(
			pick.items.map(({ label, description }) => [label, description]),
			[['1b · Quieter', 'other.png']],
		);
		await picks.accept();
		await handing;
		assert.deepEqual((await briefs()).sort(), ['chosen-1.brief.md', 'chosen.brief.md']);
		const text = await readFile(inRoot('drafts', 'chosen-1.brief.md'), 'utf8');
		assert.equal(await readFile(inRoot('drafts', 'chosen.brief.md'), 'utf8'), 'mine');
		const html = new MarkdownIt({ html: true }).render(text);
		assert.doesNotMatch(html, /<b>|<a |command:x"/);
		assert.match(html, /<h1>chosen\.png<\/h1>\n<p><img src="chosen\.png" alt="[^"]+"><\/p>/);
		assert.match(html, /The \*settings\* page/);
		assert.match(html, /Ask Ann\./);
		assert.match(html, /<strong>my draft\.png<\/strong>, made from this prompt:/);
		assert.match(html, /<strong>chosen\.png<\/strong>, made from my draft\.png:/);
		assert.match(html, /Requested in 1536 × 1024 pixels\. The file has 1536 × 1024 pixels/);
		assert.match(html, /<strong>other\.png · Quieter<\/strong><\/p>\n<p><img src="other\.png"/);
		assert.ok(
			html.lastIndexOf('A settings page') < html.lastIndexOf('Make the accent'),
			'oldest first',
		);
		const { text: words, buttons } = messages.all[0]!;
		assert.equal(words, 'The brief was saved as drafts/chosen-1.brief.md.');
		assert.deepEqual(buttons.slice(0, 2), ['Open', 'Copy']);
		const all = await vscode.commands.getCommands(true);
		assert.equal(buttons.includes('Open in Chat'), all.includes('workbench.action.chat.open'));
	});

	rare('asks only for the purpose without other starred drafts, and opens the brief', async () => {
		const image = await made('alone.png', 1);
		button = 'Open';
		const handing = runRequestCommand('writeBrief', 'generate', image);
		await picks.askedForText();
		await picks.accept();
		await handing;
		await until(
			() =>
				vscode.window.activeTextEditor?.document.fileName === inRoot('drafts', 'alone.brief.md'),
			'the brief in front',
		);
		const text = vscode.window.activeTextEditor?.document.getText() ?? '';
		assert.doesNotMatch(text, /What it is for|Other drafts/);
	});

	rare('copies the brief with links from the workspace folder', async () => {
		const image = await made('copied.png', 1);
		button = 'Copy';
		const handing = runRequestCommand('writeBrief', 'generate', image);
		await picks.askedForText();
		await picks.accept();
		await handing;
		await until(
			async () => /!\[[^\]]*\]\(drafts\/copied\.png\)/.test(await vscode.env.clipboard.readText()),
			'the brief in the clipboard',
		);
	});

	rare('opens the chat with brief and image attached, and sends nothing', async () => {
		const attached = ['chatted.brief.md', 'chatted.png'].map((name) => inRoot('drafts', name));
		assert.deepEqual(await givenToChat(await made('chatted.png', 1)), {
			...{ query: '', isPartialQuery: true },
			attachFiles: attached,
		});
	});

	rare('attaches an image to the chat under a name with its own extension', async () => {
		const image = await made('photo.png', 1);
		const photo = createCanvas(40, 30).toBuffer('image/jpeg');
		await writeFile(inRoot('drafts', 'photo.png'), photo);
		const { attachFiles } = await givenToChat(image);
		assert.match(attachFiles[1] ?? '', /photo\.jpg$/);
		assert.ok(photo.equals(await readFile(attachFiles[1] ?? '')));
		assert.ok(photo.equals(await readFile(inRoot('drafts', 'photo.png'))));
	});

	/** Returns the arguments that open the chat; of files their paths. */
	async function givenToChat(image: GalleryImage): Promise<{ readonly attachFiles: string[] }> {
		const { executeCommand, getCommands } = vscode.commands;
		const given: { attachFiles: vscode.Uri[] }[] = [];
		Object.assign(vscode.commands, {
			getCommands: async () => [...(await getCommands()), 'workbench.action.chat.open'],
			executeCommand: (id: string, ...rest: [{ attachFiles: vscode.Uri[] }]) =>
				id === 'workbench.action.chat.open'
					? Promise.resolve(void given.push(...rest))
					: executeCommand(id, ...rest),
		});
		try {
			button = 'Open in Chat';
			const handing = runRequestCommand('writeBrief', 'generate', image);
			await picks.askedForText();
			await picks.accept();
			await handing;
			await until(() => given.length > 0, 'the chat');
		} finally {
			Object.assign(vscode.commands, { executeCommand, getCommands });
		}
		const [{ attachFiles, ...others }] = given as [{ attachFiles: vscode.Uri[] }];
		return { ...others, attachFiles: attachFiles.map(({ fsPath }) => fsPath) };
	}

	rare('writes nothing when the user cancels', async () => {
		const image = await made('cancelled.png', 1);
		const handing = runRequestCommand('writeBrief', 'generate', image);
		await picks.askedForText();
		await picks.leave();
		await handing;
		assert.deepEqual([await briefs(), messages.all], [[], []]);
	});

	test('rejects for an image whose file is gone', async () => {
		const image = galleryImage(vscode.Uri.joinPath(root(), 'drafts', 'gone.png'));
		await assert.rejects(runRequestCommand('writeBrief', 'generate', image), /gone\.png/);
	});
});
