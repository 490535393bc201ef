import assert from 'node:assert/strict';
import { copyFile, mkdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { documentImageAt, imagesOf } from '../../src/editor/documentImages.js';
import { fixLinks } from '../../src/features/missing/fixLinks.js';
import { missingInDocument } from '../../src/features/missing/collect.js';
import { atEnd } from './atEnd.js';
import { codeActionsAt } from './codeActions.js';
import { acceptingQuickInputs, answering } from './questions.js';
import { service, useService } from './service.js';
import { ShownMessages } from './shownMessages.js';
import { inRoot, remove, root, setSetting } from './workspace.js';
import { until } from '../host/until.js';
import { rare } from '../host/rare.js';

const quickFix = 'Generate Missing Image…';

/** The file of the image at a place of a document. */
async function imageAt(...place: Parameters<typeof documentImageAt>) {
	return (await documentImageAt(...place))?.uri;
}

suite('Images of documents', () => {
	useService();

	suiteSetup(async () => {
		await mkdir(inRoot('seen'));
		await vscode.commands.executeCommand('easel.generateImage', {
			prompt: 'a fox [x](command:evil) `code` <b>bold</b> $(sync)',
			output: 'seen/fox.png',
		});
		await vscode.commands.executeCommand('easel.editWithPrompt', {
			prompt: 'at night',
			references: ['seen/fox.png'],
		});
	});

	suiteTeardown(async () => {
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await remove('seen');
	});

	async function open(name: string, text: string): Promise<vscode.TextDocument> {
		await writeFile(inRoot('seen', name), text);
		const uri = vscode.Uri.file(inRoot('seen', name));
		return vscode.workspace.openTextDocument(uri);
	}

	async function hover(
		document: vscode.TextDocument,
		line: number,
		character = 4,
	): Promise<string> {
		const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
			'vscode.executeHoverProvider',
			document.uri,
			new vscode.Position(line, character),
		);
		return hovers
			.flatMap(({ contents }) => contents)
			.map((content) => (typeof content === 'string' ? content : content.value))
			.filter((text) => text.includes('easel.'))
			.join('\n');
	}

	rare(
		'that Easel has made say how they were made and what can be done; foreign text does nothing',
		async () => {
			const text = '![a](fox.png)\n\n![b](fox-at-night.png)\n\n![c](other.png)\n';
			const document = await open('hover.md', text);
			const ofFox = await hover(document, 0);
			assert.match(ofFox, /1024 × 1024 · just now/);
			assert.match(ofFox, /\[Regenerate&#8230;\]\(command:_easel\.image\.regenerate\?/);
			assert.ok(!ofFox.includes('[x](command:evil)'), ofFox);
			assert.ok(!ofFox.includes('<b>'), ofFox);
			assert.ok(!ofFox.includes('_easel.image.compare'));
			assert.match(ofFox, /command:_easel\.image\.howMade\?.*command:_easel\.image\.open\?/);
			// On the path VS Code shows the picture itself.
			assert.match(ofFox, /!\[\]\(.*fox\.png\|width=/);
			assert.ok(!(await hover(document, 0, 8)).includes('fox.png|width='));
			const ofNight = await hover(document, 2);
			assert.match(ofNight, /at&nbsp;night|at night/);
			assert.match(ofNight, /\[Compare\]\(command:_easel\.image\.compare\?/);
			assert.equal(await hover(document, 4), '');
		},
	);

	/** The command of a link and what it passes; VS Code decodes that twice. */
	function regenerating(text: string): [command: string, ...args: unknown[]] {
		const [, id = '', query = ''] =
			/\(command:(\w+\.image\.regenerate)\?([^)]+)\)/.exec(text) ?? [];
		const decoded = decodeURIComponent(decodeURIComponent(query));
		return [id, ...(JSON.parse(decoded) as unknown[])];
	}

	for (const prompt of [
		'a fox%22,%22count%22:4,%22x%22:%22',
		'20%25 of a fox',
		'<command:workbench.action.quit>',
		'a <? fox, <!-- and a dog, https://evil.example.net and <b>more</b>',
		'[x](command:evil) `code` $(sync)\u202e',
	]) {
		rare(
			`pass nothing of their prompt to a link of the hover: ${JSON.stringify(prompt)}`,
			async () => {
				await vscode.commands.executeCommand('easel.generateImage', {
					prompt,
					output: 'seen/prompt.png',
				});
				atEnd(() => remove('seen', 'prompt-1.png'));
				atEnd(() => remove('seen', 'prompt.png'));
				const document = await open('prompt.md', '![a](prompt.png)\n');
				const text = await hover(document, 0);
				const [, words = '', , links = ''] = text.split('\n\n');
				assert.match(words, /^(?:[a-z\d ,]|&#\d+;)+$/i);
				const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/;
				for (const [, query = ''] of links.matchAll(/\(command:[^?]+\?([^)]*)\)/g)) {
					assert.match(query, new RegExp(`^%5B%22${uuid.source}%22%5D$`));
				}
				const before = service.requests.length;
				const [command, ...args] = regenerating(text);
				await acceptingQuickInputs(vscode.commands.executeCommand(command, ...args));
				assert.equal(service.requests.length, before + 1);
				const sent = service.requests.at(-1)?.fields.find(({ name }) => name === 'prompt')?.value;
				assert.equal(sent, prompt);
			},
		);
	}

	rare('do nothing by a link whose image is not in the gallery', async () => {
		const before = service.requests.length;
		for (const id of [crypto.randomUUID(), 'easel.generateImage', undefined, { prompt: 'a fox' }]) {
			await vscode.commands.executeCommand('_easel.image.regenerate', id);
		}
		assert.equal(service.requests.length, before);
	});

	for (const [name, text, expected] of [
		['a.md', '![x](', 'fox.png'],
		['a.html', '<img src="', 'fox.png'],
		['a.tex', '\\includegraphics[width=3cm]{', 'fox.png'],
	] as const) {
		(name === 'a.md' ? test : rare)(`are offered where a path is typed in ${name}`, async () => {
			const document = await open(name, text);
			const list = await vscode.commands.executeCommand<vscode.CompletionList>(
				'vscode.executeCompletionItemProvider',
				document.uri,
				new vscode.Position(0, text.length),
			);
			const ours = list.items.filter(({ detail }) => detail?.includes('a fox'));
			assert.ok(ours.some(({ insertText }) => insertText === expected));
		});
	}

	async function fixes(document: vscode.TextDocument, line: number): Promise<vscode.CodeAction[]> {
		const actions = await codeActionsAt(document, new vscode.Position(line, 4));
		return actions.filter(({ title }) => title === quickFix);
	}

	test('that do not exist have a quick fix, others have not', async () => {
		const lines = [
			'![A lighthouse](art/lighthouse.png)',
			'![There](fox.png)',
			'`![Code](art/code.png)`',
			'![Photo](art/photo.jpg)',
			'![Outside](../../outside.png)',
			'![Remote](https://example.com/a.png)',
		];
		const document = await open('missing.md', lines.join('\n\n'));
		const [fix] = await fixes(document, 0);
		assert.deepEqual(fix?.command?.arguments, [
			document.uri,
			path.join(root().fsPath, 'seen', 'art', 'lighthouse.png'),
		]);
		assert.deepEqual(await fixes(document, 2), []);
		assert.deepEqual(await fixes(document, 4), []);
		assert.deepEqual(await fixes(document, 10), []);
		for (const line of [6, 8]) {
			// Those that are disabled are not even returned here, or say why.
			const found = await fixes(document, line);
			assert.ok(found.every(({ command, disabled }) => command === undefined && disabled));
		}
	});

	rare('that exist under another name are named first, and never bought unasked', async () => {
		await copyFile(inRoot('seen', 'fox.png'), inRoot('seen', 'Login.PNG'));
		atEnd(() => remove('seen', 'Login.PNG'));
		const document = await open('near.md', '![The login](login.png)\n');
		const actions = await codeActionsAt(document, new vscode.Position(0, 4));
		const fix = actions.find(({ title }) => title === 'Fix Link: seen/Login.PNG exists');
		assert.ok(fix?.edit);
		assert.equal(fix.isPreferred, true);
		await vscode.window.showTextDocument(document);
		assert.ok(await vscode.workspace.applyEdit(fix.edit));
		assert.equal(document.getText(), '![The login](Login.PNG)\n');
		await vscode.commands.executeCommand('undo');
		assert.equal(document.getText(), '![The login](login.png)\n');
		const [generate] = await fixes(document, 0);
		const before = service.requests.length;
		const { asked } = await answering('Fix Link', () =>
			vscode.commands.executeCommand(
				generate!.command!.command,
				...(generate!.command!.arguments as unknown[]),
			),
		);
		assert.deepEqual(
			asked.map(({ text }) => text),
			['seen/Login.PNG exists.'],
		);
		assert.equal(service.requests.length, before);
		assert.equal(document.getText(), '![The login](Login.PNG)\n');
	});

	test('are fixed in all documents, and several once they are shown', async () => {
		await copyFile(inRoot('seen', 'fox.png'), inRoot('seen', 'Login.PNG'));
		atEnd(() => remove('seen', 'Login.PNG'));
		const documents = [
			await open('one.md', '---\ncover: login.png\n---\n\n![A](login.png) ![B](LOGIN.png)'),
			await open('two.md', '<img src="login.png" alt="C">'),
		];
		const images = await Promise.all(
			documents.map((document) => missingInDocument(document, () => true)),
		);
		const texts = documents.map((document) => document.getText());
		const asked = fixLinks(images.flat());
		let isAnswered = false;
		void asked.then(() => (isAnswered = true));
		await until(async () => {
			await vscode.commands.executeCommand('refactorPreview.discard');
			return isAnswered;
		}, 'the preview to be discarded');
		assert.deepEqual(await asked, []);
		assert.deepEqual(
			documents.map((document) => document.getText()),
			texts,
		);
		for (const document of documents) {
			for (;;) {
				const [image] = await missingInDocument(document, () => true);
				if (image === undefined) {
					break;
				}
				assert.deepEqual(await fixLinks([image]), [image]);
			}
		}
		assert.deepEqual(
			documents.map((document) => document.getText()),
			[
				'---\ncover: Login.PNG\n---\n\n![A](Login.PNG) ![B](Login.PNG)',
				'<img src="Login.PNG" alt="C">',
			],
		);
	});

	rare('are found in a vault by their names alone', async () => {
		await mkdir(inRoot('seen', 'vault', '.obsidian'), { recursive: true });
		await mkdir(inRoot('seen', 'vault', 'attachments'), { recursive: true });
		await mkdir(inRoot('seen', 'vault', 'notes'), { recursive: true });
		const file = inRoot('seen', 'vault', 'attachments', 'flow.png');
		await copyFile(inRoot('seen', 'fox.png'), file);
		const document = await open('vault/notes/a.md', '![[flow.png|300]]\n\n![F](flow.png)\n');
		assert.equal((await imageAt(document, new vscode.Position(0, 4)))?.fsPath, file);
		assert.equal((await imageAt(document, new vscode.Position(2, 4)))?.fsPath, file);
		assert.deepEqual(await missingInDocument(document, () => true), []);
	});

	suite('of a page of a site,', () => {
		suiteSetup(async () => {
			await setSetting('easel.documents.publicFolder', 'seen/static');
			await setSetting('easel.output.folder', 'seen/static/img');
			await mkdir(inRoot('seen', 'docs'));
		});

		suiteTeardown(async () => {
			await setSetting('easel.documents.publicFolder', undefined);
			await setSetting('easel.output.folder', undefined);
			await remove('img');
		});

		/** A page with a link that Easel has inserted, where that stands, and the file it is for. */
		async function inserted(name: string) {
			const document = await open(`docs/${name}`, '');
			await vscode.window.showTextDocument(document);
			await vscode.commands.executeCommand('easel.generateImage', {
				prompt: 'a lake',
				insert: true,
			});
			await document.save();
			const text = document.getText();
			const [href = ''] = /\/img\/lake(?:-\d+)?\.png/.exec(text) ?? [];
			assert.notEqual(href, '', text);
			const file = inRoot('seen', 'static', href);
			assert.ok((await stat(file)).isFile());
			return { document, file, position: document.positionAt(text.indexOf(href)) };
		}

		for (const name of ['site.md', 'site.html']) {
			(name === 'site.md' ? test : rare)(
				`are found as Easel has inserted them in ${name}`,
				async () => {
					const { document, file, position } = await inserted(name);
					assert.equal((await imageAt(document, position))?.fsPath, file);
					const { line, character } = position;
					assert.match(await hover(document, line, character), /1024 × 1024 · just now/);
					const images = await imagesOf(document.getText(), document.languageId, document.uri);
					assert.deepEqual(
						images.map(({ uri }) => uri.fsPath),
						[file],
					);
				},
			);
		}

		rare('are not missing as Easel has inserted them', async () => {
			const { document, position } = await inserted('there.md');
			assert.deepEqual(await fixes(document, position.line), []);
			const before = service.requests.length;
			const messages = new ShownMessages(['showInformationMessage']);
			try {
				await acceptingQuickInputs(
					vscode.commands.executeCommand('easel.generateMissingImages', document.uri),
				);
				assert.deepEqual(messages.texts, ['No images are missing in 1 Markdown document.']);
			} finally {
				messages.dispose();
			}
			assert.equal(service.requests.length, before);
		});

		rare('that do not exist are made where the site looks for them', async () => {
			const document = await open('docs/new.md', '![A new moon](/img/new%20moon.png)\n');
			const file = inRoot('seen', 'static', 'img', 'new moon.png');
			assert.equal((await imageAt(document, new vscode.Position(0, 4)))?.fsPath, file);
			const [fix] = await fixes(document, 0);
			assert.deepEqual(fix?.command?.arguments, [document.uri, file]);
			const before = service.requests.length;
			await acceptingQuickInputs(
				vscode.commands.executeCommand('easel.generateMissingImages', document.uri),
			);
			assert.equal(service.requests.length, before + 1);
			assert.ok((await stat(file)).isFile());
			assert.deepEqual(await fixes(document, 0), []);
			await assert.rejects(stat(inRoot('img', 'new moon.png')), { code: 'ENOENT' });
		});
	});

	suite('of a document that says itself where they lie,', () => {
		for (const [name, text, folder] of [
			['docs/a.adoc', ':imagesdir: ../pictures\n\n', 'pictures'],
			['modules/m/pages/a.adoc', '= A page of Antora\n\n', 'modules/m/images'],
			['docs/a.tex', '\\graphicspath{{figures/}}\n\n', 'docs/figures'],
			['docs/part/a.tex', '% !TEX root = ../main.tex\n\\graphicspath{{art/}}\n\n', 'docs/art'],
		] as const) {
			rare(`are found as Easel has inserted them in ${name}`, async () => {
				await mkdir(path.dirname(inRoot('seen', name)), { recursive: true });
				const document = await open(name, text);
				const end = document.positionAt(text.length);
				await vscode.window.showTextDocument(document, {
					selection: new vscode.Range(end, end),
				});
				await vscode.commands.executeCommand('easel.generateImage', {
					prompt: 'a lake',
					insert: true,
				});
				await document.save();
				const file = inRoot('seen', folder, 'lake.png');
				assert.ok((await stat(file)).isFile());
				const written = document.getText();
				const at = written.indexOf('lake.png');
				assert.match(written[at - 1] ?? '', /[:{]/, written);

				const position = document.positionAt(at);
				assert.equal((await imageAt(document, position))?.fsPath, file);
				const { line, character } = position;
				assert.match(await hover(document, line, character), /1024 × 1024 · just now/);
				const images = await imagesOf(written, document.languageId, document.uri);
				assert.deepEqual(
					images.map(({ uri }) => uri.fsPath),
					[file],
				);
				const list = await vscode.commands.executeCommand<vscode.CompletionList>(
					'vscode.executeCompletionItemProvider',
					document.uri,
					position,
				);
				assert.ok(list.items.some(({ insertText }) => insertText === 'lake.png'));
			});
		}
	});
});
