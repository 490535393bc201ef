import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs, { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import {
	ChangedError,
	DiskPlace,
	MovedError,
	NoBackupError,
	restoreUnderFreeName,
	swapFile,
} from '../../src/editor/swapFiles.js';
import { BackupStore } from '../../src/editor/backupStore.js';
import { seeded } from '../unit/images/random.js';
import { rare } from '../host/rare.js';
import { bundle, failure, run, sha256OfBytes } from './support.js';

suite('swapping files', () => {
	let root: string;
	let backups: BackupStore;
	let place: DiskPlace;
	let oldBytes: Buffer;
	let newBytes: Buffer;
	let old: string;
	let fresh: string;

	setup(async () => {
		root = await mkdtemp(path.join(tmpdir(), 'easel-exchange-'));
		await mkdir(path.join(root, 'pictures'));
		backups = new BackupStore(path.join(root, 'storage'));
		place = new DiskPlace(file('a.png'));
		oldBytes = randomBytes(2_000_003);
		newBytes = randomBytes(1_500_001);
		await writeFile(file('a.png'), oldBytes);
		old = (await place.backUp(backups)) ?? '';
		fresh = await backups.add(newBytes);
	});

	teardown(async () => {
		mock.restoreAll();
		await rm(root, { recursive: true, maxRetries: 10 });
	});

	const file = (name: string) => path.join(root, 'pictures', name);

	/** The files of the folder by the names of what they hold. */
	async function contents(): Promise<Record<string, string>> {
		const known: Record<string, string> = { [old]: 'old', [fresh]: 'new' };
		const names = await readdir(path.join(root, 'pictures'));
		return Object.fromEntries(
			await Promise.all(
				names.map(async (name) => {
					const sha256 = sha256OfBytes(await readFile(file(name)));
					return [name, known[sha256] ?? 'foreign'] as const;
				}),
			),
		);
	}

	test('puts a backup in the place of the expected file, and leaves nothing else', async () => {
		assert.equal(await swapFile(place, backups, old, fresh), undefined);
		assert.deepEqual(await contents(), { 'a.png': 'new' });
		assert.equal(await swapFile(place, backups, fresh, old), undefined);
		assert.deepEqual(await contents(), { 'a.png': 'old' });
	});

	test('changes nothing where another file, or none, is there', async () => {
		await writeFile(file('a.png'), 'foreign');
		await assert.rejects(swapFile(place, backups, old, fresh), ChangedError);
		await assert.rejects(swapFile(place, backups, old, undefined), ChangedError);
		assert.deepEqual(await contents(), { 'a.png': 'foreign' });
		await rm(file('a.png'));
		await assert.rejects(swapFile(place, backups, old, fresh), ChangedError);
		assert.deepEqual(await contents(), {});
	});

	test('does nothing where it is so already', async () => {
		assert.equal(await swapFile(place, backups, fresh, old), undefined);
		assert.deepEqual(await contents(), { 'a.png': 'old' });
		await rm(file('a.png'));
		assert.equal(await swapFile(place, backups, old, undefined), undefined);
		assert.deepEqual(await contents(), {});
	});

	test('changes nothing where the backup is missing or not whole', async () => {
		await writeFile(backups.file(fresh), newBytes.subarray(1));
		await assert.rejects(swapFile(place, backups, old, fresh), NoBackupError);
		await rm(backups.file(fresh));
		await assert.rejects(swapFile(place, backups, old, fresh), NoBackupError);
		await assert.rejects(
			swapFile(new DiskPlace(file('b.png')), backups, undefined, fresh),
			NoBackupError,
		);
		assert.deepEqual(await contents(), { 'a.png': 'old' });
	});

	test('backs up what it removes, whether that was backed up before or not', async () => {
		await rm(backups.file(old));
		await swapFile(place, backups, old, fresh);
		assert.equal(await backups.has(old), true);
		await rm(backups.file(fresh));
		await swapFile(place, backups, fresh, undefined);
		assert.equal(await backups.has(fresh), true);
		assert.deepEqual(await contents(), {});
	});

	test('removes nothing where it cannot be backed up', async () => {
		await rm(backups.file(old));
		mock.method(fs, 'utimes', () => Promise.reject(failure('EPERM')));
		mock.method(fs, 'mkdir', () => Promise.reject(failure('EROFS')));
		await assert.rejects(swapFile(place, backups, old, undefined), { code: 'EROFS' });
		mock.restoreAll();
		await rm(path.join(root, 'storage'), { recursive: true });
		await writeFile(path.join(root, 'storage'), 'a file');
		await assert.rejects(swapFile(place, backups, old, undefined));
		assert.deepEqual(await contents(), { 'a.png': 'old' });
	});

	test('makes a new file, and its folder, but never over another one', async () => {
		await assert.rejects(swapFile(place, backups, undefined, fresh), ChangedError);
		await swapFile(new DiskPlace(path.join(root, 'pictures', 'b.png')), backups, undefined, fresh);
		assert.deepEqual(await contents(), { 'a.png': 'old', 'b.png': 'new' });
		const deep = path.join(root, 'gone', 'with', 'all');
		await swapFile(new DiskPlace(path.join(deep, 'c.png')), backups, undefined, fresh);
		assert.deepEqual(await readdir(deep), ['c.png']);
	});

	test('finds a free name, or the one that holds the same already', async () => {
		assert.equal(await restoreUnderFreeName(place, backups, fresh), 'a-1.png');
		assert.equal(await restoreUnderFreeName(place, backups, fresh), 'a-1.png');
		assert.equal(await restoreUnderFreeName(place, backups, old), 'a.png');
		assert.deepEqual(await contents(), { 'a.png': 'old', 'a-1.png': 'new' });
	});

	test('a file of another program that comes at that moment stays, under a name of its own', async () => {
		const { rename } = fs;
		mock.method(fs, 'rename', async (...given: Parameters<typeof rename>) => {
			await writeFile(file('a.png'), 'foreign');
			mock.restoreAll();
			await rename(...given);
		});
		const aside = await swapFile(place, backups, old, fresh);
		assert.match(aside ?? '', /^a-[\da-f]{8}\.png$/);
		assert.deepEqual(await contents(), { 'a.png': 'new', [aside ?? '']: 'foreign' });
	});

	test('a file of another program that comes while it is taken away gets its name back', async () => {
		const { rename } = fs;
		mock.method(fs, 'rename', async (...given: Parameters<typeof rename>) => {
			await writeFile(file('a.png'), 'foreign');
			mock.restoreAll();
			await rename(...given);
		});
		await assert.rejects(swapFile(place, backups, old, undefined), ChangedError);
		assert.deepEqual(await contents(), { 'a.png': 'foreign' });
	});

	test('a file that takes the name in between is left alone, and so is the old one', async () => {
		const { link } = fs;
		mock.method(fs, 'link', async (...given: Parameters<typeof link>) => {
			mock.restoreAll();
			await writeFile(file('a.png'), 'foreign');
			await link(...given);
		});
		const failure = await swapFile(place, backups, old, fresh).then(
			() => undefined,
			(error: unknown) => error,
		);
		assert.ok(failure instanceof MovedError);
		assert.deepEqual(await contents(), { 'a.png': 'foreign', [failure.to]: 'old' });
	});

	test('works where a file system has no second names, by the same rules', async () => {
		mock.method(fs, 'link', () => Promise.reject(failure('EPERM')));
		assert.equal(await swapFile(place, backups, old, fresh), undefined);
		assert.deepEqual(await contents(), { 'a.png': 'new' });
		await assert.rejects(swapFile(place, backups, undefined, old), ChangedError);
		assert.deepEqual(await contents(), { 'a.png': 'new' });
	});

	for (const broken of ['open', 'rename', 'link+open', 'rm'] as const) {
		test(`${broken} fails: both are there, and it is said`, async () => {
			await writeFile(file('edited.png'), newBytes);
			breakThe(broken);
			const ended = await swapFile(place, backups, old, fresh).then(
				(aside) => ({ aside }),
				(error: unknown) => ({ error }),
			);
			mock.restoreAll();
			const after = Object.values(await contents());
			assert.ok(after.includes('old') && after.includes('new'), after.join(' '));
			if ('error' in ended) {
				assert.equal((ended.error as NodeJS.ErrnoException).code, 'ENOSPC');
				assert.equal((await contents())['a.png'], 'old');
			} else {
				assert.equal(broken, 'rm');
				assert.equal((await contents())[ended.aside ?? ''], 'old');
			}
		});
	}

	function breakThe(broken: 'open' | 'rename' | 'link+open' | 'rm'): void {
		const { open } = fs;
		let linked = false;
		if (broken === 'link+open') {
			mock.method(fs, 'link', () => {
				linked = true;
				return Promise.reject(failure('ENOSPC'));
			});
			mock.method(fs, 'open', (...given: Parameters<typeof open>) => {
				if (!linked) {
					return open(...given);
				}
				// What is given back goes the same way.
				linked = false;
				mock.restoreAll();
				return Promise.reject(failure('ENOSPC'));
			});
		} else {
			mock.method(fs, broken, () => Promise.reject(failure('ENOSPC')));
		}
	}

	rare('a window that dies in the middle loses nothing, and hides nothing', async function () {
		this.timeout(120_000);
		const seed = Number(process.env['EASEL_SEED'] ?? Date.now() % 1_000_000);
		console.log(`    seed ${seed}`);
		const random = seeded(seed);
		const script = await bundle(
			`
			import { DiskPlace, swapFile } from './src/editor/swapFiles.js';
			import { BackupStore } from './src/editor/backupStore.js';
			const [storage, file, one, other] = process.argv.slice(2);
			const backups = new BackupStore(storage);
			const place = new DiskPlace(file);
			process.stdout.write('ready');
			for (;;) {
				await swapFile(place, backups, one, other);
				await swapFile(place, backups, other, one);
				await swapFile(place, backups, one, undefined);
				await swapFile(place, backups, undefined, one);
			}`,
			'esm',
		);
		for (let round = 0; round < 20; round++) {
			await rm(path.join(root, 'pictures'), { recursive: true });
			await mkdir(path.join(root, 'pictures'));
			await writeFile(file('a.png'), oldBytes);
			const child = run(script, path.join(root, 'storage'), file('a.png'), old, fresh);
			await once(child.stdout, 'data');
			await setTimeout(random() * 80);
			child.kill('SIGKILL');
			await once(child, 'exit');
			assert.ok((await backups.has(old)) && (await backups.has(fresh)));
			for (const [name, what] of Object.entries(await contents())) {
				if (!name.endsWith('.part')) {
					assert.match(name, /^a(-[\da-f]{8})?\.png$/, 'people recognize it');
					assert.notEqual(what, 'foreign', 'it is whole');
				}
			}
		}
	});

	rare('several windows and another program at once lose no file', async function () {
		this.timeout(120_000);
		const script = await bundle(
			`
					import { randomBytes, randomUUID } from 'node:crypto';
					import { link, rename, writeFile } from 'node:fs/promises';
					import { ChangedError, DiskPlace, MovedError, swapFile } from './src/editor/swapFiles.js';
					import { BackupStore } from './src/editor/backupStore.js';
					const [storage, file, who] = process.argv.slice(2);
					const backups = new BackupStore(storage);
					const place = new DiskPlace(file);
					const made = [];
					for (let round = 0; round < 150; round++) {
						const bytes = randomBytes(20_000);
						try {
							if (who === 'other') {
								// Atomically, as good programs do, and without removing anything itself.
								const own = file + '.' + randomUUID();
								await writeFile(own, bytes);
								made.push(await new DiskPlace(own).sha256());
								await rename(file, own + '.before').catch(() => undefined);
								await link(own, file).catch(() => undefined);
								continue;
							}
							const sha256 = await backups.add(bytes);
							made.push(sha256);
							const there = await place.backUp(backups);
							if (there === undefined) {
								await swapFile(place, backups, undefined, sha256);
							} else if (round % 7 === 0) {
								await swapFile(place, backups, there, undefined);
							} else {
								await swapFile(place, backups, there, sha256);
							}
						} catch (error) {
							if (![ChangedError, MovedError].some((kind) => error instanceof kind)
								&& error.code !== 'ENOENT') throw error;
						}
					}
					process.stdout.write(JSON.stringify(made));`,
			'esm',
		);
		const play = async (who: string): Promise<string[]> => {
			const child = run(script, path.join(root, 'storage'), file('a.png'), who);
			let printed = '';
			child.stdout.on('data', (data: Buffer) => (printed += data.toString()));
			const [code] = (await once(child, 'close')) as [number];
			assert.equal(code, 0, who);
			return JSON.parse(printed) as string[];
		};
		const made = await Promise.all(['one', 'another', 'other'].map(play));
		const names = await readdir(path.join(root, 'pictures'));
		const left = await Promise.all(
			names.map(async (name) => sha256OfBytes(await readFile(file(name)))),
		);
		for (const sha256 of made.flat()) {
			assert.ok(left.includes(sha256) || (await backups.has(sha256)), sha256);
		}
		assert.deepEqual(
			names.filter((name) => name.endsWith('.part')),
			[],
		);
	});
});
