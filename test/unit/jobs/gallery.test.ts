import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Gallery, type GalleryImage } from '../../../src/jobs/gallery.js';
import type { JobEntry } from '../../../src/jobs/jobFolder.js';
import type { GenerationRequest } from '../../../src/jobs/request.js';
import type { StateNamed } from '../../../src/jobs/state.js';
import { resultOf } from './results.js';
import { referenceOf, requestOf, roundOf } from './support.js';
import { scratch as storage, useScratch } from '../scratch.js';

suite('jobs › gallery', () => {
	useScratch();
	let gallery: Gallery;
	const file = () => path.join(storage, 'gallery.jsonl');

	setup(() => {
		gallery = new Gallery(storage);
	});

	/** Opens it as another window, or this one after a reload. */
	const reopened = () => new Gallery(storage);

	const prompts = async (one: Gallery) => (await one.list()).map(({ prompt }) => prompt);

	/** A job whose image is saved. */
	function saved(
		prompt: string,
		minute: number,
		more: Partial<GenerationRequest> = {},
	): JobEntry & { readonly state: StateNamed<'saved'> } {
		const request = requestOf({
			createdAt: '2026-01-01T00:00:00.000Z',
			prompt,
			quality: 'low',
			workspaceFolder: 'file:///w',
			...more,
		});
		const state = {
			state: 'saved',
			attempts: [],
			changedAt: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
			target: `file:///w/images/${encodeURIComponent(prompt)}.png`,
			result: resultOf({ height: 1024 }),
		} as const;
		return {
			folder: path.join(storage, 'jobs', request.id),
			request,
			state: { ...state, attempts: [] },
		};
	}

	/** Saves an image in another window. */
	async function save(
		prompt: string,
		minute: number,
		more?: Partial<GenerationRequest>,
	): Promise<JobEntry> {
		const entry = saved(prompt, minute, more);
		await reopened().add(entry);
		return entry;
	}

	test('keeps the images of a style apart from those that the user has chosen', async () => {
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

	test('adds what is missing, and leaves what is known or was removed as it is', async () => {
		const [moved, removed, missing] = [saved('moved', 1), saved('removed', 2), saved('missing', 3)];
		await gallery.add(moved);
		await gallery.add(removed);
		const [second, first] = (await gallery.list()) as [GalleryImage, GalleryImage];
		await gallery.restore({ ...first, target: 'file:///w/elsewhere.png' });
		await gallery.remove(second);
		await reopened().addMissing([moved, removed, missing]);
		await reopened().addMissing([moved, removed, missing]);
		assert.deepEqual(
			(await gallery.list()).map(({ prompt, target }) => [prompt, target]),
			[
				['missing', missing.state.target],
				['moved', 'file:///w/elsewhere.png'],
			],
		);
		assert.equal((await readFile(file(), 'utf8')).trim().split('\n').length, 5);
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

	/** Lines as another window writes them. */
	async function write(lines: readonly object[]): Promise<void> {
		await writeFile(file(), lines.map((line) => `\n${JSON.stringify(line)}`).join(''));
	}

	/** An image that is not in the file. */
	async function savedLongAgo(): Promise<GalleryImage> {
		await save('a harbor', 1);
		const [one] = (await gallery.list()) as [GalleryImage];
		await rm(file());
		return one;
	}

	test('knows all of an image that is worth knowing, and nothing that was not said', async () => {
		const references = [
			referenceOf(1),
			{ ...referenceOf(2), source: 'file:///b.png', sha256: 'b' },
		];
		const whence = {
			round: roundOf({ number: 2, place: 1 }),
			regeneratedFrom: 'file:///w/images/a%20try.png',
		};
		const { request, ...entry } = saved('a harbor', 1, { ...whence, references });
		delete request.workspaceFolder;
		await gallery.add({ ...entry, request });
		assert.deepEqual(await gallery.list(), [
			{
				id: request.id,
				savedAt: '2026-01-01T00:01:00.000Z',
				target: 'file:///w/images/a%20harbor.png',
				operation: 'generate',
				prompt: 'a harbor',
				size: '1024x1024',
				quality: 'low',
				references: ['file:///a.png', 'file:///b.png'],
				referenceHashes: ['', 'b'],
				...whence,
				width: 1024,
				height: 1024,
				bytes: 5,
				sha256: 'ab',
			},
		]);
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
});
