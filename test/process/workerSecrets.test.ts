import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { imageFile, workerOutputFile, type JobEntry } from '../../src/jobs/jobFolder.js';
import type { JobState } from '../../src/jobs/state.js';
import type { JobEvent, WorkerInput } from '../../src/jobs/workerProtocol.js';
import type { Fault } from '../service/faults.js';
import { echo, shows } from '../unit/service/echoes.js';
import { bundledWorker, faultyWorker, follow, standsStill, type Following } from './support.js';
import { useService } from './useService.js';

const key = 'sk-Secret/key+d41a77_9';

/** Returns the visible characters, as a header can have them. */
const inHeader = (text: string) => text.replace(/[^\x20-\x7e]/g, '').trim();

suite('jobs › worker, with a service that repeats the key', () => {
	const at = useService({ key });

	interface Outcome {
		readonly state: JobState;
		readonly events: readonly JobEvent[];
	}

	/** Lets a worker make one image, and looks whether anything that is left of it says the key. */
	async function run(
		prompt: string,
		{
			script,
			act,
			...change
		}: Partial<WorkerInput> & {
			script?: string;
			act?: (pid: number, following: Following) => Promise<void>;
		} = {},
	): Promise<Outcome> {
		const entry = await at.create(prompt);
		const options = { script: script ?? (await bundledWorker()) };
		const pid = await at.start(entry, { retry: 'never', ...change }, options);
		const following = follow(entry);
		await act?.(pid, following);
		const state = await following.end;
		assertSilent(following.events);
		assertSilent(await textsOf(entry));
		return { state, events: following.events };
	}

	/** Reads all files of a job but the image; our journal's own request too. */
	async function textsOf({ folder }: JobEntry): Promise<Record<string, string>> {
		const files = await readdir(folder, { recursive: true, withFileTypes: true });
		const texts = files
			.filter((file) => file.isFile() && file.name !== imageFile)
			.map(async ({ parentPath, name }) => {
				return [name, await readFile(path.join(parentPath, name), 'latin1')] as const;
			});
		return Object.fromEntries(await Promise.all(texts));
	}

	function assertSilent(what: unknown): void {
		const text = JSON.stringify(what);
		assert.equal(shows(text, key), false, text);
		// As it is on disk, line by line, too.
		for (const each of Object.values(what as object)) {
			assert.equal(shows(String(each), key), false, text);
		}
	}

	test('says it nowhere, in no way of writing it down', async () => {
		const seed = Number(process.env['EASEL_SEED'] ?? 1);
		console.log(`      seed ${String(seed)}`);
		const encodes = fc.sample(echo, { seed, numRuns: 6 });
		const statuses = [400, 401, 402, 429, 500, 308];
		for (const [index, encode] of encodes.entries()) {
			const said = encode(key);
			const error = { message: said, type: said, code: said, [said]: said };
			const headers = Object.fromEntries(
				['x-request-id', 'request-id', 'retry-after', 'location', 'server'].map((name) => {
					return [name, inHeader(`${name === 'location' ? '/?k=' : ''}${said}`)];
				}),
			);
			const bodies: readonly Partial<Fault>[] = [
				{ body: 'text', message: JSON.stringify({ error, message: said }) },
				{ body: 'text', message: `{"error":{"message":"${'a'.repeat(index * 97)}${said}"}}` },
				{ body: 'flat', message: `It is ${said}.` },
				{ body: 'empty', reason: inHeader(said) },
			];
			const status = statuses[index % statuses.length]!;
			at.service.faults.clear();
			at.service.faults.add(
				index % 3 === 2
					? { headers, revisedPrompt: `a pier at ${said}`, extraFields: true }
					: { headers, status, ...bodies[index % bodies.length] },
			);
			const { state } = await run('a pier');
			assert.equal(state.state, index % 3 === 2 ? 'received' : 'failed');
		}
	}).timeout(60_000);

	test('runs in a worker whose inspector cannot be opened', async function () {
		if (process.platform === 'win32') {
			console.log('        skipped: Windows has no SIGUSR1');
			return;
		}
		at.service.faults.add({ hold: true });
		const entry = await at.create('a pier');
		const pid = await at.start(entry, { retry: 'never' });
		const following = follow(entry);
		await at.service.waitForRequest(1, 'held');
		process.kill(pid, 'SIGUSR1');
		await standsStill(pid);
		at.service.releaseHeld();
		assert.equal((await following.end).state, 'received');
		assert.equal(await readFile(path.join(entry.folder, workerOutputFile), 'utf8'), '');
	});

	test('says it nowhere when it ends with an exception, nor in its output', async () => {
		if (process.platform === 'win32') {
			return; // There are no such signals.
		}
		const words = `${'x'.repeat(490)} ${key} and ${encodeURIComponent(key)}`;
		const script = await faultyWorker(`sayOnSignal(${JSON.stringify(words)})`);
		at.service.faults.add({ hold: true });
		const { state } = await run('a pier', {
			script,
			act: async (pid) => {
				await at.service.waitForRequest(1, 'held');
				process.kill(pid, 'SIGUSR2');
			},
		});
		assert.ok(state.state === 'interrupted');
		assert.match(state.reason ?? '', /^x{490} \*\*\* and/);
		const [folder] = await readdir(at.journal.root);
		const output = await readFile(path.join(at.journal.root, folder!, workerOutputFile), 'utf8');
		assert.ok(output.split('***').length > 4, output);
	});

	test('takes an order that it cannot read for what it is, without repeating it', async () => {
		const { spawnSync } = await import('node:child_process');
		// Of so short a text the parser repeats all.
		const order = `{"key":"${key}"?\n`;
		const { stdout, stderr, status } = spawnSync(process.execPath, [await bundledWorker()], {
			input: order,
			encoding: 'utf8',
		});
		assert.equal(status, 1);
		for (const part of [key, key.slice(0, 6), key.slice(-6)]) {
			assert.ok(!stdout.includes(part) && !stderr.includes(part), stdout + stderr);
		}
	});
});
