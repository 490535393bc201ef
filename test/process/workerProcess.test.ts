import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import timers from 'node:timers/promises';
import { wordsOf } from '../../src/editor/errorTexts.js';
import {
	nodesOnPath,
	startWorker,
	WorkerError,
	type StartOptions,
} from '../../src/jobs/workerProcess.js';
import { until } from '../host/until';
import { inputFor } from '../unit/jobs/support.js';
import { isAlive } from './support.js';

suite('jobs › worker process', () => {
	let folder: string;
	const said = () => path.join(folder, 'said.json');

	setup(async () => {
		folder = await mkdtemp(path.join(tmpdir(), 'easel-start-'));
	});

	teardown(async () => {
		mock.restoreAll();
		await rm(folder, { recursive: true, maxRetries: 10 });
	});

	/** A script that knows how to say something, note something, and wait for its order. */
	async function script(does: string): Promise<string> {
		const file = path.join(folder, 'script.js');
		await writeFile(
			file,
			`const { renameSync, writeFileSync } = require('node:fs');
			const say = (type, more) => console.log(JSON.stringify({ type, ...more }));
			const note = (what) => {
				// In one step: the waiting test reads all of it.
				writeFileSync(${JSON.stringify(`${said()}.part`)}, JSON.stringify(what));
				renameSync(${JSON.stringify(`${said()}.part`)}, ${JSON.stringify(said())});
			};
			const hello = (node = process.versions.node) => say('hello', { node });
			const ordered = (then) => process.stdin.once('data', (text) => then(JSON.parse(text)));
			const stay = () => setInterval(() => undefined, 1000);
			${does}`,
		);
		return file;
	}

	const input = () => inputFor({ folder }, { address: 'https://a', key: 'the-key' });

	async function start(does: string, change: Partial<StartOptions> = {}): Promise<number> {
		return startWorker({
			script: await script(does),
			input: input(),
			programs: [process.execPath],
			...change,
		});
	}

	async function noted(): Promise<unknown> {
		await until(() => existsSync(said()), 'what the process notes');
		return JSON.parse(await readFile(said(), 'utf8'));
	}

	/**
	 * Holds the steps in which the time of a start is counted.
	 *
	 * @returns ends it
	 */
	function holdDeadline(startTimeoutMs: number): () => void {
		const over = Promise.withResolvers<void>();
		const { setTimeout } = timers;
		mock.method(timers, 'setTimeout', (ms: number, ...more: unknown[]) =>
			ms === startTimeoutMs / 30
				? over.promise
				: (setTimeout as (...args: unknown[]) => unknown)(ms, ...more),
		);
		return over.resolve;
	}

	/** Starts a worker that notes its process id, and ends the time of its start behind that. */
	async function startUntilTheDeadline(does: string, programs = [process.execPath]) {
		const endDeadline = holdDeadline(30_000);
		const starting = start(does, { programs, startTimeoutMs: 30_000 });
		const pid = (await noted()) as number;
		endDeadline();
		return { starting, pid };
	}

	const refusal = async (starting: Promise<number>): Promise<string> => {
		const error = await starting.then(
			() => assert.fail('it should not have started'),
			(caught: unknown) => caught,
		);
		assert.ok(error instanceof WorkerError, String(error));
		assert.equal(error.name, 'WorkerError');
		return wordsOf(error);
	};

	test('has nothing of the key in its arguments and variables, and nothing of ours that it does not need', async () => {
		const passed = ['LC_TEST', 'HTTP_PROXY', 'https_proxy', 'No_Proxy', 'SSL_CERT_DIR'];
		const dropped = ['EASEL_PATH', 'PATHS', 'EASEL_LC_TEST', 'LC', 'HTTPX_PROXY', 'PROXY'];
		const before = { ...process.env };
		for (const name of [...passed, ...dropped]) {
			process.env[name] = 'x';
		}
		try {
			await start(`hello(); ordered(() => {
				const folder = process.cwd();
				note({ args: process.argv.concat(process.execArgv), env: process.env, folder });
				say('ready');
			});`);
		} finally {
			for (const name of [...passed, ...dropped]) {
				if (before[name] === undefined) delete process.env[name];
				else process.env[name] = before[name];
			}
		}
		const { args, env, ...more } = (await noted()) as {
			args: string[];
			env: Record<string, string>;
			folder: string;
		};
		assert.equal(more.folder, path.parse(folder).root, 'it keeps no folder from being removed');
		assert.ok(!JSON.stringify([args, env]).includes('the-key'));
		assert.ok(args.includes('--max-semi-space-size=1'));
		assert.equal(env['ELECTRON_RUN_AS_NODE'], '1');
		assert.equal(env['PATH'], process.env['PATH']);
		assert.deepEqual(
			[...passed, ...dropped].filter((name) => env[name] === 'x'),
			passed,
		);
	});

	test('that refuses is not asked of another program', async () => {
		const message = await refusal(
			start(
				`hello(); ordered(() => { say('refused', { error: { code: 'words', words: 'no room' } }); stay(); });`,
				{
					programs: [process.execPath, '/no/such/program'],
				},
			),
		);
		assert.equal(message, "Easel's worker process did not start: no room.");
	});

	suite('that is at work, though it has not said so', () => {
		/** Script of a worker that notes a state of its job. */
		const noting = (state: string) => {
			const file = JSON.stringify(path.join(folder, 'state.json'));
			const content = { state, attempts: [], changedAt: new Date().toISOString() };
			return `writeFileSync(${file}, ${JSON.stringify(JSON.stringify(content))}); note(process.pid);`;
		};

		test('is never ended because it takes too long, and has started', async () => {
			const { starting, pid } = await startUntilTheDeadline(
				`hello(); ordered(() => { ${noting('waiting')} stay(); });`,
			);
			try {
				assert.equal(await starting, pid);
				assert.ok(isAlive(pid));
			} finally {
				process.kill(pid, 'SIGKILL');
			}
		});

		test('is not where the job is still queued, and no other program is tried', async () => {
			const { starting, pid } = await startUntilTheDeadline(
				`hello(); ordered(() => { ${noting('queued')} stay(); });`,
				[process.execPath, '/no/such/program'],
			);
			assert.match(await refusal(starting), /did not start: it took too long\.$/);
			assert.ok(!isAlive(pid));
		});

		test('may be where the journal cannot be read', async () => {
			await mkdir(path.join(folder, 'state.json'));
			const { starting, pid } = await startUntilTheDeadline(
				`hello(); ordered(() => { note(process.pid); stay(); });`,
			);
			try {
				assert.equal(await starting, pid);
			} finally {
				process.kill(pid, 'SIGKILL');
			}
		});
	});

	test('is not run by a Node that is too old, and never gets its order there', async () => {
		for (const version of ['18.20.0', '22.14.9', '23.0.0', '23.9.9', '0.12']) {
			const message = await refusal(
				start(`hello(${JSON.stringify(version)}); ordered((order) => note(order));`),
			);
			assert.ok(message.includes(`it is Node.js ${version}`));
			assert.ok(!existsSync(said()));
		}
		for (const version of ['22.15.0', '23.10.0', '24.0.0', '100.1']) {
			await start(`hello(${JSON.stringify(version)}); ordered(() => say('ready'));`);
		}
	});

	suite('Node on the PATH', () => {
		test('is the first that is a file in an absolute folder', async () => {
			const [one, two, three] = ['one', 'two', 'three'].map((name) => path.join(folder, name)) as [
				string,
				string,
				string,
			];
			await mkdir(path.join(one, 'node'), { recursive: true });
			for (const name of [two, three]) {
				await mkdir(name);
				await writeFile(path.join(name, 'node'), '');
			}
			const found = (PATH: string) => nodesOnPath({ PATH }, 'linux');
			assert.deepEqual(await found(`${one}:${folder}/gone:${two}:${three}`), [
				path.join(two, 'node'),
			]);
			assert.deepEqual(await found(`${path.relative(process.cwd(), two)}:.::`), []);
			assert.deepEqual(await found(one), []);
			assert.deepEqual(await nodesOnPath({}, 'linux'), []);
			const env = { OTHER: one, LONG_PATH: three, path: two };
			assert.deepEqual(await nodesOnPath(env, 'linux'), [path.join(two, 'node')]);
		});

		test('is node.exe on Windows, whose variables have any case', async () => {
			// Here a path of Windows is the name of a file in the folder that is open.
			const before = process.cwd();
			process.chdir(folder);
			try {
				await writeFile('C:\\tools\\node.exe', '');
				const env = { Path: 'relative;C:\\gone;C:\\tools' };
				assert.deepEqual(await nodesOnPath(env, 'win32'), ['C:\\tools\\node.exe']);
			} finally {
				process.chdir(before);
			}
		});
	});
});
