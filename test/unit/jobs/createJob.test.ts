import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { saying } from '../saying.js';
import { wordsOf } from '../../../src/editor/errorTexts.js';
import { createJob, WindowLeftError, type ReferenceSource } from '../../../src/jobs/createJob.js';
import { Journal } from '../../../src/jobs/journal.js';
import { readEntry, windowLease } from '../../../src/jobs/jobFolder.js';
import { readLease } from '../../../src/jobs/leaseFiles.js';
import { EaselError } from '../../../src/easelError.js';
import { Leases } from '../../../src/jobs/windowLeases.js';
import { RequestError } from '../../../src/service/errors.js';
import { referencePng } from '../service/support.js';
import { requestOf } from './support.js';
import { logTo } from '../../../src/log.js';
import { scratch as root, useScratch } from '../scratch.js';

suite('jobs › createJob', () => {
	useScratch();
	let journal: Journal;
	let leases: Leases;
	let png: Uint8Array;
	const troubles: string[] = [];

	suiteSetup(async () => {
		png = await referencePng();
	});

	setup(() => {
		journal = new Journal(path.join(root, 'jobs'));
		leases = new Leases();
		troubles.length = 0;
		logTo({ error: (what) => troubles.push(what) });
	});

	teardown(async () => {
		await leases.dispose();
	});

	function source(fileName: string, bytes: Uint8Array | Error = png): ReferenceSource {
		return {
			uri: `file:///w/${fileName}`,
			fileName,
			fetch: (copy) =>
				bytes instanceof Error ? Promise.reject(bytes) : writeFile(copy, bytes, { flag: 'wx' }),
		};
	}

	function create(references: readonly ReferenceSource[]) {
		const request = requestOf({ operation: 'edit' });
		return createJob(request, references, {
			journal,
			leases,
		});
	}

	test('writes the request, with copies of its references and what they are', async () => {
		const entry = await create([source('a.png'), source('a.png', await referencePng('another'))]);
		assert.deepEqual(await readEntry(entry.folder), entry);
		assert.equal(entry.folder, path.join(journal.root, entry.request.id));
		assert.equal(entry.state.state, 'queued');
		assert.ok(Math.abs(Date.now() - Date.parse(entry.request.createdAt)) < 60_000);
		const [first, second] = entry.request.references;
		assert.deepEqual(first, {
			path: path.join(entry.folder, 'references', '1', 'a.png'),
			source: 'file:///w/a.png',
			fileName: 'a.png',
			contentType: 'image/png',
			width: 1024,
			height: 1024,
			bytes: png.length,
			sha256: createHash('sha256').update(png).digest('hex'),
		});
		assert.deepEqual(await readFile(first?.path ?? ''), Buffer.from(png));
		assert.equal(second?.path, path.join(entry.folder, 'references', '2', 'a.png'));
		assert.notEqual(second.sha256, first?.sha256);
	});

	test('is this window’s before anything else is there', async () => {
		let held: unknown;
		const watching: ReferenceSource = {
			...source('a.png'),
			fetch: async (copy) => {
				const folder = path.dirname(path.dirname(path.dirname(copy)));
				held = (await readLease(folder, windowLease))?.owner;
				assert.ok(!(await readdir(folder)).includes('request.json'));
				await writeFile(copy, png);
			},
		};
		const { folder } = await create([watching]);
		assert.ok(typeof held === 'object');
		assert.equal((await readLease(folder, windowLease))?.number, 1);
	});

	test('keeps the copies in their folders, whatever the references are called', async () => {
		const names = [
			'..\\..\\..\\evil.png',
			'con.png',
			'a:b.png',
			'..',
			'',
			`${'x'.repeat(400)}.png`,
		];
		const { folder, request } = await create(names.map((name) => source(name)));
		for (const [index, reference] of request.references.entries()) {
			const place = path.join(folder, 'references', String(index + 1));
			assert.equal(reference.path, path.join(place, 'image'));
			assert.deepEqual(await readdir(place), ['image']);
			assert.equal(reference.fileName, names[index]);
		}
	});

	test('names the reference that is no image, and leaves nothing', async () => {
		await assert.rejects(
			create([source('a.png'), source('b.png', Buffer.from('no image at all'))]),
			(error: unknown) => {
				assert.ok(error instanceof RequestError);
				assert.equal(error.field, 'references[1]');
				assert.match(wordsOf(error), /b\.png.* Nothing was sent\.$/);
				assert.ok(error.cause instanceof Error);
				return true;
			},
		);
		assert.deepEqual(await readdir(journal.root), []);
		assert.deepEqual(troubles, []);
	});

	test('makes nothing in a window that has left its images to another one', async () => {
		const left = Object.assign(new Leases(), { left: AbortSignal.abort() });
		const making = createJob(requestOf({}), [source('a.png')], { journal, leases: left });
		await assert.rejects(making, saying(/Nothing was sent\. Reload this window /, WindowLeftError));
		await assert.rejects(readdir(journal.root), { code: 'ENOENT' });
		assert.deepEqual(troubles, []);
	});

	for (const [what, disturb, code] of [
		[
			'is left to another window meanwhile',
			(_mine: Leases, left: AbortController) => left.abort(),
			'window.left',
		],
		['closes meanwhile', () => undefined, 'window.notOwner'],
	] as const) {
		test(`makes nothing in a window that ${what}`, async () => {
			const left = new AbortController();
			const mine = Object.assign(new Leases(), { left: left.signal });
			const acquire = mine.acquire.bind(mine);
			mine.acquire = async (...which) => {
				disturb(mine, left);
				await mine.dispose();
				return acquire(...which);
			};
			const making = createJob(requestOf({}), [source('a.png')], { journal, leases: mine });
			await assert.rejects(making, saying(/Nothing was sent\./, EaselError));
			await assert.rejects(making, (error: EaselError) => error.facts.code === code);
			assert.deepEqual(await readdir(journal.root), []);
			assert.deepEqual(troubles, []);
		});
	}

	test('passes on every other failure as it is, leaves nothing, and holds nothing', async () => {
		const failure = new Error('it cannot be copied');
		const released: string[] = [];
		const release = leases.release.bind(leases);
		leases.release = async (folder, name) => {
			released.push(name);
			await release(folder, name);
		};
		await assert.rejects(create([source('a.png', failure)]), failure);
		assert.deepEqual(await readdir(journal.root), []);
		assert.deepEqual(released, [windowLease]);
	});
});
