import assert from 'node:assert/strict';
import {
	mkdir,
	mkdtemp,
	open,
	readdir,
	readFile,
	rm,
	stat,
	writeFile,
	type FileHandle,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
	ignoreUnsupported,
	readWhole,
	writeFlushed,
	writeWhole,
} from '../../../src/files/writeWhole.js';

const refusal = (code: string) => Object.assign(new Error('refused'), { code });

suite('files › writeWhole', () => {
	let folder: string;
	let file: string;
	let restore: () => void = () => undefined;

	setup(async () => {
		folder = await mkdtemp(path.join(tmpdir(), 'easel-whole-'));
		file = path.join(folder, 'file');
	});

	teardown(async () => {
		restore();
		restore = () => undefined;
		await rm(folder, { recursive: true });
	});

	/** Lets every flush be refused with a code; says which files were flushed or left open. */
	async function flushing(code?: string): Promise<Set<FileHandle>> {
		const handle = await open(folder, 'r');
		const prototype = Object.getPrototypeOf(handle) as Pick<FileHandle, 'sync'>;
		await handle.close();
		const original = Object.getOwnPropertyDescriptor(prototype, 'sync')?.value as (
			this: FileHandle,
		) => Promise<void>;
		const flushed = new Set<FileHandle>();
		prototype.sync = function (this: FileHandle) {
			flushed.add(this);
			return code === undefined ? original.call(this) : Promise.reject(refusal(code));
		};
		restore = () => {
			prototype.sync = original;
		};
		return flushed;
	}

	test('puts it on the disk, for its owner alone, and closes it', async () => {
		const flushed = await flushing();
		await writeWhole(file, 'text');
		assert.equal(await readFile(file, 'utf8'), 'text');
		assert.equal(process.platform === 'win32' ? 0 : (await stat(file)).mode & 0o077, 0);
		assert.deepEqual(
			[...flushed].map(({ fd }) => fd),
			[-1],
		);
		await writeWhole(file, Buffer.from([1, 2, 3]));
		assert.deepEqual([...(await readFile(file))], [1, 2, 3]);
	});

	test('is content where a file system cannot flush, and leaves nothing where a flush fails', async () => {
		await flushing('EINVAL');
		await writeWhole(file, 'text');
		restore();
		const flushed = await flushing('EFBIG');
		await assert.rejects(writeWhole(file, 'new'), { code: 'EFBIG' });
		assert.equal(await readFile(file, 'utf8'), 'text');
		assert.deepEqual(await readdir(folder), ['file']);
		assert.deepEqual(
			[...flushed].map(({ fd }) => fd),
			[-1],
		);
	});

	test('waits out what may pass, for as long as it may', async () => {
		await flushing('EIO');
		const refused: unknown[] = [];
		const writing = writeWhole(file, 'text', {
			longestMs: 10_000,
			onRefusal: (error) => {
				refused.push(error);
				restore();
			},
		});
		await writing;
		assert.equal(refused.length, 1);
		await flushing('EIO');
		await assert.rejects(writeWhole(file, 'text', { longestMs: 0 }), { code: 'EIO' });
	});

	test('writes a new file only where there is none', async () => {
		await writeFlushed(file, 'one');
		await assert.rejects(writeFlushed(file, 'two'), { code: 'EEXIST' });
		assert.equal(await readFile(file, 'utf8'), 'one');
	});

	test('reads a text, and waits where that may pass', async () => {
		await writeFile(file, 'übung');
		assert.equal(await readWhole(file), 'übung');
		await assert.rejects(readWhole(path.join(folder, 'gone')), { code: 'ENOENT' });
		await mkdir(path.join(folder, 'a folder'));
		await assert.rejects(readWhole(path.join(folder, 'a folder')), { code: 'EISDIR' });
	});

	test('passes over nothing but that something cannot be flushed', () => {
		for (const code of ['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']) {
			ignoreUnsupported(refusal(code));
		}
		for (const code of ['EIO', 'ENOSPC', '']) {
			const error = refusal(code);
			assert.throws(
				() => {
					ignoreUnsupported(error);
				},
				(thrown) => thrown === error,
			);
		}
	});
});
