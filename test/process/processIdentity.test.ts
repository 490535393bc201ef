import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
	chmod,
	mkdtemp,
	readFile,
	readlink,
	rename,
	rm,
	symlink,
	writeFile,
} from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import {
	becomePresent,
	describeMachine,
	ownerStatus,
	type LeaseOwner,
	type Presence,
} from '../../src/jobs/processIdentity.js';
import { bundle, run } from './support.js';

suite('jobs › process identity', () => {
	let presence: Presence;
	let owner: LeaseOwner;

	setup(async () => {
		const endsBy = new Date(Date.now() + 60_000).toISOString();
		presence = await becomePresent((socket) => socket.destroy(), { endsBy, job: undefined });
		({ owner } = presence);
	});

	teardown(() => presence.socket.close());

	const here = (): { machine: string; boot: string | undefined; system: NodeJS.Platform } => ({
		machine: owner.machine,
		boot: owner.boot,
		system: process.platform,
	});
	const gone = '/nowhere/easel-gone00/s';

	test('is alive as long as it listens, also beyond its time', async () => {
		assert.equal(await ownerStatus(owner), 'alive');
		assert.equal(await ownerStatus({ ...owner, endsBy: '2020-01-01T00:00:00.000Z' }), 'alive');
	});

	test('that was killed is gone, though its socket is still there', async () => {
		const script = await bundle(`import { becomePresent } from './src/jobs/processIdentity.ts';
			becomePresent(() => undefined, { endsBy: new Date(Date.now() + 60000).toISOString(), job: undefined })
				.then(({ owner }) => process.stdout.write(JSON.stringify(owner)));`);
		const child = run(script);
		const [text] = (await once(child.stdout, 'data')) as [Buffer];
		const other = JSON.parse(text.toString()) as LeaseOwner;
		assert.equal(await ownerStatus(other), 'alive');
		child.kill('SIGKILL');
		await once(child, 'exit');
		assert.equal(await ownerStatus(other), 'gone');
		// Its file is there and refuses: no process listens, even where another one has its number now.
		const { pid, started } = owner;
		assert.equal(await ownerStatus({ ...other, pid, started }), 'gone');
	});

	test('whose socket was tidied away below it is not gone while its process goes on', async () => {
		const { address } = owner;
		await rename(address, `${address}-moved`);
		try {
			assert.equal(await ownerStatus(owner), process.platform === 'linux' ? 'unknown' : 'gone');
			// Another process has its number now.
			assert.equal(await ownerStatus({ ...owner, started: '1' }), 'gone');
			// It lives, however long it was expected to.
			const later = Date.parse(owner.endsBy) + 48 * 60 * 60 * 1000;
			const expected = process.platform === 'linux' ? 'unknown' : 'gone';
			assert.equal(await ownerStatus(owner, undefined, later), expected);
			assert.equal(await ownerStatus({ ...owner, pid: 2 ** 22 }), 'gone');
			// Only Linux knows when a process was started.
			const mac = { ...owner, pidNamespace: undefined };
			assert.equal(await ownerStatus(mac, { ...here(), system: 'darwin' }), 'gone');
		} finally {
			await rename(`${address}-moved`, address);
		}
	});

	test('that may not be reached is not gone: an administrator’s, or too many links', async () => {
		const folder = await mkdtemp(path.join(tmpdir(), 'easel-owner-'));
		try {
			const circle = path.join(folder, 'circle');
			await symlink(circle, circle);
			assert.equal(await ownerStatus({ ...owner, address: circle }), 'unknown');
			const long = `/${'x'.repeat(5000)}`;
			assert.equal(await ownerStatus({ ...owner, address: long }), 'unknown');
			await chmod(folder, 0o000);
			const inside = await ownerStatus({ ...owner, address: path.join(folder, 's'), pid: 2 ** 22 });
			assert.equal(inside, process.getuid?.() === 0 ? 'gone' : 'unknown');
		} finally {
			await chmod(folder, 0o700);
			await rm(folder, { recursive: true, maxRetries: 10 });
		}
	});

	test('is not known on another machine, until it must have ended', async () => {
		const elsewhere = { ...owner, address: gone, machine: 'other', boot: 'other boot' };
		assert.equal(await ownerStatus(elsewhere, here()), 'unknown');
		const later = Date.parse(owner.endsBy) + 59 * 60 * 1000;
		assert.equal(await ownerStatus(elsewhere, here(), later), 'unknown');
		assert.equal(await ownerStatus(elsewhere, here(), later + 60 * 1000), 'unknown');
		assert.equal(await ownerStatus(elsewhere, here(), later + 60 * 1000 + 1), 'gone');
	});

	test('that cannot be reached is gone on its own machine, and where that was started anew', async () => {
		const cases: [
			system: NodeJS.Platform,
			then: [machine: string, boot?: string],
			now: [machine: string, boot?: string],
			status: string,
		][] = [
			['linux', ['harbor', 'one'], ['harbor', 'one'], 'gone'],
			['linux', ['harbor', 'one'], ['harbor', 'other'], 'gone'],
			['linux', ['harbor'], ['harbor', 'one'], 'unknown'],
			['linux', ['harbor', 'one'], ['harbor'], 'unknown'],
			['linux', ['harbor'], ['harbor'], 'gone'],
			// Another container on this kernel has processes of its own.
			['linux', ['container', 'one'], ['harbor', 'one'], 'unknown'],
			['linux', ['container', 'one'], ['harbor', 'other'], 'unknown'],
			// A Mac has another name in another network.
			['darwin', ['mac.local', 'one'], ['mac.home', 'one'], 'gone'],
			['darwin', ['mac.local', 'one'], ['mac.home', 'other'], 'unknown'],
			['darwin', ['mac.local'], ['mac.home'], 'unknown'],
			['win32', ['harbor'], ['harbor'], 'gone'],
			['win32', ['harbor'], ['other'], 'unknown'],
		];
		for (const [system, [machine, boot], [thisMachine, thisBoot], status] of cases) {
			const pidNamespace = undefined;
			const one = { ...owner, address: gone, started: undefined, machine, boot, pidNamespace };
			const now = { machine: thisMachine, boot: thisBoot, system };
			const what = JSON.stringify([machine, boot, now]);
			assert.equal(await ownerStatus(one, now), status, what);
		}
	});

	test('is on a machine that each system names in its own way', async () => {
		const host = hostname();
		const here = await describeMachine();
		assert.deepEqual([here.machine, here.boot], [owner.machine, owner.boot]);
		if (process.platform === 'linux') {
			const textOf = (file: string) => readFile(file, 'utf8').then((text) => text.trim());
			assert.equal(here.boot, await textOf('/proc/sys/kernel/random/boot_id'));
			const id = await textOf('/etc/machine-id').catch(() => '');
			assert.equal(here.machine, `${host} ${id}`.trim());
			assert.equal(owner.started, (await textOf('/proc/self/stat')).split(' ')[21]);
			assert.equal(owner.pidNamespace, await readlink('/proc/self/ns/pid'));
		} else {
			assert.equal(here.machine, host);
			assert.equal(owner.started, undefined);
		}
		const folder = await mkdtemp(path.join(tmpdir(), 'easel-owner-'));
		try {
			const sysctl = path.join(folder, 'sysctl');
			const mac = { machine: host, boot: undefined, pidNamespace: undefined, system: 'darwin' };
			assert.deepEqual(await describeMachine('darwin', sysctl), mac);
			if (process.platform !== 'win32') {
				await writeFile(sysctl, '#!/bin/sh\necho "$1, $2"\n', { mode: 0o755 });
				const boot = '-n, kern.bootsessionuuid';
				assert.deepEqual(await describeMachine('darwin', sysctl), { ...mac, boot });
			}
			assert.deepEqual(await describeMachine('win32', sysctl), { ...mac, system: 'win32' });
		} finally {
			await rm(folder, { recursive: true, maxRetries: 10 });
		}
	});
});
