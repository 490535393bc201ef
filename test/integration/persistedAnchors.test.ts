import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { JobList } from '../../src/generation/jobList.js';
import { Anchors, PersistedAnchors } from '../../src/generation/anchors.js';
import { hashOf } from '../../src/generation/closedDocumentAnchors.js';
import type { Insertion } from '../../src/jobs/request.js';
import { until } from '../host/until.js';
import { roundOf } from '../unit/jobs/support.js';
import { inRoot, remove, root, setSetting } from './workspace.js';
import { rare } from '../host/rare.js';

/** A window's parts that know where images go; another one after a reload has the same state. */
interface Window {
	readonly anchors: Anchors;
	readonly jobs: JobList;
	readonly dispose: () => void;
}

suite('The place of an image that is being made', () => {
	let state: vscode.Memento & { readonly keptText: () => string };
	let window: Window;
	let opened = 0;

	// In a browser, VS Code saves by itself a second after a change.
	suiteSetup(() => setSetting('files.autoSave', 'off'));
	suiteTeardown(() => setSetting('files.autoSave', undefined));

	setup(async () => {
		state = memento();
		window = start();
		await mkdir(inRoot('kept'), { recursive: true });
	});

	teardown(async () => {
		window.dispose();
		await vscode.commands.executeCommand('workbench.action.files.revert');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await remove('kept');
	});

	function start(): Window {
		const anchors = new Anchors();
		const jobs = new JobList();
		const kept = new PersistedAnchors(jobs, anchors, state);
		const parts = vscode.Disposable.from(kept, anchors, jobs);
		return {
			anchors,
			jobs,
			dispose: () => {
				parts.dispose();
			},
		};
	}

	/** A window is killed, and the next one reads what it persisted. */
	function reload(): void {
		window.dispose();
		window = start();
	}

	/** As a user opens it: what an extension opens, VS Code closes only after minutes. */
	async function open(uri: vscode.Uri): Promise<vscode.TextEditor> {
		await vscode.commands.executeCommand('vscode.open', uri);
		const editor = vscode.window.activeTextEditor;
		assert.ok(editor?.document.uri.toString() === uri.toString());
		return editor;
	}

	/** Opens a document of its own with this text; `|` is where the command is given. */
	async function give(marked: string): Promise<{ uri: vscode.Uri; insertion: Insertion }> {
		opened += 1;
		const uri = vscode.Uri.file(inRoot('kept', `${String(opened)}.md`));
		await writeFile(uri.fsPath, marked.replace('|', ''));
		const editor = await open(uri);
		const at = editor.document.positionAt(marked.indexOf('|'));
		editor.selection = new vscode.Selection(at, at);
		const insertion = window.anchors.track(editor);
		assert.ok(insertion !== undefined);
		return { uri, insertion };
	}

	/** An image is being made for the command, by this window. */
	function make({ uri, insertion }: { uri: vscode.Uri; insertion: Insertion }): void {
		const changedAt = new Date().toISOString();
		window.jobs.addRunning(
			{
				folder: '',
				request: {
					...{ id: crypto.randomUUID(), createdAt: changedAt, operation: 'generate' },
					...{ model: 'std-image-2', prompt: 'a fox', size: '1024x1024', references: [] },
					...{ round: roundOf(), provenance: 'none' },
					...{ document: uri.toString(), insertion, target: { folder: '', stem: 'a' } },
				},
				state: { state: 'queued', attempts: [], changedAt },
			},
			[],
		);
	}

	/** Puts a text above all others. */
	async function typeAbove(uri: vscode.Uri): Promise<void> {
		const edit = new vscode.WorkspaceEdit();
		edit.insert(uri, new vscode.Position(0, 0), 'Typed above.\n\n');
		await change(edit);
	}

	/** Changes the document in front, and waits until the anchors in its new text are stored. */
	async function change(edit: vscode.WorkspaceEdit): Promise<void> {
		assert.ok(await vscode.workspace.applyEdit(edit));
		const hash = hashOf(vscode.window.activeTextEditor!.document.getText());
		await until(() => state.keptText().includes(hash), 'the anchors to be stored');
	}

	async function save(): Promise<void> {
		assert.ok(await vscode.workspace.saveAll());
	}

	async function close(uri: vscode.Uri): Promise<void> {
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await until(
			() => vscode.workspace.textDocuments.every((one) => one.uri.toString() !== uri.toString()),
			'the document to be closed',
		);
	}

	/** The text with `|` where the image goes; `undefined` where it is unknown. */
	function marked(insertion: Insertion): string | undefined {
		const followed = window.anchors.find(insertion);
		const text = followed?.document.getText() ?? '';
		const { start } = followed?.anchors[0] ?? {};
		return start === undefined ? undefined : `${text.slice(0, start)}|${text.slice(start)}`;
	}

	async function insert(insertion: Insertion): Promise<string> {
		const uri = vscode.Uri.file(inRoot('images', 'fox.png'));
		const saved = { uri, prompt: 'a fox', image: { width: 1, height: 1 } };
		const context = { workspaceFolder: root().toString(), insertion };
		const result = await window.anchors.insert(saved, context);
		return typeof result === 'string' ? result : 'inserted';
	}

	rare('is known after a reload, where the text is that of the command', async () => {
		const given = await give('One |\n\nTwo\n');
		reload();
		assert.equal(marked(given.insertion), undefined);
		make(given);
		assert.equal(marked(given.insertion), 'One |\n\nTwo\n');
	});

	test('is known after a reload where it has moved, and the image goes there', async () => {
		const given = await give('One |\n\nTwo\n');
		make(given);
		await typeAbove(given.uri);
		reload();
		make(given);
		assert.equal(marked(given.insertion), 'Typed above.\n\nOne |\n\nTwo\n');
		assert.equal(await insert(given.insertion), 'inserted');
		assert.match(vscode.window.activeTextEditor!.document.getText(), /One\s*!\[a fox\]/);
	});

	rare(
		'is known when a document is opened again, and when it is opened after a reload',
		async () => {
			const given = await give('One |\n\nTwo\n');
			make(given);
			await typeAbove(given.uri);
			await save();
			await close(given.uri);
			assert.equal(marked(given.insertion), undefined);
			assert.equal(await insert(given.insertion), 'away');
			await open(given.uri);
			assert.equal(marked(given.insertion), 'Typed above.\n\nOne |\n\nTwo\n');
			await close(given.uri);
			reload();
			make(given);
			assert.equal(marked(given.insertion), undefined);
			await open(given.uri);
			assert.equal(marked(given.insertion), 'Typed above.\n\nOne |\n\nTwo\n');
		},
	);

	rare('is that of the command where what was typed since was not saved', async () => {
		const given = await give('One |\n\nTwo\n');
		make(given);
		await typeAbove(given.uri);
		await vscode.commands.executeCommand('workbench.action.files.revert');
		await close(given.uri);
		await open(given.uri);
		assert.equal(marked(given.insertion), 'One |\n\nTwo\n');
	});

	rare('is not guessed in a text that has changed unobserved', async () => {
		const given = await give('One |\n\nTwo\n');
		make(given);
		await close(given.uri);
		await writeFile(given.uri.fsPath, 'Two\n\nOne\n');
		await open(given.uri);
		assert.equal(marked(given.insertion), undefined);
		assert.equal(await insert(given.insertion), 'away');
	});

	rare('stays deleted after a reload', async () => {
		const given = await give('One |\n\nTwo\n');
		make(given);
		const edit = new vscode.WorkspaceEdit();
		edit.delete(given.uri, new vscode.Range(0, 0, 1, 0));
		await change(edit);
		reload();
		make(given);
		assert.equal(marked(given.insertion), undefined);
		assert.equal(await insert(given.insertion), 'deleted');
	});

	for (const isOpen of [true, false]) {
		rare(
			`is known after a reload where a document got another name that was ${isOpen ? 'open' : 'closed'}`,
			async () => {
				const given = await give('One |\n\nTwo\n');
				make(given);
				await typeAbove(given.uri);
				await save();
				if (!isOpen) {
					await close(given.uri);
				}
				const renamed = vscode.Uri.file(inRoot('kept', `renamed-${String(opened)}.md`));
				const edit = new vscode.WorkspaceEdit();
				edit.renameFile(given.uri, renamed);
				assert.ok(await vscode.workspace.applyEdit(edit));
				await until(() => state.keptText().includes('renamed-'), 'the new name to be persisted');
				await close(renamed);
				reload();
				make(given);
				const { insertion } = given;
				const now = window.anchors.documentOf({ document: given.uri.toString(), insertion });
				assert.equal(now?.toString(), renamed.toString());
				await open(renamed);
				assert.equal(marked(insertion), 'Typed above.\n\nOne |\n\nTwo\n');
			},
		);
	}

	rare('is persisted for the last fifty commands', async () => {
		await state.update(
			'spots',
			Object.fromEntries(
				Array.from({ length: 60 }, (_, index) => [
					`old-${String(index)}`,
					{ sha256: '', spots: [] },
				]),
			),
		);
		const given = await give('One |\n');
		make(given);
		await typeAbove(given.uri);
		const kept = Object.keys(state.get('spots') ?? {});
		assert.equal(kept.length, 50);
		assert.equal(kept.at(-1), given.insertion.id);
	});
});

function memento(): vscode.Memento & { readonly keptText: () => string } {
	const kept = new Map<string, unknown>();
	return {
		keys: () => [...kept.keys()],
		get: <T>(key: string, otherwise?: T) => (kept.get(key) as T | undefined) ?? otherwise,
		update: (key, value: unknown) => {
			// As VS Code keeps it.
			kept.set(key, JSON.parse(JSON.stringify(value)));
			return Promise.resolve();
		},
		keptText: () => JSON.stringify([...kept]),
	};
}
