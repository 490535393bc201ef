import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { noteContainer } from '../../src/features/generate/offers.js';
import type { Services } from '../../src/services.js';
import { until } from '../host/until.js';
import { atEnd } from './atEnd.js';
import { service, useService } from './service.js';
import { ShownMessages } from './shownMessages.js';
import { inRoot, remove, root, setSetting } from './workspace.js';
import { rare } from '../host/rare.js';

suite('A reference', () => {
	useService();

	setup(() => {
		service.faults.clear();
	});

	teardown(async () => {
		await vscode.commands.executeCommand('workbench.action.files.revert');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await remove('notes');
		await remove('images');
		await remove('assets');
	});

	let opened = 0;

	/** Opens a new document with this text; `|` is the cursor, `[[` and `]]` are the selection. */
	async function open(kind: string, marked: string): Promise<vscode.TextEditor> {
		// Each has a name of its own: the editor keeps the text of a closed one for a while.
		opened += 1;
		const name = kind.replace(/(?=\.\w+$)/, String(opened));
		await mkdir(path.dirname(inRoot('notes', name)), { recursive: true });
		const text = marked.replaceAll(/\||\[\[|\]\]/g, '');
		await writeFile(inRoot('notes', name), text);
		const editor = await vscode.window.showTextDocument(vscode.Uri.file(inRoot('notes', name)));
		editor.selections = cursors(editor.document, marked);
		return editor;
	}

	function cursors(document: vscode.TextDocument, marked: string): vscode.Selection[] {
		const found: vscode.Selection[] = [];
		let offset = 0;
		let anchor = 0;
		for (const part of marked.split(/(\||\[\[|\]\])/)) {
			const at = document.positionAt(offset);
			if (part === '|') {
				found.push(new vscode.Selection(at, at));
			} else if (part === '[[') {
				anchor = offset;
			} else if (part === ']]') {
				found.push(new vscode.Selection(document.positionAt(anchor), at));
			} else {
				offset += part.length;
			}
		}
		return found;
	}

	function generate(prompt: string, more: object = {}): Thenable<vscode.Uri[] | undefined> {
		return vscode.commands.executeCommand('easel.generateImage', {
			prompt,
			insert: true,
			...more,
		});
	}

	/** Asks for an image, and does something while the service holds it. */
	async function generateWhile(prompt: string, meanwhile: () => Thenable<unknown>): Promise<void> {
		service.faults.add({ hold: true, times: 1 });
		const made = generate(prompt);
		await service.waitUntil(() => service.requests.some(({ held }) => held));
		await meanwhile();
		service.releaseHeld();
		assert.equal((await made)?.length, 1);
	}

	async function edit(document: vscode.TextDocument, from: number, to: number, text: string) {
		const change = new vscode.WorkspaceEdit();
		const range = new vscode.Range(document.positionAt(from), document.positionAt(to));
		change.replace(document.uri, range, text);
		assert.ok(await vscode.workspace.applyEdit(change));
	}

	test('stands at the cursor, selects nothing, and one undo takes it back', async () => {
		const { document } = await open('a.md', '# Notes\n\nBefore | after.\n');
		await generate('a fox');
		assert.equal(document.getText(), '# Notes\n\nBefore  after.\n\n![a fox](../images/fox.png)\n');
		assert.equal(vscode.window.activeTextEditor?.selection.isEmpty, true);
		await vscode.commands.executeCommand('undo');
		assert.equal(document.getText(), '# Notes\n\nBefore  after.\n');
		await vscode.workspace.fs.stat(vscode.Uri.joinPath(root(), 'images/fox.png'));
	});

	rare('is not written where the place was deleted', async () => {
		const { document } = await open('a.md', 'One\n\nTwo | two\n\nThree\n');
		await generateWhile('a fox', () => edit(document, 5, 14, ''));
		assert.ok(!document.getText().includes('fox'), document.getText());
	});

	rare(
		'arrives whatever the command that cancels an image is given, unless it is that image',
		async () => {
			const { document } = await open('a.md', 'One |\n');
			await generateWhile('a fox', async () => {
				for (const argument of [undefined, '', '*', 'a fox', [], { id: 1 }, crypto.randomUUID()]) {
					await vscode.commands.executeCommand('_easel.cancelImage', argument);
				}
			});
			assert.ok(document.getText().includes('fox'), document.getText());
		},
	);

	rare('stands at each of several cursors, and once where they come to one place', async () => {
		const { document } = await open('a.md', 'One line|\nand another|\n\nTwo|\n');
		await generate('a fox');
		const image = '![a fox](../images/fox.png)';
		assert.equal(document.getText(), `One line\nand another\n\n${image}\n\nTwo\n\n${image}\n`);
	});

	rare('stands once for several drafts of one place, which can be chosen from', async () => {
		const shown = new ShownMessages(['showInformationMessage']);
		const { document } = await open('a.md', 'Here: |\n');
		await generate('a fox', { count: 3 });
		assert.match(document.getText(), /^Here:\n\n!\[a fox\]\(\.\.\/images\/fox(?:-\d)?\.png\)\n$/);
		assert.equal((await readdir(inRoot('images'))).length, 3);
		await until(() => shown.all.length > 0, 'the message');
		assert.ok(
			shown.reported.some((reported) =>
				reported.startsWith('3 drafts of “a fox” arrived. | Choose… |'),
			),
			shown.reported.join('\n'),
		);
	});

	rare(
		'goes with its image by Discard, whatever was typed meanwhile, and Undo restores both',
		async () => {
			let press: string | undefined = 'Discard';
			const shown = new ShownMessages(['showInformationMessage'], ({ buttons }) => {
				const isOffered = press !== undefined && buttons.includes(press);
				return isOffered ? press : undefined;
			});
			const isThere = async () => (await readdir(inRoot('images'))).includes('fox.png');
			try {
				const { document } = await open('a.md', 'Here:|\n\nThe end.\n');
				await generate('a fox');
				await until(
					() => document.getText() === 'Here:\n\nThe end.\n',
					'the link to be taken out of the text',
				);
				await until(async () => !(await isThere()), 'the file to go');
				assert.ok(shown.texts.includes('fox.png was discarded.'), shown.reported.join('\n'));

				press = undefined;
				shown.clear();
				await generate('a crow');
				const written = document.getText();
				assert.equal(written, 'Here:\n\n![a crow](../images/crow.png)\n\nThe end.\n');
			} finally {
				shown.dispose();
			}
			const questions: ((answer: string | undefined) => void)[] = [];
			new ShownMessages(
				['showInformationMessage'],
				() => new Promise((resolve) => questions.push(resolve)),
			);
			const { document } = await open('b.md', 'Here:|\n\nThe end.\n');
			await generate('a fox');
			await until(() => questions.length === 1, 'the result');
			await edit(document, 0, 0, 'Typed above.\n\n');
			questions.shift()!('Discard');
			await until(() => questions.length === 1, 'the end of it');
			assert.equal(document.getText(), 'Typed above.\n\nHere:\n\nThe end.\n');
			await edit(document, 0, 0, 'More.\n\n');
			questions.shift()!('Undo');
			await until(isThere, 'the file to come back');
			await until(
				() =>
					document.getText() ===
					'More.\n\nTyped above.\n\nHere:\n\n![a fox](../images/fox.png)\n\nThe end.\n',
				'the link to come back',
			);
		},
	);

	rare('goes with the file where markdown.copyFiles.destination puts it', async () => {
		await setSetting('markdown.copyFiles.destination', {
			'/notes/**/*': '/assets/of/${fileName}',
		});
		atEnd(() => setSetting('markdown.copyFiles.destination', undefined));
		const { document } = await open('a.md', '|');
		const [saved] = (await generate('a fox')) ?? [];
		assert.equal(saved?.fsPath, inRoot('assets', 'of', 'fox.png'));
		assert.equal(document.getText(), '![a fox](../assets/of/fox.png)');
	});

	rare('has a safe name, whatever markdown.copyFiles.destination calls the file', async () => {
		const startup = '..\\..\\..\\Startup\\evil.png';
		for (const [destination, name] of [
			[`assets/${startup}`, 'Startup-evil.png'],
			['assets/notes.txt:evil.png', 'notes.txt-evil.png'],
			['assets/con.png', 'con-image.png'],
			['assets/.png', 'fox.png'],
			['assets/$\\{date}.png', 'date.png'],
			[`assets/${'x'.repeat(400)}.png`, `${'x'.repeat(200)}.png`],
			['assets/a\u202egnp.\u0000b\n.png', 'agnp.-b.png'],
		] as const) {
			await setSetting('markdown.copyFiles.destination', { '**/*': destination });
			try {
				await open('a.md', '|');
				const [saved] = (await generate('a fox')) ?? [];
				assert.equal(saved && path.relative(inRoot('notes', 'assets'), saved.fsPath), name);
			} finally {
				await setSetting('markdown.copyFiles.destination', undefined);
				await remove('notes/assets');
			}
		}
	});

	rare('of a folder outside the workspace is refused, and nothing is sent', async () => {
		await setSetting('markdown.copyFiles.destination', { '**/*': '../../../elsewhere/' });
		atEnd(() => setSetting('markdown.copyFiles.destination', undefined));
		await open('a.md', '|');
		const before = service.requests.length;
		assert.equal(await generate('a fox'), undefined);
		assert.equal(service.requests.length, before);
	});

	rare(
		'of a page of a site goes where the site has its images, and is served from there',
		async () => {
			await mkdir(inRoot('notes/site/docs'), { recursive: true });
			await writeFile(inRoot('notes/site/docusaurus.config.js'), '');
			atEnd(() => remove('notes/site'));
			atEnd(() => setSetting('easel.output.folder', undefined));
			atEnd(() => setSetting('markdown.copyFiles.destination', undefined));
			const { document } = await open('site/docs/a.md', '---\nimage: |\n---\n');
			await generate('a fox');
			assert.equal(document.getText(), '---\nimage: /img/fox.png\n---\n');
			assert.ok((await readdir(inRoot('notes/site/static/img'))).includes('fox.png'));
			await vscode.commands.executeCommand('undo');
			assert.equal(document.getText(), '---\nimage: \n---\n');
			const other = await open('site/docs/b.md', 'One\n\n|');
			await generate('a fox');
			assert.equal(other.document.getText(), 'One\n\n![a fox](/img/fox-1.png)');
			// That is for documents that no site has a place for.
			await setSetting('markdown.copyFiles.destination', { '**/*': 'copied/' });
			const third = await open('site/docs/c.md', 'One\n\n|');
			await generate('a fox');
			assert.equal(third.document.getText(), 'One\n\n![a fox](/img/fox-2.png)');
			await setSetting('easel.output.folder', 'notes/site/static/all');
			await open('site/docs/d.md', 'One\n\n|');
			await generate('a fox');
			assert.deepEqual(await readdir(inRoot('notes/site/static/all')), ['fox.png']);
		},
	);

	rare(
		'of a document in VS Code’s Markdown editor is asked for, as its cursor is not known',
		async () => {
			const { document } = await open('editor.md', 'One.\n\nTwo.\n');
			await vscode.commands.executeCommand('workbench.action.closeAllEditors');
			await vscode.commands.executeCommand(
				'vscode.openWith',
				document.uri,
				'vscode.markdown.editor',
			);
			const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
			assert.ok(input instanceof vscode.TabInputCustom, String(input));
			assert.equal(vscode.window.activeTextEditor, undefined);
			const messages = new ShownMessages(['showInformationMessage'], ({ buttons }) =>
				buttons.find((label) => ['Insert', 'Insert Here'].includes(label)),
			);
			await generate('a fox');
			const written = () =>
				vscode.workspace.textDocuments
					.find(({ uri }) => uri.toString() === document.uri.toString())
					?.getText();
			await until(() => written()?.includes('fox.png') === true, 'the link to be written');
			assert.ok(
				messages.texts.includes(
					'The document has changed. Put the cursor where the image belongs.',
				),
				messages.texts.join('\n'),
			);
			assert.equal(written(), '![a fox](../images/fox.png)\n\nOne.\n\nTwo.\n');
		},
	);

	test('in a container is made after a word on what a rebuild loses, once', async () => {
		const reported = new Set<string>();
		const preferences = {
			isFirst: (what: string) => {
				const isFirst = !reported.has(what);
				reported.add(what);
				return Promise.resolve(isFirst);
			},
		};
		const storage = '/home/node/.vscode-server/data/User/globalStorage/easel.easel';
		const deps = { storage, preferences } as unknown as Services;
		const messages = new ShownMessages(['showInformationMessage'], ({ buttons }) => buttons[0]);
		for (const remoteName of [undefined, 'ssh-remote', 'wsl']) {
			await noteContainer(remoteName, deps);
		}
		assert.equal(messages.all.length, 0);
		await noteContainer('dev-container', deps);
		await noteContainer('dev-container', deps);
		assert.equal(messages.all.length, 1);
		assert.match(
			messages.texts[0]!,
			/^Rebuilding this container loses running images and backups\. .* on a volume\.$/,
		);
		assert.equal(
			await vscode.env.clipboard.readText(),
			`"mounts": ["source=easel-\${devcontainerId},target=${storage},type=volume"]`,
		);
	});
});
