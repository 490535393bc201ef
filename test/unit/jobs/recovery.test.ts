import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Journal, now, writeState, type JobEntry } from '../../../src/jobs/journal.js';
import { Leases } from '../../../src/jobs/leases.js';
import { recover, type Recovery } from '../../../src/jobs/recovery.js';
import type { JobState } from '../../../src/jobs/state.js';
import { until } from '../../host/until';
import { bundle, requestOf } from './support.js';

const day = 24 * 60 * 60 * 1000;

suite('jobs › recovery', () => {
	let root: string;
	let jobs: string;
	let journal: Journal;

	setup(async () => {
		root = await mkdtemp(path.join(tmpdir(), 'easel-recovery-'));
		jobs = path.join(root, 'jobs');
		journal = new Journal(jobs);
	});

	teardown(() => rm(root, { recursive: true }));

	async function leave(change?: Partial<JobState>): Promise<JobEntry> {
		const entry = await journal.create(requestOf());
		if (change !== undefined) {
			await writeState(entry.folder, {
				attempts: [],
				changedAt: now(),
				...change,
			} as JobState);
		}
		return entry;
	}

	const failed = (changedAt: string, change: Partial<JobState> = {}): Partial<JobState> => ({
		state: 'interrupted',
		charge: 'ambiguous',
		reason: 'it was killed',
		told: true,
		changedAt,
		...change,
	});

	/** Leaves what cannot become a job any more: made for so short that nothing was asked for. */
	async function leaveHalfMade(): Promise<void> {
		const folder = journal.folder(crypto.randomUUID());
		await mkdir(folder, { recursive: true });
		const longAgo = new Date(Date.now() - day);
		await utimes(folder, longAgo, longAgo);
	}

	/** Looks through the journal once, in this process. */
	async function look(change: Partial<Recovery> = {}) {
		const leases = new Leases();
		const ending = new AbortController();
		const seen: Record<
			'taken' | 'asked' | 'failures' | 'unsaved' | 'damaged' | 'troubles',
			string[]
		> = { taken: [], asked: [], failures: [], unsaved: [], damaged: [], troubles: [] };
		const note = (list: keyof typeof seen) => (entry: JobEntry) => {
			seen[list].push(entry.folder);
			return Promise.resolve();
		};
		await recover(journal, leases, {
			signal: ending.signal,
			belongsHere: () => true,
			takeUp: note('taken'),
			askAbout: (entries) => Promise.all(entries.map(note('asked'))),
			listFailure: (entry) => void note('failures')(entry),
			listUnsaved: (entry) => void note('unsaved')(entry),
			tellDamaged: (damaged) => seen.damaged.push(...damaged.map(({ folder }) => folder)),
			onTrouble: (what, error) => seen.troubles.push(`${what}: ${String(error)}`),
			...change,
		});
		return {
			seen,
			end: async () => {
				ending.abort();
				await leases.dispose();
			},
		};
	}

	test('by six windows at once takes up each of 300 jobs in exactly one of them, whatever they clean', async () => {
		const script = await bundle(`import { Journal } from './src/jobs/journal.ts';
			import { Leases } from './src/jobs/leases.ts';
			import { recover } from './src/jobs/recovery.ts';
			process.stdin.once('data', async () => {
				await recover(new Journal(${JSON.stringify(jobs)}), new Leases(), {
					signal: new AbortController().signal,
					belongsHere: () => true,
					takeUp: async ({ folder }) => console.log('took ' + folder),
					askAbout: async () => {},
					listFailure: () => {},
					listUnsaved: () => {},
					tellDamaged: () => {},
					onTrouble: (what, error) => console.log('trouble ' + what + ' ' + error),
				});
				console.log('read');
			});
			console.log('ready');`);
		const entries: JobEntry[] = [];
		for (let index = 0; index < 300; index += 1) {
			entries.push(await leave());
			await leaveHalfMade();
		}
		const taken = new Map<string, number[]>();
		const troubles: string[] = [];
		let read = 0;
		let lastToTake = 0;
		const windows: ChildProcess[] = [];
		try {
			for (let index = 0; index < 6; index += 1) {
				const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
				windows.push(child);
				createInterface({ input: child.stdout }).on('line', (line) => {
					const [, what, rest = ''] = /^(\w+) ?(.*)$/.exec(line) ?? [];
					if (what === 'took') {
						taken.set(rest, [...(taken.get(rest) ?? []), index]);
						lastToTake = index;
					} else if (what === 'trouble') {
						troubles.push(rest);
					} else if (what === 'read') {
						read += 1;
					}
				});
			}
			await Promise.all(windows.map(({ stdout }) => once(stdout!, 'data')));
			windows.forEach(({ stdin }) => stdin!.write('go\n'));
			await until(
				() => read === windows.length && taken.size === entries.length,
				'all to be taken',
			);
			assert.deepEqual(troubles, []);
			assert.deepEqual(
				[...taken.values()].filter((by) => by.length !== 1),
				[],
			);

			// One dies: what it had goes to the others, once.
			const lost = [...taken].filter(([, [by]]) => by === lastToTake).map(([folder]) => folder);
			windows[lastToTake]!.kill('SIGKILL');
			await until(
				() => lost.every((folder) => taken.get(folder)!.length === 2),
				'the jobs of a dead window to be taken',
			);
			assert.deepEqual(
				[...taken.values()].filter((by) => by.length > 2),
				[],
			);
		} finally {
			windows.forEach((each) => each.kill('SIGKILL'));
		}
	});

	test('leaves what has ended, lists what has failed lately, and asks about what is old', async () => {
		const ended = await leave({ state: 'cancelled', charge: 'notSent', told: true });
		const lately = await leave(failed(now()));
		await leave(failed(new Date(Date.now() - 8 * day).toISOString()));
		await leave(failed(now(), { dismissed: true }));
		const queued = await leave();
		const old = await journal.create(
			requestOf({ createdAt: new Date(Date.now() - 2 * day).toISOString() }),
		);
		// A clock that was set back makes it one of tomorrow.
		const ahead = await journal.create(
			requestOf({ createdAt: new Date(Date.now() + 2 * day).toISOString() }),
		);
		const { seen, end } = await look();
		await until(() => seen.taken.length > 0 && seen.asked.length > 1, 'a job to be taken up');
		assert.deepEqual(seen.taken, [queued.folder]);
		assert.deepEqual(seen.failures, [lately.folder]);
		assert.deepEqual(seen.asked, [old.folder, ahead.folder]);
		assert.ok(!Object.values(seen).flat().includes(ended.folder));
		await end();
	});

	test('tells of a damaged entry and takes up the sound one beside it', async () => {
		const sound = await leave();
		const damaged = await leave();
		await writeFile(path.join(damaged.folder, 'request.json'), '{"id":');
		const { seen, end } = await look();
		await until(() => seen.taken.length > 0, 'a job to be taken up');
		assert.deepEqual(seen.damaged, [damaged.folder]);
		assert.deepEqual(seen.taken, [sound.folder]);
		await end();
	});

	test('goes on with the others where one cannot be dealt with, and says so', async () => {
		const entries = [await leave(), await leave(), await leave()];
		const taken: string[] = [];
		const { seen, end } = await look({
			takeUp: ({ folder }) => {
				if (folder === entries[1]!.folder) {
					throw new Error('it cannot be done');
				}
				taken.push(folder);
				return Promise.resolve();
			},
		});
		await until(() => taken.length === 2 && seen.troubles.length > 0, 'the others to be taken up');
		assert.deepEqual(seen.troubles, [
			'A job could not be taken up again: Error: it cannot be done',
		]);
		await end();
	});

	test('looks again at what could not be read, as long as the window is open', async () => {
		const entry = await leave();
		const request = path.join(entry.folder, 'request.json');
		const text = await readFile(request);
		await rm(request);
		await mkdir(request);
		const leases = new Leases();
		const ending = new AbortController();
		const taken: string[] = [];
		const troubles: string[] = [];
		const recovering = recover(journal, leases, {
			signal: ending.signal,
			belongsHere: () => true,
			takeUp: ({ folder }) => Promise.resolve(taken.push(folder)),
			askAbout: () => Promise.resolve(),
			listFailure: () => undefined,
			listUnsaved: () => undefined,
			tellDamaged: () => undefined,
			onTrouble: (what) => troubles.push(what),
		});
		await until(() => troubles.length > 0, 'trouble');
		assert.match(troubles[0]!, /^An entry of the journal cannot be read just now/);
		await rm(request, { recursive: true });
		await writeFile(request, text);
		await recovering;
		await until(() => taken.length > 0, 'it to be taken up');
		assert.deepEqual(taken, [entry.folder]);
		ending.abort();
		await leases.dispose();
	});

	test('lists an image of another workspace only where no window takes care of it', async () => {
		const received: Partial<JobState> = {
			state: 'received',
			result: {
				file: '/nowhere/image',
				format: 'png',
				contentType: 'image/png',
				extension: '.png',
				width: 1,
				height: 1,
				bytes: 1,
				sha256: 'a'.repeat(64),
				elapsedMs: 1,
			},
		};
		const nobodys = await leave(received);
		const theirs = await leave(received);
		const running = await leave();
		const other = new Leases();
		await other.take(theirs.folder, 'window');
		const { seen, end } = await look({ belongsHere: () => false });
		await until(() => seen.unsaved.length > 0, 'an image to be listed');
		assert.deepEqual(seen.unsaved, [nobodys.folder]);
		assert.ok(!seen.taken.includes(running.folder));
		await other.dispose();
		await end();
	});
});
