import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { BackupStore } from '../../src/editor/backupStore.js';
import { DeletedImages } from '../../src/library/deletedImages.js';
import { Gallery, type GalleryImage } from '../../src/jobs/gallery.js';
import { besideText } from '../../src/recipes/beside.js';
import { recipe } from '../unit/recipes/pngs.js';
import { atEnd } from './atEnd.js';
import { drawPng, galleryImage } from './images.js';
import { rare } from '../host/rare.js';
import { storage, useStorage } from './storage.js';
import { inRoot, remove, root } from './workspace.js';

suite('images removed from the gallery', () => {
	let png: Buffer;
	let gallery: Gallery;
	let backups: BackupStore;
	let removed: DeletedImages;

	useStorage();

	suiteSetup(async () => {
		png = await drawPng('a pier', 3_000_000);
	});

	setup(async () => {
		gallery = new Gallery(storage);
		backups = new BackupStore(storage);
		removed = new DeletedImages(gallery, backups);
		await mkdir(file(''));
	});

	teardown(async () => {
		await remove('removed');
	});

	const file = (name: string) => inRoot('removed', name);
	const names = () => readdir(file(''));

	async function add(
		name: string,
		target = vscode.Uri.joinPath(root(), 'removed', name),
	): Promise<GalleryImage> {
		const image = galleryImage(target, { bytes: png.length });
		await gallery.restore(image);
		return image;
	}

	async function addFile(name: string): Promise<GalleryImage> {
		await writeFile(file(name), png);
		return add(name);
	}

	test('come back to where they were, byte for byte', async () => {
		const image = await addFile('a.png');
		await removed.remove(image);
		assert.deepEqual(await names(), []);
		assert.deepEqual(await gallery.list(), []);
		assert.equal(await removed.restore(image.id), undefined);
		assert.ok(png.equals(await readFile(file('a.png'))));
		assert.deepEqual(await gallery.list(), [image]);
	});

	rare('go with the recipe beside them, and come back with it', async () => {
		const image = await addFile('a.png');
		const beside = besideText(recipe, createHash('sha256').update(png).digest('hex'));
		await writeFile(file('a.png.json'), beside);
		await removed.remove(image);
		assert.deepEqual(await names(), []);
		await removed.restore(image.id);
		assert.deepEqual((await names()).sort(), ['a.png', 'a.png.json']);
		assert.equal(await readFile(file('a.png.json'), 'utf8'), beside);
	});

	rare('leave a file beside them that is no recipe of theirs', async () => {
		for (const text of ['{"mine": true}', besideText(recipe, 'a'.repeat(64))]) {
			const image = await addFile('a.png');
			await writeFile(file('a.png.json'), text);
			await removed.remove(image);
			assert.deepEqual(await names(), ['a.png.json']);
			assert.equal(await readFile(file('a.png.json'), 'utf8'), text);
		}
	});

	test('whose file has gone already leave the gallery alone, and come back to it', async () => {
		const gone = await add('gone.png');
		await removed.remove(gone);
		assert.deepEqual(await gallery.list(), []);
		assert.equal(await removed.restore(gone.id), undefined);
		assert.deepEqual(await gallery.list(), [gone]);
		assert.deepEqual(await names(), []);
	});

	rare('come back under another name where theirs is taken, with their recipe', async () => {
		const image = await addFile('a.png');
		const beside = besideText(recipe, createHash('sha256').update(png).digest('hex'));
		await writeFile(file('a.png.json'), beside);
		await removed.remove(image);
		await writeFile(file('a.png'), 'another one');
		await writeFile(file('a.png.json'), 'its own');
		const note = await removed.restore(image.id);
		assert.match(note ?? '', /Another file is named a\.png.*a-1\.png/);
		assert.equal(await readFile(file('a.png'), 'utf8'), 'another one');
		assert.ok(png.equals(await readFile(file('a-1.png'))));
		assert.equal(await readFile(file('a-1.png.json'), 'utf8'), beside);
		assert.equal(await readFile(file('a.png.json'), 'utf8'), 'its own');
		const [back] = await gallery.list();
		assert.equal(path.posix.basename(back?.target ?? ''), 'a-1.png');
		assert.equal(back?.id, image.id);
	});

	rare('are not written twice where another program has put the same back', async () => {
		const image = await addFile('a.png');
		await removed.remove(image);
		await writeFile(file('a.png'), png);
		assert.equal(await removed.restore(image.id), undefined);
		assert.deepEqual(await names(), ['a.png']);
	});

	rare('that cannot come back can do so later', async () => {
		await mkdir(file('folder'));
		await writeFile(file('folder/a.png'), png);
		const image = await add('folder/a.png');
		await removed.remove(image);
		await rm(file('folder'), { recursive: true });
		await writeFile(file('folder'), 'no folder');
		await assert.rejects(removed.restore(image.id));
		assert.deepEqual(await gallery.list(), []);
		await rm(file('folder'));
		assert.equal(await removed.restore(image.id), undefined);
		assert.ok(png.equals(await readFile(file('folder/a.png'))));
	});

	rare('that cannot be read now are not taken for gone', async () => {
		const unavailable = () => {
			throw vscode.FileSystemError.Unavailable('the connection is lost');
		};
		const provider = vscode.workspace.registerFileSystemProvider('removed-test', {
			onDidChangeFile: new vscode.EventEmitter<vscode.FileChangeEvent[]>().event,
			watch: () => new vscode.Disposable(() => undefined),
			stat: unavailable,
			readFile: unavailable,
			readDirectory: unavailable,
			createDirectory: unavailable,
			writeFile: unavailable,
			delete: unavailable,
			rename: unavailable,
		});
		atEnd(() => provider.dispose());
		const image = await add('far.png', vscode.Uri.parse('removed-test:/far.png'));
		await assert.rejects(removed.remove(image), /the connection is lost/);
		assert.deepEqual(await gallery.list(), [image]);
	});

	test('that are unknown are reported so', async () => {
		assert.match((await removed.restore(crypto.randomUUID())) ?? '', /recycle bin/);
	});
});
