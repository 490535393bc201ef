import assert from 'node:assert/strict';
import { access, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { LazyHandlers, useHandlers } from '../../src/editor/lazyHandlers.js';
import { belongsHere } from '../../src/library/galleryLookup.js';
import { describeImage } from '../../src/features/studio/images.js';
import { droppedFiles } from '../../src/features/studio/droppedFiles.js';
import { DraftReferences, RefusedReference } from '../../src/features/studio/references.js';
import { Sources } from '../../src/features/studio/sources.js';
import { roundsFound } from '../../src/features/studio/search.js';
import { followRenames } from '../../src/features/studio/index.js';
import { ImageError } from '../../src/images/inspect.js';
import { Gallery, type GalleryImage } from '../../src/jobs/gallery.js';
import type { ImageAnnotation, ReadAnnotations } from '../../src/library/annotations.js';
import { Lineage, roundsOf } from '../../src/library/rounds.js';
import type { Query } from '../../src/protocol/studioModel.js';
import { rare } from '../host/rare';
import { until } from '../host/until.js';
import { atEnd } from './atEnd.js';
import { drawPng, galleryImage } from './images.js';
import { Memory } from './studioPage.js';
import { storage, useStorage } from './storage.js';
import { inRoot, remove, root } from './workspace.js';

/** These images, each a round by itself, with the user's annotations. */
function knownOf(images: readonly GalleryImage[], marked: Record<string, ImageAnnotation> = {}) {
	const rounds = roundsOf(images, []);
	const marks: ReadAnnotations = { ofImage: (id) => marked[id] ?? {}, ofRound: () => ({}) };
	const ages = { of: () => undefined, words: () => undefined };
	return { rounds, images, marks, ages, lineage: new Lineage(rounds) };
}

suite('studio', () => {
	let memory: Memory;
	let png: Buffer;

	useStorage();

	suiteSetup(async () => {
		png = await drawPng('a harbor');
	});

	setup(async () => {
		memory = new Memory();
		await mkdir(inRoot('studio'), { recursive: true });
		await writeFile(inRoot('studio', 'a.png'), png);
		await writeFile(inRoot('studio', 'b.png'), png);
	});

	teardown(async () => {
		await remove('studio');
	});

	const inWorkspace = (name: string) => vscode.Uri.joinPath(root(), 'studio', name);

	const image = (name: string, values: Partial<GalleryImage> = {}) =>
		galleryImage(inWorkspace(name), values);

	suite('reference images', () => {
		const folder = () => vscode.Uri.file(path.join(storage, 'references'));
		/** References from which images were made. */
		let made: string[] = [];
		const references = () =>
			inContext({ storageUri: vscode.Uri.file(storage), workspaceState: memory });
		const inContext = (context: Pick<vscode.ExtensionContext, 'storageUri' | 'workspaceState'>) =>
			new DraftReferences({ ...context, globalStorageUri: vscode.Uri.file(storage) }, {
				gallery: { list: () => Promise.resolve([image('a.png', { references: made })]) },
				jobs: { requests: [] },
			} as unknown as ConstructorParameters<typeof DraftReferences>[1]);
		const names = async (all: DraftReferences) => (await all.list()).map(({ name }) => name);
		const stored = () => readdir(folder().fsPath).catch(() => []);

		test('that were pasted stay as long as an image was made from them', async () => {
			const all = references();
			await all.addBytes('pasted.png', Buffer.concat([png, Buffer.from('y')]));
			const [pasted] = await all.list();
			made = [pasted!.uri.toString()];
			await all.remove(pasted!.id);
			assert.equal((await stored()).length, 1, 'a round can be made again');
			made = [];
			await all.addBytes('pasted.png', Buffer.concat([png, Buffer.from('y')]));
			await all.remove((await all.list())[0]!.id);
			assert.deepEqual(await stored(), []);
		});

		rare(
			'are taken in order, once each, moved, removed, and there again after a reload',
			async () => {
				const before = references();
				await before.add(await droppedFiles([inWorkspace('a.png').toString()]));
				await Promise.all([
					before.addBytes('large.png', Buffer.concat([png, Buffer.alloc(5_000_000)])),
					before.addBytes('pasted.png', Buffer.concat([png, Buffer.from('x')])),
				]);
				const [, large] = await before.list();
				assert.equal(large?.name, 'large.png', 'in the order in which they were dropped');
				await before.remove(large.id);
				await before.add([inWorkspace('b.png'), inWorkspace('a.png')]);
				assert.deepEqual(await names(before), ['a.png', 'pasted.png', 'b.png']);
				const [first] = await before.list();
				await before.move(first?.id ?? '', 2);
				assert.deepEqual(await names(before), ['pasted.png', 'b.png', 'a.png']);
				const after = references();
				assert.deepEqual(await names(after), ['pasted.png', 'b.png', 'a.png']);
				const [pasted] = await after.list();
				assert.ok(pasted !== undefined && !(pasted.facts instanceof ImageError));
				assert.equal(pasted.facts.width, 1024);
				assert.equal(after.pasted.has(pasted.uri), true);
				assert.equal((await stored()).length, 1);
				await after.remove(pasted.id);
				assert.deepEqual(await names(after), ['b.png', 'a.png']);
				assert.deepEqual(await stored(), [], 'its bytes are no longer needed');
				assert.ok(await access(inRoot('studio', 'a.png')).then(() => true));
			},
		);

		test('have one that is edited: the first, which another one replaces; the others stay', async () => {
			const all = references();
			const shown = async () =>
				(await all.list()).map(({ name, edited }) => (edited ? `${name} (edited)` : name));
			await all.add([inWorkspace('b.png')]);
			await all.edit(inWorkspace('a.png'));
			assert.deepEqual(await shown(), ['a.png (edited)', 'b.png']);
			const [, other] = await all.list();
			await all.move(other?.id ?? '', 0);
			assert.deepEqual(await shown(), ['a.png (edited)', 'b.png'], 'it stays the first');
			const [edited] = await all.list();
			await all.move(edited?.id ?? '', 1);
			assert.deepEqual(await shown(), ['a.png (edited)', 'b.png']);
			assert.deepEqual(
				(await references().list()).map((one) => one.edited),
				[true, false],
				'after a reload, too',
			);
			await all.edit(inWorkspace('b.png'));
			assert.deepEqual(await shown(), ['b.png (edited)'], 'a.png gave way to it');
			await assert.rejects(all.edit(inWorkspace('gone.png')), RefusedReference);
			assert.deepEqual(await shown(), ['b.png (edited)']);
			await all.addBytes('pasted.png', png);
			const [, pasted] = await all.list();
			await all.edit(pasted!.uri);
			assert.deepEqual(await shown(), ['pasted.png (edited)']);
			await all.edit(inWorkspace('a.png'));
			assert.deepEqual(await stored(), [], 'what was pasted is no longer needed');
			await all.remove((await all.list())[0]?.id ?? '');
			assert.deepEqual(await shown(), []);
		});

		test('go with a message; what was pasted can be recalled until the next one is sent', async () => {
			const all = references();
			await all.add([inWorkspace('b.png')]);
			await all.addBytes('pasted.png', png);
			const sent = (await all.list()).map(({ id }) => id);
			await all.add([inWorkspace('a.png')]);
			await all.takeSent('A boat', sent);
			assert.deepEqual(await names(all), ['a.png'], 'what was attached meanwhile stays');
			assert.deepEqual(await all.recall('A boat', 'tab'), [], 'nothing is replaced');
			assert.deepEqual(await names(all), ['a.png']);
			await all.remove((await all.list())[0]?.id ?? '');
			const after = references();
			await after.recall('A boat', 'tab');
			assert.deepEqual(await names(after), ['b.png', 'pasted.png'], 'after a reload, too');
			const [, pasted] = await after.list();
			assert.ok(!(pasted?.facts instanceof ImageError));
			await after.recall('', 'tab');
			assert.deepEqual(await names(after), []);
			await after.recall('A boat', 'tab');
			await after.add([inWorkspace('a.png')]);
			await after.recall('', 'tab');
			assert.deepEqual(await names(after), ['b.png', 'pasted.png', 'a.png'], 'it was changed');
			assert.equal((await stored()).length, 1);
			await after.takeSent('A pier', []);
			await after.remove(pasted?.id ?? '');
			assert.deepEqual(await stored(), []);
		});

		test('have the image in view in front, which gives way to what the user chooses', async () => {
			const all = references();
			const shown = async () =>
				(await all.list()).map(({ name, edited }) => (edited ? `${name} (edited)` : name));
			const follow = (name?: string) =>
				all.followView('tab', () =>
					Promise.resolve(name === undefined ? undefined : inWorkspace(name)),
				);
			await all.addBytes('pasted.png', png);
			await follow('a.png');
			assert.deepEqual(await shown(), ['a.png (edited)', 'pasted.png']);
			await follow('b.png');
			assert.deepEqual(await shown(), ['b.png (edited)', 'pasted.png']);
			await all.add([inWorkspace('b.png')]);
			assert.deepEqual(await shown(), ['pasted.png', 'b.png'], 'a reference image by choice');
			await follow('b.png');
			assert.deepEqual(await shown(), ['pasted.png', 'b.png']);
			await follow('gone.png');
			assert.deepEqual(await shown(), ['pasted.png', 'b.png']);
			await follow('a.png');
			await follow();
			assert.deepEqual(await shown(), ['pasted.png', 'b.png']);
			await all.edit(inWorkspace('a.png'));
			await follow('b.png');
			await follow();
			assert.deepEqual(await shown(), ['a.png (edited)', 'pasted.png', 'b.png']);
		});

		rare('that were pasted stay where windows without a folder share their storage', async () => {
			const [one, other] = [new Memory(), new Memory()].map((workspaceState) =>
				inContext({ storageUri: undefined, workspaceState }),
			) as [DraftReferences, DraftReferences];
			await one.addBytes('pasted.png', png);
			await other.addBytes('sketch.png', await drawPng('a sketch'));
			await other.remove((await other.list())[0]?.id ?? '');
			assert.deepEqual(await names(one), ['pasted.png']);
			assert.equal((await stored()).length, 1);
		});

		test('that were pasted go when no image is made from them any more', async () => {
			const all = references();
			await all.addBytes('pasted.png', png);
			made = (await all.list()).map(({ uri }) => uri.toString());
			await all.takeSent(
				'A boat',
				(await all.list()).map(({ id }) => id),
			);
			await all.takeSent('A pier', []);
			assert.equal((await stored()).length, 1);
			made = [];
			await all.takeSent('A ship', []);
			assert.deepEqual(await stored(), []);
		});

		test('stay with the image that is in view elsewhere, until that place is gone', async () => {
			const all = references();
			const seeing = (name: string | undefined) => () =>
				Promise.resolve(name === undefined ? undefined : inWorkspace(name));
			await all.followView('tab', seeing('a.png'));
			await all.followView('view', seeing(undefined));
			assert.deepEqual(await names(all), ['a.png']);
			assert.deepEqual(await names(references()), ['a.png'], 'after a reload, too');
			await all.followView('view', seeing('b.png'));
			assert.deepEqual(await names(all), ['b.png'], 'the one that was opened last');
			await all.followView('tab', seeing(undefined));
			assert.deepEqual(await names(all), ['b.png']);
			await all.followView('view', seeing(undefined));
			assert.deepEqual(await names(all), []);
		});

		test('of a request take the place of all; what is gone is named', async () => {
			const all = references();
			await all.add([inWorkspace('b.png')]);
			const uris = [inWorkspace('a.png'), inWorkspace('gone.png')];
			assert.deepEqual(await all.restore(uris, true), ['gone.png']);
			assert.deepEqual(
				(await all.list()).map(({ name, edited }) => [name, edited]),
				[['a.png', true]],
			);
			assert.deepEqual(await all.restore([inWorkspace('gone.png'), inWorkspace('b.png')], true), [
				'gone.png',
			]);
			assert.deepEqual(
				(await all.list()).map(({ name, edited }) => [name, edited]),
				[['b.png', false]],
				'what was edited is gone, and nothing takes its place',
			);
		});

		test('are refused by their bytes, with their name, and the others are taken', async () => {
			await writeFile(inRoot('studio', 'notes.png'), 'a text');
			const all = references();
			await assert.rejects(
				all.add([inWorkspace('a.png'), inWorkspace('notes.png'), inWorkspace('gone.png')]),
				(error: Error) =>
					error instanceof RefusedReference &&
					error.message.includes('notes.png') &&
					error.message.includes('gone.png'),
			);
			assert.deepEqual(await names(all), ['a.png']);
			await assert.rejects(
				all.addBytes('C:\\secret\\notes.txt', Buffer.from('a text')),
				(error: Error) =>
					error.message.includes('"notes.txt"') && !error.message.includes('secret'),
			);
			assert.deepEqual(await stored(), []);
		});

		test('that a page names must lie in the workspace, links considered', async () => {
			const outside = path.join(storage, 'outside.png');
			await writeFile(outside, png);
			await symlink(outside, inRoot('studio', 'link.png'));
			const all = references();
			for (const uri of [
				vscode.Uri.file(outside).toString(),
				inWorkspace('../../../../../../etc/passwd').toString(),
				inWorkspace('link.png').toString(),
				'https://images.example.com/a.png',
				'a.png',
				'',
			]) {
				await assert.rejects(droppedFiles([uri]), RefusedReference, uri);
			}
			assert.deepEqual(await names(all), []);
			await all.add([vscode.Uri.file(outside)]);
			assert.deepEqual(await names(all), ['outside.png'], 'what the user picks may lie anywhere');
		});

		test('that have gone since are shown with the reason', async () => {
			await references().add([inWorkspace('a.png')]);
			await rm(inRoot('studio', 'a.png'));
			const [gone] = await references().list();
			assert.ok(gone?.facts instanceof ImageError);
			assert.equal(gone.facts.kind, 'missing');
		});
	});

	suite('gallery', () => {
		test('has the images of this workspace, wherever they were made', () => {
			const elsewhere = 'file:///elsewhere';
			assert.equal(belongsHere(image('a.png')), true);
			assert.equal(belongsHere(image('a.png', { workspaceFolder: elsewhere })), true);
			assert.equal(belongsHere(image('a.png', { target: `${elsewhere}/a.png` })), true);
			assert.equal(
				belongsHere(image('', { target: `${elsewhere}/a.png`, workspaceFolder: elsewhere })),
				false,
			);
		});

		test('finds favorites, sizes and nothing in a folder that is not there', () => {
			const all = [image('boat.png'), image('b.png', { prompt: 'A tower' })];
			const [boat, tower] = all.map(({ id }) => id);
			const found = (query: Partial<Query>) =>
				roundsFound(
					knownOf(all, { [boat!]: { isFavorite: true } }),
					{ text: '', among: 'all', ...query },
					undefined,
				).flatMap(({ slots }) => slots.map(({ id }) => id));
			assert.deepEqual(new Set(found({})), new Set([boat, tower]));
			assert.deepEqual(found({ among: 'favorites' }), [boat]);
			assert.deepEqual(found({ text: 'tower', among: 'favorites' }), []);
			assert.deepEqual(found({ size: '1536x1024' }), []);
			assert.deepEqual(found({ among: 'folder' }), []);
		});

		test('tells what a file is now, and nothing of where it lies outside', async () => {
			const inPage = (uri: vscode.Uri): string | undefined => `https://x${uri.path}`;
			const describe = (made: GalleryImage, source = inPage, others: GalleryImage[] = []) => {
				const known = knownOf([made, ...others]);
				const slot = { id: made.id, label: '1a', image: made, request: undefined };
				return describeImage(slot, known, { of: source, ofWorkbench: String });
			};
			const { shown: here } = await describe(image('a.png'));
			assert.equal(here.exists, true);
			assert.equal(here.name, 'a.png');
			assert.equal(here.path, 'studio/a.png');
			assert.match(here.details, /^1024 × 1024 · \d+ KB · just now$/);
			const marks = [{ shape: 'rectangle' as const, note: 'x', x: 0, y: 0, width: 1, height: 1 }];
			const answer = image('a.png', { operation: 'edit', marks });
			const marked = await describe(answer);
			assert.deepEqual([marked.shown.marked, marked.shown.lacksRest], [{ marks }, true]);
			const keptRest = { share: 0.93, changed: 0, shift: 4, scale: 1 };
			for (const [name, lacksRest] of [
				['a.png', undefined],
				['gone.png', true],
			] as const) {
				const references = [answer.target];
				const restored = image(name, { operation: 'edit', marks, keptRest, references });
				const { shown } = await describe(answer, inPage, [restored]);
				assert.equal(shown.lacksRest, lacksRest, name);
			}
			const kept = await describe(image('a.png', { operation: 'edit', marks, keptRest }));
			assert.match(kept.shown.details, / · Restored 93\s% .* moved it by 4\spx\.$/);
			const gone = await describe(image('gone.png'));
			assert.deepEqual([gone.shown.exists, gone.shown.source], [false, undefined]);
			const outside = vscode.Uri.file(path.join(storage, 'b.png')).toString();
			const away = await describe(image('', { target: outside, quality: 'high' }), () => undefined);
			assert.deepEqual([away.shown.path, away.shown.final], ['b.png', true]);
		});
	});

	rare('images are dragged under the name that the workbench knows', () => {
		const nameOf = (authority: string) => {
			const webview = {
				asWebviewUri: (uri: vscode.Uri) => uri.with({ scheme: 'https', authority }),
			};
			const thumbnails = {} as ConstructorParameters<typeof Sources>[1];
			return new Sources(webview, thumbnails).ofWorkbench(vscode.Uri.parse('file:///w/a b.png'));
		};
		assert.equal(
			nameOf('vscode-remote+ssh-002dremote-002bhost-002ename.vscode-resource.example'),
			'vscode-remote://ssh-remote%2Bhost.name/w/a%20b.png',
		);
		assert.equal(nameOf('file+.vscode-resource.example'), 'file:///w/a%20b.png');
		assert.equal(nameOf('page.example'), 'file:///w/a%20b.png');
	});

	test('the gallery is read again where it could not be read', async () => {
		const gallery = new Gallery(storage);
		const file = path.join(storage, 'gallery.jsonl');
		await mkdir(file);
		await assert.rejects(gallery.list(), { code: 'EISDIR' });
		await rm(file, { recursive: true });
		const made = image('a.png');
		await writeFile(file, `${JSON.stringify(made)}\n`);
		assert.deepEqual(await gallery.list(), [made]);
	});

	rare('the gallery follows images that are renamed, and folders above them', async () => {
		const gallery = new Gallery(storage);
		const made = image('a.png');
		await gallery.restore(made);
		const handlers = new LazyHandlers(() => Promise.resolve());
		useHandlers(handlers);
		const following = vscode.Disposable.from(
			followRenames(gallery),
			vscode.workspace.onDidRenameFiles(handlers.proxy('renames')),
		);
		atEnd(() => following.dispose());
		for (const [from, to, target] of [
			['studio/a.png', 'studio/ä b.png', 'studio/ä b.png'],
			['studio', 'studio-moved', 'studio-moved/ä b.png'],
			['studio-moved', 'studio', 'studio/ä b.png'],
		] as const) {
			const edit = new vscode.WorkspaceEdit();
			const at = (name: string) => vscode.Uri.joinPath(root(), name);
			edit.renameFile(at(from), at(to));
			const renamed = new Promise((resolve) => {
				const listening = vscode.workspace.onDidRenameFiles((event) => {
					listening.dispose();
					resolve(event);
				});
			});
			await vscode.workspace.applyEdit(edit);
			await renamed;
			await until(
				async () => (await gallery.list())[0]?.target === at(target).toString(),
				`the gallery to know ${target}`,
			);
		}
	});
});
