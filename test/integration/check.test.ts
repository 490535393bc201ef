import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { checkFolders } from '../../src/editor/checkFolders.js';
import { texts } from '../../src/editor/texts.js';
import type { GalleryImage } from '../../src/jobs/gallery.js';
import { checkMessages, wordsMessages } from '../../src/features/messages.js';
import { rare } from '../host/rare.js';
import { until } from '../host/until.js';
import type { ImageService } from '../service/server.js';
import { AppliedEdits } from './appliedEdits.js';
import { codeActionsAt } from './codeActions.js';
import { drawPng } from './images.js';
import { QuickPicks } from './quickPicks.js';
import { closeService, openService } from './service.js';
import { ShownProgress } from './shownProgress.js';
import { ShownMessages } from './shownMessages.js';
import { inRoot, remove, setSetting } from './workspace.js';

const { noText } = checkMessages;

suite('Check', () => {
	let service: ImageService;
	let picks: QuickPicks;
	let messages: ShownMessages;

	suiteSetup(async () => {
		service = await openService();
	});

	suiteTeardown(() => closeService(service));

	setup(async () => {
		await mkdir(inRoot('checked'), { recursive: true });
		await mkdir(inRoot('.easel'));
		await setSetting('easel.words.provider', 'chat');
		await setSetting('easel.words.model', 'words-1');
		picks = new QuickPicks();
		messages = new ShownMessages(['showInformationMessage', 'showWarningMessage']);
	});

	teardown(async () => {
		await picks.leave();
		picks.dispose();
		messages.dispose();
		service.faults.clear();
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await setSetting('easel.words.provider', undefined);
		await setSetting('easel.words.model', undefined);
		await remove('checked');
		await remove('.easel');
	});

	const writeSettings = (settings: object) =>
		writeFile(inRoot('.easel', 'check.json'), JSON.stringify(settings));

	/** Runs the command for the folder of documents; it ends with its list. */
	function checkImages(): Promise<void> {
		const folder = vscode.Uri.file(inRoot('checked'));
		return Promise.resolve(vscode.commands.executeCommand<void>('easel.checkImages', folder));
	}

	/** Opens a document beside a picture, and waits for what the check finds in it. */
	async function open(name: string, text: string): Promise<vscode.TextDocument> {
		await writeFile(inRoot('checked', 'pier.png'), await drawPng('A pier'));
		await writeFile(inRoot('checked', name), text);
		const uri = vscode.Uri.file(inRoot('checked', name));
		const document = await vscode.workspace.openTextDocument(uri);
		await vscode.window.showTextDocument(document);
		await until(() => found(document).length > 0, `findings in ${name}`);
		return document;
	}

	const found = ({ uri }: vscode.TextDocument) =>
		vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'Easel');
	const rulesIn = (document: vscode.TextDocument) => found(document).map(({ code }) => code);

	/** Returns the quick fixes at the first finding of a document. */
	async function fixesOf(document: vscode.TextDocument): Promise<readonly vscode.CodeAction[]> {
		const [{ range } = assert.fail()] = found(document);
		const actions = await codeActionsAt(document, range.start);
		const { QuickFix } = vscode.CodeActionKind;
		return actions.filter(
			({ kind, title }) => kind?.value === QuickFix.value && titles.includes(title),
		);
	}

	const titles = [texts.proposeAlt, texts.markDecorative, texts.correctCase];

	/** Applies the quick fix of a title, which takes the finding away. */
	async function mend(document: vscode.TextDocument, title: string): Promise<string> {
		const fixes = await fixesOf(document);
		const fix = fixes.find((one) => one.title === title);
		assert.ok(fix?.edit, fixes.map((one) => one.title).join(', '));
		assert.ok(await vscode.workspace.applyEdit(fix.edit));
		await until(() => found(document).length === 0, `no findings in ${document.uri.path}`);
		return document.getText();
	}

	test('shows in open documents what the check finds, and marks an image as decorative', async () => {
		const document = await open('a.md', 'One ![](pier.png) pier.\n');
		const [{ code, severity, range } = assert.fail()] = found(document);
		assert.deepEqual([code, severity], ['alt-missing', vscode.DiagnosticSeverity.Hint]);
		assert.equal(document.getText(range), '![](pier.png)');
		assert.deepEqual(
			(await fixesOf(document)).map(({ title }) => title),
			['Propose Alt Text…', 'Mark as Decorative'],
		);
		assert.equal(
			await mend(document, 'Mark as Decorative'),
			'One <img src="pier.png" alt=""> pier.\n',
		);
	});

	test('proposes an alt text once: as a fix where one is missing, else as a rewrite', async () => {
		const document = await open('once.md', 'One ![](pier.png) pier, and ![A pier](pier.png).\n');
		const { QuickFix, RefactorRewrite } = vscode.CodeActionKind;
		const kindsAt = async (text: string, kind?: vscode.CodeActionKind) => {
			const position = document.positionAt(document.getText().indexOf(text) + 2);
			const actions = await codeActionsAt(document, position, kind);
			return actions
				.filter(({ title }) => title === texts.proposeAlt)
				.map((action) => action.kind?.value);
		};
		assert.deepEqual(await kindsAt('![]'), [QuickFix.value]);
		assert.deepEqual(await kindsAt('![A'), [RefactorRewrite.value]);
		// The menu Refactor… has no fixes.
		assert.deepEqual(await kindsAt('![]', RefactorRewrite), [RefactorRewrite.value]);
	});

	rare(
		'marks images as decorative as each format has it, and corrects the case of links',
		async () => {
			for (const [name, text, expected] of [
				['a.html', '<img src="pier.png">', '<img alt="" src="pier.png">'],
				['a.rst', '.. image:: pier.png\n', '.. image:: pier.png\n   :alt:\n'],
				['a.adoc', 'image::pier.png[]\n', 'image::pier.png[""]\n'],
				['a.typ', '#image("pier.png")\n', '#image("pier.png", alt: "")\n'],
				['a.tex', '\\includegraphics{pier.png}\n', '\\includegraphics[alt={}]{pier.png}\n'],
				['b.md', '```{image} pier.png\n```\n', '```{image} pier.png\n:alt: ""\n```\n'],
			] as const) {
				assert.equal(await mend(await open(name, text), 'Mark as Decorative'), expected);
			}
			const document = await open('c.md', '![A pier](Pier.png)\n');
			assert.deepEqual(rulesIn(document), ['image-case']);
			assert.equal(await mend(document, 'Correct Case'), '![A pier](pier.png)\n');
		},
	);

	rare('has no fix where a format has none, and follows settings file and settings', async () => {
		await writeSettings({ rules: { 'alt-missing': 'error', 'alt-generic': 'off' } });
		await setSetting('easel.words.provider', 'off');
		const text = '![](pier.png "At dusk")\n\n![image](pier.png)\n';
		const document = await open('a.md', text);
		assert.deepEqual(rulesIn(document), ['alt-missing']);
		assert.equal(found(document)[0]!.severity, vscode.DiagnosticSeverity.Error);
		assert.deepEqual(await fixesOf(document), []);
		await setSetting('easel.check.onOpen', false);
		try {
			await until(() => found(document).length === 0, 'no findings');
		} finally {
			await setSetting('easel.check.onOpen', undefined);
		}
	});

	rare('checks each of several folders by its own settings', async () => {
		const outside = await realpath(await mkdtemp(path.join(tmpdir(), 'easel-check-')));
		try {
			await writeSettings({ rules: { 'alt-missing': 'off', recipe: 'warning', words: 'error' } });
			const links = '![](https://example.com/a.png)\n\n![image](made.png)\n';
			await writeFile(inRoot('checked', 'a.md'), links);
			await writeFile(path.join(outside, 'b.md'), links);
			const made = await drawPng('A pier');
			const sha256 = createHash('sha256').update(made).digest('hex');
			const saved = { bytes: made.length, sha256 } as GalleryImage;
			for (const folder of [inRoot('checked'), outside]) {
				await writeFile(path.join(folder, 'made.png'), made);
			}
			const uris = [inRoot('checked'), outside].map((file) => vscode.Uri.file(file));
			const progress: number[] = [];
			const { documents, findings } = await checkFolders(uris, {
				gallery: { list: () => Promise.resolve([saved]) },
				onBadSettings: assert.fail,
				onProgress: ({ images }) => progress.push(images),
			});
			assert.equal(documents, 2);
			assert.deepEqual(
				findings.map(({ document, rule }) => `${path.basename(document)} ${rule}`),
				['a.md alt-generic', 'a.md recipe', 'b.md alt-missing', 'b.md alt-generic'],
			);
			assert.equal(progress.at(-1), 4, 'the sum of both');
		} finally {
			await rm(outside, { recursive: true, maxRetries: 10, force: true });
		}
	});

	rare('has the words in pictures read after one question, each picture once', async () => {
		await writeSettings({ rules: { words: 'warning' } });
		const text = '# Port\n\nPress “Receive” in the **Harbor** view.\n\n';
		await writeFile(inRoot('checked', 'a.md'), `${text}![A](one.png)\n\n![B](two.png)\n`);
		await writeFile(inRoot('checked', 'b.md'), `${text}![A](one.png)\n`);
		for (const name of ['one.png', 'two.png']) {
			await writeFile(inRoot('checked', name), await drawPng(name));
		}
		service.modelReplies.push('Recieve', 'NONE');
		const ended = checkImages();
		const question = await picks.shown(/Check Words in Picture/);
		assert.match(question.items[0]!.label, /Check Words in 2 Pictures · words-1/);
		assert.match(question.items[0]!.description!, /^2 calls, each with one picture$/);
		await picks.accept();
		const list = await picks.shown(/Check Images/);
		assert.deepEqual(
			list.items.map(({ label }) => label),
			['words · 1', 'The picture says “Recieve”. It should probably be “Receive”.'],
		);
		assert.equal(service.modelReplies.length, 0);
		picks.press(list, 'Recieve', checkMessages.editPicture);
		await until(() => /Edit/.test(picks.last?.title ?? ''), 'the question for an edit');
		assert.equal(picks.last?.value, wordsMessages.replaceWords('Recieve', 'Receive'));
		await picks.leave();
		await ended;

		const again = checkImages();
		await picks.shown(/Check Words in Picture/);
		await picks.leave();
		await again;
		assert.match(messages.texts.at(-1)!, /The words of 2 pictures were not checked\.$/);
	});

	rare('writes what came before a cancellation, as the user has edited it', async () => {
		const names = ['one.png', 'two.png', 'three.png'];
		for (const name of names) {
			await writeFile(inRoot('checked', name), await drawPng(name));
		}
		const links = [...names.map((name) => `![](${name})`), '![](one.png "The old pier")'];
		await writeFile(inRoot('checked', 'a.md'), `${links.join('\n\n')}\n`);
		service.modelReplies.push('A pier', 'A quay', 'A harbor');
		const progress = new ShownProgress((_, words) => words.startsWith('2 of 3'));
		const edits = new AppliedEdits(true);
		try {
			const ended = checkImages();
			await picks.shownTicked(/4 findings/);
			await picks.accept();
			const question = await picks.shown(/Propose Alt Texts/);
			assert.match(question.items[0]!.description!, /^3 calls/);
			await picks.accept();
			const review = await picks.shownTicked(/Ticked texts are accepted/);
			assert.deepEqual(
				review.items.map(({ label }) => label),
				['A pier', noText, noText, 'The old pier'],
			);
			assert.equal(review.selectedItems.length, 2);

			picks.press(review, 'one.png', checkMessages.edit);
			const box = await picks.askedForText(/one\.png/);
			box.value = 'A pier at dusk';
			await picks.accept();
			const edited = await picks.shownTicked(/Ticked texts are accepted/);
			picks.press(edited, 'two.png', checkMessages.markDecorative);
			await until(() => edited !== picks.last, 'the list with the decorative image');
			await picks.shownTicked(/Ticked texts are accepted/);
			await picks.accept();
			await ended;
			assert.deepEqual(edits.previewed, [true]);
			const document = await vscode.workspace.openTextDocument(inRoot('checked', 'a.md'));
			assert.equal(
				document.getText(),
				[
					'![A pier at dusk](one.png)',
					'<img src="two.png" alt="">',
					'![](three.png)',
					'![The old pier](one.png "The old pier")\n',
				].join('\n\n'),
			);
			await vscode.window.showTextDocument(document);
			await vscode.commands.executeCommand('undo');
			assert.equal(document.getText(), `${links.join('\n\n')}\n`, 'one step to undo');
		} finally {
			edits.dispose();
			progress.dispose();
			service.modelReplies.length = 0;
		}
	});
});
