import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { sha256Of } from '../../src/images/hash.js';
import { until } from '../host/until.js';
import { padPng } from '../service/png.js';
import type { ImageService } from '../service/server.js';
import { acceptingQuickInputs, closingQuickInputs } from './questions.js';
import { closeService, openService } from './service.js';
import { ShownMessages } from './shownMessages.js';
import { forgetPrompts, inRoot, remove, root, setSetting } from './workspace.js';
import { rare } from '../host/rare.js';

suite('Another try of an image', () => {
	let service: ImageService;

	setup(async () => {
		service = await openService();
		await mkdir(inRoot('another'));
		await vscode.commands.executeCommand('easel.generateImage', {
			prompt: 'a fox',
			size: '1536x1024',
			quality: 'low',
			output: 'another/fox.png',
		});
		// The service of the tests makes the same picture of the same prompt.
		await writeFile(file('fox.png'), padPng(await readFile(file('fox.png')), 3_000_000));
	});

	teardown(async () => {
		await setSetting('easel.output.afterSaving', undefined);
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await vscode.commands.executeCommand('notifications.clearAll');
		await closeService(service);
		await remove('another');
	});

	const file = (name: string) => inRoot('another', name);
	const uri = (name: string) => vscode.Uri.joinPath(root(), 'another', name);
	const names = async () => (await readdir(file(''))).sort();

	function regenerate(name: string): PromiseLike<unknown> {
		return vscode.commands.executeCommand('easel.regenerateImage', uri(name));
	}

	const sent = (field: string) =>
		service.requests.at(-1)?.fields.find(({ name }) => name === field)?.value;

	/** The active tab of each group, by its label. */
	const inFront = () => vscode.window.tabGroups.all.map(({ activeTab }) => activeTab?.label);

	async function untilInFront(...labels: (string | undefined)[]): Promise<void> {
		await until(() => inFront().join() === labels.join(), `${labels.join()} in front`);
	}

	rare(
		'is asked for first, with everything as it was, and nothing is sent where that is left',
		async () => {
			const before = service.requests.length;
			await closingQuickInputs(regenerate('fox.png'));
			assert.equal(service.requests.length, before);
			await acceptingQuickInputs(regenerate('fox.png'));
			assert.deepEqual(
				[sent('prompt'), sent('size'), sent('quality')],
				['a fox', '1536x1024', 'low'],
			);
			assert.deepEqual(await names(), ['fox-1.png', 'fox.png']);
		},
	);

	rare(
		'of an edit is sent as an edit of the same image, and goes beside the first one',
		async () => {
			await vscode.commands.executeCommand('easel.editWithPrompt', {
				prompt: 'at night',
				references: ['another/fox.png'],
			});
			await acceptingQuickInputs(regenerate('fox-at-night.png'));
			assert.equal(service.requests.at(-1)?.endpoint, 'edits');
			assert.equal(service.requests.at(-1)?.references[0]?.sha256, await sha256Of(file('fox.png')));
			assert.deepEqual(await names(), ['fox-at-night-1.png', 'fox-at-night.png', 'fox.png']);
		},
	);

	rare('without reference images that are gone is another image, and says so', async () => {
		await writeFile(file('style.png'), padPng(await readFile(file('fox.png')), 3_500_000));
		await vscode.commands.executeCommand('easel.generateImage', {
			prompt: 'a hare',
			references: ['another/style.png', 'another/fox.png'],
			output: 'another/hare.png',
		});
		await rm(file('style.png'));
		await acceptingQuickInputs(regenerate('hare.png'));
		assert.deepEqual(
			service.requests.at(-1)?.references.map(({ sha256 }) => sha256),
			[await sha256Of(file('fox.png'))],
		);
		assert.ok((await names()).includes('hare-1.png'));
	});

	rare('of a long prompt goes on in an editor, and nothing is sent unseen', async () => {
		const prompt = 'A quay at dusk.\n\n- a lamp\n- a gull';
		await vscode.commands.executeCommand('easel.generateImage', {
			...{ prompt, output: 'another/quay.png' },
		});
		const before = service.requests.length;
		await acceptingQuickInputs(regenerate('quay.png'));
		const { document } = vscode.window.activeTextEditor!;
		assert.deepEqual([document.languageId, document.getText()], ['easel-prompt', prompt]);
		assert.equal(service.requests.length, before);
		await forgetPrompts();
	});

	rare('of an image that Easel has not made is not asked for', async () => {
		await writeFile(file('photo.png'), 'made by another program');
		const before = service.requests.length;
		await regenerate('photo.png');
		assert.equal(service.requests.length, before);
	});

	rare('opens nothing when it arrives, and is compared and chosen by its message', async () => {
		await writeFile(file('doc.md'), '![A fox](fox.png)\n');
		await vscode.window.showTextDocument(uri('doc.md'));
		const answers: ((label: string | undefined) => void)[] = [];
		const shown = new ShownMessages(
			['showInformationMessage'],
			() => new Promise((resolve) => answers.push(resolve)),
		);
		await acceptingQuickInputs(regenerate('fox.png'));
		await until(() => answers.length === 1, 'the message');
		assert.deepEqual(shown.reported, [
			'New draft of fox.png is ready: another/fox-1.png. | Compare | Use New | Discard',
		]);
		assert.deepEqual(inFront(), ['doc.md']);
		answers.shift()!('Compare');
		await untilInFront('fox.png ↔ fox-1.png');
		assert.equal(vscode.window.tabGroups.all.length, 1, 'nothing is split');
		const made = await readFile(file('fox-1.png'));
		void vscode.commands.executeCommand('easel.replaceImage');
		await untilInFront('doc.md');
		assert.equal(vscode.window.activeTextEditor?.document.uri.path, uri('doc.md').path);
		await until(async () => (await names()).join() === 'doc.md,fox.png', 'one image');
		assert.ok(made.equals(await readFile(file('fox.png'))));
	});

	rare('opens nothing where the user wants nothing after saving', async () => {
		await setSetting('easel.output.afterSaving', 'nothing');
		await vscode.commands.executeCommand('vscode.open', uri('fox.png'));
		await acceptingQuickInputs(regenerate('fox.png'));
		assert.deepEqual(await names(), ['fox-1.png', 'fox.png']);
		assert.deepEqual(inFront(), ['fox.png']);
	});

	rare(
		'takes the place of the first one by Replace Original for every caller, and is known there',
		async () => {
			await acceptingQuickInputs(regenerate('fox.png'));
			const made = await readFile(file('fox-1.png'));
			void vscode.commands.executeCommand('easel.replaceImage', uri('fox-1.png'));
			await until(async () => (await names()).join() === 'fox.png', 'the image to be replaced');
			assert.ok(made.equals(await readFile(file('fox.png'))));
			const before = service.requests.length;
			// It has no original any more: it is where that was.
			await vscode.commands.executeCommand('easel.replaceImage', uri('fox.png'));
			await acceptingQuickInputs(regenerate('fox.png'));
			assert.equal(service.requests.length, before + 1);
		},
	);

	rare('closes what compares it where it is replaced from elsewhere', async () => {
		await acceptingQuickInputs(regenerate('fox.png'));
		await vscode.commands.executeCommand('easel.compareImages', uri('fox.png'), uri('fox-1.png'));
		await untilInFront('fox.png ↔ fox-1.png');
		void vscode.commands.executeCommand('easel.replaceImage', uri('fox-1.png'));
		const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs);
		await until(() => tabs().length === 0, 'the comparison to close');
	});

	for (const name of ['photo.png', 'fox.png']) {
		rare(`replaces nothing by an image that was not made from another: ${name}`, async () => {
			await writeFile(file('photo.png'), 'made by another program');
			await vscode.commands.executeCommand('easel.replaceImage', uri(name));
			assert.deepEqual(await names(), ['fox.png', 'photo.png']);
		});
	}

	rare('of an edit opens nothing over a text', async () => {
		await writeFile(file('doc.md'), 'Text.\n');
		await vscode.window.showTextDocument(uri('doc.md'));
		await vscode.commands.executeCommand('easel.editWithPrompt', {
			prompt: 'at night',
			references: ['another/fox.png'],
		});
		assert.deepEqual(await names(), ['doc.md', 'fox-at-night.png', 'fox.png']);
		assert.deepEqual(inFront(), ['doc.md']);
	});
});
