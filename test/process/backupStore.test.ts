import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs, {
	mkdir,
	mkdtemp,
	readdir,
	readFile,
	rename,
	rm,
	truncate,
	utimes,
	writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import { minBackupAgeMs, BackupStore } from '../../src/editor/backupStore.js';
import { rare } from '../host/rare.js';
import { bundle, failure, run, sha256OfBytes } from './support.js';

const day = 24 * 60 * 60 * 1000;

suite('backups', () => {
	let storage: string;
	let backups: BackupStore;

	setup(async () => {
		storage = await mkdtemp(path.join(tmpdir(), 'easel-backups-'));
		backups = new BackupStore(storage);
	});

	teardown(async () => {
		mock.restoreAll();
		await rm(storage, { recursive: true, maxRetries: 10 });
	});

	const folder = () => path.join(storage, 'kept');
	const names = () => readdir(folder());

	async function write(name: string, bytes: Uint8Array): Promise<string> {
		const file = path.join(storage, name);
		await writeFile(file, bytes);
		return file;
	}

	/** Makes a backup look that old. */
	async function age(sha256: string, ms: number): Promise<void> {
		const time = new Date(Date.now() - ms);
		await utimes(backups.file(sha256), time, time);
	}

	test('are there under their SHA-256, whole and once', async () => {
		const bytes = randomBytes(3_000_001);
		const file = await write('a.png', bytes);
		assert.equal(await backups.add(file), sha256OfBytes(bytes));
		assert.equal(await backups.add(bytes), sha256OfBytes(bytes));
		assert.deepEqual(await names(), [sha256OfBytes(bytes)]);
		assert.ok(bytes.equals(await readFile(backups.file(sha256OfBytes(bytes)))));
		assert.equal(await backups.has(sha256OfBytes(bytes)), true);
		assert.equal(await backups.has(sha256OfBytes(Buffer.from('other'))), false);
	});

	test('stay what they are when the file that they came from changes', async () => {
		const file = await write('a.png', Buffer.from('before'));
		const sha256 = await backups.add(file);
		await writeFile(file, 'after!');
		assert.equal(await backups.has(sha256), true);
	});

	test('are written anew where a disk has damaged them', async () => {
		const bytes = randomBytes(1000);
		const sha256 = await backups.add(bytes);
		await writeFile(backups.file(sha256), bytes.subarray(0, 500));
		assert.equal(await backups.has(sha256), false);
		await backups.add(bytes);
		assert.equal(await backups.has(sha256), true);
	});

	test('that cannot be read are not taken for gone', async () => {
		const sha256 = await backups.add(Buffer.from('here'));
		await rm(backups.file(sha256));
		await mkdir(backups.file(sha256));
		await assert.rejects(backups.has(sha256), /NotRegular|not a regular file|EPERM|EACCES/);
	});

	suite('tidied', () => {
		/** Fills the folder beyond 1 GiB with what is nothing but a size. */
		async function fill(ageMs: number): Promise<string> {
			const name = 'f'.repeat(64);
			await backups.add(Buffer.from('the folder'));
			await writeFile(backups.file(name), '');
			await truncate(backups.file(name), 2 ** 30);
			await age(name, ageMs);
			return name;
		}

		test('lose nothing while all together are small, however old', async () => {
			const sha256 = await backups.add(Buffer.from('old'));
			await age(sha256, 4000 * day);
			await backups.prune();
			assert.equal(await backups.has(sha256), true);
		});

		test('lose nothing of the last 30 days, however much that is', async () => {
			const large = await fill(29 * day);
			const small = await backups.add(Buffer.from('small'));
			await age(small, 29.9 * day);
			await backups.prune();
			assert.ok((await names()).includes(large));
			assert.equal(await backups.has(small), true);
		});

		test('lose the oldest, until the rest fits', async () => {
			const older = await backups.add(Buffer.from('older'));
			const newer = await backups.add(Buffer.from('newer'));
			const large = await fill(40 * day);
			await age(older, 50 * day);
			await age(newer, 35 * day);
			await backups.prune();
			assert.equal(await backups.has(older), false);
			assert.ok(!(await names()).includes(large));
			assert.equal(await backups.has(newer), true);
		});

		test('stay 30 days more when they are made once more', async () => {
			const bytes = Buffer.from('again');
			await fill(40 * day);
			await age(await backups.add(bytes), 50 * day);
			const sha256 = await backups.add(bytes);
			await backups.prune(Date.now() + minBackupAgeMs - day);
			assert.equal(await backups.has(sha256), true);
		});

		test('lose what a crash has left half written, and get back what it has left aside', async () => {
			const sha256 = await backups.add(Buffer.from('aside'));
			await rename(backups.file(sha256), backups.file(`${sha256}.0.aside`));
			await writeFile(backups.file('half.part'), 'half');
			await writeFile(backups.file('foreign'), 'theirs');
			await backups.prune();
			assert.deepEqual((await names()).sort(), [sha256, 'half.part', 'foreign'].sort());
			await backups.prune(Date.now() + 2 * day);
			assert.deepEqual((await names()).sort(), [sha256, 'foreign'].sort());
			assert.equal(await backups.has(sha256), true);
		});
	});

	suite('that cannot be written', () => {
		const bytes = randomBytes(500_000);

		for (const [what, code] of [
			['open', 'ENOSPC'],
			['rename', 'EPERM'],
			['mkdir', 'EROFS'],
		] as const) {
			test(`${what} fails with ${code}: it is said, and nothing is left of it`, async () => {
				await backups.add(Buffer.from('the folder'));
				mock.method(fs, what, () => Promise.reject(failure(code)));
				await assert.rejects(backups.add(bytes), { code });
				mock.restoreAll();
				assert.deepEqual(await names(), [sha256OfBytes(Buffer.from('the folder'))]);
				await backups.add(bytes);
				assert.equal(await backups.has(sha256OfBytes(bytes)), true);
			});
		}

		test('because another program reads the same on Windows are there already', async () => {
			const { rename } = fs;
			mock.method(fs, 'rename', async (...given: Parameters<typeof rename>) => {
				await rename(...given);
				throw failure('EPERM');
			});
			assert.equal(await backups.add(bytes), sha256OfBytes(bytes));
		});
	});

	suite('of several windows', () => {
		let script: string;

		suiteSetup(async () => {
			script = await bundle(
				`import { utimes } from 'node:fs/promises';
				import { BackupStore } from './src/editor/backupStore.js';
				const [storage, what, ...files] = process.argv.slice(2);
				const backups = new BackupStore(storage);
				const old = new Date(Date.now() - 40 * 24 * 60 * 60 * 1000);
				let stopped = false;
				process.on('SIGTERM', () => { stopped = true; });
				process.stdout.write('ready');
				/** Tidying takes a name away for a moment to look at it. */
				async function isThere(sha256) {
					for (const deadline = Date.now() + 5000; Date.now() < deadline;) {
						if (await backups.has(sha256)) return true;
					}
					return false;
				}
				while (what === 'tidy' && !stopped) {
					await backups.prune();
				}
				for (let round = 0; round < 300 && what === 'keep' && !stopped; round++) {
					const file = files[round % files.length];
					const sha256 = await backups.add(file);
					// As if it were old, since old ones are removed.
					await utimes(backups.file(sha256), old, old).catch(() => undefined);
					await backups.add(file);
					if (!(await isThere(sha256))) throw new Error('lost in round ' + round);
				}`,
				'esm',
			);
		});

		const children = new Set<ChildProcess>();

		teardown(() => {
			for (const child of children) {
				child.kill('SIGKILL');
			}
			children.clear();
		});

		async function open(what: 'keep' | 'tidy', files: readonly string[] = []) {
			const child = run(script, storage, what, ...files);
			children.add(child);
			const exited = once(child, 'exit');
			await once(child.stdout, 'data');
			return {
				async end(signal?: 'SIGKILL' | 'SIGTERM') {
					if (signal !== undefined) {
						child.kill(signal);
					}
					await exited;
					assert.equal(child.exitCode, signal === 'SIGKILL' ? null : 0);
				},
			};
		}

		/** Every name stands for exactly its bytes, whatever else was left. */
		async function assertSound(): Promise<void> {
			for (const name of await names()) {
				if (/^[\da-f]{64}$/.test(name) && name !== 'f'.repeat(64)) {
					assert.equal(await backups.has(name), true, name);
				}
			}
		}

		rare('at once, while another one tidies, lose nothing', async function () {
			this.timeout(120_000);
			const [first, second] = await Promise.all(
				[1, 2].map((window) =>
					Promise.all([1, 2, 3].map((n) => write(`${window}${n}.png`, randomBytes(n * 100_000)))),
				),
			);
			// All together are too large, so whatever looks old is taken away.
			const large = backups.file('f'.repeat(64));
			await backups.add(Buffer.from('the folder'));
			await writeFile(large, '');
			await truncate(large, 2 ** 30);
			const tidying = await Promise.all([open('tidy'), open('tidy')]);
			const keeping = await Promise.all([open('keep', first), open('keep', second)]);
			await Promise.all(keeping.map((window) => window.end()));
			await Promise.all(tidying.map((window) => window.end('SIGTERM')));
			const files = [...first!, ...second!];
			await backups.prune();
			for (const file of files) {
				assert.equal(await backups.has(sha256OfBytes(await readFile(file))), true, file);
			}
			await assertSound();
		});
	});
});
