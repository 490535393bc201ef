import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { insertAtCursor } from '../../src/generation/writing.js';
import { Anchors } from '../../src/generation/anchors.js';
import type { CommandContext } from '../../src/editor/imageRequest.js';
import type { SavedImage } from '../../src/generation/savedImage.js';
import { inRoot, remove, root } from './workspace.js';
import { rare } from '../host/rare.js';

/** Returns a link to `images/<name>.png` as the documents of this suite have it. */
const write = (name: string) => `![${name}](../images/${name}.png)`;

suite('Images that land at once', () => {
	let anchors: Anchors;

	setup(async () => {
		anchors = new Anchors();
		await mkdir(inRoot('landing'), { recursive: true });
	});

	teardown(async () => {
		anchors.dispose();
		await vscode.commands.executeCommand('workbench.action.files.revert');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await remove('landing');
	});

	let opened = 0;

	async function open(text: string): Promise<vscode.TextEditor> {
		opened += 1;
		const file = inRoot('landing', `${String(opened)}.md`);
		await writeFile(file, text);
		return vscode.window.showTextDocument(vscode.Uri.file(file));
	}

	/** The command was given with the cursor there; what lands for it comes through the result. */
	function giveCommand(
		editor: vscode.TextEditor,
		offset: number,
	): (name: string) => Promise<string> {
		const at = editor.document.positionAt(offset);
		editor.selection = new vscode.Selection(at, at);
		const context: CommandContext = {
			document: editor.document.uri.toString(),
			workspaceFolder: root().toString(),
			insertion: anchors.track(editor),
		};
		return async (name) => {
			const result = await anchors.insert(image(name), context);
			return typeof result === 'string' ? result : 'inserted';
		};
	}

	function image(name: string): SavedImage {
		const uri = vscode.Uri.file(inRoot('images', `${name}.png`));
		return { uri, prompt: name, image: { width: 1, height: 1 } };
	}

	/** Types as a user does, letter by letter. */
	async function type(letters: string): Promise<void> {
		for (const text of letters) {
			await vscode.commands.executeCommand('type', { text });
		}
	}

	async function nextChange(): Promise<void> {
		const changed = Promise.withResolvers<void>();
		const listener = vscode.workspace.onDidChangeTextDocument(() => changed.resolve());
		await changed.promise;
		listener.dispose();
	}

	/** Undoes until the text is as it was; in no more steps than there were images. */
	async function undoAll(document: vscode.TextDocument, text: string): Promise<void> {
		for (let step = 0; step < names.length && document.getText() !== text; step++) {
			await vscode.commands.executeCommand('undo');
		}
		assert.equal(document.getText(), text);
	}

	const names = Array.from({ length: 8 }, (_, index) => `image-${String(index)}`);
	const allInserted = names.map(() => 'inserted');
	const images = names.map(write).join('\n\n');

	rare('stand in order at one place, and undo takes them back', async () => {
		const text = '= Title\n\nBefore.\n\n\n\nAfter.\n';
		const editor = await open(text);
		const land = giveCommand(editor, text.indexOf('\n\nAfter'));
		assert.deepEqual(await Promise.all(names.map(land)), allInserted);
		assert.equal(editor.document.getText(), `= Title\n\nBefore.\n\n${images}\n\nAfter.\n`);
		await undoAll(editor.document, text);
	});

	rare('stand at places of their own in one document', async () => {
		const text = names.map((name) => `About ${name}.\n\n\n\n`).join('');
		const editor = await open(text);
		// The last place first: none of them is to profit from the order.
		const lands = names.map((name) =>
			giveCommand(editor, text.indexOf(`About ${name}.`) + `About ${name}.\n\n`.length),
		);
		const ends = await Promise.all(names.map((name, index) => lands[index]!(name)));
		assert.deepEqual(ends, allInserted);
		const expected = names.map((name) => `About ${name}.\n\n${write(name)}\n\n`).join('');
		assert.equal(editor.document.getText(), expected);
		await undoAll(editor.document, text);
	});

	rare('stand in order where their commands were given at one place', async () => {
		const text = 'Before.\n\n\n\nAfter.\n';
		const editor = await open(text);
		const lands = names.map(() => giveCommand(editor, 9));
		await Promise.all(names.map((name, index) => lands[index]!(name)));
		assert.equal(editor.document.getText(), `Before.\n\n${images}\n\nAfter.\n`);
		await undoAll(editor.document, text);
	});

	for (const where of ['at the very place', 'elsewhere']) {
		rare(`stand in order while the user types ${where}`, async () => {
			const text = 'Before.\n\n\n\nAfter.\n';
			const editor = await open(text);
			const land = giveCommand(editor, 9);
			if (where === 'elsewhere') {
				const end = editor.document.positionAt(text.length);
				editor.selection = new vscode.Selection(end, end);
			}
			const typed = 'the writer goes on and on'.repeat(4);
			const typing = type(typed);
			const landing: Promise<string>[] = [];
			for (const name of names) {
				// Each at another moment of the typing, some of them at the same.
				await nextChange();
				landing.push(land(name));
			}
			const ends = await Promise.all(landing);
			await typing;
			assert.deepEqual(ends, allInserted);
			const [here, there] = where === 'elsewhere' ? ['', typed] : [typed, ''];
			// It needs an empty line before what was typed behind it.
			const gap = here === '' ? '' : '\n\n';
			assert.equal(
				editor.document.getText(),
				`Before.\n\n${images}${gap}${here}\n\nAfter.\n${there}`,
			);
		});
	}

	rare('of a button come to the cursor once, whatever is typed', async () => {
		const editor = await open('Before.\n\n\n');
		const end = editor.document.positionAt(9);
		editor.selection = new vscode.Selection(end, end);
		const typed = type('the writer goes on and on');
		await nextChange();
		await insertAtCursor(image('pressed'), {
			document: editor.document.uri.toString(),
			workspaceFolder: root().toString(),
		});
		await typed;
		const text = editor.document.getText();
		assert.equal(text.split('](../images/pressed.png)').length, 2, text);
	});
});
