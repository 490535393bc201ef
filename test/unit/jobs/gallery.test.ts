import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import {
	appendFile,
	cp,
	mkdir,
	mkdtemp,
	readdir,
	readFile,
	rm,
	stat,
	symlink,
	writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Gallery, type GalleryImage } from '../../../src/jobs/gallery.js';
import { Journal } from '../../../src/jobs/journal.js';
import { writeState, type JobEntry } from '../../../src/jobs/jobFolder.js';
import type { GenerationRequest } from '../../../src/jobs/request.js';
import type { JobState } from '../../../src/jobs/state.js';
import { referenceOf } from './support.js';

suite('jobs › gallery', () => {
	let storage: string;
	let journal: Journal;
	let gallery: Gallery;
	const file = () => path.join(storage, 'gallery.jsonl');

	setup(async () => {
		storage = await mkdtemp(path.join(tmpdir(), 'easel-gallery-'));
		journal = new Journal(path.join(storage, 'jobs'));
		gallery = new Gallery(storage);
	});

	teardown(() => rm(storage, { recursive: true }));

	/** As another window, or this one after a reload, finds it. */
	const reopened = () => new Gallery(storage);

	const prompts = async (one: Gallery) => (await one.list()).map(({ prompt }) => prompt);

	async function save(
		prompt: string,
		minute: number,
		more: Partial<GenerationRequest> = {},
	): Promise<JobEntry> {
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
			...more,
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

	test('keeps the images of a style apart from those that somebody has chosen', async () => {
		const references = [referenceOf(1), referenceOf(2)];
		const style = {
			path: '.easel/style.md',
			sha256: 'ab'.repeat(32),
			references: ['cd'.repeat(32)],
		};
		await save('styled', 1, { references, style, effectivePrompt: 'styled\n\nStyle:\nFlat.' });
		await save('left out', 2, { references, withoutStyle: true });
		for (const one of [gallery, reopened()]) {
			const [leftOut, styled] = await one.list();
			assert.equal(styled?.prompt, 'styled');
			assert.deepEqual(styled.references, [references[0]?.source]);
			assert.deepEqual(styled.referenceHashes, [references[0]?.sha256]);
			assert.deepEqual(styled.style, style);
			assert.equal(leftOut?.withoutStyle, true);
			assert.equal(leftOut.references.length, 2);
		}
	});

	test('is empty before the first image', async () => {
		assert.deepEqual(await gallery.list(), []);
	});

	test('is the same list as long as nothing comes, from before the first image on', async () => {
		assert.equal(await gallery.list(), await gallery.list());
		await save('one', 1);
		assert.equal((await gallery.list()).length, 1);
		const one = await gallery.list();
		assert.equal(await gallery.list(), one);
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

	/** Lines as another window writes them. */
	async function write(lines: readonly object[]): Promise<void> {
		await writeFile(file(), lines.map((line) => `\n${JSON.stringify(line)}`).join(''));
	}

	/** An image that the journal does not have any more. */
	async function savedLongAgo(): Promise<GalleryImage> {
		await save('a harbor', 1);
		const [one] = (await gallery.list()) as [GalleryImage];
		await rm(journal.root, { recursive: true });
		await rm(file());
		return one;
	}

	/** Whether the file was rewritten by a window that reads it. */
	async function isRewritten(): Promise<boolean> {
		const { ino } = await stat(file());
		await reopened().list();
		return (await stat(file())).ino !== ino;
	}

	test('writes nothing where nothing came, and nobody else reads what it writes', async () => {
		await gallery.list();
		assert.deepEqual(await readdir(storage), []);
		await save('a harbor', 1);
		await gallery.list();
		const { mode, size } = await stat(file());
		assert.equal(process.platform === 'win32' ? 0 : mode & 0o077, 0);
		await gallery.list();
		assert.equal((await stat(file())).size, size);
	});

	test('has what was added, and only what was saved, also where the journal forgets at once', async () => {
		await gallery.list();
		const entry = await save('a harbor', 1);
		await gallery.add(entry);
		const state: JobState = { state: 'discarded', attempts: [], changedAt: entry.state.changedAt };
		await gallery.add({ ...(await save('a boat', 2)), state });
		await rm(journal.root, { recursive: true });
		assert.deepEqual(await prompts(gallery), ['a harbor']);
		assert.deepEqual(await prompts(reopened()), ['a harbor']);
	});

	test('knows what an image was made from and with, and nothing that nobody has said', async () => {
		const { request, state } = await save('a harbor', 1);
		const { quality, workspaceFolder, ...least } = request;
		assert.ok(quality !== undefined && workspaceFolder !== undefined);
		const references = [
			referenceOf(1),
			{ ...referenceOf(2), source: 'file:///b.png', sha256: 'b' },
		];
		const whence = {
			round: { id: crypto.randomUUID(), number: 2, place: 1 },
			anotherTryOf: 'file:///w/images/a%20try.png',
		};
		await rm(journal.root, { recursive: true });
		const entry = await journal.create({ ...least, ...whence, references });
		await writeState(entry.folder, state);
		const [image] = (await gallery.list()) as [GalleryImage];
		assert.deepEqual(image.references, ['file:///a.png', 'file:///b.png']);
		assert.deepEqual(image.referenceHashes, ['', 'b']);
		assert.deepEqual(image.round, whence.round);
		assert.equal(image.anotherTryOf, whence.anotherTryOf);
		assert.ok(!('quality' in image) && !('workspaceFolder' in image));
	});

	test('takes an image of the journal once, also for those who ask together', async () => {
		await save('a harbor', 1);
		await save('a boat', 2);
		const lists = await Promise.all([gallery.list(), gallery.list(), gallery.list()]);
		for (const list of lists) {
			assert.deepEqual(
				list.map(({ prompt }) => prompt),
				['a boat', 'a harbor'],
			);
		}
		assert.equal((await readFile(file(), 'utf8')).trim().split('\n').length, 2);
	});

	test('puts its images in order when one has come, and else gives those that it has', async () => {
		await save('a harbor', 1);
		await gallery.list();
		const known = await gallery.list();
		assert.equal(await gallery.list(), known);
		await reopened().add(await save('a boat', 2));
		assert.notEqual(await gallery.list(), known);
	});

	test('does not open a job twice that has failed, and has two that came together', async () => {
		const failed = await save('a tower', 3);
		const { changedAt } = failed.state;
		await writeState(failed.folder, { state: 'discarded', attempts: [], changedAt });
		await save('a harbor', 1);
		await save('a boat', 2);
		await gallery.list();
		await writeState(failed.folder, failed.state);
		assert.deepEqual(await prompts(reopened()), ['a boat', 'a harbor']);
		await rm(journal.root, { recursive: true });
		assert.deepEqual(await prompts(reopened()), ['a boat', 'a harbor']);
	});

	test('does not take a copy of a job for another one', async () => {
		const { folder } = await save('a harbor', 1);
		await cp(folder, `${folder}-copy`, { recursive: true });
		await cp(folder, path.join(journal.root, `copy-${path.basename(folder)}`), { recursive: true });
		assert.deepEqual(await prompts(gallery), ['a harbor']);
	});

	test('says where it cannot be read, and can be when that has passed', async () => {
		const one = await savedLongAgo();
		await mkdir(file());
		const again = reopened();
		await assert.rejects(again.list(), { code: 'EISDIR' });
		await rm(file(), { recursive: true });
		await write([one]);
		assert.deepEqual(await prompts(again), ['a harbor']);
		await symlink(journal.root, journal.root);
		await assert.rejects(again.list(), { code: 'ELOOP' });
	});

	test('has the images in the order of their times, those of one moment as they came', async () => {
		const one = await savedLongAgo();
		const minutes = [3, 1, 2, 2, 5, 0, 4, 2, 1];
		await write(
			minutes.map((minute, index) => ({
				...one,
				id: crypto.randomUUID(),
				prompt: `${String(minute)} ${String(index)}`,
				savedAt: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
			})),
		);
		assert.deepEqual(await prompts(reopened()), [
			...['5 4', '4 6', '3 0', '2 2', '2 3', '2 7', '1 1', '1 8', '0 5'],
		]);
	});

	test('is rewritten where most of it was overtaken or too many are there, and not before', async () => {
		const one = await savedLongAgo();
		const others = [crypto.randomUUID(), crypto.randomUUID()].map((id) => ({ ...one, id }));
		const overtaken = (count: number) => [...others, ...new Array<object>(count - 2).fill(one)];
		await write(overtaken(105));
		assert.equal(await isRewritten(), false);
		await write(overtaken(106));
		assert.equal(await isRewritten(), true);
		assert.equal((await readFile(file(), 'utf8')).trim().split('\n').length, 3);
		assert.deepEqual((await readdir(storage)).sort(), ['gallery.jsonl']);

		const many = (count: number) =>
			Array.from({ length: count }, () => ({ ...one, id: crypto.randomUUID() }));
		await write(many(11_000));
		assert.equal(await isRewritten(), false);
		await write(many(11_001));
		assert.equal(await isRewritten(), true);
		assert.equal((await reopened().list()).length, 10_000);
	});

	test('loses nothing that another window adds while it is rewritten', async () => {
		const one = await savedLongAgo();
		await write(new Array<object>(200).fill(one));
		const late = { ...one, id: crypto.randomUUID(), prompt: 'of another window' };
		// The journal is asked for its jobs between reading and rewriting.
		let isAdded = false;
		const watched = Object.defineProperty(new Journal(journal.root), 'root', {
			get: () => {
				if (!isAdded) {
					isAdded = true;
					appendFileSync(file(), `\n${JSON.stringify(late)}`);
				}
				return journal.root;
			},
		});
		await new Gallery(storage, watched).list();
		assert.deepEqual((await prompts(reopened())).sort(), ['a harbor', 'of another window']);
		assert.deepEqual(await readdir(storage), ['gallery.jsonl']);
	});
});
