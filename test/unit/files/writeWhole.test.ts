import assert from 'node:assert/strict';
import fs, {
	mkdir,
	readdir,
	readFile,
	rm,
	stat,
	writeFile,
	type FileHandle,
} from 'node:fs/promises';
import path from 'node:path';
import { mock } from 'node:test';
import { flushNames, makeFolder, writeFlushed, writeWhole } from '../../../src/files/writeWhole.js';
import { onFlush } from './flushes.js';
import { useFolder } from '../scratch.js';

const refusal = (code: string) => Object.assign(new Error('refused'), { code });

suite('files › writeWhole', () => {
	const at = useFolder();
	const file = () => at('file');

	const refusing = (code: string) =>
		onFlush(() => {
			throw refusal(code);
		});
	const descriptors = (flushed: ReadonlySet<FileHandle>) => [...flushed].map(({ fd }) => fd);

	test('replaces a file in one step, also under concurrent reads', async () => {
		const content = (letter: string) => letter.repeat(100_000);
		await writeWhole(file(), content('a'));
		let writing = true;
		const reading = (async () => {
			while (writing) {
				assert.match(await readFile(file(), 'utf8'), /^(a{100000}|b{100000})$/);
			}
		})();
		for (let round = 0; round < 20; round += 1) {
			await writeWhole(file(), content(round % 2 === 0 ? 'b' : 'a'));
		}
		writing = false;
		await reading;
		assert.deepEqual(await readdir(at()), ['file']);
	});

	test('puts it on the disk, for its owner alone, and closes it', async () => {
		const flushed = await onFlush();
		await writeWhole(file(), 'text');
		assert.equal(await readFile(file(), 'utf8'), 'text');
		assert.equal(process.platform === 'win32' ? 0 : (await stat(file())).mode & 0o077, 0);
		assert.deepEqual(new Set(descriptors(flushed)), new Set([-1]));
		await writeWhole(file(), Buffer.from([1, 2, 3]));
		assert.deepEqual([...(await readFile(file()))], [1, 2, 3]);
	});

	test('flushes the folder too, as soon as the file has its name, and is content where it cannot', async () => {
		const names: string[][] = [];
		const flushed = await onFlush(async () => {
			names.push((await readdir(at())).map((name) => name.replace(/\..*/, '')));
			if (names.length === 2) {
				assert.equal(await readFile(file(), 'utf8'), 'text');
				throw refusal('EINVAL');
			}
		});
		const opened: string[] = [];
		const { open } = fs;
		mock.method(fs, 'open', (...given: Parameters<typeof open>) => {
			opened.push(String(given[0]));
			return open(...given);
		});
		await writeWhole(file(), 'text');
		assert.equal(opened.at(-1), at());
		// Windows opens no folder as a file.
		const flushes = process.platform === 'win32' ? 1 : 2;
		assert.deepEqual(names, Array(flushes).fill(['file']));
		assert.deepEqual(descriptors(flushed), Array(flushes).fill(-1));
		assert.equal(await readFile(file(), 'utf8'), 'text');
	});

	test('is content where a file system cannot flush, and leaves nothing where a flush fails', async () => {
		await refusing('EINVAL');
		await writeWhole(file(), 'text');
		mock.restoreAll();
		const flushed = await refusing('EFBIG');
		await assert.rejects(writeWhole(file(), 'new'), { code: 'EFBIG' });
		assert.equal(await readFile(file(), 'utf8'), 'text');
		assert.deepEqual(await readdir(at()), ['file']);
		assert.deepEqual(descriptors(flushed), [-1]);
	});

	test('waits out what may pass, for as long as it may', async () => {
		await refusing('EIO');
		const refused: unknown[] = [];
		const writing = writeWhole(file(), 'text', {
			maxMs: 10_000,
			onStall: (code) => {
				refused.push(code);
				mock.restoreAll();
			},
		});
		await writing;
		assert.deepEqual(refused, ['EIO', undefined]);
		await refusing('EIO');
		await assert.rejects(writeWhole(file(), 'text', { maxMs: 0 }), { code: 'EIO' });
	});

	test('writes all of it anew where only its name could not be flushed', async () => {
		if (process.platform === 'win32') {
			return; // Folders cannot be flushed there.
		}
		const flushed: string[] = [];
		const all = await onFlush(async () => {
			const isFolder = (await [...all].at(-1)!.stat()).isDirectory();
			flushed.push(isFolder ? 'folder' : 'file');
			if (flushed.length === 2) {
				throw refusal('EIO');
			}
		});
		await writeWhole(file(), 'text');
		assert.deepEqual(flushed, ['file', 'folder', 'file', 'folder']);
		flushed.length = 0;
		await assert.rejects(writeWhole(file(), 'text', { maxMs: 0 }), { code: 'EIO' });
	});

	test('makes a folder with those above it, flushed, or none of them', async () => {
		const deep = at('a/b');
		let refused = process.platform !== 'win32';
		const places: number[] = [];
		const all = await onFlush(async () => {
			places.push((await [...all].at(-1)!.stat()).ino);
			if (refused && places.length === 2) {
				throw refusal('EIO');
			}
		});
		if (refused) {
			await assert.rejects(makeFolder(deep), { code: 'EIO' });
			assert.deepEqual(await readdir(at()), []);
			refused = false;
			places.length = 0;
		}
		await makeFolder(deep);
		const above = [path.dirname(deep), at()];
		if (process.platform !== 'win32') {
			assert.deepEqual(places, await Promise.all(above.map(async (one) => (await stat(one)).ino)));
		}
		await makeFolder(deep);
		assert.ok(places.length <= 2, 'what was there is not flushed again');
	});

	test('writes a new file only where there is none', async () => {
		await writeFlushed(file(), 'one');
		await assert.rejects(writeFlushed(file(), 'two'), { code: 'EEXIST' });
		assert.equal(await readFile(file(), 'utf8'), 'one');
	});

	test('fails where its folder, or its name, goes while it is written', async () => {
		const gone = at('gone');
		await mkdir(gone);
		const content = async function* () {
			yield Buffer.from('one');
			await rm(gone, { recursive: true });
			yield Buffer.from('two');
		};
		await assert.rejects(writeFlushed(path.join(gone, 'file'), content()), { code: 'ENOENT' });
		await assert.rejects(flushNames(gone), { code: 'ENOENT' });
		await assert.rejects(flushNames(path.join(import.meta.filename, 'below')), {
			code: 'ENOTDIR',
		});
		await onFlush(async () => {
			await rm(file(), { force: true });
			await writeFile(file(), 'of another program');
		});
		await assert.rejects(writeFlushed(file(), 'text'), { code: 'ENOENT' });
		assert.equal(await readFile(file(), 'utf8'), 'of another program');
		mock.restoreAll();
		const unseen = at('unseen');
		mock.method(fs, 'stat', () => Promise.reject(refusal('EIO')));
		await assert.rejects(writeFlushed(unseen, 'text'), { code: 'EIO' });
		assert.ok(!(await readdir(at())).includes('unseen'));
	});
});
