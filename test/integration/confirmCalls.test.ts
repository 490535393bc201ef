import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import { studioView } from '../../src/protocol/panels.js';
import { commandTitles } from '../../src/editor/commandTable.js';
import { atEnd } from './atEnd.js';
import { drawPng } from './images.js';
import { answering } from './questions.js';
import { service, useService } from './service.js';
import type { ShownMessage } from './shownMessages.js';
import { inRoot, remove, root, setSetting, writeWorkspaceSettings } from './workspace.js';
import { rare } from '../host/rare.js';

const setting = 'easel.service.confirmCalls';

suite('Calls that spend money', () => {
	useService();

	suiteSetup(async () => {
		await vscode.workspace.fs.writeFile(
			vscode.Uri.file(inRoot('original.png')),
			await drawPng('p'),
		);
	});

	suiteTeardown(async () => {
		await remove('original.png');
		await setSetting(setting, 'never');
	});

	teardown(() => remove('images'));

	function call(argument: object, command = 'easel.generateImage') {
		return vscode.commands.executeCommand<vscode.Uri[] | undefined>(command, argument);
	}

	/** The names of the images that a call has made, and what it has asked before. */
	async function made(
		answer: string | undefined,
		argument: object,
		command?: string,
	): Promise<{ images: string[] | undefined; asked: readonly ShownMessage[] }> {
		const { result, asked } = await answering(answer, () => call(argument, command));
		const images = result?.map((uri) => path.relative(root().fsPath, uri.fsPath));
		return { images: images?.sort(), asked };
	}

	suite('before anything is allowed for the session', () => {
		setup(() => setSetting(setting, undefined));

		rare('say what they would make, where, and what it costs', async () => {
			const before = service.requests.length;
			const { images, asked } = await made(undefined, {
				prompt: `a [fox](command:evil)\nCost: nothing ${'x'.repeat(3000)}`,
				size: '1536x1024',
				quality: 'high',
				count: 3,
				output: 'images/fox.png',
			});
			assert.equal(images, undefined);
			assert.equal(service.requests.length, before);
			const [question, ...others] = asked;
			assert.deepEqual(others, []);
			assert.equal(question?.text, 'Generate 3 images?');
			assert.equal(question.modal, true);
			assert.deepEqual(question.buttons, ['Generate', 'Allow for This Session']);
			const lines = question.detail.split('\n');
			assert.match(lines[0] ?? '', /^Prompt: “a \[fox\].*Cost: nothing x+…”$/);
			assert.ok((lines[0] ?? '').length < 600);
			assert.doesNotMatch(question.detail, /command:/);
			const { host } = new URL(service.address);
			assert.deepEqual(lines.slice(1, 4), [
				'Size: 1536 × 1024, high quality',
				'Saved as: images/fox.png, each with its own name',
				`Cost: 3 requests to ${host}; you may be charged for each.`,
			]);
		});

		rare('say the money where the user has set a price', async () => {
			const price = { currency: 'EUR', image: 0.04, '1536x1024 high': 0.11 };
			await setSetting('easel.budget.price', price);
			atEnd(() => setSetting('easel.budget.price', undefined));
			const { asked } = await made(undefined, {
				...{ prompt: 'a fox', size: '1536x1024', quality: 'high', count: 3 },
			});
			const { host } = new URL(service.address);
			const cost = `Cost: 3 requests to ${host}, about €0.33; you may be charged for each.`;
			assert.ok(asked[0]?.detail.split('\n').includes(cost), asked[0]?.detail);
		});

		test('go on where the user agrees, for this once', async () => {
			for (const prompt of ['first', 'second']) {
				const { images, asked } = await made('Generate', { prompt });
				assert.deepEqual(images, [path.join('images', `${prompt}.png`)]);
				assert.equal(asked.length, 1);
				assert.match(
					asked[0]?.detail ?? '',
					/\nCost: 1 request to .*; you may be charged for it\.\n/,
				);
			}
		});

		rare('name the images that an edit would send', async () => {
			const argument = { prompt: 'at night', references: ['original.png'] };
			const before = service.requests.length;
			const { images, asked } = await made(undefined, argument, 'easel.editWithPrompt');
			assert.equal(images, undefined);
			assert.equal(asked[0]?.text, 'Generate 1 image from original.png?');
			assert.match(asked[0].detail, /\nSaved as: original-at-night\.png\n/);
			assert.equal(service.requests.length, before);
		});

		test('leave nothing behind where the user refuses: no prompt, no place in the document', async () => {
			const document = await vscode.workspace.openTextDocument({ language: 'markdown' });
			await vscode.window.showTextDocument(document);
			const { images } = await made(undefined, { prompt: 'unwanted', insert: true });
			assert.equal(images, undefined);
			assert.equal(document.getText(), '');
			await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
		});

		rare('are asked about whatever the workspace says', async () => {
			await writeWorkspaceSettings({ [setting]: 'never' });
			atEnd(() => remove('.vscode'));
			atEnd(() => writeWorkspaceSettings({}));
			const { asked } = await made(undefined, { prompt: 'hostile' });
			assert.equal(asked.length, 1);
		});

		rare('are not asked about with “never”, and each time with “always”', async () => {
			await setSetting(setting, 'never');
			assert.deepEqual((await made(undefined, { prompt: 'free', count: 4 })).asked, []);
			assert.deepEqual((await made(undefined, { prompt: 'more', count: 4 })).asked, []);
			await setSetting(setting, 'always');
			for (const prompt of ['one', 'two']) {
				const { asked } = await made('Generate', { prompt });
				assert.deepEqual(asked[0]?.buttons, ['Generate']);
			}
		});
	});

	test('can give no command but those of the table, and of an image, a job or a prompt by its identifier', async () => {
		// With the first command come those that stand in no menu.
		await vscode.commands.executeCommand('easel.showLog');
		const all = await vscode.commands.getCommands(false);
		// VS Code has some of its own for each view; they show or move it.
		const ours = all.filter((id) => /^_?easel\./.test(id) && !id.startsWith(`${studioView}.`));
		const ofImages = ['altText', 'compare', 'discard', 'edit', 'howMade', 'open', 'regenerate'].map(
			(name) => `_easel.image.${name}`,
		);
		const others = [
			...ofImages,
			'_easel.cancelImage',
			...['_easel.discardDraft', '_easel.openDraft', '_easel.useDraft'],
			// By the number of a problem that is shown; it asks before anything is sent.
			'_easel.problem.fix',
			'_easel.prompt.change',
			'_easel.prompt.style',
		];
		assert.deepEqual(ours.sort(), [...Object.keys(commandTitles), ...others].sort());
	});
});
