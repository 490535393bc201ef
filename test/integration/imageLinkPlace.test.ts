import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { altTextFor } from '../../src/generation/writing.js';
import { until } from '../host/until.js';
import { atEnd } from './atEnd.js';
import { codeActionsAt } from './codeActions.js';
import { useService } from './service.js';
import { inRoot, remove, setSetting } from './workspace.js';
import { rare } from '../host/rare.js';

const image = '![a fox](../images/fox.png)';

suite('The place of an image link', () => {
	useService();

	suiteSetup(async () => {
		await vscode.commands.executeCommand('easel.generateImage', {
			prompt: 'a fox',
			insert: false,
		});
	});

	suiteTeardown(async () => {
		await remove('images');
	});

	teardown(async () => {
		await vscode.commands.executeCommand('workbench.action.files.revert');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await remove('places');
	});

	let opened = 0;

	/** Opens a new document with the cursor at `|`. */
	async function open(kind: string, text: string): Promise<vscode.TextEditor> {
		// Each has a name of its own: the editor keeps the text of a closed one for a while.
		opened += 1;
		const name = kind.replace(/(?=\.\w+$)/, String(opened));
		await mkdir(path.dirname(inRoot('places', name)), { recursive: true });
		await writeFile(inRoot('places', name), text.replace('|', ''));
		const editor = await vscode.window.showTextDocument(vscode.Uri.file(inRoot('places', name)));
		const at = editor.document.positionAt(text.indexOf('|'));
		editor.selection = new vscode.Selection(at, at);
		return editor;
	}

	/** "Insert Generated Image…", and its first item. */
	async function insert(): Promise<void> {
		let done = false;
		const inserted = Promise.resolve(vscode.commands.executeCommand('easel.insertImage')).finally(
			() => (done = true),
		);
		await until(async () => {
			await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
			return done;
		}, 'the list of images to be answered');
		await inserted;
	}

	/** Returns the titles of the actions that Easel offers at an offset. */
	async function titlesAt(document: vscode.TextDocument, offset: number): Promise<string[]> {
		const at = document.positionAt(offset);
		const actions = await codeActionsAt(document, at);
		return actions
			.map(({ title }) => title)
			.filter((title) => /Edit|Generate|Alt Text|Check Words/.test(title));
	}

	const ofImage = ['Edit with Prompt…', 'Propose Alt Text…', 'Check Words in Picture…'];

	function rendered(text: string): Thenable<string> {
		return vscode.commands.executeCommand<string>('markdown.api.render', text);
	}

	rare(
		'is behind the image whose alt text is still selected: two pictures, none in the other',
		async () => {
			const { document } = await open('a.md', 'One place.|\n\nMore.\n');
			await insert();
			const first = vscode.window.activeTextEditor!;
			assert.equal(document.getText(first.selection), 'a fox');
			await insert();
			assert.equal(document.getText(), `One place.\n\n${image}\n\n${image}\n\nMore.\n`);
			const html = await rendered(document.getText());
			assert.equal(html.match(/<p[^>]*><img [^>]*><\/p>/g)?.length, 2, html);
			await vscode.commands.executeCommand('undo');
			assert.equal(document.getText(), `One place.\n\n${image}\n\nMore.\n`);
			await vscode.commands.executeCommand('undo');
			assert.equal(document.getText(), 'One place.\n\nMore.\n');
		},
	);

	rare('has the title that the user gave the image for its alt text', async () => {
		const uri = vscode.Uri.file(inRoot('images', 'fox.png'));
		const saved = { uri, prompt: 'a fox', image: { width: 1, height: 1 } };
		const document = { uri: vscode.Uri.file(inRoot('a.md')), languageId: 'markdown', text: '' };
		const title = 'Settings, calm blue, rounded';
		assert.equal(await altTextFor({ ...saved, title }, document), title);
		assert.equal(await altTextFor({ ...saved, title: '' }, document), 'a fox');
	});

	rare('of a notebook is found in its cells, as what is missing there', async () => {
		await mkdir(inRoot('places'), { recursive: true });
		const source = ['![a fox](../images/fox.png)\n', '\n', '![A harbor](harbor.png)'];
		const cell = { cell_type: 'markdown', metadata: {}, source };
		const notebook = { cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 };
		const uri = vscode.Uri.file(inRoot('places', 'book.ipynb'));
		await writeFile(uri.fsPath, JSON.stringify(notebook));
		const opened = await vscode.workspace.openNotebookDocument(uri);
		await vscode.window.showNotebookDocument(opened);
		const { document } = opened.cellAt(0);
		// A rendered cell has no text that could be pointed at.
		await vscode.commands.executeCommand('notebook.cell.edit');
		await until(
			() => vscode.window.activeTextEditor?.document === document,
			'the cell to be edited',
		);
		assert.deepEqual(await titlesAt(document, 12), ofImage);
		const harbor = document.getText().indexOf('harbor.png');
		assert.deepEqual(await titlesAt(document, harbor), ['Generate Missing Image…']);
		const [hover] = await vscode.commands.executeCommand<vscode.Hover[]>(
			'vscode.executeHoverProvider',
			document.uri,
			document.positionAt(12),
		);
		assert.ok(hover, 'the image that Easel has made tells how');
	});

	rare('is as the name says in a document whose language VS Code does not have', async () => {
		const { document } = await open('page.mdx', 'The |end.\nIs near.\n');
		assert.equal(document.languageId, 'plaintext');
		await insert();
		assert.equal(document.getText(), `The end.\nIs near.\n\n${image}\n`);
		const fox = document.getText().indexOf('images/fox');
		assert.deepEqual(await titlesAt(document, fox), ofImage);
		// Without language models there is nothing that needs them.
		await setSetting('easel.words.provider', 'off');
		assert.deepEqual(await titlesAt(document, fox), ofImage.slice(0, 1));
		await setSetting('easel.words.provider', undefined);
		const other = await open('other.mdx', '![A harbor](harbor.png)|\n\n![img](img.png)\n');
		assert.equal(other.document.languageId, 'plaintext');
		// Nothing is offered to be edited that is not there.
		assert.deepEqual(await titlesAt(other.document, 5), ['Generate Missing Image…']);
		assert.deepEqual(await titlesAt(other.document, 30), ['Generate Missing Image…']);
		const typst = await open('page.typ', 'The end.|\n');
		await insert();
		assert.equal(
			typst.document.getText(),
			'The end.\n\n#image("../images/fox.png", alt: "a fox")\n',
		);
	});

	rare('leaves the alt text to the writer, where the setting says so', async () => {
		await setSetting('easel.documents.altText', 'empty');
		atEnd(() => setSetting('easel.documents.altText', undefined));
		const { document } = await open('a.md', '|');
		await insert();
		assert.equal(document.getText(), '![](../images/fox.png)');
		await vscode.commands.executeCommand('type', { text: 'Mine' });
		assert.equal(document.getText(), '![Mine](../images/fox.png)');
	});

	rare('is an <img> with a width in Markdown, where the setting says so', async () => {
		await setSetting('easel.documents.imageWidth', 400);
		atEnd(() => setSetting('easel.documents.imageWidth', undefined));
		const { document } = await open('a.md', 'One.|\n\nMore.\n');
		await insert();
		const tag = '<img src="../images/fox.png" alt="a fox" width="400">';
		assert.equal(document.getText(), `One.\n\n${tag}\n\nMore.\n`);
		assert.match(await rendered(document.getText()), /<img [^>]*width="400"/);
	});

	rare('of an edit has the alt text of the original, and nothing of what was changed', async () => {
		const fox = vscode.Uri.file(inRoot('images', 'fox.png'));
		const edit = (prompt: string, original: vscode.Uri) =>
			vscode.commands.executeCommand<vscode.Uri[]>('easel.editWithPrompt', {
				prompt,
				references: [original],
			});
		const [night] = await edit('make it a night scene and remove the second sailing boat', fox);
		assert.equal(path.basename(night!.fsPath), 'fox-night-scene-and-remove-second.png');
		const [snow] = await edit('add snow', night!);
		const { document } = await open('a.md', '|');
		await insert();
		assert.equal(document.getText(), `![a fox](../images/${path.basename(snow!.fsPath)})`);
		// What the writer has made of it counts more.
		const other = await open('b.md', '![Our fox, Lou](../images/fox.png)\n\n|');
		await insert();
		assert.match(other.document.getText(), /\n\n!\[Our fox, Lou\]\(\.\.\/images\/fox-night/);
	});
});
