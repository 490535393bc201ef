import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Journal } from '../../src/jobs/journal.js';
import type { JobEntry } from '../../src/jobs/jobFolder.js';
import type { GenerationRequest } from '../../src/jobs/request.js';
import type { StartOptions } from '../../src/jobs/workerProcess.js';
import type { WorkerInput } from '../../src/jobs/workerProtocol.js';
import { startImageService, type ImageService } from '../service/server.js';
import type { PictureSizes } from '../service/answer.js';
import { inputFor, pictureOf, requestOf } from '../unit/jobs/support.js';
import { isAlive, start } from './support.js';

export interface UseServiceOptions {
	/** The API key that the service accepts. */
	readonly key?: string;
	/** `small`, the default, saves a test the time to draw, send and parse megabytes. */
	readonly pictures?: PictureSizes;
}

/** A stand-in service and a storage, both new for each test of the suite. */
export interface UsedService {
	readonly key: string;
	/** A folder of the whole suite. */
	readonly scratch: string;
	readonly service: ImageService;
	/** The storage that all windows of a test share. */
	readonly root: string;
	readonly journal: Journal;
	/** Adds a job to the journal. */
	create(prompt?: string, change?: Partial<GenerationRequest>): Promise<JobEntry>;
	/** The order of a worker for the service. */
	inputFor(entry: Pick<JobEntry, 'folder'>, change?: Partial<WorkerInput>): WorkerInput;
	/** Starts a worker, which ends with the test. Returns its process id. */
	start(
		entry: JobEntry,
		change?: Partial<WorkerInput>,
		options?: Partial<StartOptions>,
	): Promise<number>;
	/** The picture that the service draws. */
	pictureOf(prompt: string): Promise<Buffer>;
}

/** Registers the hooks of a suite whose tests ask a service through the journal. */
export function useService({
	key = 'process-key-d41a77',
	pictures = 'small',
}: UseServiceOptions = {}): UsedService {
	let scratch: string;
	let service: ImageService;
	let root: string;
	let journal: Journal;
	const workers: number[] = [];

	suiteSetup(async () => {
		scratch = await mkdtemp(path.join(tmpdir(), 'easel-service-'));
	});

	suiteTeardown(() => rm(scratch, { recursive: true, maxRetries: 10 }));

	setup(async () => {
		service = await startImageService({ key, pictures });
		root = await mkdtemp(path.join(scratch, 'storage-'));
		journal = new Journal(path.join(root, 'jobs'));
	});

	teardown(async () => {
		// A failed test leaves its workers behind.
		for (const pid of workers.splice(0).filter(isAlive)) {
			process.kill(pid, 'SIGKILL');
		}
		await service.close();
	});

	const orderFor: UsedService['inputFor'] = (entry, change) =>
		inputFor(entry, { address: service.address, key }, change);

	return {
		key,
		get scratch() {
			return scratch;
		},
		get service() {
			return service;
		},
		get root() {
			return root;
		},
		get journal() {
			return journal;
		},
		create: (prompt = 'a harbor', change = {}) => journal.create(requestOf({ prompt, ...change })),
		inputFor: orderFor,
		start: async (entry, change, options) => {
			const pid = await start(orderFor(entry, change), options);
			workers.push(pid);
			return pid;
		},
		pictureOf: (prompt) => pictureOf(prompt, pictures),
	};
}
