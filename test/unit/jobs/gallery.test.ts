import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Gallery, type GalleryImage } from '../../../src/jobs/gallery.js';
import { Journal, writeState, type JobEntry } from '../../../src/jobs/journal.js';
import type { JobState } from '../../../src/jobs/state.js';

suite('jobs › gallery', () => {
	let storage: string;
	let journal: Journal;
	let gallery: Gallery;
	const file = () => path.join(storage, 'gallery.jsonl');

	setup(async () => {
		storage = await mkdtemp(path.join(tmpdir(), 'easel-gallery-'));
		journal = new Journal(path.join(storage, 'jobs'));
		gallery = new Gallery(storage, journal);
	});

	teardown(() => rm(storage, { recursive: true }));

	/** As another window, or this one after a reload, finds it. */
	const reopened = () => new Gallery(storage, journal);

	const prompts = async (one: Gallery) => (await one.list()).map(({ prompt }) => prompt);

	async function save(prompt: string, minute: number): Promise<JobEntry> {
		const entry = await journal.create({
			id: crypto.randomUUID(),
			createdAt: '2026-01-01T00:00:00.000Z',
			operation: 'generate',
			model: 'std-image-2',
			prompt,
			size: '1024x1024',
			quality: 'low',
			references: [],
			target: { folder: 'file:///w/images', stem: 'x' },
			workspaceFolder: 'file:///w',
		});
		const state: JobState = {
			state: 'saved',
			attempts: [],
			changedAt: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
			target: `file:///w/images/${encodeURIComponent(prompt)}.png`,
			result: {
				file: '/gone',
				format: 'png',
				contentType: 'image/png',
				extension: '.png',
				width: 1024,
				height: 1024,
				bytes: 5,
				sha256: 'ab',
				elapsedMs: 1,
			},
		};
		await writeState(entry.folder, state);
		return { ...entry, state };
	}

	test('is empty before the first image', async () => {
		assert.deepEqual(await gallery.list(), []);
	});

	test('has the images of the journal, newest first, and all that is worth knowing', async () => {
		await save('a harbor', 1);
		await save('a boat', 3);
		await save('a tower', 2);
		assert.deepEqual(await prompts(gallery), ['a boat', 'a tower', 'a harbor']);
		const [boat] = await gallery.list();
		assert.deepEqual(boat && { ...boat, id: 'one' }, {
			id: 'one',
			savedAt: '2026-01-01T00:03:00.000Z',
			target: 'file:///w/images/a%20boat.png',
			operation: 'generate',
			prompt: 'a boat',
			size: '1024x1024',
			quality: 'low',
			references: [],
			workspaceFolder: 'file:///w',
			width: 1024,
			height: 1024,
			bytes: 5,
			sha256: 'ab',
		});
	});

	test('takes what comes in while it is open, from this window and from others', async () => {
		await save('a harbor', 1);
		assert.deepEqual(await prompts(gallery), ['a harbor']);
		await gallery.add(await save('a boat', 2));
		await save('of another window', 3);
		assert.deepEqual(await prompts(gallery), ['of another window', 'a boat', 'a harbor']);
	});

	test('keeps an image when the journal has forgotten its job', async () => {
		const { folder } = await save('a harbor', 1);
		await gallery.list();
		await rm(folder, { recursive: true });
		assert.deepEqual(await prompts(gallery), ['a harbor']);
		assert.deepEqual(await prompts(reopened()), ['a harbor']);
	});

	test('opens no job of the journal twice', async () => {
		const { folder } = await save('a harbor', 1);
		await gallery.list();
		// Nobody can read it any more, and nobody has to.
		await writeFile(path.join(folder, 'request.json'), '');
		assert.deepEqual(await prompts(reopened()), ['a harbor']);
	});

	test('leaves out what has failed or goes on, and takes it when it is saved', async () => {
		const { folder, request, state } = await save('a harbor', 1);
		await writeState(folder, { state: 'waiting', attempts: [], changedAt: request.createdAt });
		const failed = await save('a boat', 2);
		await writeState(failed.folder, {
			state: 'cancelled',
			charge: 'notSent',
			attempts: [],
			changedAt: request.createdAt,
		});
		assert.deepEqual(await prompts(gallery), []);
		await writeState(folder, state);
		assert.deepEqual(await prompts(gallery), ['a harbor']);
	});

	test('leaves out what was removed, until it is brought back', async () => {
		await save('a harbor', 1);
		await save('a boat', 2);
		const [, harbor] = (await gallery.list()) as [GalleryImage, GalleryImage];
		await gallery.remove(harbor);
		assert.deepEqual(await prompts(gallery), ['a boat']);
		assert.deepEqual(await prompts(reopened()), ['a boat']);
		await gallery.restore(harbor);
		assert.deepEqual(await prompts(gallery), ['a boat', 'a harbor']);
		assert.deepEqual(await prompts(reopened()), ['a boat', 'a harbor']);
	});

	test('loses nothing that the journal has, wherever its file was cut off or damaged', async () => {
		await save('a harbor', 1);
		await save('a boat', 2);
		await gallery.list();
		const whole = await readFile(file());
		for (let length = 0; length <= whole.length; length += 7) {
			await writeFile(file(), whole.subarray(0, length));
			assert.deepEqual(await prompts(reopened()), ['a boat', 'a harbor'], String(length));
		}
		await writeFile(file(), 'soup\n{"id":1}\n[]\nnull\n"x"\n');
		assert.deepEqual(await prompts(reopened()), ['a boat', 'a harbor']);
	});

	test('a line that was cut off does not swallow the one that follows', async () => {
		await save('a harbor', 1);
		await gallery.list();
		await appendFile(file(), '{"id":"cut o');
		const { folder } = await save('a boat', 2);
		await reopened().list();
		await rm(folder, { recursive: true });
		assert.deepEqual(await prompts(reopened()), ['a boat', 'a harbor']);
	});

	test('does not grow with what was overtaken', async () => {
		await save('a harbor', 1);
		const [harbor] = (await gallery.list()) as [GalleryImage];
		for (let round = 0; round < 60; round += 1) {
			await gallery.remove(harbor);
			await gallery.restore(harbor);
		}
		const before = (await readFile(file())).length;
		assert.deepEqual(await prompts(reopened()), ['a harbor']);
		assert.ok((await readFile(file())).length < before / 50);
		assert.deepEqual(await prompts(reopened()), ['a harbor']);
	});

	test('keeps the newest ten thousand', async () => {
		await save('of the journal', 0);
		const [one] = (await gallery.list()) as [GalleryImage];
		const lines = Array.from({ length: 11_500 }, (_, index) => ({
			...one,
			id: crypto.randomUUID(),
			prompt: String(index),
			savedAt: new Date(Date.UTC(2026, 0, 2) + index * 1000).toISOString(),
		}));
		await appendFile(file(), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
		const kept = await prompts(reopened());
		assert.equal(kept[0], '11499');
		assert.deepEqual(kept.slice(-2), ['1500', 'of the journal'], 'the journal still has that one');
	});
});
