import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readEntry, readState, type JobEntry } from '../../src/jobs/jobFolder.js';
import type { StartOptions } from '../../src/jobs/workerProcess.js';
import { until } from '../host/until';
import { bundledWorker, faultyWorker, follow, hasWorker, isAlive, standsStill } from './support.js';
import { useService } from './useService.js';

suite('jobs › worker, ended otherwise than by its work', () => {
	const at = useService();

	function startFor(entry: JobEntry, options: Partial<StartOptions> = {}): Promise<number> {
		return at.start(entry, { retry: 'ask' }, options);
	}

	/** States in which a job can be met, with the charge of its end there. */
	const places = [
		{ state: 'receiving', prompt: 'a pier [fault hold=body]', charge: 'charged' },
		{ state: 'waiting', prompt: 'a pier [fault hold]', charge: 'unknown' },
		{ state: 'pausing', prompt: 'a pier [fault status=429 retry-after=60]', charge: 'rejected' },
		{ state: 'pausing', prompt: 'a pier [fault status=503]', charge: 'unknown' },
	] as const;

	interface End {
		readonly by: string;
		readonly how: (pid: number) => void;
		/** The reason that the user sees. */
		readonly reason: RegExp;
		/** Fault in the worker, see `workerFaults.ts`. */
		readonly fault?: string;
		/** Options of Node. */
		readonly flag?: string;
	}

	const fromWithin = { how: (pid: number) => process.kill(pid, 'SIGUSR2') };
	const ends: readonly End[] = [
		...(['SIGTERM', 'SIGINT', 'SIGHUP'] as const).map((signal) => ({
			by: signal,
			how: (pid: number) => process.kill(pid, signal),
			reason: new RegExp(`^${signal}$`),
		})),
		{
			by: 'an uncaught exception',
			...fromWithin,
			fault: `breakOnSignal('throw')`,
			reason: /^not caught$/,
		},
		{
			by: 'an unhandled rejection',
			...fromWithin,
			fault: `breakOnSignal('reject')`,
			reason: /^not handled$/,
		},
		{
			by: 'a lack of memory',
			...fromWithin,
			fault: `breakOnSignal('allocate')`,
			flag: '--max-old-space-size=32',
			reason: /^FATAL ERROR: .*JavaScript heap out of memory$/,
		},
		{
			by: 'SIGKILL',
			how: (pid) => process.kill(pid, 'SIGKILL'),
			reason: /^job\.processEnded$/,
		},
	];

	for (const { by, how, reason, fault, flag } of ends) {
		// One end with notice and one without meet it everywhere; the others where most can be lost.
		const isEverywhere = by === 'SIGTERM' || by === 'SIGKILL';
		const met = isEverywhere ? places : places.slice(0, 1);
		const where = isEverywhere ? 'wherever it stood' : 'in the middle of the answer';
		test(`ended by ${by} ${where}: says so, and keeps what had arrived`, async () => {
			const script = await (fault === undefined ? bundledWorker() : faultyWorker(fault));
			const programs = flag === undefined ? undefined : [await nodeWith(flag)];
			const picture = await at.pictureOf('a pier');

			await Promise.all(
				met.map(async ({ state, prompt, charge }) => {
					const entry = await at.create(prompt);
					const pid = await startFor(entry, { script, ...(programs && { programs }) });
					const following = follow(entry, 'no answer');
					await until(async () => (await readState(entry.folder)).state === state, state);
					await standsStill(pid);
					const answer = path.join(entry.folder, 'answer');
					const arrived = state === 'receiving' ? (await stat(answer)).size : 0;
					assert.equal(arrived > 0, state === 'receiving');

					how(pid);
					const end = await following.end;
					assert.equal(end.state, 'interrupted', prompt);
					assert.equal(end.charge, charge, prompt);
					assert.match(end.reason ?? '', reason);
					assert.equal(end.attempts.length, 1);
					assert.ok(!existsSync(path.join(entry.folder, 'image')), 'no half image has its name');
					assert.deepEqual(await readState(entry.folder), end, 'it stands in the journal');
					await until(() => !isAlive(pid), 'the worker process to end');
					assert.equal(await hasWorker(entry), false);

					const stored = arrived > 0 ? await readFile(answer, 'latin1') : '';
					assert.ok(stored.length >= arrived);
					const [, base64 = ''] = /"b64_json":"([^"]*)/.exec(stored) ?? [];
					assert.ok(picture.toString('base64').startsWith(base64));
					// A window that comes later sees the same.
					assert.deepEqual(await follow(await readEntry(entry.folder)).end, end);
				}),
			);
			assert.equal(at.service.requests.length, met.length, 'nothing is sent again');
		});
	}

	/** Node, started with an option. */
	async function nodeWith(flag: string): Promise<string> {
		const file = path.join(at.scratch, `node${flag}`);
		await writeFile(file, `#!/bin/sh\nexec "${process.execPath}" ${flag} "$@"\n`);
		await chmod(file, 0o755);
		return file;
	}
});
