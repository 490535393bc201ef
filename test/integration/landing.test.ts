import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { Insertions, type Inserted } from '../../src/editor/generation/insertion.js';
import type { Origin } from '../../src/editor/generation/origin.js';
import type { SavedImage } from '../../src/editor/generation/report.js';
import { inRoot, remove, root } from './workspace.js';

/** How a reference to `images/<name>.png` looks in the documents of this suite. */
const formats = {
	md: { language: 'markdown', write: (name: string) => `![${name}](../images/${name}.png)` },
	adoc: { language: 'asciidoc', write: (name: string) => `image::../images/${name}.png[${name}]` },
};

suite('Images that land at once', () => {
	let insertions: Insertions;

	setup(async () => {
		insertions = new Insertions();
		await mkdir(inRoot('landing'), { recursive: true });
	});

	teardown(async () => {
		insertions.dispose();
		await vscode.commands.executeCommand('workbench.action.files.revert');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await remove('landing');
	});

	let opened = 0;

	async function open(kind: string, text: string): Promise<vscode.TextEditor> {
		opened += 1;
		const file = inRoot('landing', `${String(opened)}.${kind}`);
		await writeFile(file, text);
		return vscode.window.showTextDocument(vscode.Uri.file(file));
	}

	/** The command was given with the cursor there; what lands for it comes through the result. */
	function giveCommand(
		editor: vscode.TextEditor,
		offset: number,
	): (name: string) => Promise<Inserted> {
		const at = editor.document.positionAt(offset);
		editor.selection = new vscode.Selection(at, at);
		const origin: Origin = {
			document: editor.document.uri,
			selectedText: '',
			workspaceFolder: root(),
			insertion: insertions.track(editor),
		};
		return (name) => insertions.insert(image(name), origin);
	}

	function image(name: string): SavedImage {
		const uri = vscode.Uri.file(inRoot('images', `${name}.png`));
		return { uri, prompt: name, image: { width: 1, height: 1 } };
	}

	/** Undoes until the text is as it was; in no more steps than there were images. */
	async function undoAll(document: vscode.TextDocument, text: string, most: number): Promise<void> {
		for (let step = 0; step < most && document.getText() !== text; step++) {
			await vscode.commands.executeCommand('undo');
		}
		assert.equal(document.getText(), text);
	}

	for (const [kind, { language, write }] of Object.entries(formats)) {
		const between = kind === 'adoc' ? '\n\n' : '\n';
		for (const count of [2, 8]) {
			const names = Array.from({ length: count }, (_, index) => `image-${String(index)}`);

			test(`${language}: ${String(count)} at one place stand in order, and undo takes them back`, async () => {
				const text = '= Title\n\nBefore.\n\n\n\nAfter.\n';
				const editor = await open(kind, text);
				assert.equal(editor.document.languageId, language);
				const land = giveCommand(editor, text.indexOf('\n\nAfter'));
				const ends = await Promise.all(names.map(land));
				assert.deepEqual(
					ends,
					names.map(() => 'inserted'),
				);
				const images = names.map(write).join(between);
				assert.equal(editor.document.getText(), `= Title\n\nBefore.\n\n${images}\n\nAfter.\n`);
				await undoAll(editor.document, text, count);
			});

			test(`${language}: ${String(count)} at places of their own in one document`, async () => {
				const text = names.map((name) => `About ${name}.\n\n\n\n`).join('');
				const editor = await open(kind, text);
				// The last place first: none of them is to profit from the order.
				const lands = names.map((name) =>
					giveCommand(editor, text.indexOf(`About ${name}.`) + `About ${name}.\n\n`.length),
				);
				const ends = await Promise.all(names.map((name, index) => lands[index]!(name)));
				assert.deepEqual(
					ends,
					names.map(() => 'inserted'),
				);
				const expected = names.map((name) => `About ${name}.\n\n${write(name)}\n\n`).join('');
				assert.equal(editor.document.getText(), expected);
				await undoAll(editor.document, text, count);
			});

			test(`${language}: ${String(count)} from commands given at one place`, async () => {
				const text = 'Before.\n\n\n\nAfter.\n';
				const editor = await open(kind, text);
				const lands = names.map(() => giveCommand(editor, 9));
				await Promise.all(names.map((name, index) => lands[index]!(name)));
				const images = names.map(write).join(between);
				assert.equal(editor.document.getText(), `Before.\n\n${images}\n\nAfter.\n`);
				await undoAll(editor.document, text, count);
			});

			for (const where of ['at the very place', 'elsewhere'] as const) {
				test(`${language}: ${String(count)} while a person types ${where}`, async () => {
					const text = 'Before.\n\n\n\nAfter.\n';
					const editor = await open(kind, text);
					const land = giveCommand(editor, 9);
					if (where === 'elsewhere') {
						const end = editor.document.positionAt(text.length);
						editor.selection = new vscode.Selection(end, end);
					}
					const typed = 'a person goes on and on'.repeat(4);
					const typing = (async () => {
						for (const text of typed) {
							await vscode.commands.executeCommand('type', { text });
						}
					})();
					const landing: Promise<Inserted>[] = [];
					for (const name of names) {
						// Each at another moment of the typing, some of them at the same.
						const listening = Promise.withResolvers<void>();
						const listener = vscode.workspace.onDidChangeTextDocument(() => listening.resolve());
						await listening.promise;
						listener.dispose();
						landing.push(land(name));
					}
					const ends = await Promise.all(landing);
					await typing;
					assert.deepEqual(
						ends,
						names.map(() => 'inserted'),
					);
					const images = names.map(write).join(between);
					const [here, there] = where === 'elsewhere' ? ['', typed] : [typed, ''];
					// A block needs an empty line before what was typed behind it.
					const gap = kind === 'adoc' && here !== '' ? '\n\n' : '';
					assert.equal(
						editor.document.getText(),
						`Before.\n\n${images}${gap}${here}\n\nAfter.\n${there}`,
					);
				});
			}
		}
	}
});
