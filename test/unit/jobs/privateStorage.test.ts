import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DiskPlace, swapFile } from '../../../src/editor/swapFiles.js';
import { BackupStore } from '../../../src/editor/backupStore.js';
import { createJob } from '../../../src/jobs/createJob.js';
import { diskDestination } from '../../../src/jobs/diskDestination.js';
import { Gallery } from '../../../src/jobs/gallery.js';
import { Journal } from '../../../src/jobs/journal.js';
import { imageFile, workerLease, writeState } from '../../../src/jobs/jobFolder.js';
import { listenLocally } from '../../../src/jobs/localSocket.js';
import type { StateNamed } from '../../../src/jobs/state.js';
import { Slots } from '../../../src/jobs/slots.js';
import { Leases } from '../../../src/jobs/windowLeases.js';
import { receiveImage } from '../service/receive.js';
import { referencePng } from '../service/support.js';
import { resultOf } from './results.js';
import { requestOf } from './support.js';
import { scratch, useScratch } from '../scratch.js';

// Windows has no modes to look at.
if (process.platform !== 'win32') {
	suite('our storage', () => {
		useScratch();
		let png: Uint8Array;
		const before = process.umask();

		suiteSetup(async () => {
			png = await referencePng();
		});

		teardown(() => {
			process.umask(before);
		});

		const modeOf = async (file: string) => (await lstat(file)).mode & 0o777;

		async function modesBelow(folder: string): Promise<ReadonlyMap<string, string>> {
			const modes = new Map<string, string>();
			for (const name of ['', ...(await readdir(folder, { recursive: true }))]) {
				const file = path.join(folder, name);
				const kind = (await stat(file)).isDirectory() ? 'folder' : 'file';
				modes.set(name, `${kind} ${(await modeOf(file)).toString(8)}`);
			}
			return modes;
		}

		for (const umask of [0, 0o022]) {
			test(`is readable by the user alone, with the mask ${umask.toString(8).padStart(3, '0')}`, async () => {
				process.umask(umask);
				const storage = path.join(scratch, 'storage');
				const journal = new Journal(path.join(storage, 'jobs'));
				const leases = new Leases();
				const slots = new Slots(path.join(storage, 'slots'), leases, journal);
				const picture = path.join(scratch, 'picture.png');
				await writeFile(picture, png, { mode: 0o644 });
				try {
					const reference = {
						uri: `file://${picture}`,
						fileName: 'picture.png',
						fetch: (copy: string) => writeFile(copy, png, { mode: 0o600 }),
					};
					const entry = await createJob(requestOf({ operation: 'edit' }), [reference], {
						journal,
						leases,
					});
					await leases.acquire(entry.folder, workerLease);
					await slots.acquire({ limit: () => 1, signal: new AbortController().signal });
					const saved: StateNamed<'saved'> = {
						state: 'saved',
						attempts: [],
						target: 'file:///w/a.png',
						changedAt: '2026-01-01T00:00:00.000Z',
						result: resultOf(),
					};
					await writeState(entry.folder, saved);
					await new Gallery(storage).add({ ...entry, state: saved });
					await new BackupStore(storage).add(picture);
					const modes = await modesBelow(storage);
					assert.ok(modes.size >= 12, [...modes.keys()].join(', '));
					const open = [...modes].filter(
						([, mode]) => mode !== 'folder 700' && mode !== 'file 600',
					);
					assert.deepEqual(open, []);
				} finally {
					await leases.dispose();
				}
			});

			test(`gives images the usual mode, with the mask ${umask.toString(8).padStart(3, '0')}`, async () => {
				process.umask(umask);
				const usual = 0o666 & ~umask;
				const job = path.join(scratch, 'job');
				await mkdir(job, { mode: 0o700 });
				// It has that mode from the start, in a closed folder: a hard link is the same file.
				const answer = JSON.stringify({
					data: [{ b64_json: randomBytes(999).toString('base64') }],
				});
				await receiveImage([Buffer.from(answer)], path.join(job, imageFile));
				const workspace = path.join(scratch, 'workspace');
				const destination = diskDestination(workspace, {
					names: () => ['a.png'],
					...{ id: crypto.randomUUID(), toUri: String, toPath: String },
				});
				await destination.put(path.join(job, imageFile), () => Promise.resolve());
				assert.equal(await modeOf(path.join(workspace, 'a.png')), usual);

				const backups = new BackupStore(path.join(scratch, 'storage'));
				const sha256 = await backups.add(path.join(workspace, 'a.png'));
				assert.equal(await modeOf(backups.file(sha256)), 0o600);
				await swapFile(new DiskPlace(path.join(workspace, 'b.png')), backups, undefined, sha256);
				assert.equal(await modeOf(path.join(workspace, 'b.png')), usual);
			});

			test(`has sockets for the user alone, with the mask ${umask.toString(8).padStart(3, '0')}`, async () => {
				process.umask(umask);
				const socket = await listenLocally(() => undefined);
				try {
					assert.equal(await modeOf(path.dirname(socket.address)), 0o700);
				} finally {
					await socket.close();
				}
			});
		}
	});
}
