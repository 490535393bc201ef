import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
	chmod,
	link,
	lstat,
	mkdir,
	readdir,
	rename,
	symlink,
	utimes,
	writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { mock } from 'node:test';
import { saying } from '../unit/saying.js';
import { EaselError } from '../../src/easelError.js';
import { wordsOf } from '../../src/editor/errorTexts.js';
import {
	connectLocally,
	listenLocally,
	maxSocketPath,
	removeSocket,
	type SocketPlatform,
} from '../../src/jobs/localSocket.js';
import { ownFolder } from './support.js';

suite('jobs › local socket', () => {
	const folder = ownFolder();

	const platform = (...folders: string[]): SocketPlatform => ({
		system: process.platform,
		folders,
		uid: process.getuid?.(),
	});

	test('whose path is longer than a socket may have lies elsewhere', async () => {
		const long = path.join(folder.path, 'x'.repeat(maxSocketPath));
		await mkdir(long);
		const socket = await listenLocally((one) => one.destroy(), platform(long, folder.path));
		assert.ok(Buffer.byteLength(socket.address) <= maxSocketPath);
		assert.ok(socket.address.startsWith(`${folder.path}/easel-`));
		await socket.close();
	});

	test('is nowhere where the folder that was made is not ours, and that one is removed', async () => {
		const other = { ...platform(folder.path), uid: 123_456 };
		await assert.rejects(
			listenLocally(() => undefined, other),
			saying(/not private to you/),
		);
		assert.deepEqual(await readdir(folder.path), []);
	});

	test('is not waited for where its process hangs', async () => {
		const closed = Promise.withResolvers<void>();
		const socket = await listenLocally((one) => {
			one.resume().once('close', closed.resolve);
		}, platform(folder.path));
		mock.timers.enable({ apis: ['setTimeout'] });
		try {
			// The time is over before this process comes to make the connection.
			const connecting = connectLocally(socket.address);
			mock.timers.tick(5_000);
			assert.equal(await connecting, 'ETIMEDOUT');
		} finally {
			mock.timers.reset();
		}
		await closed.promise;
		await socket.close();
	});

	test('says what to do where no folder will do', async () => {
		const file = path.join(folder.path, 'file');
		await writeFile(file, '');
		const listening = listenLocally(
			() => undefined,
			platform(file, path.join(folder.path, 'gone')),
		);
		await assert.rejects(listening, (error: unknown) => {
			assert.ok(error instanceof EaselError);
			assert.match(
				wordsOf(error),
				/socket \(\/[^ ]*\/file: ENOTDIR[^;]*; \/[^ ]*\/gone: ENOENT[^;]*\)\. .*TMPDIR.*short path/,
			);
			return true;
		});
	});

	suite('that was left by a process which was killed', () => {
		async function leave(name = 'easel-AbC123'): Promise<string> {
			const left = path.join(folder.path, name);
			await mkdir(left, { mode: 0o700 });
			const address = path.join(left, 's');
			const server = createServer().listen(address);
			await once(server, 'listening');
			// Its file stays, as after a SIGKILL.
			const stays = `${address}-stays`;
			await link(address, stays);
			server.close();
			await once(server, 'close');
			await rename(stays, address);
			return address;
		}

		test('is removed with its folder', async () => {
			const address = await leave();
			assert.ok((await lstat(address)).isSocket());
			await removeSocket(address, platform(folder.path));
			assert.deepEqual(await readdir(folder.path), []);
		});

		test('is left alone where the folder has another name, is a link, or is open to others', async () => {
			for (const name of ['documents', 'my-easel-AbC123', 'easel-AbC1234']) {
				const named = await leave(name);
				await removeSocket(named, platform(folder.path));
				await lstat(named);
			}

			const mine = await leave('easel-AbC124');
			await symlink(path.dirname(mine), path.join(folder.path, 'easel-AbC125'));
			await removeSocket(path.join(folder.path, 'easel-AbC125', 's'), platform(folder.path));
			await lstat(mine);

			await chmod(path.dirname(mine), 0o755);
			await removeSocket(mine, platform(folder.path));
			await lstat(mine);

			await chmod(path.dirname(mine), 0o700);
			await removeSocket(mine, { ...platform(folder.path), uid: 123_456 });
			await lstat(mine);
		});

		test('is all that is removed: other files stay, also day-old ones', async () => {
			const address = await leave();
			const other = path.join(path.dirname(address), 'thesis.txt');
			await writeFile(other, 'years of work');
			await utimes(other, 0, 0);
			await removeSocket(address, platform(folder.path));
			await lstat(other);
			// A file in its place is no socket.
			await writeFile(address, 'not a socket');
			await removeSocket(address, platform(folder.path));
			await lstat(address);
		});
	});

	test('is a pipe with a random name on Windows, and needs no folder', async () => {
		const windows: SocketPlatform = { system: 'win32', folders: [], uid: undefined };
		// Here such a name is a file in the folder that is open.
		const before = process.cwd();
		process.chdir(folder.path);
		try {
			const one = await listenLocally((socket) => socket.destroy(), windows);
			const other = await listenLocally((socket) => socket.destroy(), windows);
			assert.match(one.address, /^\\\\\.\\pipe\\easel-[\da-f-]{36}$/);
			assert.notEqual(one.address, other.address);
			assert.ok(one.address.length < 256);
			await Promise.all([one.close(), other.close()]);
			assert.deepEqual([one.server.listening, other.server.listening], [false, false]);
		} finally {
			process.chdir(before);
		}
	});
});
