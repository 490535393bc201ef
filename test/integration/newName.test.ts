import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { until } from '../host/until.js';
import { atEnd } from './atEnd.js';
import { service, useService } from './service.js';
import { ShownMessages } from './shownMessages.js';
import { inRoot, remove, setSetting } from './workspace.js';
import { rare } from '../host/rare.js';

suite('A document that gets a new name while its image is made', () => {
	let messages: ShownMessages;
	/** The button of the message about the image that is pressed; none where it is `undefined`. */
	let press: string | undefined;
	const registered: vscode.Disposable[] = [];
	let count = 0;

	useService();

	suiteSetup(async () => {
		await setSetting('files.autoSave', 'off');
	});

	suiteTeardown(async () => {
		await setSetting('files.autoSave', undefined);
	});

	setup(async () => {
		count += 1;
		service.faults.clear();
		press = undefined;
		messages = new ShownMessages(['showInformationMessage'], ({ buttons }) =>
			buttons.find((one) => one === press),
		);
		await vscode.env.clipboard.writeText('as it was');
		await mkdir(inRoot('named', 'sub'), { recursive: true });
		await mkdir(inRoot('named', 'deep'), { recursive: true });
	});

	teardown(async () => {
		vscode.Disposable.from(...registered.splice(0)).dispose();
		await vscode.commands.executeCommand('workbench.action.files.revert');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await remove('named');
		await remove('images');
	});

	/** A name of its own: the editor keeps the text of a closed document for a while. */
	function file(...names: string[]): vscode.Uri {
		const last = names.at(-1)!.replace(/(?=\.\w+$)/, String(count));
		return vscode.Uri.file(inRoot('named', ...names.slice(0, -1), last));
	}

	/** Opens a document with this text, in which `|` is the cursor. */
	async function open(uri: vscode.Uri, marked: string): Promise<vscode.TextDocument> {
		await writeFile(uri.fsPath, marked.replace('|', ''));
		await vscode.commands.executeCommand('vscode.open', uri);
		return putCursor(vscode.window.activeTextEditor!, marked);
	}

	/** The same for one that was never saved; VS Code asks for no name where it has that of a file. */
	async function openUntitled(marked: string, name?: vscode.Uri): Promise<vscode.TextDocument> {
		const document = await (name === undefined
			? vscode.workspace.openTextDocument({ language: 'markdown', content: '' })
			: vscode.workspace.openTextDocument(name.with({ scheme: 'untitled' })));
		const editor = await vscode.window.showTextDocument(document);
		const text = marked.replace('|', '');
		await editor.edit((edit) => {
			edit.insert(new vscode.Position(0, 0), text);
		});
		return putCursor(editor, marked);
	}

	function putCursor(editor: vscode.TextEditor, marked: string): vscode.TextDocument {
		const at = editor.document.positionAt(marked.indexOf('|'));
		editor.selection = new vscode.Selection(at, at);
		return editor.document;
	}

	/** Asks for an image, and does something while the service holds it. */
	async function generateWhile(meanwhile: () => Thenable<unknown>): Promise<void> {
		service.faults.add({ hold: true, times: 1 });
		const made = vscode.commands.executeCommand<vscode.Uri[]>('easel.generateImage', {
			prompt: 'a fox',
			insert: true,
		});
		try {
			await service.waitUntil(() => service.requests.some(({ held }) => held));
			await meanwhile();
		} finally {
			service.releaseHeld();
		}
		assert.equal((await made).length, 1);
		await until(() => reported().length > 0, 'the image to be reported');
	}

	function reported(): string[] {
		return messages.reported.filter((text) => /^(Saved|Added)/.test(text));
	}

	function isOpen(uri: vscode.Uri): boolean {
		return vscode.workspace.textDocuments.some((one) => one.uri.toString() === uri.toString());
	}

	async function inFront(uri: vscode.Uri): Promise<vscode.TextDocument> {
		const front = () => vscode.window.activeTextEditor?.document;
		await until(() => front()?.uri.toString() === uri.toString(), `${uri.path} to be in front`);
		return front()!;
	}

	async function type(document: vscode.TextDocument, text: string): Promise<void> {
		const edit = new vscode.WorkspaceEdit();
		edit.insert(document.uri, new vscode.Position(0, 0), text);
		assert.ok(await vscode.workspace.applyEdit(edit));
	}

	async function rename(from: vscode.Uri, to: vscode.Uri): Promise<void> {
		const edit = new vscode.WorkspaceEdit();
		edit.renameFile(from, to);
		assert.ok(await vscode.workspace.applyEdit(edit));
	}

	/** Closes the document in front without saving it. */
	async function discard(): Promise<void> {
		const { uri } = vscode.window.activeTextEditor!.document;
		await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
		await until(() => !isOpen(uri), 'the document to be closed');
	}

	/** Saves under the name that VS Code offers. */
	async function saveUnderOfferedName(document: vscode.TextDocument): Promise<vscode.Uri> {
		const saving = Promise.resolve(vscode.workspace.save(document.uri));
		let saved: vscode.Uri | undefined;
		saving.then(
			(uri) => (saved = uri),
			() => undefined,
		);
		await until(async () => {
			await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
			return saved !== undefined;
		}, 'the document to be saved');
		return saved!;
	}

	rare('gets it at its place where it was never saved before', async () => {
		// VS Code offers the folder of the file that was in front last, of whatever test.
		await open(vscode.Uri.file(inRoot('beside.md')), 'Beside.|');
		const document = await openUntitled('# Named\n\nHere: |\n\nThe end.');
		let saved: vscode.Uri | undefined;
		atEnd(() => remove('beside.md'));
		atEnd(() => remove(path.basename(saved?.fsPath ?? 'nothing')));
		atEnd(() => vscode.commands.executeCommand('workbench.action.files.revert'));
		await generateWhile(async () => {
			saved = await saveUnderOfferedName(document);
			await inFront(saved);
		});
		assert.match(
			(await inFront(saved!)).getText(),
			/^# Named\n\nHere:\s+!\[a fox\]\(images\/fox\.png\)\s+The end\.$/,
		);
		assert.match(reported().join(), /^Added /);
		assert.ok(!isOpen(document.uri));
	});

	rare(
		'gets it relative to its new folder, where the text moves while it is saved and after that',
		async () => {
			registered.push(
				vscode.languages.registerDocumentFormattingEditProvider('markdown', {
					provideDocumentFormattingEdits: () => [
						vscode.TextEdit.insert(new vscode.Position(0, 0), 'Formatted.\n\n'),
					],
				}),
			);
			const settings = ['files.trimTrailingWhitespace', 'editor.formatOnSave'];
			for (const one of settings) {
				await setSetting(one, true);
			}
			try {
				const name = file('sub', 'a.md');
				await openUntitled('# Notes  \n\nHere: |\n\nThe end.\n', name);
				await generateWhile(async () => {
					await vscode.commands.executeCommand('workbench.action.files.save');
					await type(await inFront(name), 'Typed.\n\n');
				});
				assert.equal(
					(await inFront(name)).getText(),
					'Typed.\n\nFormatted.\n\n# Notes\n\nHere:\n\n![a fox](../../images/fox.png)\n\nThe end.\n',
				);
			} finally {
				for (const one of settings) {
					await setSetting(one, undefined);
				}
			}
		},
	);

	rare('is not taken for another one that has the same text', async () => {
		const text = 'Here: \n';
		const document = await openUntitled('Here: |\n');
		const other = file('other.md');
		press = 'Insert';
		await generateWhile(async () => {
			// Copied over, saved, and thrown away, all within a moment.
			await writeFile(other.fsPath, '');
			const editor = await vscode.window.showTextDocument(other);
			await editor.edit((edit) => {
				edit.insert(new vscode.Position(0, 0), text);
			});
			assert.ok(await editor.document.save());
			await vscode.window.showTextDocument(document);
			await discard();
		});
		await until(
			async () => (await vscode.env.clipboard.readText()) !== 'as it was',
			'the link to be copied',
		);
		assert.equal((await vscode.workspace.openTextDocument(other)).getText(), text);
	});

	rare('is not made anew where it was written and thrown away: the link is copied', async () => {
		const document = await openUntitled('Here: |\n');
		press = 'Insert';
		await generateWhile(discard);
		assert.match(reported().join(), /^Saved.* \| Insert \|/);
		await until(
			async () => (await vscode.env.clipboard.readText()) === '![a fox](images/fox.png)',
			'the link to be copied',
		);
		assert.ok(!isOpen(document.uri));
	});

	for (const [what, from, to] of [
		['it is renamed', ['sub', 'a.md'], ['sub', 'b.md']],
		['a folder around it is moved', ['sub'], ['deep', 'sub']],
	] as const) {
		rare(`gets it at its place where ${what}`, async () => {
			const isFolder = from.length === 1;
			const before = file('sub', 'a.md');
			const after = isFolder ? file(...to, 'a.md') : file(...to);
			await open(before, 'Here: |\n\nThe end.\n');
			await generateWhile(async () => {
				await (isFolder
					? rename(
							vscode.Uri.file(inRoot('named', ...from)),
							vscode.Uri.file(inRoot('named', ...to)),
						)
					: rename(before, after));
				await type(await inFront(after), 'Typed.\n\n');
			});
			const link = path.posix.relative(path.posix.dirname(after.path), inRoot('images/fox.png'));
			assert.equal(
				(await inFront(after)).getText(),
				`Typed.\n\nHere:\n\n![a fox](${link})\n\nThe end.\n`,
			);
		});
	}

	rare('gets it where it is closed when it is renamed: the message opens it', async () => {
		const before = file('sub', 'a.md');
		await open(before, 'Here: |\n\nThe end.\n');
		press = 'Insert';
		await generateWhile(async () => {
			await discard();
			await rename(before, file('b.md'));
		});
		const document = await inFront(file('b.md'));
		await until(
			() => document.getText() === 'Here:\n\n![a fox](../images/fox.png)\n\nThe end.\n',
			'the link to be written',
		);
	});
});
