import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import esbuild from 'esbuild';
import type { Recipes } from '../../../src/jobs/deliver.js';
import { diskDestination } from '../../../src/jobs/diskDestination.js';
import { followJob } from '../../../src/jobs/follow.js';
import { livenessOf } from '../../../src/jobs/holder.js';
import type { Journal } from '../../../src/jobs/journal.js';
import { workerLease, type JobEntry } from '../../../src/jobs/jobFolder.js';
import { readLease } from '../../../src/jobs/leaseFiles.js';
import { Leases } from '../../../src/jobs/windowLeases.js';
import { makeImage, type MakeOptions } from '../../../src/jobs/makeImage.js';
import type { GenerationRequest, Reference } from '../../../src/jobs/request.js';
import { Slots } from '../../../src/jobs/slots.js';
import type { JobState } from '../../../src/jobs/state.js';
import { startWorker, type StartOptions } from '../../../src/jobs/workerProcess.js';
import type { JobEvent, WorkerInput } from '../../../src/jobs/workerProtocol.js';
import { defaultNetworkOptions } from '../../../src/service/transport.js';
import { until } from '../../host/until';
import { drawPicture } from '../../service/picture.js';

/** A request as the interface makes it. */
export function requestOf(change: Partial<GenerationRequest> = {}): GenerationRequest {
	return {
		id: crypto.randomUUID(),
		createdAt: new Date().toISOString(),
		operation: 'generate',
		model: 'std-image-2',
		prompt: 'a harbor',
		size: '1024x1024',
		references: [],
		target: { folder: 'file:///nowhere', stem: 'a-harbor' },
		...change,
	};
}

/** A reference image of so many bytes, as a request names it. */
export function referenceOf(bytes: number): Reference {
	return {
		path: '/jobs/1/a.png',
		source: 'file:///a.png',
		fileName: 'a.png',
		contentType: 'image/png',
		width: 10,
		height: 10,
		bytes,
		sha256: '',
	};
}

const drawn = new Map<string, Promise<Buffer>>();

/** The picture that the stand-in service draws for such a request with another prompt. */
export function pictureOf(prompt: string): Promise<Buffer> {
	const picture =
		drawn.get(prompt) ?? drawPicture({ prompt, size: requestOf().size, references: [] });
	drawn.set(prompt, picture);
	return picture;
}

/** Bundles a script that may import `./src/…`, as the extension's own scripts are bundled. */
export async function bundle(contents: string): Promise<string> {
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

let worker: Promise<string> | undefined;

/** The worker's bundle, made once for all tests of this process. */
export function bundledWorker(): Promise<string> {
	return (worker ??= bundle(`import './src/jobs/worker.ts';`));
}

/**
 * The real worker with something in it that goes wrong: a call of what `workerFaults.ts` offers, as
 * source text.
 */
export function faultyWorker(call: string): Promise<string> {
	return bundle(`import './src/jobs/worker.ts';
		import * as faults from './test/unit/jobs/workerFaults.ts';
		faults.${call};`);
}

/** What a worker is told about a service of this machine. */
export function inputFor(
	{ folder }: Pick<JobEntry, 'folder'>,
	{ address, key }: { readonly address: string; readonly key: string },
	change: Partial<WorkerInput> = {},
): WorkerInput {
	return {
		folder,
		address,
		key,
		network: defaultNetworkOptions,
		timeoutMs: 60_000,
		retry: 'all',
		...change,
	};
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

/** Images are saved as they come. */
export const noRecipes: Recipes = {
	suffix: '.json',
	embed: () => Promise.resolve({}),
	writeApart: () => Promise.reject(new Error('It is not kept.')),
};

export interface Following {
	readonly end: Promise<JobState>;
	readonly events: JobEvent[];
	/** What was said when nothing could be told. */
	readonly unknown: string[];
	cancel(): void;
}

/** @param again what the person answers to the question whether to send again, if anything */
export function follow(
	entry: Pick<JobEntry, 'folder'>,
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
	const holder = (await readLease(folder, workerLease))?.holder;
	return typeof holder === 'object' && (await livenessOf(holder)) === 'alive';
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
