import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { maxPromptLength } from '../../src/protocol/studioModel.js';
import { service, useService } from './service.js';
import { forgetPrompts, inRoot, remove } from './workspace.js';
import { rare } from '../host/rare.js';

suite('A prompt that is written in an editor', () => {
	useService();

	suiteSetup(async () => {
		await mkdir(inRoot('written'), { recursive: true });
	});

	suiteTeardown(async () => {
		await remove('written');
	});

	teardown(async () => {
		await forgetPrompts();
		await vscode.commands.executeCommand('workbench.action.files.revert');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await remove('images');
	});

	let opened = 0;

	async function open(text: string): Promise<vscode.TextEditor> {
		opened += 1;
		const file = inRoot('written', `page${String(opened)}.md`);
		await writeFile(file, text);
		return vscode.window.showTextDocument(vscode.Uri.file(file));
	}

	/** Opens the editor for a prompt from a document, of which everything is selected. */
	async function write(text: string): Promise<vscode.TextDocument> {
		const { document, selection } = await open(text);
		const editor = vscode.window.activeTextEditor!;
		const end = document.positionAt(text.length);
		editor.selection = new vscode.Selection(selection.start, end);
		await vscode.commands.executeCommand('easel.writePrompt');
		return front();
	}

	function front(): vscode.TextDocument {
		return vscode.window.activeTextEditor!.document;
	}

	async function replace(document: vscode.TextDocument, text: string): Promise<void> {
		const edit = new vscode.WorkspaceEdit();
		const end = document.positionAt(document.getText().length);
		edit.replace(document.uri, new vscode.Range(new vscode.Position(0, 0), end), text);
		assert.ok(await vscode.workspace.applyEdit(edit));
	}

	function generate(): Thenable<vscode.Uri[] | undefined> {
		return vscode.commands.executeCommand('easel.generateImage');
	}

	function sentPrompts(from: number): unknown[] {
		return service.requests
			.slice(from)
			.map(({ fields }) => fields.find(({ name }) => name === 'prompt')?.value);
	}

	test('has a language of its own, is saved as it is typed, and takes the selected lines', async () => {
		const text = 'A harbor.\n\n- with a fox\n';
		const document = await write(text);
		assert.equal(document.languageId, 'easel-prompt');
		assert.equal(document.isUntitled, false);
		assert.equal(document.getText(), text.trim());
		await replace(document, 'A lighthouse');
		// Only the editor itself saves it.
		const saved = Promise.withResolvers<void>();
		const listener = vscode.workspace.onDidSaveTextDocument((one) => {
			if (one === document) {
				saved.resolve();
			}
		});
		await (document.isDirty ? saved.promise : undefined);
		listener.dispose();
		assert.equal(await readFile(document.uri.fsPath, 'utf8'), 'A lighthouse');
	});

	rare(
		'is sent once, however often the key is pressed, and goes where the command was given',
		async () => {
			const before = service.requests.length;
			const prompt = await write('A fox\nat the pier');
			const ends = await Promise.all([generate(), generate(), generate()]);
			assert.deepEqual(
				ends.map((uris) => uris?.map(({ path: file }) => path.posix.basename(file))),
				[['fox-at-pier.png'], undefined, undefined],
			);
			assert.deepEqual(sentPrompts(before), ['A fox\nat the pier']);
			assert.match(
				front().getText(),
				/^A fox\nat the pier\n\n!\[[^\]]*\]\(\.\.\/images\/fox-at-pier\.png\)/,
			);
			const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
			assert.ok(tabs.every(({ label }) => label !== path.basename(prompt.fileName)));
			await assert.rejects(readFile(prompt.uri.fsPath));
		},
	);

	for (const [what, text] of [
		['empty', ' \n\t\n'],
		['longer than any that can be sent', 'a'.repeat(maxPromptLength + 1)],
	] as const) {
		test(`is not sent where it is ${what}, and stays open`, async () => {
			const before = service.requests.length;
			const document = await write('A fox');
			await replace(document, text);
			assert.equal(await generate(), undefined);
			assert.equal(service.requests.length, before);
			assert.equal(front(), document);
			assert.equal(document.getText(), text);
		});
	}

	rare(
		'is gone on with where nothing is selected, and its image goes to the new place',
		async () => {
			const before = service.requests.length;
			const first = await write('A fox at sea');
			await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
			const { document } = await open('Elsewhere: ');
			const editor = vscode.window.activeTextEditor!;
			const end = document.positionAt(document.getText().length);
			editor.selection = new vscode.Selection(end, end);
			await vscode.commands.executeCommand('easel.writePrompt');
			assert.equal(front().uri.toString(), first.uri.toString());
			await generate();
			assert.deepEqual(sentPrompts(before), ['A fox at sea']);
			assert.match(
				document.getText(),
				/^Elsewhere:\s+!\[[^\]]*\]\(\.\.\/images\/fox-at-sea\.png\)/,
			);
		},
	);

	rare('takes no image link: it is no document', async () => {
		const document = await write('A fox');
		await vscode.commands.executeCommand('easel.generateImage', {
			prompt: 'a boat',
			insert: true,
		});
		assert.equal(document.getText(), 'A fox');
	});

	rare('shows above it what is asked for, and says by name what it is for', async () => {
		const document = await write('A fox');
		const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
			'vscode.executeCodeLensProvider',
			document.uri,
		);
		assert.deepEqual(
			// The size is the one that was used last.
			lenses.map(({ command }) => command?.title.replace(/^\d+ × \d+$/, 'size')),
			[
				'$(sparkle) Generate (Ctrl+Enter)',
				'size',
				'Quality: Auto',
				'1 paid request',
				'References: none',
				'$(eye) Show What Is Sent',
				'Draft from Document…',
				'Improve…',
				`for page${String(opened)}.md`,
			],
		);
	});
});
