import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import * as vscode from 'vscode';
import { BackupStore } from '../../src/editor/backupStore.js';
import type { Button, notify } from '../../src/editor/messages.js';
import { saveDocument } from '../../src/editor/saveDocument.js';
import { Replacements } from '../../src/features/edit/replace.js';
import { until } from '../host/until.js';
import { signPng } from '../service/png.js';
import { atEnd } from './atEnd.js';
import { drawPng } from './images.js';
import { besideText } from '../../src/recipes/beside.js';
import { writeWithRecipe } from '../../src/recipes/rewrite.js';
import { recipe } from '../unit/recipes/pngs.js';
import { MemoryFiles } from './memoryFiles.js';
import { storage, useStorage } from './storage.js';
import { inRoot, remove, root, setSetting } from './workspace.js';
import { rare } from '../host/rare.js';

/** A message with its buttons. */
interface Reported {
	readonly text: string;
	readonly buttons: readonly Button[];
}

suite('Replace Original', () => {
	let backups: BackupStore;
	let replacements: Replacements;
	let reported: Reported[];
	let before: Buffer;
	let after: Buffer;
	/** The button of the question for a new name that is pressed. */
	let naming: string;

	useStorage();

	suiteSetup(async () => {
		before = await drawPng('a quay', 2_000_000);
		after = await drawPng('a quay in the evening', 1_000_000);
	});

	setup(async () => {
		backups = new BackupStore(storage);
		reported = [];
		naming = 'Rename and Update References';
		const report = (_severity: string, text: string, buttons: readonly Button[] = []) => {
			reported.push({ text, buttons });
			return Promise.resolve(buttons.find(({ label }) => label === naming)?.run());
		};
		replacements = new Replacements(backups, report as typeof notify);
		await mkdir(inRoot('replace'));
		await writeFile(file('a.png'), before);
		await writeFile(file('b.png'), after);
	});

	teardown(async () => {
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await vscode.commands.executeCommand('notifications.clearAll');
		await remove('replace');
	});

	const file = (name: string) => inRoot('replace', name);
	const uri = (name: string) => vscode.Uri.joinPath(root(), 'replace', name);
	const replace = (original: string, edited: string) =>
		replacements.replace(uri(original), uri(edited));

	/** The folder's files by what they hold. */
	async function files(): Promise<Record<string, string>> {
		const names = (await readdir(file(''))).sort();
		const entries = names.map(async (name): Promise<[string, string]> => {
			const bytes = await readFile(file(name));
			const known = bytes.equals(before) ? 'before' : bytes.equals(after) ? 'after' : undefined;
			return [name, known ?? bytes.toString('utf8', 0, 40)];
		});
		return Object.fromEntries(await Promise.all(entries));
	}

	/** Presses a button of the message with these words; it can be pressed again. */
	async function press(label: string, words: string | RegExp): Promise<void> {
		const button = reported
			.findLast(({ text }) => text.match(words) !== null)
			?.buttons.find((one) => one.label === label);
		assert.ok(button, `${label} of ${String(words)}; there is ${JSON.stringify(reported)}`);
		await button.run();
	}

	function assertReported(words: RegExp, ...labels: string[]): void {
		const { text, buttons } = reported.at(-1) ?? { text: 'nothing', buttons: [] };
		assert.match(text, words);
		assert.deepEqual(
			buttons.map(({ label }) => label),
			labels,
		);
	}

	test('is undone once', async () => {
		await replace('a.png', 'b.png');
		assertReported(/^Replaced a\.png with b\.png\.$/, 'Undo');
		assert.deepEqual(await files(), { 'a.png': 'after' });
		await press('Undo', /^Replaced/);
		assert.deepEqual(await files(), { 'a.png': 'before', 'b.png': 'after' });
		await press('Undo', /^Replaced/);
		assertReported(/^a\.png was already restored\.$/, 'Show Image');
	});

	rare('moves a signed image as it is, byte for byte', async () => {
		const signed = signPng(after);
		await writeFile(file('signed.png'), signed);
		await replace('a.png', 'signed.png');
		assert.ok(signed.equals(await readFile(file('a.png'))));
		await press('Undo', /^Replaced a\.png with signed\.png/);
		assert.ok(signed.equals(await readFile(file('signed.png'))));
	});

	rare('says where the recipe of the edited image is', async () => {
		await writeWithRecipe(file('a.png'), file('made.png'), recipe);
		await writeFile(file('b.png.json'), besideText(recipe, 'a'.repeat(64)));
		await replace('a.png', 'made.png');
		assertReported(
			/^Replaced a\.png with made\.png\. Its prompt is saved inside the copy, too\.$/,
			'Undo',
		);
		await replace('a.png', 'b.png');
		assertReported(/ Its prompt was not copied; it stays in b\.png\.json\.$/, 'Undo');
	});

	rare('of a JPEG takes the documents along', async () => {
		const photo = createCanvas(40, 30).toBuffer('image/jpeg');
		await writeFile(file('c.jpg'), photo);
		await writeDocument('![c](c.jpg)');
		await replace('c.jpg', 'b.png');
		assert.equal(
			reported[0]?.text,
			'The new image is a PNG, so c.jpg should be renamed to c.png. This updates doc.md.',
		);
		assertReported(
			/^Replaced c\.jpg with c\.png\. References in 1 document were updated\.$/,
			'Undo',
		);
		assert.deepEqual(await files(), {
			'a.png': 'before',
			'c.png': 'after',
			'doc.md': '![c](c.png)',
		});
		await press('Undo', /^Replaced/);
		assert.equal(await savedText(), '![c](c.jpg)');
		assert.ok(photo.equals(await readFile(file('c.jpg'))));
		assert.deepEqual((await files())['b.png'], 'after');
		assert.equal((await files())['c.png'], undefined);
	});

	rare('of a JPEG says before what it cannot change, and changes nothing of that', async () => {
		await mkdir(file('other'));
		await writeFile(file('c.jpg'), before);
		const texts = {
			'one.md': '![c](c.jpg) and `c.jpg`',
			'two.md': '![another one](other/c.jpg), ![c](c.jpg)',
			'look.css': '.c { background: url("./c.jpg") }',
			'long.css': '.c { background: url(abc.jpg) }',
			'data.json': '{"image": "c.jpg"}',
		};
		for (const [name, text] of Object.entries(texts)) {
			await writeFile(file(name), text);
		}
		naming = 'neither';
		await replace('c.jpg', 'b.png');
		assertReported(
			/so c\.jpg should be renamed to c\.png\. This updates one\.md and two\.md\. data\.json, look\.css and one\.md name c\.jpg in another way and will not change\.$/,
			...['Rename and Update References', 'Keep the Name', 'Show Files…'],
		);
		const now = async (name: string) => readFile(file(name), 'utf8');
		for (const [name, text] of Object.entries(texts)) {
			assert.equal(await now(name), text);
		}
		naming = 'Rename and Update References';
		await replace('c.jpg', 'b.png');
		await press('Undo', /^Replaced/);
		for (const [name, text] of Object.entries(texts)) {
			// The editor writes the documents it has open, and a file that is being written is empty.
			await until(async () => (await now(name)) === text, `the text of ${name}`);
		}
	});

	suite('of a JPEG, while a document changes,', () => {
		/** Runs the change when the original is moved away, after the documents were read. */
		async function replaceWhile(change: () => Promise<unknown>): Promise<void> {
			await writeFile(file('c.jpg'), before);
			await writeDocument('![c](c.jpg)');
			await vscode.workspace.openTextDocument(uri('doc.md'));
			const add = backups.add.bind(backups);
			let times = 0;
			backups.add = async (source) => {
				times += 1;
				// The original, what replaces it, and the original again.
				await (times === 3 ? change() : undefined);
				return add(source);
			};
			await replace('c.jpg', 'b.png');
			assert.ok(times >= 3);
		}

		async function change(into: (edit: vscode.WorkspaceEdit) => void): Promise<void> {
			const edit = new vscode.WorkspaceEdit();
			into(edit);
			assert.ok(await vscode.workspace.applyEdit(edit));
		}

		rare('changes what is meant', async () => {
			await replaceWhile(() =>
				change((edit) => edit.insert(uri('doc.md'), new vscode.Position(0, 0), 'See ')),
			);
			assertReported(
				/^Replaced c\.jpg with c\.png\. References in 1 document were updated\.$/,
				'Undo',
			);
			assert.equal(await savedText(), 'See ![c](c.png)');
		});

		rare('changes nothing in one that is gone', async () => {
			await replaceWhile(() => change((edit) => edit.deleteFile(uri('doc.md'))));
			assertReported(/^Replaced c\.jpg with c\.png\.$/, 'Undo');
			assert.deepEqual(await files(), { 'a.png': 'before', 'c.png': 'after' });
		});

		rare('changes nothing at all where it cannot be read any more', async () => {
			await replaceWhile(async () => {
				await change((edit) => edit.insert(uri('doc.md'), new vscode.Position(0, 0), 'See '));
				assert.equal(await savedText(), 'See ![c](c.jpg)');
				await rm(file('doc.md'));
				await symlink('doc.md', file('doc.md'));
			});
			assertReported(/^“c\.jpg” was not replaced: /, 'Retry', 'Show Image');
			await rm(file('doc.md'));
			assert.deepEqual(await files(), { 'a.png': 'before', 'b.png': 'after', 'c.jpg': 'before' });
		});
	});

	rare(
		'of a JPEG leaves the documents as they were where the editor refuses the step',
		async () => {
			await writeFile(file('c.jpg'), before);
			await writeDocument('![c](c.jpg)');
			const taken = vscode.workspace.onWillRenameFiles((event) => {
				event.waitUntil(writeFile(file('c.png'), 'taken'));
			});
			try {
				await replace('c.jpg', 'b.png');
			} finally {
				taken.dispose();
			}
			assertReported(
				/^“c\.jpg” was not replaced: VS Code refused the change\. Try again\. No image was lost\.$/,
				'Retry',
				'Show Image',
			);
			assert.equal(await savedText(), '![c](c.jpg)');
			assert.deepEqual(await files(), {
				'a.png': 'before',
				'b.png': 'after',
				'c.jpg': 'before',
				'c.png': 'taken',
				'doc.md': '![c](c.jpg)',
			});
		},
	);

	rare('of a JPEG changes nothing where the search for documents is cancelled', async () => {
		await writeFile(file('c.jpg'), before);
		await writeFile(file(`${'a'.repeat(100)}.md`), '![c](c.jpg)');
		// It never ends.
		await setSetting('search.exclude', { [`replace/${'*a'.repeat(20)}c.md`]: true });
		const was = await files();
		const { withProgress } = vscode.window;
		const cancelling: typeof withProgress = (options, task) =>
			withProgress(options, (progress, token) => {
				assert.equal(options.title, 'Looking for references to c.jpg');
				const pressed = new vscode.EventEmitter<void>();
				const onCancellationRequested = pressed.event as typeof token.onCancellationRequested;
				const running = task(progress, { ...token, onCancellationRequested });
				pressed.fire();
				return running;
			});
		Object.assign(vscode.window, { withProgress: cancelling });
		atEnd(() => setSetting('search.exclude', undefined));
		atEnd(() => Object.assign(vscode.window, { withProgress }));
		await replace('c.jpg', 'b.png');
		assertReported(/^The new image is a PNG/, 'Rename and Update References', 'Keep the Name');
		assert.equal(reported.length, 1);
		assert.deepEqual(await files(), was);
	});

	rare('of a JPEG is taken back with documents that the editor does not remember', async () => {
		await writeFile(file('c.jpg'), before);
		await writeDocument('![c](c.jpg)');
		await replace('c.jpg', 'b.png');
		// It remembers the last fifty that an extension has read.
		for (let n = 0; document() !== undefined; n++) {
			await writeFile(file(`${n}.txt`), '');
			await vscode.workspace.openTextDocument(uri(`${n}.txt`));
		}
		await press('Undo', /^Replaced/);
		assert.equal((await files())['c.jpg'], 'before');
		assert.equal(await savedText(), '![c](c.jpg)');
	});

	const document = () =>
		vscode.workspace.textDocuments.find(({ uri: { path: of } }) => of === uri('doc.md').path);

	/** Also where the editor remembers one of that name, which the last test has left behind. */
	async function writeDocument(text: string): Promise<void> {
		await until(async () => {
			// Again, because a watcher can miss a change right behind another one.
			await writeFile(file('doc.md'), text);
			return (document()?.getText() ?? text) === text;
		}, 'the editor to read the document');
	}

	async function savedText(): Promise<string> {
		// The editor leaves it to people to save what it has undone.
		const changed = document();
		await (changed && saveDocument(changed));
		return readFile(file('doc.md'), 'utf8');
	}

	rare('leaves the old name if the user wants it so', async () => {
		await writeFile(file('c.jpg'), before);
		naming = 'Keep the Name';
		await replace('c.jpg', 'b.png');
		assert.deepEqual(await files(), { 'a.png': 'before', 'c.jpg': 'after' });
		naming = 'neither';
		await writeFile(file('d.png'), after);
		await replace('c.jpg', 'd.png');
		assert.deepEqual(await files(), { 'a.png': 'before', 'c.jpg': 'after', 'd.png': 'after' });
	});

	rare(
		'does not come back where the old name is taken, says so, and can be saved elsewhere',
		async () => {
			await writeFile(file('c.jpg'), 'the first');
			await replace('c.jpg', 'b.png');
			await writeFile(file('c.jpg'), 'the second');
			await press('Undo', /^Replaced/);
			assertReported(
				/^Another file is named c\.jpg, so c\.png was not changed\.$/,
				'Save the Original As…',
				'Show Image',
			);
			assert.deepEqual(await files(), {
				'a.png': 'before',
				'c.jpg': 'the second',
				'c.png': 'after',
			});
			const { showSaveDialog } = vscode.window;
			Object.assign(vscode.window, { showSaveDialog: () => Promise.resolve(uri('old.jpg')) });
			try {
				await press('Save the Original As…', /^Another file/);
			} finally {
				Object.assign(vscode.window, { showSaveDialog });
			}
			assert.equal((await files())['old.jpg'], 'the first');
		},
	);

	rare('puts the edited image beside what has its name since', async () => {
		await replace('a.png', 'b.png');
		await writeFile(file('b.png'), 'another one');
		await press('Undo', /^Replaced/);
		assertReported(
			/^The edited image was renamed to b-1\.png because its name is taken\.$/,
			'Show Image',
		);
		assert.deepEqual(await files(), {
			'a.png': 'before',
			'b-1.png': 'after',
			'b.png': 'another one',
		});
	});

	rare('offers the edited image where the original is back already', async () => {
		await replace('a.png', 'b.png');
		await writeFile(file('a.png'), before);
		await press('Undo', /^Replaced/);
		assertReported(/^a\.png was already restored\.$/, 'Save the Edited Image As…', 'Show Image');
	});

	test('says that one of both is gone, and changes nothing', async () => {
		await rm(file('b.png'));
		await replace('a.png', 'b.png');
		assertReported(/^“a\.png” was not replaced: .*b\.png/, 'Retry', 'Show Image');
		assert.deepEqual(await files(), { 'a.png': 'before' });
		await writeFile(file('b.png'), after);
		await rename(file('a.png'), file('elsewhere.png'));
		await replace('a.png', 'b.png');
		assertReported(
			/^“a\.png” was not replaced: a\.png is missing\. No image was lost\.$/,
			'Retry',
			'Show Image',
		);
		assert.deepEqual(await files(), { 'b.png': 'after', 'elsewhere.png': 'before' });
	});

	test('changes nothing without a backup, and works on a retry', async () => {
		await writeFile(path.join(storage, 'kept'), 'a file where the folder should be');
		await replace('a.png', 'b.png');
		assertReported(/^“a\.png” was not replaced: .* No image was lost\.$/, 'Retry', 'Show Image');
		assert.deepEqual(await files(), { 'a.png': 'before', 'b.png': 'after' });
		await rm(path.join(storage, 'kept'));
		await press('Retry', /was not replaced/);
		assert.deepEqual(await files(), { 'a.png': 'after' });
	});

	rare('closes the tab of what is gone, and leaves those of others', async () => {
		await vscode.commands.executeCommand('vscode.open', uri('b.png'), { preview: false });
		await replace('a.png', 'b.png');
		const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
		assert.deepEqual(
			tabs.map(({ label, isActive }) => [label, isActive]),
			[['a.png', true]],
		);
	});

	rare('works in virtual file systems, by the same rules', async () => {
		const memory = new MemoryFiles();
		const provider = vscode.workspace.registerFileSystemProvider('replace-test', memory);
		atEnd(() => provider.dispose());
		atEnd(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
		const [a, b] = ['a', 'b'].map((name) => vscode.Uri.parse(`replace-test:/${name}.png`));
		memory.writeFile(a!, before);
		memory.writeFile(b!, after);
		await replacements.replace(a!, b!);
		assert.deepEqual(memory.names(), ['a.png']);
		assert.ok(after.equals(memory.readFile(a!)));
		await press('Undo', /^Replaced/);
		assert.deepEqual(memory.names(), ['a.png', 'b.png']);
		assert.ok(before.equals(memory.readFile(a!)));
		assert.ok(after.equals(memory.readFile(b!)));
		await replacements.replace(a!, b!);
		memory.writeFile(a!, Buffer.from('another one'));
		await press('Undo', /^Replaced/);
		assertReported(/^a\.png has changed since/, 'Save the Original As…', 'Show Image');
		assert.deepEqual(memory.names(), ['a.png']);
		assert.equal(Buffer.from(memory.readFile(a!)).toString(), 'another one');
	});
});
