// What this version does with the files of a made-up later one, which may be open in another window
// or have been here before: nothing of them is changed, removed, or reported as something that it is not.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { NewerFormatError } from '../../src/files/fileFormat.js';
import { Annotations } from '../../src/library/annotations.js';
import { FinishedJobs } from '../../src/jobs/finishedJobs.js';
import { followJob } from '../../src/jobs/follow.js';
import { Gallery } from '../../src/jobs/gallery.js';
import { Journal } from '../../src/jobs/journal.js';
import { readEntry, readState, writeState } from '../../src/jobs/jobFolder.js';
import { leaseStatus, readLease, writeNextLease } from '../../src/jobs/leaseFiles.js';
import { Ledger } from '../../src/jobs/ledger.js';
import { persistState } from '../../src/jobs/persistState.js';
import { PromptDrafts, type PromptPurpose } from '../../src/asking/promptDrafts.js';
import { recover } from '../../src/jobs/recovery.js';
import type { JobState } from '../../src/jobs/state.js';
import { Leases } from '../../src/jobs/windowLeases.js';
import { resultOf } from '../unit/jobs/results.js';
import { requestOf } from '../unit/jobs/support.js';
import { FakeClock } from '../unit/service/fakeClock.js';

const changedAt = '2026-01-01T00:00:00.000Z';
const unexpected = () => assert.fail('nothing is done about them');

const day = 24 * 60 * 60 * 1000;

suite('files of a later version', () => {
	let storage: string;
	let journal: Journal;
	let leases: Leases;

	setup(async () => {
		storage = await mkdtemp(path.join(tmpdir(), 'easel-newer-'));
		journal = new Journal(path.join(storage, 'jobs'));
		leases = new Leases();
	});

	teardown(async () => {
		await leases.dispose();
		await rm(storage, { recursive: true, maxRetries: 10 });
	});

	/** All files below a folder, with what they hold. */
	async function contentOf(folder: string): Promise<Record<string, string>> {
		const found = await readdir(folder, { recursive: true, withFileTypes: true });
		const files = found.filter((entry) => entry.isFile());
		return Object.fromEntries(
			await Promise.all(
				files.map(async ({ parentPath, name }) => {
					const file = path.join(parentPath, name);
					return [path.relative(folder, file), await readFile(file, 'utf8')] as const;
				}),
			),
		);
	}

	const write = (file: string, content: object) => writeFile(file, JSON.stringify(content));

	const finished = () =>
		new FinishedJobs({
			gallery: new Gallery(storage),
			ledger: new Ledger(storage),
			images: { holds: () => Promise.resolve(true) },
			onRemoved: (folder) => assert.fail(folder),
		});

	/** Jobs as a later version may leave them, with the files beside them. */
	const states: readonly (readonly [what: string, state: object, image?: true])[] = [
		[
			'saved, with its recipe where no place is known',
			{
				state: 'saved',
				result: resultOf(),
				target: 'file:///a',
				recipe: { where: 'inSidecarXmp' },
			},
		],
		[
			'received, of a format that is not known',
			{ state: 'received', result: { format: 'avif' } },
			true,
		],
		['in a state that is not known', { state: 'upscaling', attempts: 'none' }, true],
		['just as this version writes it', { state: 'cancelled', charge: 'unknown', notified: true }],
		[
			'saved and reported',
			{ state: 'saved', result: resultOf(), target: 'file:///a', notified: true },
		],
		['as a failure that is long dismissed', { state: 'failed', notified: true, dismissed: true }],
		['waiting', { state: 'waiting' }],
	];

	async function writeJobs(): Promise<string[]> {
		const folders: string[] = [];
		const make = async (request: object, state: object | undefined, image?: true) => {
			const folder = journal.folder(crypto.randomUUID());
			await mkdir(folder, { recursive: true });
			await write(path.join(folder, 'request.json'), request);
			if (state !== undefined) {
				await write(path.join(folder, 'state.json'), state);
			}
			if (image) {
				await writeFile(path.join(folder, 'image'), 'paid for');
			}
			await utimes(folder, new Date(changedAt), new Date(changedAt));
			folders.push(folder);
		};
		for (const [, state, image] of states) {
			const whole = { attempts: [], changedAt, ...state, format: 2 };
			await make(requestOf(), whole, image);
			await make({ ...requestOf(), format: 2, kind: 'video', prompt: '' }, whole, image);
		}
		const queued = { format: 1, state: 'queued', attempts: [], changedAt };
		await make({ format: 2, id: 'of another kind' }, queued);
		await make({ format: 3, references: 'elsewhere' }, undefined);
		return folders;
	}

	test('of jobs: whatever a window does, they stay as they are and are reported once, together', async () => {
		const folders = await writeJobs();
		// One whose window has ended while it made it.
		const half = journal.folder(crypto.randomUUID());
		await mkdir(half);
		await write(path.join(half, 'state.json'), { format: 2, state: 'planned' });
		await utimes(half, new Date(changedAt), new Date(changedAt));
		const before = await contentOf(storage);
		const reported: string[][] = [];
		for (let windows = 0; windows < 2; windows += 1) {
			await recover(journal, leases, {
				...{ resume: unexpected, listFailure: unexpected, dismiss: unexpected },
				listUnsaved: unexpected,
				belongsHere: () => true,
				askAbout: (entries) => Promise.resolve(assert.deepEqual(entries, [])),
				reportDamaged: (damaged) => {
					assert.deepEqual(damaged, []);
				},
				reportNewer: (some) => reported.push([...some]),
				removeFinished: async (some) => {
					assert.deepEqual(some, []);
					await finished().removeAll(folders);
				},
				signal: new AbortController().signal,
			});
		}
		const all = [...folders, half].sort();
		assert.deepEqual(
			reported.map((some) => some.sort()),
			[all, all],
		);
		const end: JobState = { state: 'cancelled', charge: 'notSent', attempts: [], changedAt };
		for (const folder of folders) {
			await assert.rejects(readEntry(folder), NewerFormatError);
		}
		for (const folder of folders.slice(0, -2)) {
			await assert.rejects(readState(folder), NewerFormatError);
			await assert.rejects(writeState(folder, end), NewerFormatError);
			assert.equal(await persistState(folder, end), false);
			await finished().remove(folder);
			await assert.rejects(
				followJob(
					{ folder, request: requestOf() },
					AbortSignal.abort(),
					unexpected,
					unexpected,
					new FakeClock(),
				),
			);
		}
		assert.deepEqual(await contentOf(storage), before);
	});

	test('of leases: they count as held for a day, and what was given back is free at once', async () => {
		const folder = path.join(storage, 'slots', '0');
		await mkdir(folder, { recursive: true });
		const file = path.join(folder, 'slot.1');
		const lease = { format: 2, owner: { host: 'here' }, id: crypto.randomUUID() };
		await write(file, lease);
		assert.equal(await leaseStatus(await readLease(folder, 'slot')), 'unknown');
		assert.equal(await leases.acquire(folder, 'slot'), 'unknown');
		const touch = (age: number) => utimes(file, new Date(), new Date(Date.now() - age));
		await touch(day - 60_000);
		assert.equal(await leaseStatus(await readLease(folder, 'slot')), 'unknown');
		await touch(day + 60_000);
		assert.deepEqual(await leases.acquire(folder, 'slot'), { folder, name: 'slot', number: 2 });
		await leases.release(folder, 'slot');
		await write(path.join(folder, 'slot.4'), { format: 2 });
		assert.deepEqual(await leases.acquire(folder, 'slot'), { folder, name: 'slot', number: 5 });
	});

	/** Lines of a later version, and a file in which so much was overtaken that it is written anew. */
	async function writeLines(name: string, lines: readonly object[]): Promise<string> {
		const file = path.join(storage, name);
		await writeFile(file, lines.map((line) => `\n${JSON.stringify(line)}`).join(''));
		return file;
	}

	const ids = (count: number) => Array.from({ length: count }, () => crypto.randomUUID());

	test('of annotations: lines and fields that are not known stay', async () => {
		const [known, ...others] = ids(30) as [string, ...string[]];
		const later = [
			...others.map((image) => ({ format: 1, image, isFavorite: true, rating: 5 })),
			...ids(50).map((image) => ({ format: 2, image, kept: 'maybe' })),
			...ids(50).map((image) => ({ format: 2, image, title: 'of a later version' })),
			...ids(50).map((album) => ({ album, images: [] })),
			{ format: 2, image: known, note: 'of a later version' },
		];
		const file = await writeLines('marks.jsonl', later);
		const annotations = new Annotations(storage);
		for (let time = 0; time < 10; time += 1) {
			await annotations.setImages([others[0]!], { title: String(time) });
			await annotations.setImages([known], { isFavorite: false });
		}
		assert.deepEqual((await annotations.read()).ofImage(known), {
			image: known,
			isFavorite: false,
		});
		await new Annotations(storage).read();
		const [last] = (await readFile(file, 'utf8'))
			.split('\n')
			.filter((line) => line.includes('"9"'));
		assert.deepEqual(JSON.parse(last!), { ...later[0], title: '9' });
	});

	const image = {
		savedAt: changedAt,
		target: 'file:///w/a.png',
		operation: 'generate',
		prompt: 'a fox',
		size: '1024x1024',
		references: [],
		referenceHashes: [],
		...{ width: 1, height: 1, bytes: 1 },
	};

	test('of the gallery: lines and fields that are not known stay', async () => {
		const later = [
			{ format: 1, ...image, id: crypto.randomUUID(), faces: 2 },
			...ids(100).map((id) => ({ format: 2, ...image, id })),
			...ids(200).map((id) => ({ ...image, id, size: 'huge' })),
			...ids(20).map((id) => ({ format: 2, id, none: 'moved to an album' })),
		];
		const file = await writeLines('gallery.jsonl', later);
		const gallery = new Gallery(storage);
		const images = await gallery.list();
		assert.equal(images.length, 1);
		const faces = images.find((one) => 'faces' in one);
		await gallery.remove(faces!);
		await gallery.restore(faces!);
		const lines = (await readFile(file, 'utf8')).split('\n');
		assert.deepEqual(JSON.parse(lines.at(-1)!), later[0]);
	});

	test('of prompts that are being written: they stay, and are not listed', async () => {
		const drafts = new PromptDrafts(storage);
		const purpose: PromptPurpose = {
			...{ operation: 'generate', size: '1024x1024', quality: 'unset', count: 1, references: [] },
		};
		const id = await drafts.create(purpose, '');
		const file = path.join(path.dirname(drafts.file(id)), 'purpose.json');
		const later = { format: 2, purposes: [purpose] };
		await write(file, later);
		await utimes(drafts.file(id), new Date(changedAt), new Date(changedAt));
		await drafts.create(purpose, 'a fox');
		assert.equal((await drafts.list()).length, 1);
		assert.equal(await drafts.purpose(id), undefined);
		await assert.rejects(drafts.setPurpose(id, purpose), NewerFormatError);
		assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), later);
		assert.equal(await readFile(drafts.file(id), 'utf8'), '');
	});

	test('that know them, too: each of this version says that it is the first', async () => {
		const entry = await journal.create(requestOf());
		const state: JobState = {
			...{ state: 'saved', attempts: [], changedAt },
			...{ result: resultOf(), target: 'file:///a' },
		};
		await writeState(entry.folder, state);
		await leases.acquire(entry.folder, 'window');
		await writeNextLease(entry.folder, 'worker', 0, undefined);
		const saved = { ...entry, state };
		await new Gallery(storage).add(saved);
		await new Ledger(storage).add([saved]);
		await new Annotations(storage).setImages([entry.request.id], { isFavorite: true });
		await new PromptDrafts(storage).create(
			{ operation: 'edit', size: 'auto', quality: 'unset', count: 1, references: [] },
			'a fox',
		);
		const files = Object.entries(await contentOf(storage));
		const ours = files.filter(([name]) => path.basename(name) !== 'Image Prompt');
		assert.equal(ours.length, 8);
		for (const [name, text] of ours) {
			for (const line of name.endsWith('.jsonl') ? text.trim().split('\n') : [text]) {
				assert.equal((JSON.parse(line) as { format?: unknown }).format, 1, name);
			}
		}
	});
});
