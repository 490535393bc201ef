import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { Annotations, type ImageAnnotation } from '../../src/library/annotations.js';
import { SharedAnnotations, sharedFile } from '../../src/library/sharedAnnotations.js';
import { inRoot, remove, root } from './workspace.js';

const [a, b] = ['0a0a0a0a-0000-4000-8000-000000000001', '0b0b0b0b-0000-4000-8000-000000000002'];
const image = (name: string) => vscode.Uri.joinPath(root(), 'images', name);

suite('stars, titles and notes that a team shares', () => {
	const storages: string[] = [];

	/** The annotations of a machine of the team. */
	async function machine(): Promise<Annotations> {
		const storage = await mkdtemp(path.join(tmpdir(), 'easel-shared-'));
		storages.push(storage);
		return new Annotations(storage, new SharedAnnotations());
	}

	const set = (on: Annotations, id: string, mark: ImageAnnotation, uri: vscode.Uri) =>
		on.setImages([id], mark, new Map([[id, uri]]));

	const written = () => readFile(inRoot(sharedFile), 'utf8');

	async function write(text: string): Promise<void> {
		await mkdir(inRoot('.easel'), { recursive: true });
		await writeFile(inRoot(sharedFile), text);
	}

	teardown(async () => {
		await remove('.easel');
		for (const storage of storages.splice(0)) {
			await rm(storage, { recursive: true, maxRetries: 10 });
		}
	});

	test('lie in the workspace, sorted, and are known to the next machine', async () => {
		const first = await machine();
		await set(first, b, { isFavorite: true }, image('b.png'));
		await set(first, a, { title: 'The calm one', note: 'Client likes it' }, image('a.png'));
		await set(first, a, { isFavorite: true }, image('a.png'));
		assert.deepEqual(JSON.parse(await written()), {
			format: 1,
			images: [
				{
					...{ id: a, file: 'images/a.png', star: true },
					...{ title: 'The calm one', note: 'Client likes it' },
				},
				{ id: b, file: 'images/b.png', star: true },
			],
		});
		const second = await (await machine()).read();
		assert.equal(second.ofImage(b).isFavorite, true);
		assert.equal(second.ofImage(a).title, 'The calm one');
	});

	test('that a colleague has taken away are gone here, too; without a file ours are back', async () => {
		const [first, second] = [await machine(), await machine()];
		await set(first, a, { isFavorite: true }, image('a.png'));
		await set(second, b, { isFavorite: true }, image('b.png'));
		await set(second, a, { isFavorite: false }, image('a.png'));
		assert.equal((await first.read()).ofImage(a).isFavorite, undefined);
		assert.equal((await first.read()).ofImage(b).isFavorite, true);
		await remove('.easel');
		assert.equal((await first.read()).ofImage(a).isFavorite, true);
	});

	test('of the version before, which knew no file, still count', async () => {
		const ours = await machine();
		await ours.setImages([a], { isFavorite: true, title: 'Old' });
		await set(await machine(), b, { isFavorite: true }, image('b.png'));
		assert.deepEqual(
			[(await ours.read()).ofImage(a).isFavorite, (await ours.read()).ofImage(b).isFavorite],
			[true, true],
		);
	});

	test('keep what a later version adds, and leave what a newer Easel has written', async () => {
		const later = { format: 1, extra: 1, images: [{ id: a, star: true, color: 'red' }] };
		await write(JSON.stringify(later));
		const ours = await machine();
		await set(ours, b, { title: 'New' }, image('b.png'));
		const now = JSON.parse(await written()) as typeof later;
		assert.deepEqual([now.extra, now.images[0]?.color, now.images.length], [1, 'red', 2]);

		const newer = JSON.stringify({ format: 2, pictures: [] });
		await write(newer);
		await set(ours, a, { isFavorite: true }, image('a.png'));
		assert.equal(await written(), newer);
		assert.equal((await ours.read()).ofImage(a).isFavorite, true, 'it stays on this machine');
	});

	test('that cannot be read are left as they are, and nothing is lost', async () => {
		const ours = await machine();
		await set(ours, a, { isFavorite: true }, image('a.png'));
		for (const text of ['<<<<<<< HEAD\n{', '[]', '{"format":1,"images":[{"id":7}]}', '']) {
			await write(text);
			await set(ours, b, { title: `beside ${text}` }, image('b.png'));
			assert.equal(await written(), text);
			const known = await ours.read();
			assert.deepEqual(
				[known.ofImage(a).isFavorite, known.ofImage(b).title],
				[true, `beside ${text}`],
			);
		}
	});

	test('keep what a colleague has decided, also where ours could not be written for a while', async () => {
		const [ours, theirs] = [await machine(), await machine()];
		await set(theirs, a, { title: 'The calm one', note: 'Ask Ann.' }, image('a.png'));
		const good = await written();
		await write('<<<<<<< HEAD');
		await set(ours, a, { isFavorite: true }, image('a.png'));
		assert.deepEqual((await ours.read()).ofImage(a), { image: a, isFavorite: true });
		await write(good);
		const now = (await ours.read()).ofImage(a);
		assert.deepEqual([now.isFavorite, now.title, now.note], [true, 'The calm one', 'Ask Ann.']);
		await set(theirs, a, { title: 'Calm' }, image('a.png'));
		await set(ours, a, { isFavorite: true }, image('a.png'));
		assert.deepEqual(JSON.parse(await written()), {
			format: 1,
			images: [{ id: a, file: 'images/a.png', star: true, title: 'Calm', note: 'Ask Ann.' }],
		});
	});

	test('are all there on another branch, whose file begins with what this machine knows', async () => {
		const ours = await machine();
		await set(ours, a, { isFavorite: true, title: 'Old' }, image('a.png'));
		await remove('.easel');
		await set(ours, b, { isFavorite: true }, image('b.png'));
		const now = await ours.read();
		assert.deepEqual([now.ofImage(a).isFavorite, now.ofImage(a).title], [true, 'Old']);
		const { images } = JSON.parse(await written()) as { images: { id: string }[] };
		assert.deepEqual(
			images.map(({ id }) => id),
			[a, b],
		);
	});

	test('of many images are one change of the file', async () => {
		const ours = await machine();
		const many = Array.from({ length: 1000 }, () => crypto.randomUUID());
		const uris = new Map(many.map((id) => [id, image(`${id}.png`)]));
		await ours.setImages(many, { isFavorite: true }, uris);
		const now = await (await machine()).read();
		assert.ok(many.every((id) => now.ofImage(id).isFavorite === true));
	});

	test('are not written where a link leads out of the workspace', async () => {
		const outside = await mkdtemp(path.join(tmpdir(), 'easel-outside-'));
		storages.push(outside);
		await symlink(outside, inRoot('.easel'));
		const ours = await machine();
		await set(ours, a, { isFavorite: true }, image('a.png'));
		await assert.rejects(readFile(path.join(outside, 'images.json')), { code: 'ENOENT' });
		assert.equal((await ours.read()).ofImage(a).isFavorite, true);
	});
});
