import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, truncateSync } from 'node:fs';
import promises, { appendFile, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { mock } from 'node:test';
import {
	openKnownRegularSync,
	openRegular,
	readBounded,
	readBoundedSync,
	readRest,
	UnfitFileError,
	type ReadLimits,
} from '../../../src/files/boundedRead.js';
import { assertCloses } from '../recipes/pngs.js';
import { useFolder } from '../scratch.js';

suite('files › boundedRead', () => {
	const at = useFolder();

	/** Returns the result of each way to read: the text, or the code of the error. */
	async function found(file: string, limits: ReadLimits = { maxBytes: 100 }): Promise<string[]> {
		const ways = [
			async () => {
				const handle = await openRegular(file, limits);
				return handle.readFile('utf8').finally(() => handle.close());
			},
			async () => (await readBounded(file, limits)).toString(),
			() => readBoundedSync(file, limits).toString(),
			() => {
				const { descriptor, size } = openKnownRegularSync(file, limits);
				try {
					return readRest(file, descriptor, Buffer.alloc(size + 1), limits.maxBytes).toString();
				} finally {
					closeSync(descriptor);
				}
			},
		];
		return Promise.all(
			ways.map(async (way) => {
				try {
					return await way();
				} catch (error) {
					return (error as NodeJS.ErrnoException).code ?? String(error);
				}
			}),
		);
	}

	const all = (text: string) => [text, text, text, text];

	test('a regular file is read, of any length up to the limit', async () => {
		for (const length of [0, 1, 99, 100]) {
			const text = 'x'.repeat(length);
			await writeFile(at('a'), text);
			assert.deepEqual(await found(at('a')), all(text));
		}
		await writeFile(at('a'), 'x'.repeat(101));
		assert.deepEqual(await found(at('a')), all('TooLarge'));
		assert.deepEqual(await found(at('gone')), all('ENOENT'));
	});

	test('a folder is not', async () => {
		await mkdir(at('folder'));
		assert.deepEqual(await found(at('folder')), all('NotRegular'));
	});

	if (process.platform !== 'win32') {
		test('a device, a pipe and a socket are refused without waiting', async () => {
			execFileSync('mkfifo', [at('pipe')]);
			const server = createServer().listen(at('socket'));
			await once(server, 'listening');
			try {
				for (const target of ['/dev/zero', '/dev/null', at('pipe')]) {
					await symlink(target, at('link'));
					assert.deepEqual(await found(target), all('NotRegular'), target);
					assert.deepEqual(await found(at('link')), all('NotRegular'), target);
					await rm(at('link'));
				}
				const [one, other, another, known] = await found(at('socket'));
				assert.deepEqual([one, other, another], ['NotRegular', 'NotRegular', 'NotRegular']);
				assert.equal(known, 'ENXIO');
			} finally {
				server.close();
			}
		});

		test('a link counts as what it leads to, where links are followed', async () => {
			await writeFile(at('a'), 'text');
			await symlink(at('a'), at('link'));
			assert.deepEqual(await found(at('link')), all('text'));
			const [one, other, another, known] = await found(at('link'), {
				maxBytes: 100,
				followLinks: false,
			});
			assert.deepEqual([one, other, another], ['NotRegular', 'NotRegular', 'NotRegular']);
			assert.equal(known, process.platform === 'linux' ? 'ELOOP' : known);
		});
	}

	test('what says that it has no length is read as far as the limit', async function () {
		if (process.platform !== 'linux') {
			return;
		}
		const limits = { maxBytes: 100_000 };
		assert.match(readBoundedSync('/proc/self/status', limits).toString(), /Umask/);
		assert.match((await readBounded('/proc/self/status', limits)).toString(), /Umask/);
		assert.deepEqual(
			await found('/proc/self/status', { maxBytes: 10 }).then((all) => all.slice(1)),
			['TooLarge', 'TooLarge', 'TooLarge'],
		);
	});

	test('a file that grows while it is read is read as far as the limit', async () => {
		await writeFile(at('a'), 'short');
		const descriptor = openSync(at('a'), 'r');
		try {
			await appendFile(at('a'), 'x'.repeat(50));
			const text = readRest(at('a'), descriptor, Buffer.alloc(6), 100).toString();
			assert.equal(text, `short${'x'.repeat(50)}`);
			await appendFile(at('a'), 'x'.repeat(10 * 1024));
			assert.throws(
				() => readRest(at('a'), descriptor, Buffer.alloc(6), 100),
				(error: unknown) => error instanceof UnfitFileError && error.code === 'TooLarge',
			);
		} finally {
			closeSync(descriptor);
		}
	});

	test('a file that was exchanged after it was looked at is closed unread', async () => {
		await writeFile(at('small'), 'x');
		await writeFile(at('large'), 'x'.repeat(101));
		const { stat } = promises;
		mock.method(promises, 'stat', () => stat(at('small')));
		await assertCloses(() =>
			assert.rejects(openRegular(at('large'), { maxBytes: 100 }), { code: 'TooLarge' }),
		);
	});

	test('a file that shrinks while it is read ends where it ends', async () => {
		await writeFile(at('a'), 'x'.repeat(90));
		const { descriptor, size } = openKnownRegularSync(at('a'), { maxBytes: 100 });
		try {
			truncateSync(at('a'), 5);
			const text = readRest(at('a'), descriptor, Buffer.alloc(size + 1), 100).toString();
			assert.equal(text, 'xxxxx');
		} finally {
			closeSync(descriptor);
		}
	});
});
