import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import esbuild from 'esbuild';
import { diskDestination } from '../../src/jobs/diskDestination.js';
import {
	followJob,
	type JobAnswer,
	type JobProgress,
	type JobQuestion,
} from '../../src/jobs/follow.js';
import { ownerStatus, type LeaseOwner } from '../../src/jobs/processIdentity.js';
import type { Journal } from '../../src/jobs/journal.js';
import { workerLease, type JobEntry } from '../../src/jobs/jobFolder.js';
import { readLease } from '../../src/jobs/leaseFiles.js';
import { Leases } from '../../src/jobs/windowLeases.js';
import { makeImage, type MakeServices, type SettingsSource } from '../../src/jobs/makeImage.js';
import { Slots } from '../../src/jobs/slots.js';
import type { JobState, JobResult } from '../../src/jobs/state.js';
import { startWorker, type StartOptions } from '../../src/jobs/workerProcess.js';
import type { JobEvent, WorkerInput } from '../../src/jobs/workerProtocol.js';
import { until } from '../host/until';
import { noRecipes } from '../unit/jobs/support.js';
import { logTo } from '../../src/log.js';
import type { Destination } from '../../src/jobs/deliver.js';
import type { FailureFacts } from '../../src/jobs/failure.js';
import type { Clock } from '../../src/service/clock.js';

const bundles = new Map<string, Promise<string>>();

/**
 * Bundles a script that may import `./src/…`, as the extension's own scripts are bundled: once for
 * all tests of this process.
 */
export function bundle(contents: string, format: 'cjs' | 'esm' = 'cjs'): Promise<string> {
	const bundled = bundles.get(contents) ?? makeBundle(contents, format);
	bundles.set(contents, bundled);
	return bundled;
}

async function makeBundle(contents: string, format: 'cjs' | 'esm'): Promise<string> {
	const folder = await mkdtemp(path.join(tmpdir(), 'easel-bundle-'));
	const outfile = path.join(folder, format === 'esm' ? 'script.mjs' : 'script.js');
	await esbuild.build({
		stdin: { contents, resolveDir: process.cwd(), loader: 'ts' },
		bundle: true,
		platform: 'node',
		format,
		outfile,
		logLevel: 'warning',
	});
	return outfile;
}

/** Starts a script in a process of its own, which ends by itself; its output is read here. */
export function run(script: string, ...args: readonly string[]) {
	return spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
}

export function sha256OfBytes(bytes: Uint8Array): string {
	return createHash('sha256').update(bytes).digest('hex');
}

export function failure(code: string): Error {
	return Object.assign(new Error(`${code}: it does not work`), { code });
}

/** A process of another machine, whose state is unknown here. */
export function stranger(host = 'login1', job?: string): LeaseOwner {
	return {
		id: crypto.randomUUID(),
		address: '/nowhere/easel-gone00/s',
		pid: 1,
		machine: `${host} 0123`,
		endsBy: new Date(Date.now() + 60 * 60 * 1000).toISOString(),
		job,
	};
}

/** A folder of its own for each test of a suite, removed behind it. */
export function ownFolder(): { readonly path: string } {
	let folder = '';
	setup(async () => {
		folder = await realpath(await mkdtemp(path.join(tmpdir(), 'easel-test-')));
	});
	// A worker whose end is reported may still leave its slot.
	teardown(() => rm(folder, { recursive: true, maxRetries: 10, force: true }));
	return {
		get path() {
			return folder;
		},
	};
}

/** The worker's bundle. */
export function bundledWorker(): Promise<string> {
	return bundle(`import './src/jobs/worker.ts';`);
}

/**
 * The real worker with something in it that goes wrong: calls of what `workerFaults.ts` offers, as
 * source text. All faults share one bundle, because making one takes as long as a short test.
 */
export async function faultyWorker(...calls: readonly string[]): Promise<string> {
	const bundled = await bundle(`import './src/jobs/worker.ts';
		export * from './test/process/workerFaults.ts';`);
	const script = path.join(path.dirname(bundled), `${crypto.randomUUID()}.js`);
	const faults = `require(${JSON.stringify(bundled)})`;
	await writeFile(script, calls.map((call) => `${faults}.${call};`).join('\n'));
	return script;
}

/** Starts the real worker in a process of its own. Returns its process id. */
export async function start(
	input: WorkerInput,
	options: Partial<StartOptions> = {},
): Promise<number> {
	return startWorker({ script: await bundledWorker(), input, ...options });
}

/** Options of {@link makeImage}, each by itself. */
export interface MakeOptions extends Omit<MakeServices, 'settings' | 'destinations'> {
	readonly limit: () => number;
	readonly settings: SettingsSource['read'];
	readonly destinationOf: (result: JobResult) => Destination;
	readonly signal: AbortSignal;
	readonly givingUp?: AbortSignal;
	readonly onEvent?: (event: JobProgress) => void;
	readonly onStarted?: (pid: number, address: string) => void;
	readonly onUnknown?: (reason: string) => void;
	readonly ask?: (failure: FailureFacts) => Promise<boolean>;
	readonly chooseFolder?: (code: string) => Promise<string | undefined>;
	readonly clock?: Clock;
}

export function makeWith(
	entry: JobEntry,
	{ limit, settings, destinationOf, signal, givingUp, clock, ...options }: MakeOptions,
): Promise<JobState> {
	const [onProgress, ask] = listening(options);
	return makeImage(
		entry,
		{
			...options,
			destinations: { destinationFor: (_request, result) => destinationOf(result) },
			settings: {
				get concurrency() {
					return limit();
				},
				read: settings,
			},
		},
		{ cancel: signal, giveUp: givingUp ?? new AbortController().signal },
		onProgress,
		ask,
		clock,
	);
}

/** Makes the callbacks of {@link followJob} from callbacks of one kind each. */
export function listening({
	onEvent,
	onStarted,
	onUnknown,
	onLateAnswer,
	ask,
	chooseFolder,
}: Pick<MakeOptions, 'onEvent' | 'onStarted' | 'onUnknown' | 'ask' | 'chooseFolder'> & {
	readonly onLateAnswer?: () => void;
}): [(progress: JobProgress) => void, (question: JobQuestion) => Promise<JobAnswer>] {
	return [
		(progress) => {
			if (progress.type === 'started') {
				onStarted?.(progress.pid, progress.address);
			} else if (progress.type === 'unreachable') {
				onUnknown?.(progress.reason);
			} else if (progress.type === 'answeredLate') {
				onLateAnswer?.();
			} else {
				onEvent?.(progress);
			}
		},
		async (question) =>
			question.type === 'folder' ? chooseFolder?.(question.code) : ask?.(question.failure),
	];
}

/** A window without an editor: its leases, and what it needs to bring a job to its end. */
export interface Window {
	readonly leases: Leases;
	/** Logged failures, which do no harm. */
	readonly troubles: unknown[];
	/** Brings a job to its end; images go into the folder `workspace` of the root. */
	make(entry: JobEntry, change?: Partial<MakeOptions>): Promise<JobState>;
	close(): Promise<void>;
}

/** @param root of the storage, which all windows share */
export function openWindow(root: string, journal: Journal): Window {
	const leases = new Leases();
	const troubles: unknown[] = [];
	logTo({ error: (what, error) => troubles.push(what, error) });
	const slots = new Slots(path.join(root, 'slots'), leases, journal);
	return {
		leases,
		troubles,
		make: (entry, change = {}) =>
			makeWith(entry, {
				slots,
				leases,
				worker: '/nowhere',
				limit: () => 4,
				settings: () => Promise.reject(new Error('There are no settings.')),
				signal: new AbortController().signal,
				destinationOf: ({ extension }) =>
					diskDestination(path.join(root, 'workspace'), {
						names: () => [`${entry.request.id}${extension}`],
						id: entry.request.id,
						toUri: (file) => pathToFileURL(file).href,
						toPath: fileURLToPath,
					}),
				gallery: { add: () => Promise.resolve() },
				recipes: noRecipes,
				...change,
			}),
		close: () => leases.dispose(),
	};
}

export interface Following {
	readonly end: Promise<JobState>;
	readonly events: JobEvent[];
	/** Messages about an unknown state. */
	readonly unknown: string[];
	cancel(): void;
}

/** @param again the user's answer to the question to send again, if any */
export function follow(
	entry: Pick<JobEntry, 'folder' | 'request'>,
	again: boolean | 'no answer' = false,
): Following {
	const events: JobEvent[] = [];
	const unknown: string[] = [];
	const controller = new AbortController();
	const [onProgress, ask] = listening({
		onEvent: (event) => events.push(event as JobEvent),
		onUnknown: (reason) => unknown.push(reason),
		ask: () => (again === 'no answer' ? new Promise(() => {}) : Promise.resolve(again)),
	});
	return {
		events,
		unknown,
		cancel: () => {
			controller.abort();
		},
		end: followJob(entry, controller.signal, onProgress, ask),
	};
}

/** Returns whether the process that asks for a job's image lives. */
export async function hasWorker({ folder }: Pick<JobEntry, 'folder'>): Promise<boolean> {
	const owner = (await readLease(folder, workerLease))?.owner;
	return typeof owner === 'object' && (await ownerStatus(owner)) === 'alive';
}

export function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

/** Waits until the process reads and writes nothing any more, where the system shows that. */
export async function standsStill(pid: number): Promise<void> {
	const file = `/proc/${String(pid)}/io`;
	let before = '';
	await until(() => {
		const now = existsSync(file) ? readFileSync(file, 'utf8') : before;
		const still = now === before;
		before = now;
		return still;
	}, 'the worker to stand still');
}
