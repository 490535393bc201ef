import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Journal } from '../../src/jobs/journal.js';
import { writeState } from '../../src/jobs/jobFolder.js';
import { requestOf } from '../unit/jobs/support.js';
import { bundle, run } from './support.js';

suite('jobs › recovery in a process of its own', () => {
	let root: string;

	setup(async () => {
		root = await mkdtemp(path.join(tmpdir(), 'easel-recovery-'));
	});

	teardown(() => rm(root, { recursive: true }));

	test('keeps no process that has nothing else to do', async () => {
		const entry = await new Journal(path.join(root, 'jobs')).create(requestOf());
		await writeState(entry.folder, { ...entry.state, state: 'waiting' });
		await rm(path.join(entry.folder, 'state.json'));
		await mkdir(path.join(entry.folder, 'state.json'));
		const script = await bundle(`import { recover } from './src/jobs/recovery.ts';
			import { Leases } from './src/jobs/windowLeases.ts';
			import { logTo } from './src/log.ts';
			logTo({ error: (what) => console.log(what) });
			const entry = JSON.parse(process.argv[2]);
			const recovery = {
				belongsHere: () => true,
				askAbout: () => Promise.resolve(),
				reportDamaged: () => undefined,
				removeFinished: () => Promise.resolve(),
				signal: new AbortController().signal,
			};
			const listing = { entries: [entry], newer: [], damaged: [], unreadable: [] };
			const sound = { root: '/nowhere', list: () => Promise.resolve(listing) };
			const refusing = { list: () => Promise.reject(new Error('EMFILE')) };
			recover(refusing, new Leases(), recovery);
			recover(sound, new Leases(), recovery);`);
		const child = run(script, JSON.stringify(entry));
		const closed = once(child, 'close');
		let said = '';
		child.stdout.on('data', (text: Buffer) => (said += text.toString()));
		await closed;
		const expected = ['A job could not be read', 'The journal could not be read'];
		assert.deepEqual(said.trim().split('\n').sort(), expected);
	});
});
