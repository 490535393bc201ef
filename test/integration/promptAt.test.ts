import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { acceptingQuickInputs } from './questions.js';
import { service, useService } from './service.js';
import { forgetPrompts, inRoot, remove } from './workspace.js';
import { rare } from '../host/rare.js';

const prompt =
	'A quiet harbor at dusk with a lighthouse, seen from a boat that is just coming in, in flat colors without gradients, with a sensor at the pier.';

suite('The prompt that Generate Image begins with', () => {
	useService();

	suiteSetup(async () => {
		await mkdir(inRoot('prompts'), { recursive: true });
	});

	suiteTeardown(async () => {
		await remove('prompts');
	});

	teardown(async () => {
		await vscode.commands.executeCommand('workbench.action.files.revert');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await remove('images');
	});

	let opened = 0;

	/** Opens a new document; `⟦` and `⟧` are the selection. */
	async function open(marked: string, extension = 'md'): Promise<vscode.TextEditor> {
		opened += 1;
		const file = inRoot('prompts', `page${String(opened)}.${extension}`);
		await writeFile(file, marked.replaceAll(/[⟦⟧]/g, ''));
		const editor = await vscode.window.showTextDocument(vscode.Uri.file(file));
		const start = marked.indexOf('⟦');
		const end = marked.indexOf('⟧') - 1;
		const at = (offset: number) => editor.document.positionAt(offset);
		editor.selection = new vscode.Selection(at(start), at(end));
		return editor;
	}

	/** Returns the text in the quick input of the command when it opens. */
	async function offered(): Promise<string> {
		const { createQuickPick } = vscode.window;
		const created = Promise.withResolvers<vscode.QuickPick<vscode.QuickPickItem>>();
		const create = () => {
			const pick = createQuickPick();
			created.resolve(pick);
			return pick;
		};
		Object.assign(vscode.window, { createQuickPick: create });
		try {
			const ended = vscode.commands.executeCommand('easel.generateImage');
			const pick = await created.promise;
			const text = pick.value;
			pick.hide();
			await ended;
			return text;
		} finally {
			Object.assign(vscode.window, { createQuickPick });
		}
	}

	for (const extension of ['md', 'html']) {
		rare(
			`is the whole one of an inserted image whose alt text is selected: ${extension}`,
			async () => {
				const editor = await open('Before.\n\n⟦⟧\n', extension);
				await vscode.commands.executeCommand('easel.generateImage', { prompt, insert: true });
				const { document } = editor;
				const { 0: altText, index } = /(?<=!\[|alt=")[^\]"]+/.exec(document.getText())!;
				assert.ok(altText.length < prompt.length, altText);
				editor.selection = new vscode.Selection(
					document.positionAt(index),
					document.positionAt(index + altText.length),
				);
				assert.equal(await offered(), prompt);
			},
		);
	}

	rare('is the whole one of the image at the cursor', async () => {
		const editor = await open('Before.\n\n⟦⟧\n');
		await vscode.commands.executeCommand('easel.generateImage', { prompt, insert: true });
		const { active } = editor.selection;
		editor.selection = new vscode.Selection(active, active);
		assert.equal(await offered(), prompt);
	});

	rare('is the alt text at the cursor, where nothing more is known', async () => {
		await open('Before.\n\n![A water-level ⟦⟧sensor](images/sensor.png)\n');
		assert.equal(await offered(), 'A water-level sensor');
	});

	rare('does not end with the sign of a text that was cut', async () => {
		await open('![⟦A sensor at a pier, with a…⟧](images/sensor.png)\n');
		assert.equal(await offered(), 'A sensor at a pier, with a');
		await open('![A sensor at ⟦⟧a pier, with a…](images/sensor.png)\n');
		assert.equal(await offered(), 'A sensor at a pier, with a');
	});

	test('is the selected text elsewhere, in one line, and nothing without one', async () => {
		await open('Text that says ⟦more:\n\n- a fox…⟧ and less.\n');
		assert.equal(await offered(), 'more: - a fox…');
		await open('Text ⟦⟧without an image.\n');
		assert.equal(await offered(), '');
	});

	rare('is what one item of a list says, without its marker', async () => {
		for (const marked of ['⟦2. A pier⟧', '⟦- [ ] A pier⟧', '⟦## A pier⟧', '⟦> A pier⟧']) {
			await open(`Before.\n\n${marked}\n`);
			assert.equal(await offered(), 'A pier', marked);
		}
		await open('⟦# A pier\n\nWith a crane⟧\n');
		assert.equal(await offered(), '# A pier With a crane');
		await open('⟦1. A pier\n2. A crane⟧\n');
		assert.equal(await offered(), '1. A pier 2. A crane');
	});

	rare('is sent with the lines that were selected, where it is unchanged', async () => {
		await open('⟦A harbor at dusk:\n\n- a fox at the rail\n- a gull above it⟧\n');
		await acceptingQuickInputs(vscode.commands.executeCommand('easel.generateImage'));
		const sent = service.requests.at(-1)?.fields.find(({ name }) => name === 'prompt');
		assert.equal(sent?.value, 'A harbor at dusk:\n\n- a fox at the rail\n- a gull above it');
	});

	test('is written in an editor where it is more than a line shows, and nothing is sent unseen', async () => {
		const before = service.requests.length;
		const text = `A harbor. ${'🦊 '.repeat(1500)}The end.`;
		await open(`⟦${text}⟧\n`);
		await acceptingQuickInputs(vscode.commands.executeCommand('easel.generateImage'));
		const front = vscode.window.activeTextEditor!.document;
		assert.equal(front.languageId, 'easel-prompt');
		assert.equal(front.getText(), text);
		assert.equal(service.requests.length, before);
		await forgetPrompts();
	});

	rare('is the part of an alt text that the user has selected on purpose', async () => {
		await open('![A ⟦water-level⟧ sensor](images/sensor.png)\n');
		assert.equal(await offered(), 'water-level');
	});
});
