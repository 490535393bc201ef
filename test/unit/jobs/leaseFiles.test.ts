import assert from 'node:assert/strict';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import fs, { mkdir, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import { becomePresent, type LeaseOwner } from '../../../src/jobs/processIdentity.js';
import {
	leaseStatus,
	readLease,
	writeNextLease,
	type Lease,
} from '../../../src/jobs/leaseFiles.js';
import { scratch as root, useScratch } from '../scratch.js';

suite('jobs › lease files', () => {
	useScratch();
	let folder: string;

	setup(async () => {
		folder = path.join(root, 'job');
		await mkdir(folder);
	});

	teardown(() => {
		mock.restoreAll();
	});

	const write = (name: string, content: unknown = {}) =>
		writeFile(path.join(folder, name), JSON.stringify(content));

	/** An owner of unknown state. */
	function strange(change: Partial<LeaseOwner> = {}): LeaseOwner {
		return {
			id: crypto.randomUUID(),
			address: '/nowhere/easel-gone00/s',
			pid: 1,
			machine: `not ${hostname()}`,
			endsBy: new Date(Date.now() + 60_000).toISOString(),
			...change,
		};
	}

	/** Resolves in the turn after a file appears. */
	async function appears(file: string): Promise<void> {
		while (!existsSync(file)) {
			await new Promise(setImmediate);
		}
	}

	test('are read by the highest number, whatever else lies in the folder', async () => {
		assert.equal(await readLease(folder, 'slot'), undefined);
		for (const name of ['clot.90', 'slots.90', 'slot', 'slot.', 'slot.0', 'slot.090', 'slot.-9']) {
			await write(name);
		}
		for (const name of ['slot.x90', 'slot.90x', 'slot.90.5f0c.part', 'a.slot.90', 'slot 90']) {
			await write(name);
		}
		assert.equal(await readLease(folder, 'slot'), undefined);
		await write('slot.9');
		assert.deepEqual(await readLease(folder, 'slot'), { number: 9, owner: undefined });
		const owner = strange();
		await write('slot.10', owner);
		assert.deepEqual(await readLease(folder, 'slot'), { number: 10, owner });
		assert.deepEqual(await readLease(folder, 'clot'), { number: 90, owner: undefined });
	});

	test('are not free because they cannot be read, but when they were never written', async () => {
		const lease = () => readLease(folder, 'slot');
		for (const content of ['', '{"id":', 'null', '{"id":"me"}']) {
			await writeFile(path.join(folder, 'slot.1'), content);
			assert.deepEqual(await lease(), { number: 1, owner: 'unreadable' }, content);
			const [before, longBefore] = [5_000, 15_000].map((ageMs) => new Date(Date.now() - ageMs));
			await utimes(path.join(folder, 'slot.1'), before!, before!);
			assert.deepEqual(await lease(), { number: 1, owner: 'unreadable' }, content);
			await utimes(path.join(folder, 'slot.1'), longBefore!, longBefore!);
			assert.deepEqual(await lease(), { number: 1, owner: undefined }, content);
		}
		await mkdir(path.join(folder, 'slot.2'));
		assert.deepEqual(await lease(), { number: 2, owner: 'unreadable' });
		await symlink(path.join(root, 'a disk that is not there now'), path.join(folder, 'slot.3'));
		assert.deepEqual(await lease(), { number: 3, owner: 'unreadable' });
	});

	test('are read anew where the highest vanishes while it is read', async () => {
		await write('slot.1');
		const highest = path.join(folder, 'slot.2');
		await symlink(path.join(root, 'nowhere'), highest);
		const reading = readLease(folder, 'slot');
		await readdir(folder);
		rmSync(highest);
		assert.deepEqual(await reading, { number: 1, owner: undefined });
	});

	test('are free for certain, or not free', async () => {
		const endsBy = new Date(Date.now() + 60_000).toISOString();
		const { owner, socket } = await becomePresent((each) => each.destroy(), {
			endsBy,
			job: undefined,
		});
		const cases: [lease: Lease['owner'], status: string][] = [
			[undefined, 'free'],
			['unreadable', 'unknown'],
			[owner, 'held'],
			[strange(), 'unknown'],
			[strange({ endsBy: '2026-01-01T00:00:00.000Z' }), 'free'],
		];
		try {
			assert.equal(await leaseStatus(undefined), 'free');
			for (const [owner, expected] of cases) {
				assert.equal(await leaseStatus({ number: 1, owner }), expected, JSON.stringify(owner));
			}
		} finally {
			await socket.close();
		}
		const gone = { ...owner, started: '1' };
		assert.equal(await leaseStatus({ number: 1, owner: gone }), 'free');
	});

	for (const where of ['with hard links', 'without hard links']) {
		suite(where, () => {
			const name = 'slot';

			setup(() => {
				if (where === 'without hard links') {
					const refusal = Object.assign(new Error('refused'), { code: 'EPERM' });
					mock.method(fs, 'link', () => Promise.reject(refusal));
				}
			});

			test('of the same number go to one of many', async () => {
				for (let previous = 0; previous < 20; previous += 1) {
					const owners = Array.from({ length: 8 }, () => strange());
					const taken = await Promise.all(
						owners.map((owner) => writeNextLease(folder, name, previous, owner)),
					);
					const winners = owners.filter((_, index) => taken[index]);
					assert.equal(winners.length, 1);
					assert.deepEqual(await readLease(folder, name), {
						number: previous + 1,
						owner: winners[0],
					});
				}
				assert.equal(await writeNextLease(folder, name, 20, undefined), true);
				assert.deepEqual(await readLease(folder, name), { number: 21, owner: undefined });
				const left = Array.from({ length: 8 }, (_, index) => `${name}.${String(14 + index)}`);
				assert.deepEqual((await readdir(folder)).sort(), left, 'the newest, and nothing besides');
			});

			test('cannot be made in a folder that is gone', async () => {
				await rm(folder, { recursive: true, maxRetries: 10 });
				await assert.rejects(writeNextLease(folder, name, 0, undefined), { code: 'ENOENT' });
			});
		});
	}

	test('are whole in the moment in which they are there', async () => {
		for (let previous = 0; previous < 100; previous += 1) {
			const owner = strange();
			const made = writeNextLease(folder, 'slot', previous, owner);
			const file = path.join(folder, `slot.${String(previous + 1)}`);
			await appears(file);
			assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { format: 1, ...owner });
			await made;
		}
	});

	test('of a number that is long over are worth nothing, also before they are tidied away', async () => {
		await write('slot.24');
		const file = path.join(folder, 'slot.1');
		assert.equal(await writeNextLease(folder, 'slot', 0, strange()), false);
		assert.equal(existsSync(file), false);
		const late = writeNextLease(folder, 'slot', 0, strange());
		await appears(file);
		rmSync(file, { force: true });
		assert.equal(await late, false);
		assert.deepEqual(await readdir(folder), ['slot.24']);
	});

	test('are not taken where it is unknown whether they count', async () => {
		const taken = writeNextLease(folder, 'slot', 0, strange());
		await appears(path.join(folder, 'slot.1'));
		renameSync(folder, path.join(root, 'away'));
		await assert.rejects(taken, { code: 'ENOENT' });
	});
});
