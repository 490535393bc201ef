import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { becomePresent, livenessOf, type Holder, type Presence } from '../../../src/jobs/holder.js';
import { bundle } from './support.js';

suite('jobs › holder', () => {
	let presence: Presence;
	let holder: Holder;

	setup(async () => {
		const endsBy = new Date(Date.now() + 60_000).toISOString();
		presence = await becomePresent((socket) => socket.destroy(), { endsBy, job: undefined });
		({ holder } = presence);
	});

	teardown(() => presence.socket.close());

	const here = (): { machine: string; boot: string | undefined; system: NodeJS.Platform } => ({
		machine: holder.machine,
		boot: holder.boot,
		system: process.platform,
	});
	const gone = '/nowhere/easel-gone00/s';

	test('is alive as long as it listens', async () => {
		assert.equal(await livenessOf(holder), 'alive');
	});

	test('is found under other environment variables, for its address is recorded', async () => {
		const before = process.env['TMPDIR'];
		process.env['TMPDIR'] = await mkdtemp(path.join(tmpdir(), 'easel-nix-'));
		try {
			assert.equal(await livenessOf(holder), 'alive');
		} finally {
			await rm(process.env['TMPDIR'], { recursive: true });
			if (before === undefined) delete process.env['TMPDIR'];
			else process.env['TMPDIR'] = before;
		}
	});

	test('that was killed is gone, though its socket is still there', async () => {
		const script = await bundle(`import { becomePresent } from './src/jobs/holder.ts';
			becomePresent(() => undefined, { endsBy: new Date(Date.now() + 60000).toISOString(), job: undefined })
				.then(({ holder }) => process.stdout.write(JSON.stringify(holder)));`);
		const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
		const [text] = (await once(child.stdout, 'data')) as [Buffer];
		const other = JSON.parse(text.toString()) as Holder;
		assert.equal(await livenessOf(other), 'alive');
		child.kill('SIGKILL');
		await once(child, 'exit');
		assert.equal(await livenessOf(other), 'gone');
	});

	test('whose socket was tidied away below it is not gone while its process goes on', async () => {
		const { address } = holder;
		await rename(address, `${address}-moved`);
		try {
			assert.equal(await livenessOf(holder), process.platform === 'linux' ? 'unknown' : 'gone');
			// Another process has its number now.
			assert.equal(await livenessOf({ ...holder, started: '1' }), 'gone');
			assert.equal(await livenessOf({ ...holder, pid: 2 ** 22 }), 'gone');
		} finally {
			await rename(`${address}-moved`, address);
		}
	});

	test('that may not be reached is not gone: an administrator’s, or too many links', async () => {
		const folder = await mkdtemp(path.join(tmpdir(), 'easel-holder-'));
		try {
			const circle = path.join(folder, 'circle');
			await symlink(circle, circle);
			assert.equal(await livenessOf({ ...holder, address: circle }), 'unknown');
			const long = `/${'x'.repeat(5000)}`;
			assert.equal(await livenessOf({ ...holder, address: long }), 'unknown');
			await chmod(folder, 0o000);
			const inside = await livenessOf({ ...holder, address: path.join(folder, 's'), pid: 2 ** 22 });
			assert.equal(inside, process.getuid?.() === 0 ? 'gone' : 'unknown');
		} finally {
			await chmod(folder, 0o700);
			await rm(folder, { recursive: true });
		}
	});

	test('is not known on another machine, until it must have ended', async () => {
		const elsewhere = { ...holder, address: gone, machine: 'other', boot: 'other boot' };
		assert.equal(await livenessOf(elsewhere, here()), 'unknown');
		const later = Date.parse(holder.endsBy) + 59 * 60 * 1000;
		assert.equal(await livenessOf(elsewhere, here(), later), 'unknown');
		assert.equal(await livenessOf(elsewhere, here(), later + 2 * 60 * 1000), 'gone');
	});

	test('is not known in another container on this kernel', async () => {
		const elsewhere = { ...holder, address: gone, machine: 'container' };
		assert.equal(await livenessOf(elsewhere, { ...here(), boot: 'b' }), 'unknown');
		const sameKernel = { ...elsewhere, boot: 'b' };
		assert.equal(
			await livenessOf(sameKernel, { ...here(), boot: 'b', system: 'linux' }),
			'unknown',
		);
	});

	test('is gone when its machine was started anew', async () => {
		assert.equal(
			await livenessOf({ ...holder, boot: 'before' }, { ...here(), boot: 'now' }),
			'gone',
		);
	});

	test('is told apart on a Mac that has another name in another network', async () => {
		const mac = { machine: 'other.local', boot: 'session', system: 'darwin' } as const;
		const elsewhere = { ...holder, address: gone, boot: 'session', machine: 'mac.local' };
		assert.equal(await livenessOf(elsewhere, mac), 'gone');
	});

	test('is told apart where the system tells nothing of its start', async () => {
		const windows = { machine: holder.machine, boot: undefined, system: 'win32' } as const;
		const plain: Holder = { ...holder, boot: undefined, started: undefined };
		assert.equal(await livenessOf(plain, windows), 'alive');
		assert.equal(await livenessOf({ ...plain, address: gone }, windows), 'gone');
	});
});
