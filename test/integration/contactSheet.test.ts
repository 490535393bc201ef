import assert from 'node:assert/strict';
import { mkdir, readFile, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { OutsideWorkspaceError } from '../../src/editor/files.js';
import type { StudioEvent } from '../../src/protocol/studio.js';
import { everything, type Image, type Query } from '../../src/protocol/studioModel.js';
import { until } from '../host/until.js';
import { drawPng, galleryImage } from './images.js';
import { contextIn, Memory, partsIn, StudioPage } from './studioPage.js';
import { storage, useStorage } from './storage.js';
import { inRoot, remove, root } from './workspace.js';
import { rare } from '../host/rare.js';

/** A GIF of a single pixel. */
const gif = Buffer.from('R0lGODlhAQABAIAAAICAgAAAACwAAAAAAQABAAACAkQBADs=', 'base64');
const files: Query = { text: '', among: 'files' };

type Shown = Extract<StudioEvent, { type: 'rounds' }>;

suite('the contact sheet', () => {
	let memory: Memory;
	let parts: ReturnType<typeof partsIn>;
	let page: StudioPage;
	let png: Buffer;

	useStorage();

	suiteSetup(async () => {
		png = await drawPng('a harbor');
	});

	setup(async () => {
		memory = new Memory();
		await mkdir(inRoot('sheet'), { recursive: true });
		await writeFile(inRoot('sheet', 'a.png'), png);
		await writeFile(inRoot('sheet', 'b.png'), await drawPng('a bridge'));
		parts = partsIn(storage, memory);
		page = new StudioPage(parts, contextIn(storage, memory));
		await page.ask({ type: 'ready' });
	});

	teardown(async () => {
		page.dispose();
		parts.dispose();
		assert.deepEqual(page.refused, [], 'messages that the page could not read');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await vscode.commands.executeCommand('notifications.clearAll');
		await remove('sheet');
		await remove('renamed');
	});

	const folder = () => vscode.Uri.joinPath(root(), 'sheet');
	const uriOf = (name: string) => vscode.Uri.joinPath(folder(), name);

	/** Waits for the images of a folder, as they were sent last. */
	const shown = (isMeant: (event: Shown) => boolean = () => true) =>
		page.reported('rounds', (event) => event.query.among === 'files' && isMeant(event));

	const idsOf = ({ rounds }: Shown) => rounds.flatMap(({ slots }) => slots.map(({ id }) => id));
	const hasLength = (length: number) => (event: Shown) => idsOf(event).length === length;

	async function open(uri = folder()): Promise<Shown> {
		await page.showFolder(uri);
		await page.reported('search', ({ query }) => query.among === 'files');
		await page.ask({ type: 'search', query: files });
		return shown();
	}

	const lookAt = (images: string[]) => page.ask({ type: 'describe', rounds: [], images });

	/** Waits for a description of an image. */
	async function described(
		id: string,
		isMeant: (image: Image) => boolean = () => true,
	): Promise<Image> {
		const find = () =>
			page
				.all('described')
				.flatMap(({ images }) => images)
				.findLast((one) => one.id === id && isMeant(one));
		await until(() => find() !== undefined, 'the description');
		return find()!;
	}

	async function imagesOf(event: Shown): Promise<Image[]> {
		const ids = idsOf(event);
		await lookAt(ids);
		return Promise.all(
			ids.map((id) => described(id, (one) => (one.thumbnail ?? one.problem) !== undefined)),
		);
	}

	async function namesOf(event: Shown): Promise<string[]> {
		return (await imagesOf(event)).map(({ name }) => name);
	}

	test('shows all images of a folder by name, those of other programs too', async () => {
		await writeFile(inRoot('sheet', 'c.JPG'), 'no image');
		await writeFile(inRoot('sheet', 'd.gif'), gif);
		await writeFile(inRoot('sheet', 'e10.webp'), '');
		await writeFile(inRoot('sheet', 'e9.webp'), '');
		await writeFile(inRoot('sheet', 'notes.md'), '# Notes');
		await mkdir(inRoot('sheet', 'below.png'));
		const event = await open();
		assert.deepEqual([event.folder, event.leftOut, event.total], ['sheet', undefined, 6]);
		const images = await imagesOf(event);
		assert.deepEqual(
			images.map(({ name }) => name),
			['a.png', 'b.png', 'c.JPG', 'd.gif', 'e9.webp', 'e10.webp'],
		);
		const [a, , wrong, other, empty] = images as [Image, Image, Image, Image, Image];
		assert.match(a.details, /^1024 × 1024 · \d.* [KM]B$/);
		assert.deepEqual([a.width, a.height, a.isUnlisted, a.prompt], [1024, 1024, true, '']);
		assert.match(a.thumbnail ?? '', /^https:.*\/thumbnails\/[\da-f]{64}-256\.webp$/);
		assert.equal(other.details, `${String(gif.length)} B`);
		assert.match(other.thumbnail ?? '', /\/sheet\/d\.gif\?v(=|%3D)\d+$/);
		assert.deepEqual([wrong.thumbnail, wrong.source], [undefined, undefined]);
		assert.match(wrong.problem ?? '', /is not a PNG, JPEG or WebP/);
		assert.match(empty.problem ?? '', /is empty/);
	});

	rare('shows an image of the gallery with its prompt and its star', async () => {
		const made = galleryImage(uriOf('b.png'), { prompt: 'a bridge' });
		await parts.gallery.restore(made);
		await open();
		const event = await shown((one) => idsOf(one).includes(made.id));
		const [a, b] = await imagesOf(event);
		assert.deepEqual([a?.prompt, a?.isUnlisted], ['', true]);
		assert.deepEqual([b?.id, b?.prompt, b?.isUnlisted], [made.id, 'a bridge', undefined]);
	});

	rare('finds images of the folder by their names', async () => {
		await open();
		await page.ask({ type: 'search', query: { ...files, text: 'b.p' } });
		const event = await shown(({ query }) => query.text === 'b.p');
		assert.deepEqual(await namesOf(event), ['b.png']);
		assert.equal(event.total, 2);
	});

	rare('is of folders of the workspace alone, links considered', async () => {
		await mkdir(path.join(storage, 'secret'));
		await writeFile(path.join(storage, 'secret', 'x.png'), png);
		await symlink(path.join(storage, 'secret'), inRoot('sheet', 'out'));
		for (const outside of [
			vscode.Uri.file(path.join(storage, 'secret')),
			vscode.Uri.joinPath(folder(), 'out'),
			vscode.Uri.joinPath(root(), '..'),
		]) {
			await assert.rejects(page.showFolder(outside), OutsideWorkspaceError, outside.path);
		}
		await symlink(path.join(storage, 'secret', 'x.png'), inRoot('sheet', 'c.png'));
		await symlink('a.png', inRoot('sheet', 'd.png'));
		const event = await open();
		assert.deepEqual(await namesOf(event), ['a.png', 'b.png', 'd.png']);
		assert.equal(event.leftOut, '1 link leads out of the workspace and is not shown.');
	});

	test('neither shows nor uses a file that leads out only after it was listed', async () => {
		await writeFile(path.join(storage, 'x.png'), png);
		const [id = ''] = idsOf(await open());
		await unlink(inRoot('sheet', 'a.png'));
		await symlink(path.join(storage, 'x.png'), inRoot('sheet', 'a.png'));
		await lookAt([id]);
		// At once: when the folder is read anew, the file is not listed any more.
		await page.ask({ type: 'images', ids: [id], action: 'addReference' });
		const find = () =>
			page
				.all('described')
				.flatMap(({ images }) => images)
				.find((one) => one.id === id);
		const isListed = () => idsOf(page.all('rounds').at(-1)!).includes(id);
		await until(() => find() !== undefined || !isListed(), 'the file to be looked at');
		const found = find();
		if (found !== undefined) {
			assert.deepEqual([found.thumbnail, found.source, found.details], [undefined, undefined, '']);
			assert.match(found.problem ?? '', /is outside the workspace folder/);
			const isSaid = () =>
				page.all('notice').some(({ text }) => text.includes('is outside the workspace folder'));
			await until(() => isSaid() || !isListed(), 'the reason, or the list without the file');
		}
		assert.deepEqual(page.all('references').at(-1)?.references ?? [], []);
	});

	rare('is empty when its folder leads out, and says so', async () => {
		await open();
		await mkdir(path.join(storage, 'secret'));
		await writeFile(path.join(storage, 'secret', 'x.png'), png);
		await rename(inRoot('sheet'), inRoot('renamed'));
		await symlink(path.join(storage, 'secret'), inRoot('sheet'));
		const event = await shown(({ leftOut }) => leftOut !== undefined);
		assert.deepEqual(event.rounds, []);
		await unlink(inRoot('sheet'));
	});

	test('follows the folder; files that stay keep their identifiers', async () => {
		const [a = '', b = ''] = idsOf(await open());
		await writeFile(inRoot('sheet', 'aa.png'), png);
		const three = await shown(hasLength(3));
		assert.deepEqual([idsOf(three)[0], idsOf(three)[2]], [a, b]);
		assert.deepEqual(await namesOf(three), ['a.png', 'aa.png', 'b.png']);
		await rename(inRoot('sheet', 'aa.png'), inRoot('sheet', 'c.png'));
		await shown((event) => hasLength(3)(event) && idsOf(event)[1] === b);
		await unlink(inRoot('sheet', 'a.png'));
		const two = await shown((event) => hasLength(2)(event) && idsOf(event)[0] === b);
		assert.deepEqual(await namesOf(two), ['b.png', 'c.png']);
		await rm(inRoot('sheet'), { recursive: true });
		const gone = await shown(hasLength(0));
		assert.equal(gone.leftOut, 'The folder is missing.');
		await mkdir(inRoot('sheet'));
		await writeFile(inRoot('sheet', 'new.png'), png);
		assert.deepEqual(await namesOf(await shown(hasLength(1))), ['new.png']);
	});

	rare('goes with its folder when that is renamed in the editor', async () => {
		await open();
		const edit = new vscode.WorkspaceEdit();
		edit.renameFile(folder(), vscode.Uri.joinPath(root(), 'renamed'));
		assert.ok(await vscode.workspace.applyEdit(edit));
		const event = await shown((one) => one.folder === 'renamed' && hasLength(2)(one));
		assert.deepEqual(await namesOf(event), ['a.png', 'b.png']);
	});

	rare('describes a file on the screen anew when its content changes', async () => {
		const event = await open();
		const [{ id, thumbnail }] = (await imagesOf(event)) as [Image];
		await writeFile(inRoot('sheet', 'a.png'), await readFile(inRoot('sheet', 'b.png')));
		await described(id, (one) => one.thumbnail !== undefined && one.thumbnail !== thumbnail);
		await writeFile(inRoot('sheet', 'a.png'), png.subarray(0, 20));
		await described(id, ({ problem }) => problem !== undefined);
	});

	rare('comes back after a reload until another filter is chosen', async () => {
		await open();
		const reload = async () => {
			page.dispose();
			page = new StudioPage(parts, contextIn(storage, memory));
			await page.ask({ type: 'ready' });
		};
		await reload();
		await page.ask({ type: 'search', query: files });
		assert.deepEqual(await namesOf(await shown()), ['a.png', 'b.png']);
		await page.ask({ type: 'search', query: everything });
		await until(() => memory.get('studio.folder') === undefined, 'the folder to be forgotten');
		await reload();
		await page.ask({ type: 'search', query: files });
		const event = await shown();
		assert.deepEqual([event.rounds, event.folder], [[], undefined]);
	});

	rare('does not come back where its folder has left the workspace', async () => {
		await memory.update('studio.folder', vscode.Uri.file(storage).toString());
		await page.ask({ type: 'search', query: files });
		assert.deepEqual((await shown()).rounds, []);
		await page.reported('notice', ({ text }) => text.includes('is outside this workspace'));
	});

	rare('edits, adds and compares files, and ignores unknown identifiers', async () => {
		const ids = idsOf(await open());
		const [a = '', b = ''] = ids;
		await page.ask({ type: 'images', ids: [crypto.randomUUID()], action: 'addReference' });
		await page.ask({ type: 'images', ids: [b, a], action: 'addReference' });
		const { references } = await page.reported(
			'references',
			(event) => event.references.length === 2,
		);
		assert.deepEqual(
			references.map(({ name }) => name),
			['b.png', 'a.png'],
		);
		await page.ask({ type: 'edit', id: a, how: 'alone' });
		const composed = await page.reported('compose');
		assert.deepEqual(
			composed.references.map(({ name, edited, size }) => [name, edited, size]),
			[
				['a.png', true, '1024x1024'],
				['b.png', false, undefined],
			],
		);
		assert.equal(composed.prompt, undefined, 'the prompt stays');
		await page.ask({ type: 'images', ids: [a, b], action: 'compare' });
		const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs);
		await until(() => tabs().some(({ label }) => label === 'a.png ↔ b.png'), 'the comparison');
		// Neither has a star, nor is deleted: they are not in the gallery.
		await page.ask({ type: 'annotateImages', ids: [a], isFavorite: true });
		await page.ask({ type: 'images', ids: [a, b], action: 'remove' });
		await page.ask({ type: 'search', query: everything });
		await lookAt(ids);
		const all = page.all('described').flatMap(({ images }) => images);
		assert.deepEqual(all, [], 'files of a folder that was left are not described');
		assert.ok((await readFile(inRoot('sheet', 'a.png'))).equals(png));
	});

	rare('edits the file that is open large, as long as it is', async () => {
		const [a = ''] = idsOf(await open());
		await page.ask({ type: 'edit', id: a, how: 'inView' });
		await page.reported('references', (event) => event.references[0]?.fromView === true);
		await page.ask({ type: 'edit', how: 'inView' });
		await page.reported('references', (event) => event.references.length === 0);
	});
});
