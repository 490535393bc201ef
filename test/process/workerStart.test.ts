import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { saying } from '../unit/saying.js';
import { wordsOf } from '../../src/editor/errorTexts.js';
import { readState, type JobEntry } from '../../src/jobs/jobFolder.js';
import { WorkerError, type StartOptions } from '../../src/jobs/workerProcess.js';
import { CancelledError } from '../../src/service/errors.js';
import { killProcessesOf, processesOf } from '../host/processes';
import { until } from '../host/until';
import { bundledWorker, follow } from './support.js';
import { useService } from './useService.js';

suite('jobs › start of a worker', () => {
	const at = useService();
	/** The worker's bundle, in the root, so that every process of a test is known by its arguments. */
	let script: string;

	setup(async () => {
		script = path.join(at.root, 'worker.js');
		await copyFile(await bundledWorker(), script);
	});

	teardown(() => {
		// A failed test leaves its processes behind.
		killProcessesOf(at.root);
	});

	function startFor(entry: JobEntry, options: Partial<StartOptions> = {}): Promise<number> {
		return at.start(entry, { retry: 'never' }, { script, startTimeoutMs: 10_000, ...options });
	}

	/** A program of the shell. What it is given on its standard input stands in `given` then. */
	async function program(lines: string): Promise<{ file: string; given: string }> {
		const folder = await mkdtemp(path.join(at.root, 'program-'));
		const file = path.join(folder, 'program');
		const given = path.join(folder, 'given');
		await writeFile(file, `#!/bin/sh\n${lines.replaceAll('GIVEN', `'${given}'`)}\n`);
		await chmod(file, 0o755);
		return { file, given };
	}

	suite('by a program that is no Node', () => {
		const listens = 'cat > GIVEN';
		const programs: Readonly<Record<string, { lines: string; words: RegExp }>> = {
			'that ends at once': { lines: 'exit 0', words: /it ended with code 0/ },
			'that does not understand its arguments': {
				lines: 'echo "unknown option $1" >&2; exit 64',
				words: /it ended with code 64/,
			},
			'that hangs': { lines: listens, words: /it did not answer as a Node\.js process/ },
			'that is killed': { lines: 'kill -9 $$', words: /it was ended by SIGKILL/ },
			'that says rubbish': {
				lines: `printf '%s\\n' 'Opening a window…' '{' '[]' 'null' '{"type":"hello"}'; ${listens}`,
				words: /it did not answer as a Node\.js process/,
			},
			'that says that it is ready, but not who it is': {
				lines: `echo '{"type":"ready"}'; ${listens}`,
				words: /it did not answer as a Node\.js process/,
			},
			'that never ends to say something': {
				lines: `(while :; do printf '%01000000d' 0; done) & ${listens}`,
				words: /it did not answer as a Node\.js process/,
			},
		};

		/** Only what never answers is waited for until the deadline. */
		const isSilent = (what: string) => programs[what]!.words.source.startsWith('it did not answer');

		test('is reported with what to do, never has the key, and another one is taken instead', async () => {
			// All before the first is started: what is written while a process forks is busy for another.
			const written = new Map<string, Awaited<ReturnType<typeof program>>>();
			for (const [what, { lines }] of Object.entries(programs)) {
				written.set(what, await program(lines));
			}
			await Promise.all(
				Object.entries(programs).map(async ([what, { words }]) => {
					const entry = await at.create();
					const { file, given } = written.get(what)!;
					await assert.rejects(
						startFor(entry, { programs: [file], startTimeoutMs: isSilent(what) ? 700 : 30_000 }),
						(error: unknown) => {
							assert.ok(error instanceof WorkerError, what);
							const text = wordsOf(error);
							assert.match(`${what}: ${text}`, words);
							assert.ok(text.includes(file), 'which one it was');
							assert.match(text, /Install Node\.js 22\.15 or later/);
							return true;
						},
					);
					assert.equal((await readState(entry.folder)).state, 'queued', what);

					assert.equal(existsSync(given) ? await readFile(given, 'utf8') : '', '', what);
				}),
			);
			// The one that hangs comes last, since it is waited for as long as Node itself may take.
			const bad = Object.keys(programs)
				.filter((what) => what === 'that hangs' || !isSilent(what))
				.sort((one) => (one === 'that hangs' ? 1 : -1))
				.map((what) => written.get(what)!);
			const entry = await at.create();
			const all = [...bad.map(({ file }) => file), process.execPath];
			await startFor(entry, { programs: all, startTimeoutMs: 3_000 });
			assert.equal((await follow(entry).end).state, 'received');
			for (const { given } of bad) {
				assert.equal(existsSync(given) ? await readFile(given, 'utf8') : '', '');
			}
			assert.equal(at.service.requests.length, 1);
			await until(() => processesOf(at.root).length === 0, 'all of them to be gone');
		});

		test('is the editor’s own: the Node on the PATH is taken', async () => {
			const { file } = await program('exit 0');
			const folder = path.join(at.root, 'bin');
			await mkdir(folder);
			await writeFile(path.join(folder, 'node'), `#!/bin/sh\nexec '${process.execPath}' "$@"\n`);
			await chmod(path.join(folder, 'node'), 0o755);
			const { execPath } = process;
			const { PATH } = process.env;
			const entry = await at.create();
			try {
				process.execPath = file;
				process.env['PATH'] = `bin${path.delimiter}${folder}${path.delimiter}${PATH ?? ''}`;
				await startFor(entry);
			} finally {
				process.execPath = execPath;
				process.env['PATH'] = PATH;
			}
			assert.equal((await follow(entry).end).state, 'received');
		});
	});

	/** A worker that says who it is, and goes no further. */
	const stuck = `echo '{"type":"hello","node":"24.0.0"}'; read given; sleep 1000`;

	test('that hangs is given up at once when it is cancelled, at whatever moment', async () => {
		const { file } = await program(stuck);
		await Promise.all(
			Array.from({ length: 15 }, async (_, nth) => {
				const steps = 2 * nth;
				const entry = await at.create();
				const cancelling = new AbortController();
				const starting = startFor(entry, { programs: [file], signal: cancelling.signal });
				for (let step = 0; step < steps; step += 1) {
					await new Promise(setImmediate);
				}
				cancelling.abort();
				await assert.rejects(starting, (error: unknown) => {
					assert.ok(error instanceof CancelledError, `${String(steps)}: ${String(error)}`);
					assert.equal(error.charge, 'notSent');
					return true;
				});
				assert.equal((await readState(entry.folder)).state, 'queued');
			}),
		);
		await until(() => processesOf(at.root).length === 0, 'all of them to be gone');
	});

	test('by a program that starts Node as a process of its own leaves none when it is given up', async () => {
		at.service.faults.add({ hold: true });
		const hanging = path.join(at.root, 'hanging.js');
		await writeFile(hanging, 'setInterval(() => {}, 1000);');
		const { file } = await program(`'${process.execPath}' "$@"; exit $?`);
		await assert.rejects(
			startFor(await at.create(), { programs: [file], script: hanging, startTimeoutMs: 700 }),
			WorkerError,
		);
		await until(() => processesOf(at.root).length === 0, 'all of them to be gone');

		const entry = await at.create();
		await startFor(entry, { programs: [file] });
		await at.service.waitForRequest(1, 'held');
		at.service.releaseHeld();
		assert.equal((await follow(entry).end).state, 'received', 'and is followed like any other');
	});

	test('for a job that several are started for at once: exactly one sends', async () => {
		at.service.faults.add({ hold: true });
		const entry = await at.create();
		const starts = await Promise.allSettled(Array.from({ length: 4 }, () => startFor(entry)));
		const refused = starts.flatMap((end) => (end.status === 'rejected' ? [end] : []));
		assert.equal(refused.length, 3);
		for (const { reason } of refused) {
			assert.match(wordsOf(reason), /it is already requested/);
		}
		await at.service.waitForRequest(1, 'held');
		at.service.releaseHeld();
		assert.equal((await follow(entry).end).state, 'received');
		assert.equal(at.service.requests.length, 1);

		await assert.rejects(startFor(entry), saying(/it was asked for already \(received\)/));
		assert.equal(at.service.requests.length, 1);
	});
});
