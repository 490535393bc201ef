import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import esbuild from 'esbuild';
import { diskDestination } from '../../src/jobs/diskDestination.js';
import { followJob } from '../../src/jobs/follow.js';
import { ownerStatus } from '../../src/jobs/processIdentity.js';
import type { Journal } from '../../src/jobs/journal.js';
import { workerLease, type JobEntry } from '../../src/jobs/jobFolder.js';
import { readLease } from '../../src/jobs/leaseFiles.js';
import { Leases } from '../../src/jobs/windowLeases.js';
import { makeImage, type MakeOptions } from '../../src/jobs/makeImage.js';
import { Slots } from '../../src/jobs/slots.js';
import type { JobState } from '../../src/jobs/state.js';
import { startWorker, type StartOptions } from '../../src/jobs/workerProcess.js';
import type { JobEvent, WorkerInput } from '../../src/jobs/workerProtocol.js';
import { until } from '../host/until';
import { noRecipes } from '../unit/jobs/support.js';

const bundles = new Map<string, Promise<string>>();

/**
 * Bundles a script that may import `./src/…`, as the extension's own scripts are bundled: once for
 * all tests of this process.
 */
export function bundle(contents: string): Promise<string> {
	const bundled = bundles.get(contents) ?? makeBundle(contents);
	bundles.set(contents, bundled);
	return bundled;
}

async function makeBundle(contents: string): Promise<string> {
	const folder = await mkdtemp(path.join(tmpdir(), 'easel-bundle-'));
	const outfile = path.join(folder, 'script.js');
	await esbuild.build({
		stdin: { contents, resolveDir: process.cwd(), loader: 'ts' },
		bundle: true,
		platform: 'node',
		outfile,
		logLevel: 'warning',
	});
	return outfile;
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

/** A window without an editor: its leases, and what it needs to bring a job to its end. */
export interface Window {
	readonly leases: Leases;
	/** What failed without a harm. */
	readonly troubles: unknown[];
	/** Brings a job to its end; images go into the folder `workspace` of the root. */
	make(entry: JobEntry, change?: Partial<MakeOptions>): Promise<JobState>;
	close(): Promise<void>;
}

/** @param root of the storage, which all windows share */
export function openWindow(root: string, journal: Journal): Window {
	const leases = new Leases();
	const troubles: unknown[] = [];
	const slots = new Slots(path.join(root, 'slots'), leases, journal);
	return {
		leases,
		troubles,
		make: (entry, change = {}) =>
			makeImage(entry, {
				slots,
				leases,
				script: '/nowhere',
				limit: () => 4,
				settings: () => Promise.reject(new Error('There are no settings.')),
				signal: new AbortController().signal,
				onEvent: () => undefined,
				ask: () => Promise.resolve(false),
				destinationOf: ({ extension }) =>
					diskDestination(path.join(root, 'workspace'), {
						names: () => [`${entry.request.id}${extension}`],
						id: entry.request.id,
						toUri: (file) => pathToFileURL(file).href,
						toPath: fileURLToPath,
					}),
				gallery: { add: () => Promise.resolve() },
				recipes: noRecipes,
				onTrouble: (what, error) => troubles.push(what, error),
				...change,
			}),
		close: () => leases.dispose(),
	};
}

export interface Following {
	readonly end: Promise<JobState>;
	readonly events: JobEvent[];
	/** What was said when nothing could be told. */
	readonly unknown: string[];
	cancel(): void;
}

/** @param again what the person answers to the question whether to send again, if anything */
export function follow(
	entry: Pick<JobEntry, 'folder' | 'request'>,
	again: boolean | 'no answer' = false,
): Following {
	const events: JobEvent[] = [];
	const unknown: string[] = [];
	const controller = new AbortController();
	return {
		events,
		unknown,
		cancel: () => {
			controller.abort();
		},
		end: followJob(entry, {
			signal: controller.signal,
			onEvent: (event) => events.push(event),
			onUnknown: (reason) => unknown.push(reason),
			ask: () => (again === 'no answer' ? new Promise(() => {}) : Promise.resolve(again)),
		}),
	};
}

/** Whether the process that asks for a job's image lives. */
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

/** Waits until the process reads and writes nothing any more, where the system tells it. */
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
