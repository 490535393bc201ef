import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import fs, {
	mkdir,
	mkdtemp,
	readdir,
	readFile,
	rm,
	stat,
	unlink,
	writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import {
	findPlaced,
	forgetPart,
	copyToFreeName,
	type PlaceOptions,
} from '../../src/files/exclusiveCopy.js';
import { candidateNames } from '../../src/images/fileName.js';

const bytes = 3 * 1024 * 1024;

suite('files › exclusiveCopy', () => {
	let storage: string;
	let workspace: string;
	let source: string;

	setup(async () => {
		storage = await mkdtemp(path.join(tmpdir(), 'easel-storage-'));
		workspace = await mkdtemp(path.join(tmpdir(), 'easel-workspace-'));
		source = path.join(storage, 'image');
		await writeFile(source, Buffer.alloc(bytes, 7));
	});

	teardown(async () => {
		mock.restoreAll();
		await rm(storage, { recursive: true, maxRetries: 10 });
		await rm(workspace, { recursive: true, maxRetries: 10 });
	});

	const options = (change: Partial<PlaceOptions> = {}): PlaceOptions => ({
		names: () => candidateNames('a.png'),
		id: 'job',
		...change,
	});
	/** The kinds of file systems, by what makes ours behave like them. */
	const kinds: Record<string, Partial<PlaceOptions>> = {
		'with hard links': {},
		'of Windows, where access lists must not be shared': { system: 'win32' },
	};

	for (const [kind, change] of Object.entries(kinds)) {
		test(`puts a copy under a free name, ${kind}`, async () => {
			await writeFile(path.join(workspace, 'a.png'), 'foreign');
			await mkdir(path.join(workspace, 'a-1.png'));
			const file = await copyToFreeName(source, workspace, options(change));
			assert.equal(file, path.join(workspace, 'a-2.png'));
			assert.equal((await stat(file)).size, bytes);
			assert.equal(await readFile(path.join(workspace, 'a.png'), 'utf8'), 'foreign');
			assert.equal(await findPlaced(source, workspace, options(change)), file);
			await forgetPart(workspace, 'job');
			assert.deepEqual((await readdir(workspace)).sort(), ['a-1.png', 'a-2.png', 'a.png']);
		});

		test(`gives everyone of many at once a name of its own, ${kind}`, async () => {
			const files = await Promise.all(
				Array.from({ length: 20 }, async (_, index) => {
					const own = path.join(storage, String(index));
					await writeFile(own, String(index));
					const id = `job-${String(index)}`;
					const file = await copyToFreeName(own, workspace, options({ ...change, id }));
					await forgetPart(workspace, id);
					return file;
				}),
			);
			const contents = await Promise.all(files.map((file) => readFile(file, 'utf8')));
			assert.deepEqual(
				contents,
				Array.from({ length: 20 }, (_, index) => String(index)),
			);
			assert.equal((await readdir(workspace)).length, 20, 'and nothing half is left');
		});
	}

	test('takes no room on one disk, but shares nothing of the source on Windows but its bytes', async () => {
		const linked = await copyToFreeName(source, workspace, options({ system: 'linux' }));
		assert.equal((await stat(linked)).ino, (await stat(source)).ino);
		const copied = await copyToFreeName(source, workspace, options({ system: 'win32' }));
		assert.notEqual((await stat(copied)).ino, (await stat(source)).ino);
	});

	test('knows what it has placed from another file of the same bytes and name', async () => {
		await writeFile(path.join(workspace, 'a.png'), await readFile(source));
		assert.equal(await findPlaced(source, workspace, options()), undefined);
	});

	test('makes a folder of its own where there is none, and says what refuses', async () => {
		const deep = path.join(workspace, 'docs/images');
		await copyToFreeName(source, deep, options());
		await writeFile(path.join(workspace, 'file'), '');
		await assert.rejects(copyToFreeName(source, path.join(workspace, 'file'), options()), {
			code: 'EEXIST',
		});
	});

	test('knows a name that it was about to fill by what came into it', async () => {
		const reserved = path.join(workspace, 'a.png');
		const found = () => findPlaced(source, workspace, options(), reserved);
		assert.equal(await found(), undefined, 'nothing is there');
		await writeFile(reserved, '');
		assert.equal(await found(), undefined);
		assert.deepEqual(await readdir(workspace), [], 'what was taken and not filled is free again');
		await writeFile(reserved, '');
		mock.method(fs, 'rm', async (...given: Parameters<typeof rm>) => {
			mock.restoreAll();
			await unlink(reserved);
			return rm(...given);
		});
		assert.equal(await found(), undefined, 'another program has just removed it');
		await writeFile(reserved, 'foreign');
		assert.equal(await found(), undefined);
		assert.equal(await readFile(reserved, 'utf8'), 'foreign');
		await writeFile(reserved, await readFile(source));
		assert.equal(await found(), reserved);
		await rm(source);
		assert.equal(await found(), undefined, 'of a source that is gone nothing is known');
	});

	test('says where no name is free, and where it cannot look', async () => {
		await writeFile(path.join(workspace, 'a.png'), 'foreign');
		const one = options({ names: () => ['a.png'] });
		await assert.rejects(copyToFreeName(source, workspace, one), /no file name is free/);
		assert.deepEqual(await readdir(workspace), ['a.png'], 'and nothing was copied in vain');
		const none = options({ names: () => ['no\0name'] });
		await assert.rejects(copyToFreeName(source, workspace, none), {
			code: 'ERR_INVALID_ARG_VALUE',
		});
		await assert.rejects(findPlaced(source, workspace, none), { code: 'ERR_INVALID_ARG_VALUE' });
		assert.equal(await findPlaced(source, workspace, one), undefined);
	});

	/** Another disk, without hard links; where this machine lets no test make one, ours plays it. */
	async function withoutLinks(use: (folder: string) => Promise<void>): Promise<void> {
		const image = path.join(storage, 'disk');
		const folder = path.join(storage, 'mounted');
		await mkdir(folder);
		try {
			execFileSync('truncate', ['-s', '64M', image]);
			execFileSync('mkfs.vfat', [image], { stdio: 'ignore' });
			execFileSync('mount', ['-o', 'loop', image, folder], { stdio: 'ignore' });
		} catch {
			mock.method(fs, 'link', () =>
				Promise.reject(Object.assign(new Error('refused'), { code: 'EPERM' })),
			);
			await use(folder);
			return;
		}
		try {
			await use(folder);
		} finally {
			execFileSync('umount', [folder]);
		}
	}

	test('works where there are no hard links, and knows again what it was about to fill', async () => {
		const reserved: string[] = [];
		const onReserve = (file: string) => {
			// In this moment the name is taken, and nothing is in it.
			assert.equal(statSync(file).size, 0);
			reserved.push(file);
			return Promise.resolve();
		};
		await withoutLinks(async (folder) => {
			await writeFile(path.join(folder, 'a.png'), 'foreign');
			const file = await copyToFreeName(source, folder, options({ onReserve }));
			assert.equal(path.basename(file), 'a-1.png');
			assert.deepEqual(reserved, [file]);
			assert.equal((await stat(file)).size, bytes);
			assert.equal(await findPlaced(source, folder, options(), file), file);
			assert.deepEqual((await readdir(folder)).sort(), ['a-1.png', 'a.png']);
			const one = options({ names: () => ['a.png'] });
			await assert.rejects(copyToFreeName(source, folder, one), /no file name is free/);
			assert.equal(await readFile(path.join(folder, 'a.png'), 'utf8'), 'foreign');
		});
	});
});
