import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Journal } from '../../src/jobs/journal.js';
import { windowLease, writeState } from '../../src/jobs/jobFolder.js';
import { leaseFile } from '../../src/jobs/leaseFiles.js';
import { Leases } from '../../src/jobs/windowLeases.js';
import { requestOf } from '../unit/jobs/support.js';
import { bundle, ownFolder, run } from './support.js';

suite('jobs › recovery in a process of its own', () => {
	const root = ownFolder();

	test('keeps no process that has nothing else to do', async () => {
		const journal = new Journal(path.join(root.path, 'jobs'));
		const entry = await journal.create(requestOf());
		await writeState(entry.folder, { ...entry.state, state: 'waiting' });
		await rm(path.join(entry.folder, 'state.json'));
		await mkdir(path.join(entry.folder, 'state.json'));
		const [held, unclear] = [await journal.create(requestOf()), await journal.create(requestOf())];
		const leases = new Leases();
		await leases.acquire(held.folder, windowLease);
		await writeFile(leaseFile(unclear.folder, windowLease, 1), '{');
		const script = await bundle(`import { recover } from './src/jobs/recovery.ts';
			import { Leases } from './src/jobs/windowLeases.ts';
			import { logTo } from './src/log.ts';
			logTo({ error: (what) => console.log(what) });
			const entries = JSON.parse(process.argv[2]);
			const recovery = {
				belongsHere: () => true,
				askAbout: () => Promise.resolve(),
				reportDamaged: () => undefined,
				removeFinished: () => Promise.resolve(),
				signal: new AbortController().signal,
			};
			const listing = { entries, newer: [], damaged: [], unreadable: [] };
			const sound = { root: '/nowhere', list: () => Promise.resolve(listing) };
			const refusing = { list: () => Promise.reject(new Error('EMFILE')) };
			recover(refusing, new Leases(), recovery);
			recover(sound, new Leases(), recovery);`);
		const child = run(script, JSON.stringify([entry, held, unclear]));
		const closed = once(child, 'close');
		let said = '';
		child.stdout.on('data', (text: Buffer) => (said += text.toString()));
		await closed;
		await leases.dispose();
		const expected = ['A job could not be read', 'The journal could not be read'];
		assert.deepEqual(said.trim().split('\n').sort(), expected);
	});
});
