import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs, { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { build } from 'esbuild';
import { DiskPlace } from '../../src/editor/diskPlace.js';
import {
	ChangedError,
	exchange,
	MovedError,
	NotKeptError,
	putNew,
	putUnderFreeName,
	TakenError,
	takeAway,
} from '../../src/editor/exchange.js';
import { KeptFiles } from '../../src/editor/keptFiles.js';
import { isNotFound } from '../../src/files/fsErrors.js';
import { seeded } from '../unit/images/random.js';

suite('exchanging files', () => {
	let root: string;
	let kept: KeptFiles;
	let place: DiskPlace;
	let oldBytes: Buffer;
	let newBytes: Buffer;
	let old: string;
	let fresh: string;

	setup(async () => {
		root = await mkdtemp(path.join(tmpdir(), 'easel-exchange-'));
		await mkdir(path.join(root, 'pictures'));
		kept = new KeptFiles(path.join(root, 'storage'));
		place = new DiskPlace(file('a.png'));
		oldBytes = randomBytes(2_000_003);
		newBytes = randomBytes(1_500_001);
		await writeFile(file('a.png'), oldBytes);
		old = (await place.keep(kept)) ?? '';
		fresh = await kept.keep(newBytes);
	});

	teardown(async () => {
		mock.restoreAll();
		await rm(root, { recursive: true });
	});

	const file = (name: string) => path.join(root, 'pictures', name);

	/** The files of the folder by the names of what they hold. */
	async function contents(): Promise<Record<string, string>> {
		const known: Record<string, string> = { [old]: 'old', [fresh]: 'new' };
		const names = await readdir(path.join(root, 'pictures'));
		return Object.fromEntries(
			await Promise.all(
				names.map(async (name) => {
					const sha256 = sha256Of(await readFile(file(name)));
					return [name, known[sha256] ?? 'foreign'] as const;
				}),
			),
		);
	}

	test('puts what is kept in the place of what is expected, and leaves nothing else', async () => {
		assert.equal(await exchange(place, kept, old, fresh), undefined);
		assert.deepEqual(await contents(), { 'a.png': 'new' });
		assert.equal(await exchange(place, kept, fresh, old), undefined);
		assert.deepEqual(await contents(), { 'a.png': 'old' });
	});

	test('changes nothing where another file, or none, is there', async () => {
		await writeFile(file('a.png'), 'foreign');
		await assert.rejects(exchange(place, kept, old, fresh), ChangedError);
		await assert.rejects(takeAway(place, kept, old), ChangedError);
		assert.deepEqual(await contents(), { 'a.png': 'foreign' });
		await rm(file('a.png'));
		await assert.rejects(exchange(place, kept, old, fresh), ChangedError);
		await assert.rejects(takeAway(place, kept, old), ChangedError);
		assert.deepEqual(await contents(), {});
	});

	test('changes nothing where what is to be put there is not kept, or not whole', async () => {
		await writeFile(kept.file(fresh), newBytes.subarray(1));
		await assert.rejects(exchange(place, kept, old, fresh), NotKeptError);
		await rm(kept.file(fresh));
		await assert.rejects(exchange(place, kept, old, fresh), NotKeptError);
		await assert.rejects(putNew(new DiskPlace(file('b.png')), kept, fresh), NotKeptError);
		assert.deepEqual(await contents(), { 'a.png': 'old' });
	});

	test('keeps what it removes, whether that was kept before or not', async () => {
		await rm(kept.file(old));
		await exchange(place, kept, old, fresh);
		assert.equal(await kept.holds(old), true);
		await rm(kept.file(fresh));
		await takeAway(place, kept, fresh);
		assert.equal(await kept.holds(fresh), true);
		assert.deepEqual(await contents(), {});
	});

	test('removes nothing where it cannot be kept', async () => {
		await rm(kept.file(old));
		mock.method(fs, 'utimes', () => Promise.reject(failure('EPERM')));
		mock.method(fs, 'mkdir', () => Promise.reject(failure('EROFS')));
		await assert.rejects(takeAway(place, kept, old), { code: 'EROFS' });
		mock.restoreAll();
		await rm(path.join(root, 'storage'), { recursive: true });
		await writeFile(path.join(root, 'storage'), 'a file');
		await assert.rejects(takeAway(place, kept, old));
		assert.deepEqual(await contents(), { 'a.png': 'old' });
	});

	test('takes away what is expected', async () => {
		await takeAway(place, kept, old);
		assert.deepEqual(await contents(), {});
		assert.equal(await kept.holds(old), true);
	});

	test('makes a new file, and its folder, but never over another one', async () => {
		await assert.rejects(putNew(place, kept, fresh), TakenError);
		await putNew(new DiskPlace(path.join(root, 'pictures', 'b.png')), kept, fresh);
		assert.deepEqual(await contents(), { 'a.png': 'old', 'b.png': 'new' });
		const deep = path.join(root, 'gone', 'with', 'all');
		await putNew(new DiskPlace(path.join(deep, 'c.png')), kept, fresh);
		assert.deepEqual(await readdir(deep), ['c.png']);
	});

	test('finds a free name, or the one that holds the same already', async () => {
		assert.equal(await putUnderFreeName(place, kept, fresh), 'a-1.png');
		assert.equal(await putUnderFreeName(place, kept, fresh), 'a-1.png');
		assert.equal(await putUnderFreeName(place, kept, old), 'a.png');
		assert.deepEqual(await contents(), { 'a.png': 'old', 'a-1.png': 'new' });
	});

	test('what somebody writes at that very moment stays, under a name of its own', async () => {
		const { rename } = fs;
		mock.method(fs, 'rename', async (...given: Parameters<typeof rename>) => {
			await writeFile(file('a.png'), 'foreign');
			mock.restoreAll();
			await rename(...given);
		});
		const aside = await exchange(place, kept, old, fresh);
		assert.match(aside ?? '', /^a-[\da-f]{8}\.png$/);
		assert.deepEqual(await contents(), { 'a.png': 'new', [aside ?? '']: 'foreign' });
	});

	test('what somebody writes while it is taken away is given its name back', async () => {
		const { rename } = fs;
		mock.method(fs, 'rename', async (...given: Parameters<typeof rename>) => {
			await writeFile(file('a.png'), 'foreign');
			mock.restoreAll();
			await rename(...given);
		});
		await assert.rejects(takeAway(place, kept, old), ChangedError);
		assert.deepEqual(await contents(), { 'a.png': 'foreign' });
	});

	test('a file that takes the name in between is left alone, and so is the old one', async () => {
		const { link } = fs;
		mock.method(fs, 'link', async (...given: Parameters<typeof link>) => {
			mock.restoreAll();
			await writeFile(file('a.png'), 'foreign');
			await link(...given);
		});
		const failure = await exchange(place, kept, old, fresh).then(
			() => undefined,
			(error: unknown) => error,
		);
		assert.ok(failure instanceof MovedError);
		assert.deepEqual(await contents(), { 'a.png': 'foreign', [failure.to]: 'old' });
	});

	test('works where a file system has no second names, by the same rules', async () => {
		mock.method(fs, 'link', () => Promise.reject(failure('EPERM')));
		assert.equal(await exchange(place, kept, old, fresh), undefined);
		assert.deepEqual(await contents(), { 'a.png': 'new' });
		await assert.rejects(putNew(place, kept, old), TakenError);
		assert.deepEqual(await contents(), { 'a.png': 'new' });
	});

	/** Returns a script that a process of its own can run. */
	async function bundled(contents: string): Promise<string> {
		const outfile = path.join(root, 'window.mjs');
		await build({
			stdin: { contents, resolveDir: process.cwd() },
			bundle: true,
			platform: 'node',
			format: 'esm',
			outfile,
		});
		return outfile;
	}

	for (const code of ['ENOSPC', 'EPERM', 'EMFILE']) {
		for (const broken of ['open', 'rename', 'link+open', 'rm'] as const) {
			test(`${broken} fails with ${code}: both are there, and it is said`, async () => {
				await writeFile(file('edited.png'), newBytes);
				breakThe(broken, code);
				const ended = await exchange(place, kept, old, fresh).then(
					(aside) => ({ aside }),
					(error: unknown) => ({ error }),
				);
				mock.restoreAll();
				const after = Object.values(await contents());
				assert.ok(after.includes('old') && after.includes('new'), after.join(' '));
				if ('error' in ended) {
					assert.equal((ended.error as NodeJS.ErrnoException).code, code);
					assert.equal((await contents())['a.png'], 'old');
				} else {
					assert.equal(broken, 'rm');
					assert.equal((await contents())[ended.aside ?? ''], 'old');
				}
			});
		}
	}

	function breakThe(broken: 'open' | 'rename' | 'link+open' | 'rm', code: string): void {
		const { open } = fs;
		let linked = false;
		if (broken === 'link+open') {
			mock.method(fs, 'link', () => {
				linked = true;
				return Promise.reject(failure(code));
			});
			mock.method(fs, 'open', (...given: Parameters<typeof open>) => {
				if (!linked) {
					return open(...given);
				}
				// What is given back goes the same way.
				linked = false;
				mock.restoreAll();
				return Promise.reject(failure(code));
			});
		} else {
			mock.method(fs, broken, () => Promise.reject(failure(code)));
		}
	}

	test('a window that dies in the middle loses nothing, and hides nothing', async function () {
		this.timeout(120_000);
		const seed = Number(process.env['EASEL_SEED'] ?? Date.now() % 1_000_000);
		console.log(`    seed ${seed}`);
		const random = seeded(seed);
		const script = await bundled(`
			import { DiskPlace } from './src/editor/diskPlace.js';
			import { exchange, takeAway, putNew } from './src/editor/exchange.js';
			import { KeptFiles } from './src/editor/keptFiles.js';
			const [storage, file, one, other] = process.argv.slice(2);
			const kept = new KeptFiles(storage);
			const place = new DiskPlace(file);
			process.stdout.write('ready');
			for (;;) {
				await exchange(place, kept, one, other);
				await exchange(place, kept, other, one);
				await takeAway(place, kept, one);
				await putNew(place, kept, one);
			}`);
		for (let round = 0; round < 20; round++) {
			await rm(path.join(root, 'pictures'), { recursive: true });
			await mkdir(path.join(root, 'pictures'));
			await writeFile(file('a.png'), oldBytes);
			const child = spawn(
				process.execPath,
				[script, path.join(root, 'storage'), file('a.png'), old, fresh],
				{ stdio: ['ignore', 'pipe', 'inherit'] },
			);
			await once(child.stdout, 'data');
			await setTimeout(random() * 80);
			child.kill('SIGKILL');
			await once(child, 'exit');
			assert.ok((await kept.holds(old)) && (await kept.holds(fresh)));
			for (const [name, what] of Object.entries(await contents())) {
				if (!name.endsWith('.part')) {
					assert.match(name, /^a(-[\da-f]{8})?\.png$/, 'people recognize it');
					assert.notEqual(what, 'foreign', 'it is whole');
				}
			}
		}
	});

	test('a file that goes away while it is copied is an error, not the end of the process', async () => {
		await rm(kept.file(fresh));
		// At once, so that making the copy takes longer than finding out that there is nothing.
		const copies = Array.from({ length: 100 }, (_, index) => place.beside(`copy-${index}.png`));
		const ends = await Promise.allSettled(copies.map((copy) => copy.copyFrom(kept.file(fresh))));
		for (const end of ends) {
			assert.ok(end.status === 'rejected' && isNotFound(end.reason));
		}
	});

	test('several windows and somebody else at once lose not one file', async function () {
		this.timeout(120_000);
		const script = await bundled(`
					import { randomBytes, randomUUID } from 'node:crypto';
					import { link, rename, writeFile } from 'node:fs/promises';
					import { DiskPlace } from './src/editor/diskPlace.js';
					import { exchange, putNew, takeAway, ChangedError, MovedError, TakenError } from './src/editor/exchange.js';
					import { KeptFiles } from './src/editor/keptFiles.js';
					const [storage, file, who] = process.argv.slice(2);
					const kept = new KeptFiles(storage);
					const place = new DiskPlace(file);
					const made = [];
					for (let round = 0; round < 150; round++) {
						const bytes = randomBytes(20_000);
						try {
							if (who === 'somebody') {
								// Atomically, as good programs do, and without removing anything itself.
								const own = file + '.' + randomUUID();
								await writeFile(own, bytes);
								made.push(await new DiskPlace(own).sha256());
								await rename(file, own + '.before').catch(() => undefined);
								await link(own, file).catch(() => undefined);
								continue;
							}
							const sha256 = await kept.keep(bytes);
							made.push(sha256);
							const there = await place.keep(kept);
							if (there === undefined) {
								await putNew(place, kept, sha256);
							} else if (round % 7 === 0) {
								await takeAway(place, kept, there);
							} else {
								await exchange(place, kept, there, sha256);
							}
						} catch (error) {
							if (![ChangedError, MovedError, TakenError].some((kind) => error instanceof kind)
								&& error.code !== 'ENOENT') throw error;
						}
					}
					process.stdout.write(JSON.stringify(made));`);
		const run = async (who: string): Promise<string[]> => {
			const child = spawn(
				process.execPath,
				[script, path.join(root, 'storage'), file('a.png'), who],
				{ stdio: ['ignore', 'pipe', 'inherit'] },
			);
			let printed = '';
			child.stdout.on('data', (data: Buffer) => (printed += data.toString()));
			const [code] = (await once(child, 'close')) as [number];
			assert.equal(code, 0, who);
			return JSON.parse(printed) as string[];
		};
		const made = await Promise.all(['one', 'another', 'somebody'].map(run));
		const names = await readdir(path.join(root, 'pictures'));
		const left = await Promise.all(names.map(async (name) => sha256Of(await readFile(file(name)))));
		for (const sha256 of made.flat()) {
			assert.ok(left.includes(sha256) || (await kept.holds(sha256)), sha256);
		}
		assert.deepEqual(
			names.filter((name) => name.endsWith('.part')),
			[],
		);
	});
});

function failure(code: string): Error {
	return Object.assign(new Error(`${code}: it does not work`), { code });
}

function sha256Of(bytes: Uint8Array): string {
	return createHash('sha256').update(bytes).digest('hex');
}
