import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { registerRequestCommand } from '../../src/asking/requestCommands.js';
import { DraftChoice } from '../../src/features/compare/drafts.js';
import { ComparisonPanel } from '../../src/features/compare/panel.js';
import { updateReferences } from '../../src/features/edit/references.js';
import { compareMessages } from '../../src/features/messages.js';
import { sha256Of } from '../../src/images/hash.js';
import type { GalleryImage } from '../../src/jobs/gallery.js';
import type { EventOf, Protocol, RequestOf } from '../../src/protocol/channel.js';
import { compareProtocol } from '../../src/protocol/compare.js';
import { draftsProtocol } from '../../src/protocol/drafts.js';
import { ChannelError, PageChannel } from '../../src/protocol/pageChannel.js';
import { rare } from '../host/rare.js';
import { until } from '../host/until.js';
import { drawPng, galleryImage } from './images.js';
import { ShownMessages } from './shownMessages.js';
import { Memory, partsIn, webviewOf } from './studioPage.js';
import { inRoot, remove, root } from './workspace.js';

/** A panel with a page that is no browser: it says what a test says, over the real channel. */
class Page<P extends Protocol> {
	readonly events: EventOf<P>[] = [];
	readonly panel: vscode.WebviewPanel;
	readonly #end: PageChannel<P>;

	constructor(protocol: P) {
		const fromPage = new vscode.EventEmitter<unknown>();
		const disposed = new vscode.EventEmitter<void>();
		this.#end = new PageChannel(protocol, {
			post: (message) => fromPage.fire(structuredClone(message)),
			onEvent: (event) => this.events.push(event),
			onRefused: (problem) => assert.fail(problem),
		});
		const webview = webviewOf(this.#end, fromPage);
		const dispose = () => disposed.fire();
		this.panel = { webview, onDidDispose: disposed.event, dispose } as never;
	}

	/** A panel that closes meanwhile does not answer. */
	async ask(request: RequestOf<P>): Promise<void> {
		await this.#end.ask(request).catch((error: unknown) => {
			assert.ok(error instanceof ChannelError && error.kind === 'closed', String(error));
		});
	}

	get shown(): EventOf<P> {
		return this.events.at(-1) ?? assert.fail('nothing is shown');
	}
}

suite('A decision about compared images', () => {
	let storage: string;
	let parts: ReturnType<typeof partsIn>;
	let messages: ShownMessages;
	let press: string | undefined;
	let links: vscode.Disposable;
	let open: vscode.Disposable[] = [];

	setup(async () => {
		press = undefined;
		messages = new ShownMessages(
			['showInformationMessage', 'showWarningMessage', 'showErrorMessage'],
			({ buttons }) => (buttons.includes(press ?? '') ? press : undefined),
		);
		storage = await mkdtemp(path.join(tmpdir(), 'easel-decisions-'));
		parts = partsIn(storage, new Memory());
		links = registerRequestCommand('updateLinks', 'edit', updateReferences);
		await mkdir(inRoot('decided'));
	});

	teardown(async () => {
		vscode.Disposable.from(...open, links, messages, parts).dispose();
		open = [];
		await vscode.commands.executeCommand('workbench.action.files.revert');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await remove('decided');
		await rm(storage, { recursive: true, force: true, maxRetries: 10 });
	});

	const uri = (name: string) => vscode.Uri.joinPath(root(), 'decided', name);
	const names = async () => (await readdir(inRoot('decided'))).sort();

	/** Makes an image, which the gallery knows. */
	async function make(name: string, values: Partial<GalleryImage> = {}): Promise<GalleryImage> {
		const bytes = await drawPng(name);
		await writeFile(inRoot('decided', name), bytes);
		const sha256 = await sha256Of(inRoot('decided', name));
		const image = galleryImage(uri(name), { bytes: bytes.length, sha256, ...values });
		await parts.gallery.addMade(image);
		return image;
	}

	/** An original, and the edit that was made of it. */
	async function makePair(): Promise<GalleryImage> {
		const original = await make('pier.png');
		return make('edit.png', {
			...{ operation: 'edit', references: [original.target] },
			referenceHashes: [original.sha256!],
		});
	}

	function choose(...files: string[]): Page<typeof draftsProtocol> {
		const page = new Page(draftsProtocol);
		const targets = files.map((name) => uri(name).toString());
		open.push(new DraftChoice(page.panel, targets, parts));
		return page;
	}

	function compare(services = parts): Page<typeof compareProtocol> {
		const page = new Page(compareProtocol);
		const images = { left: uri('pier.png'), right: uri('edit.png') };
		open.push(new ComparisonPanel(page.panel, images, services));
		return page;
	}

	const said = (words: string) => until(() => messages.texts.includes(words), words);

	test('uses no draft that has gone since: the others stay', async () => {
		for (const name of ['a.png', 'b.png']) {
			await make(name);
		}
		await writeFile(inRoot('decided', 'page.md'), '![A](a.png)\n');
		const page = choose('a.png', 'b.png');
		await page.ask({ type: 'ready' });
		await unlink(inRoot('decided', 'b.png'));
		await page.ask({ type: 'use', index: 1 });
		await until(() => page.shown.pictures[1]?.type === 'problem', 'the page to say so');
		assert.deepEqual(await names(), ['a.png', 'page.md']);
		await page.ask({ type: 'use', index: 0 });
		await until(() => messages.texts.some((text) => text.startsWith('a.png is used')), 'the other');
	});

	rare('is taken back for each draft: documents show what they showed', async () => {
		for (const name of ['a.png', 'b.png', 'c.png']) {
			await make(name);
		}
		const text = '![A](a.png) ![B](b.png) ![C](c.png)\n';
		await writeFile(inRoot('decided', 'page.md'), text);
		press = 'Undo';
		await choose('a.png', 'b.png', 'c.png').ask({ type: 'use', index: 1 });
		await until(() => messages.texts.some((words) => words.startsWith('b.png is used')), 'the end');
		await until(async () => (await names()).length === 4, 'all drafts to be back');
		const document = await vscode.workspace.openTextDocument(uri('page.md'));
		await until(() => document.getText() === text, 'all links to be back');
	});

	test('is not made where neither image comes from the other any more, which is said', async () => {
		const edit = await makePair();
		const page = compare();
		await page.ask({ type: 'ready' });
		await until(() => page.events.at(-1)?.made === 'right', 'the buttons');
		// Another window has removed it from the gallery.
		await parts.gallery.remove(edit);
		for (const decision of ['discard', 'keepBoth', 'replace'] as const) {
			messages.clear();
			await page.ask({ type: 'decide', decision });
			await said(compareMessages.notRelated);
		}
		messages.clear();
		await page.ask({ type: 'mark' });
		await said(compareMessages.notRelated);
		await until(() => page.shown.made === undefined, 'the buttons to go');
		assert.deepEqual(await names(), ['edit.png', 'pier.png']);
	});

	rare('is one at a time: another one is not made meanwhile, which is said', async () => {
		await makePair();
		const gate = Promise.withResolvers<void>();
		const { deletedImages, history } = parts;
		const remove = async (image: GalleryImage) => {
			await gate.promise;
			await deletedImages.remove(image);
		};
		const restore = (id: string) => deletedImages.restore(id);
		const page = compare({ ...parts, deletedImages: { remove, restore } as never });
		await page.ask({ type: 'decide', decision: 'discard' });
		await page.ask({ type: 'decide', decision: 'discard' });
		await page.ask({ type: 'decide', decision: 'keepBoth' });
		await said(compareMessages.deciding);
		assert.equal(messages.all.length, 1);
		gate.resolve();
		await until(async () => (await names()).length === 1, 'the edit to be gone');
		await until(async () => (await history.list()).length === 1, 'it to be forgotten');
	});

	rare('says why an image that was pasted, or dropped, is not shown', async () => {
		await makePair();
		const page = compare();
		await writeFile(path.join(storage, 'compared'), 'in the way');
		await page.ask({ type: 'paste', bytes: new Uint8Array(await drawPng('pasted')) });
		await until(() => messages.all.length > 0, 'the message on what was pasted');
		messages.clear();
		await page.ask({ type: 'drop', uri: `${root().toString()}/../elsewhere.png` });
		await said(compareMessages.outsideWorkspace('elsewhere.png'));
	});

	rare(
		'shows images as they are now, even where an earlier look at them takes longer',
		async () => {
			await makePair();
			const gate = Promise.withResolvers<void>();
			let asked = Number.NEGATIVE_INFINITY;
			const { history } = parts;
			const list = async () => {
				// The last one of a look.
				asked += 1;
				await (asked === 3 ? gate.promise : undefined);
				return history.list();
			};
			const page = compare({ ...parts, history: { list } as never });
			await page.ask({ type: 'ready' });
			await until(() => page.events.length > 0, 'the images');
			asked = 0;
			const first = page.ask({ type: 'ready' });
			await until(() => asked >= 3, 'the first look');
			const before = page.events.length;
			await writeFile(inRoot('decided', 'pier.png'), await drawPng('another one'));
			await until(() => page.events.length > before, 'the second look');
			const { left } = page.shown;
			gate.resolve();
			await first;
			assert.deepEqual(page.shown.left, left);
		},
	);
});
