import assert from 'node:assert/strict';
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { showWaiting } from '../../src/features/progress/list.js';
import { removeAllData } from '../../src/features/setup/removeData.js';
import type { GalleryImage } from '../../src/jobs/gallery.js';
import { NewDrafts } from '../../src/library/newDrafts.js';
import { rare } from '../host/rare';
import { until } from '../host/until.js';
import { roundOf } from '../unit/jobs/support.js';
import { drawPng, galleryImage } from './images.js';
import { QuickPicks } from './quickPicks.js';
import { ShownMessages, type ShownMessage } from './shownMessages.js';
import { Memory, partsIn } from './studioPage.js';
import { storage, useStorage } from './storage.js';
import { inRoot, remove, root } from './workspace.js';

suite('What waits for the user', () => {
	let memory: Memory;
	let parts: ReturnType<typeof partsIn>;
	let messages: ShownMessages;
	let press: (message: ShownMessage) => string | undefined | Promise<string>;

	useStorage();

	setup(async () => {
		await mkdir(inRoot('waiting'), { recursive: true });
		memory = new Memory();
		parts = partsIn(storage, memory);
		press = () => undefined;
		messages = new ShownMessages(['showInformationMessage', 'showWarningMessage'], (message) =>
			press(message),
		);
	});

	teardown(async () => {
		parts.dispose();
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await remove('waiting');
	});

	const uriOf = (name: string) => vscode.Uri.joinPath(root(), 'waiting', name);

	async function made(name: string, values: Partial<GalleryImage> = {}): Promise<GalleryImage> {
		await writeFile(inRoot('waiting', name), await drawPng(name));
		const image = galleryImage(uriOf(name), values);
		await parts.gallery.restore(image);
		return image;
	}

	const edit = async (name: string) => {
		const original = await made('fox.png');
		return made(name, { operation: 'edit', references: [original.target] });
	};

	/** The files of what waits. */
	const waiting = (drafts = parts.newDrafts) =>
		drafts.all.map(({ images }) =>
			images.map(({ target }) => path.posix.basename(vscode.Uri.parse(target).path)),
		);

	function ask(signal = new AbortController().signal): Promise<string | undefined> {
		const answers = [
			{ label: 'Generate', value: 'yes' },
			{ label: 'Decline', value: 'no' },
		] as const;
		return parts.questions.ask(
			{ title: 'An agent asks', text: 'An image?', late: 'Too late', answers },
			signal,
		);
	}

	rare('is a question wherever its notification is, until it is answered', async () => {
		const late = Promise.withResolvers<string>();
		press = ({ modal }) => (modal ? undefined : late.promise);
		const answer = ask();
		await until(() => messages.texts.includes('An image?'), 'the notification');
		assert.equal(parts.questions.all.length, 1);
		const [open] = parts.questions.all;
		await open!.show();
		assert.deepEqual(parts.questions.all, [open], 'Cancel of the dialog is no answer');
		press = ({ modal }) => (modal ? 'Decline' : undefined);
		await open!.show();
		assert.equal(await answer, 'no');
		late.resolve('Generate');
		await until(
			() => messages.texts.includes('You have already answered this.'),
			'a press that came late to be answered',
		);
		assert.deepEqual(parts.questions.all, []);
	});

	test('is no question any more whose signal ends', async () => {
		const ending = new AbortController();
		const answer = ask(ending.signal);
		ending.abort();
		assert.equal(await answer, undefined);
		assert.deepEqual(parts.questions.all, []);
	});

	test('is an edit until it is decided, also after a reload', async () => {
		const image = await edit('fox-night.png');
		await parts.newDrafts.add(image);
		await until(() => parts.newDrafts.all.length === 1, 'the draft');
		const [draft] = parts.newDrafts.all;
		assert.ok(draft?.type === 'new');
		assert.equal(draft.original.toString(), uriOf('fox.png').toString());
		const later = new NewDrafts(parts.history, memory);
		await until(() => later.all.length === 1, 'the draft after a reload');
		later.dispose();

		await rename(inRoot('waiting', 'fox-night.png'), path.join(storage, 'away.png'));
		await until(() => parts.newDrafts.all.length === 0, 'the draft to be gone with its file');
		await rename(path.join(storage, 'away.png'), inRoot('waiting', 'fox-night.png'));
		await until(() => parts.newDrafts.all.length === 1, 'the draft to be back with its file');
		// Going and coming at once are one event, a change; and the file was missed in between.
		await rename(inRoot('waiting', 'fox-night.png'), path.join(storage, 'away.png'));
		await parts.newDrafts.add(image);
		await until(() => parts.newDrafts.all.length === 0, 'the draft to be missed');
		await rename(path.join(storage, 'away.png'), inRoot('waiting', 'fox-night.png'));
		await until(() => parts.newDrafts.all.length === 1, 'the draft to be back once more');
		await parts.newDrafts.keep([uriOf('fox-night.png')]);
		await until(() => parts.newDrafts.all.length === 0, 'the draft to be decided');
	});

	rare('is a choice among the images of one prompt, and no image by itself', async () => {
		const round = roundOf({ number: 1 });
		for (const [place, name] of ['fox-1.png', 'fox-2.png'].entries()) {
			await parts.newDrafts.add(await made(name, { round: { ...round, place } }));
		}
		await parts.newDrafts.add(await made('boat.png', { prompt: 'a boat' }));
		await until(() => parts.newDrafts.all.length === 1, 'the choice');
		assert.deepEqual(waiting(), [['fox-1.png', 'fox-2.png']]);
	});

	rare('is opened where it is alone, and listed where there is more', async () => {
		const answer = ask();
		press = ({ modal }) => (modal ? 'Generate' : undefined);
		await showWaiting(parts);
		assert.equal(await answer, 'yes');

		press = () => undefined;
		const other = ask();
		await parts.newDrafts.add(await edit('fox-night.png'));
		await until(() => parts.newDrafts.all.length === 1, 'the draft');
		const picks = new QuickPicks();
		const showing = showWaiting(parts);
		const pick = await picks.shown(/Select what to decide/);
		assert.deepEqual(
			pick.items.map(({ label }) => label),
			[
				'$(question) An agent asks',
				'$(git-compare) Compare the new draft of fox.png',
				'$(layout) Open Image Studio',
			],
		);
		press = ({ modal }) => (modal ? 'Decline' : undefined);
		await picks.accept();
		await showing;
		assert.equal(await other, 'no');
	});

	test('keeps all data from being removed while an image is not finished; else nothing of it is left', async () => {
		await parts.preferences.rememberSize('2048x2048');
		await writeFile(path.join(storage, 'ledger-2026-11.jsonl'), '{}');
		await made('fox.png');
		const own = {
			globalState: memory,
			workspaceState: new Memory(),
			globalStorageUri: vscode.Uri.file(storage),
			storageUri: undefined,
		} as unknown as Parameters<typeof removeAllData>[1];
		await removeAllData(parts, own);
		assert.match(messages.texts.at(-1)!, /^Remove all data that Easel has stored/);
		assert.ok((await readdir(storage)).includes('ledger-2026-11.jsonl'), 'Cancel leaves it');
		press = ({ modal }) => (modal ? 'Remove All Data' : undefined);
		await removeAllData(parts, own);
		assert.match(messages.texts.at(-1)!, /^All data of Easel was removed\./);
		assert.deepEqual(await readdir(storage), []);
		assert.deepEqual(
			memory.keys().filter((key) => memory.get(key) !== undefined),
			[],
		);
		assert.ok((await readdir(inRoot('waiting'))).includes('fox.png'), 'images stay');
	});
});
