import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, utimes } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Journal } from '../../src/jobs/journal.js';
import type { JobEntry } from '../../src/jobs/jobFolder.js';
import { rare } from '../host/rare';
import { until } from '../host/until';
import { requestOf } from '../unit/jobs/support.js';
import { bundle, ownFolder } from './support.js';

const day = 24 * 60 * 60 * 1000;

suite('jobs › journal of several windows at once', () => {
	const root = ownFolder();
	let jobs: string;
	let journal: Journal;

	setup(() => {
		jobs = path.join(root.path, 'jobs');
		journal = new Journal(jobs);
	});

	/** Leaves what cannot become a job any more: made for so short that nothing was asked for. */
	async function leaveHalfMade(): Promise<void> {
		const folder = journal.folder(crypto.randomUUID());
		await mkdir(folder, { recursive: true });
		const longAgo = new Date(Date.now() - day);
		await utimes(folder, longAgo, longAgo);
	}

	rare(
		'lets four windows that recover at once take up each of 100 jobs in exactly one of them, whatever they clean',
		async () => {
			const script = await bundle(`import { Journal } from './src/jobs/journal.ts';
			import { Leases } from './src/jobs/windowLeases.ts';
			import { recover } from './src/jobs/recovery.ts';
			import { logTo } from './src/log.ts';
			logTo({ error: (what, error) => console.log('trouble ' + what + ' ' + error) });
			process.stdin.once('data', async () => {
				await recover(new Journal(${JSON.stringify(jobs)}), new Leases(), {
					signal: new AbortController().signal,
					belongsHere: () => true,
					resume: async ({ folder }) => console.log('took ' + folder),
					askAbout: async () => {},
					listFailure: () => {},
					listUnsaved: () => {},
					reportDamaged: () => {},
					reportNewer: () => {},
					removeFinished: async () => {},
				});
				console.log('read');
			});
			console.log('ready');`);
			const entries: JobEntry[] = [];
			for (let index = 0; index < 100; index += 1) {
				entries.push(await journal.create(requestOf()));
				await leaveHalfMade();
			}
			const taken = new Map<string, number[]>();
			const troubles: string[] = [];
			let read = 0;
			let lastToTake = 0;
			const windows: ChildProcess[] = [];
			try {
				for (let index = 0; index < 4; index += 1) {
					const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
					windows.push(child);
					createInterface({ input: child.stdout }).on('line', (line) => {
						const [, what, rest = ''] = /^(\w+) ?(.*)$/.exec(line) ?? [];
						if (what === 'took') {
							taken.set(rest, [...(taken.get(rest) ?? []), index]);
							lastToTake = index;
						} else if (what === 'trouble') {
							troubles.push(rest);
						} else if (what === 'read') {
							read += 1;
						}
					});
				}
				await Promise.all(windows.map(({ stdout }) => once(stdout!, 'data')));
				windows.forEach(({ stdin }) => stdin!.write('go\n'));
				await until(
					() => read === windows.length && taken.size === entries.length,
					'all to be taken',
				);
				assert.deepEqual(troubles, []);
				assert.deepEqual(
					[...taken.values()].filter((by) => by.length !== 1),
					[],
				);

				// One dies: what it had goes to the others, once.
				const lost = [...taken].filter(([, [by]]) => by === lastToTake).map(([folder]) => folder);
				windows[lastToTake]!.kill('SIGKILL');
				await until(
					() => lost.every((folder) => taken.get(folder)!.length === 2),
					'the jobs of a dead window to be taken',
				);
				assert.deepEqual(
					[...taken.values()].filter((by) => by.length > 2),
					[],
				);
			} finally {
				windows.forEach((each) => each.kill('SIGKILL'));
			}
		},
	);
});
