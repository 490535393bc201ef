import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { saveDocument } from '../../src/editor/saveDocument.js';
import { referencesTo, updateReferences, upToDate } from '../../src/features/edit/references.js';
import { atEnd } from './atEnd.js';
import { ShownProgress } from './shownProgress.js';
import { inRoot, remove, root, setSetting } from './workspace.js';
import { rare } from '../host/rare.js';

suite('references to a replaced image', () => {
	const uri = (name: string) => vscode.Uri.joinPath(root(), 'refs', name);
	const change = { from: uri('a.jpg'), to: uri('a.png') };

	setup(() => mkdir(inRoot('refs')));

	teardown(async () => {
		await setSetting('search.exclude', undefined);
		await remove('refs');
	});

	async function write(name: string, text: string): Promise<void> {
		await mkdir(path.dirname(inRoot('refs', name)), { recursive: true });
		await writeFile(inRoot('refs', name), text);
	}

	/** The documents that would be changed, and to what. */
	async function found(
		most?: number,
		[from, to] = ['a.jpg', 'a.png'],
	): Promise<Record<string, string>> {
		const documents = await referencesTo([{ from: uri(from), to: uri(to) }], { max: most });
		return Object.fromEntries(
			documents.map(({ document, edits }) => [
				path.posix.relative(uri('').path, document.uri.path),
				edits.map(({ newText }) => newText).join(' '),
			]),
		);
	}

	test('are found in the documents of the workspace, and not in those of packages', async () => {
		await setSetting('search.exclude', { '**/archive': true });
		await write('own.md', '![a](a.jpg "title") ![a](<a.jpg>) ![b](b.jpg) `a.jpg`');
		await write('deep/own.html', '<img src="../a.jpg?raw">');
		await write('archive/old.md', '![a](../a.jpg)');
		await write('node_modules/package/README.md', '![a](../../a.jpg)');
		await write('.git/description.md', '![a](../a.jpg)');
		assert.deepEqual(await found(), {
			'own.md': 'a.png <a.png>',
			'deep/own.html': '../a.png',
		});
	});

	rare('are left alone in documents that are too large or unreadable', async () => {
		const line = '![a](a.jpg)\n';
		await write('large.md', line + ' '.repeat(1024 * 1024));
		await write('fits.md', line + ' '.repeat(1024 * 1024 - line.length));
		await write('secret.md', line);
		await chmod(inRoot('refs', 'secret.md'), 0o000);
		await symlink('/dev/zero', inRoot('refs', 'endless.md'));
		await symlink('nowhere.md', inRoot('refs', 'dangling.md'));
		const documents = Object.keys(await found());
		// Root reads everything.
		assert.deepEqual(
			documents.filter((name) => name !== 'secret.md'),
			['fits.md'],
		);
	});

	rare('are searched for in a limited number of documents', async () => {
		for (const name of ['1', '2', '3', '4']) {
			await write(`${name}.md`, '![a](a.jpg)');
		}
		assert.equal(Object.keys(await found()).length, 4);
		assert.ok(Object.keys(await found(3)).length <= 3);
	});

	test('are written as their document has them, and come back as they were', async () => {
		const [old, renamed] = ['größe.jpg', 'größe-1.png'];
		// What stands for the ending is no part of the title, and not of the text around.
		const written = {
			'a.tex': '\\includegraphics{größe*}',
			'a.typ': '#image("größe*")',
			'a.rst': '.. image:: größe*\n.. image:: gr%C3%B6%c3%9fe*',
			'a.adoc': 'image::größe*[] image:gr%C3%B6%c3%9fe*[]',
			'a.html': "<img src='größe*'> <img src='../refs/gr%C3%B6%c3%9fe*'>",
			'a.md': '![](größe*) ![](<gr%C3%B6%c3%9fe*> "größe.jpg") ![](gr&ouml;%C3%9Fe*?raw#top)',
			'a.mdx': '![](./größe*)',
		};
		const texts = (ending: string) =>
			Object.entries(written).map(([name, text]) => [name, text.replaceAll('*', ending)] as const);
		for (const [name, text] of texts('.jpg')) {
			await write(name, text);
		}
		const rename = async (from: string, to: string) => {
			const documents = await referencesTo([{ from: uri(from), to: uri(to) }]);
			const edit = new vscode.WorkspaceEdit();
			for (const { document, edits } of documents) {
				edit.set(document.uri, edits);
			}
			assert.ok(await vscode.workspace.applyEdit(edit));
			const read = async (name: string) => {
				const document = await vscode.workspace.openTextDocument(uri(name));
				assert.ok(await saveDocument(document));
				return [name, await readFile(inRoot('refs', name), 'utf8')];
			};
			return Promise.all(Object.keys(written).map(read));
		};
		assert.deepEqual(await rename(old, renamed), texts('-1.png'));
		assert.deepEqual(await rename(renamed, old), texts('.jpg'));
	});

	rare('come back by Undo in all documents that are there still', async () => {
		const text = '![a](a.jpg)\n';
		await write('one.md', text);
		await write('two.md', text);
		const { documents, undo } = await updateReferences([change]);
		assert.equal(documents.length, 2);
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await vscode.workspace.fs.delete(uri('two.md'));
		assert.deepEqual(await undo(), [uri('two.md').toString()]);
		const document = await vscode.workspace.openTextDocument(uri('one.md'));
		assert.equal(document.getText(), text);
		await assert.rejects(Promise.resolve(vscode.workspace.fs.stat(uri('two.md'))));
		assert.ok(await saveDocument(document));
	});

	rare('to an image that LaTeX cannot show stay as they are in its documents', async () => {
		await write('paper.tex', '\\includegraphics{a.jpg}\n');
		await write('page.md', '![a](a.jpg)\n');
		const webp = { from: uri('a.jpg'), to: uri('a.webp') };
		const { documents, left, undo } = await updateReferences([webp]);
		assert.deepEqual(documents, [uri('page.md').toString()]);
		assert.deepEqual(left, [uri('paper.tex').toString()]);
		assert.deepEqual(await undo(), []);
		assert.ok(await saveDocument(await vscode.workspace.openTextDocument(uri('page.md'))));
	});

	rare('are searched for without opening documents that have none', async () => {
		await write('shown.md', '![a](a.jpg)');
		await write('word.md', '![b](b.jpg) and a word');
		await write('code.md', '`a.jpg`');
		await write('longer.tex', '\\includegraphics{aa.jpg}');
		await write('deep/other.md', '![a](a.jpg)');
		const opened: string[] = [];
		const watching = vscode.workspace.onDidOpenTextDocument(({ uri: { path: of } }) => {
			opened.push(path.posix.relative(uri('').path, of));
		});
		atEnd(() => watching.dispose());
		assert.deepEqual(await found(), { 'shown.md': 'a.png' });
		assert.deepEqual(opened, ['shown.md']);
	});

	test('are those of the text that is open, where that is not saved', async () => {
		await write('new.md', 'Nothing yet.');
		await write('old.md', '![a](a.jpg)');
		const edit = new vscode.WorkspaceEdit();
		for (const [name, text] of [
			['new.md', '![a](a.jpg)'],
			['old.md', 'Nothing more.'],
		] as const) {
			const document = await vscode.workspace.openTextDocument(uri(name));
			const all = new vscode.Range(0, 0, document.lineCount, 0);
			edit.replace(document.uri, all, text);
		}
		assert.ok(await vscode.workspace.applyEdit(edit));
		try {
			assert.deepEqual(await found(), { 'new.md': 'a.png' });
		} finally {
			for (const document of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
				await saveDocument(document);
			}
		}
	});

	test('are those of the text as it is when they are changed', async () => {
		await write('moved.md', '![a](a.jpg)');
		await write('gone.md', '![a](a.jpg)');
		await write('same.md', '![a](a.jpg)');
		const before = await referencesTo([change]);
		const edit = new vscode.WorkspaceEdit();
		edit.insert(uri('moved.md'), new vscode.Position(0, 0), '![a](a.jpg)\n\n');
		edit.replace(uri('gone.md'), new vscode.Range(0, 0, 1, 0), 'Nothing more.');
		assert.ok(await vscode.workspace.applyEdit(edit));
		const now = await upToDate(before);
		assert.deepEqual(
			new Map(
				now.map(({ document, edits }) => [
					path.posix.basename(document.uri.path),
					edits.map(({ range }) => range.start.line),
				]),
			),
			new Map([
				['moved.md', [0, 2]],
				['same.md', [0]],
			]),
		);
		for (const document of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
			await saveDocument(document);
		}
	});

	rare('are searched for with a progress notification where that takes long', async () => {
		const shown = new ShownProgress(() => false);
		const find = (quietMs: number) => referencesTo([change], { quietMs });
		await write('shown.md', '![a](a.jpg)');
		assert.equal((await find(0)).length, 1);
		assert.deepEqual([...shown.all.keys()], ['Looking for references to a.jpg']);
		shown.all.clear();
		assert.equal((await find(60_000)).length, 1);
		assert.equal(shown.all.size, 0);
	});
});
