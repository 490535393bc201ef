import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import esbuild from 'esbuild';
import { Claims } from '../../../src/jobs/claim.js';
import { Journal, now, writeState, type JobEntry } from '../../../src/jobs/journal.js';

suite('jobs › journal', () => {
	let root: string;
	let journal: Journal;

	setup(async () => {
		root = await mkdtemp(path.join(tmpdir(), 'easel-journal-'));
		journal = new Journal(path.join(root, 'jobs'));
	});

	teardown(() => rm(root, { recursive: true }));

	function create(createdAt = now()): Promise<JobEntry> {
		return journal.create({
			id: crypto.randomUUID(),
			createdAt,
			operation: 'generate',
			model: 'std-image-2',
			prompt: 'a harbor',
			size: '1024x1024',
			references: [],
			target: { folder: 'file:///nowhere', stem: 'a-harbor' },
		});
	}

	test('is empty before the first job', async () => {
		assert.deepEqual(await journal.list(), { entries: [], damaged: [] });
	});

	test('gives back what was written, oldest first', async () => {
		const later = await create('2026-01-02T00:00:00.000Z');
		const earlier = await create('2026-01-01T00:00:00.000Z');
		assert.deepEqual(await journal.list(), { entries: [earlier, later], damaged: [] });
	});

	for (const file of ['state.json', 'request.json']) {
		test(`sets aside an entry whose ${file} was cut off, at whatever length, and loses no image`, async () => {
			const sound = await create();
			const whole = await readFile(path.join((await create()).folder, file));
			for (let length = 0; length < whole.length; length += 1) {
				const { folder } = await create();
				await writeFile(path.join(folder, 'image'), 'paid for');
				await writeFile(path.join(folder, file), whole.subarray(0, length));
				const { damaged, entries } = await journal.list();
				assert.equal(damaged.length, 1, String(length));
				assert.ok(entries.some(({ folder: other }) => other === sound.folder));
				const aside = damaged[0]?.folder ?? '';
				assert.equal(await readFile(path.join(aside, 'image'), 'utf8'), 'paid for');
				assert.equal((await journal.list()).damaged.length, 0, 'it is told once');
				await rm(aside, { recursive: true });
			}
		});
	}

	test('forgets a folder whose job was never written: nothing was asked for', async () => {
		const [half, alive, fresh] = ['half', 'alive', 'fresh'].map((name) =>
			path.join(journal.root, name),
		) as [string, string, string];
		for (const folder of [half, alive, fresh]) {
			await mkdir(path.join(folder, 'references'), { recursive: true });
		}
		// A window that lives may just be making it, however long its references take to copy.
		const claims = new Claims();
		await claims.take(alive);
		const before = new Date(Date.now() - 3_600_000);
		for (const folder of [half, alive]) {
			await utimes(folder, before, before);
		}
		assert.deepEqual(await journal.list(), { entries: [], damaged: [] });
		assert.deepEqual((await readdir(journal.root)).sort(), ['alive', 'fresh']);
		await claims.dispose();
		await utimes(alive, before, before);
		await journal.list();
		assert.deepEqual(await readdir(journal.root), ['fresh']);
	});

	const day = 24 * 60 * 60 * 1000;

	async function over(entry: JobEntry): Promise<void> {
		await writeState(entry.folder, {
			state: 'cancelled',
			charge: 'notSent',
			attempts: [],
			changedAt: now(),
		});
	}

	test('is cleaned of what is over and older than 90 days, and of nothing else', async () => {
		const [undelivered, done] = [await create(), await create()];
		await over(done);
		const list = async () => (await journal.list()).entries.map(({ folder }) => folder);
		const both = [undelivered.folder, done.folder].sort();
		await journal.cleanUp((await journal.list()).entries, Date.now() + 89 * day);
		assert.deepEqual((await list()).sort(), both);
		// A clock that was set back makes entries look younger, never older.
		await journal.cleanUp((await journal.list()).entries, Date.now() - 400 * day);
		assert.deepEqual((await list()).sort(), both);
		await journal.cleanUp((await journal.list()).entries, Date.now() + 91 * day);
		assert.deepEqual(await list(), [undelivered.folder]);
	});

	test('keeps the last thousand jobs', async () => {
		const entry = await create();
		await over(entry);
		const { entries } = await journal.list();
		const many = Array.from({ length: 1000 }, () => entries[0]).filter((one) => one !== undefined);
		await journal.cleanUp(many);
		assert.equal((await readdir(journal.root)).length, 1);
		await journal.cleanUp([...many, ...many.slice(0, 1)]);
		assert.equal((await readdir(journal.root)).length, 0);
	});
});

suite('jobs › claims', () => {
	let folder: string;
	let script: string;

	suiteSetup(async () => {
		folder = await mkdtemp(path.join(tmpdir(), 'easel-claims-'));
		script = path.join(folder, 'claimer.js');
		await esbuild.build({
			stdin: {
				contents: `import { Claims } from './src/jobs/claim.ts';
					const claims = new Claims();
					process.stdin.on('data', async (text) => {
						console.log(await claims.take(String(text).trim()));
					});
					console.log('ready');`,
				resolveDir: process.cwd(),
			},
			bundle: true,
			platform: 'node',
			outfile: script,
		});
	});

	suiteTeardown(() => rm(folder, { recursive: true }));

	async function window(): Promise<ChildProcess> {
		const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
		assert.ok(child.stdout);
		await once(child.stdout, 'data');
		return child;
	}

	async function take(child: ChildProcess, job: string): Promise<boolean> {
		assert.ok(child.stdin && child.stdout);
		child.stdin.write(`${job}\n`);
		const [text] = (await once(child.stdout, 'data')) as [Buffer];
		return text.toString().trim() === 'true';
	}

	test('hold as long as their window lives, and go to exactly one of the others when it dies', async () => {
		const windows = await Promise.all(Array.from({ length: 4 }, window));
		try {
			for (let round = 0; round < 8; round += 1) {
				const job = await mkdtemp(path.join(folder, 'job-'));
				const holder = await window();
				assert.equal(await take(holder, job), true);
				assert.equal(await take(holder, job), true, 'it stays with its window');
				const refused = await Promise.all(windows.map((each) => take(each, job)));
				assert.deepEqual(refused, [false, false, false, false]);
				holder.kill('SIGKILL');
				await once(holder, 'exit');
				const taken = await Promise.all(windows.map((each) => take(each, job)));
				assert.equal(taken.filter(Boolean).length, 1);
			}
		} finally {
			for (const each of windows) {
				each.kill('SIGKILL');
			}
		}
	});

	test('are given up with their window', async () => {
		const job = await mkdtemp(path.join(folder, 'job-'));
		const [one, other] = [new Claims(), new Claims()];
		assert.equal(await one.take(job), true);
		assert.equal(await other.take(job), false);
		await one.dispose();
		assert.equal(await other.take(job), true);
		await other.dispose();
	});
});
