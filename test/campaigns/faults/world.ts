import './inject';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { fileOfMonth } from '../../../src/jobs/jsonLines.js';
import { recipeWriter } from '../../../src/generation/recipeWriter.js';
import { candidateNames } from '../../../src/images/fileName.js';
import { sha256Of } from '../../../src/images/hash.js';
import { isFileOf } from '../../../src/files/exists.js';
import { isWholeImage } from '../../../src/images/whole.js';
import { createJob, type ReferenceSource } from '../../../src/jobs/createJob.js';
import { diskDestination } from '../../../src/jobs/diskDestination.js';
import { FinishedJobs } from '../../../src/jobs/finishedJobs.js';
import { Gallery } from '../../../src/jobs/gallery.js';
import { Journal } from '../../../src/jobs/journal.js';
import { readEntry, type JobEntry } from '../../../src/jobs/jobFolder.js';
import { Ledger } from '../../../src/jobs/ledger.js';
import { Leases } from '../../../src/jobs/windowLeases.js';
import type { GenerationRequest } from '../../../src/jobs/request.js';
import { persistState } from '../../../src/jobs/persistState.js';
import { recover } from '../../../src/jobs/recovery.js';
import { Slots } from '../../../src/jobs/slots.js';
import { isOver, isSettled, type JobState } from '../../../src/jobs/state.js';
import { defaultNetworkOptions } from '../../../src/service/transport.js';
import type { ImageService } from '../../service/server.js';
import { until } from '../../host/until';
import { roundOf } from '../../unit/jobs/support';
import { bundle, isAlive, makeWith, type MakeOptions } from '../../process/support.js';
import { Injection, injections, type Plan } from './inject';
import { isOurs, workerFiles } from './concerned';

export const key = 'faults-key-7be2';

/** A refusal that goes on is over then. */
const healedAfterMs = 2_500;

let worker: Promise<string> | undefined;

/** The real worker, whose calls are counted. */
export function faultyWorker(): Promise<string> {
	return (worker ??= bundle(
		`import './test/campaigns/faults/injectWorker.ts'; import './src/jobs/worker.ts';`,
	));
}

/** A storage, a workspace and whatever happens to them, for one run of one scenario. */
export class World {
	readonly pids: number[] = [];
	/** The ids of all that was put on disk. */
	readonly jobs: string[] = [];
	/** Every window that was ever open. */
	readonly windows: Window[] = [];
	/** The prompt, by which the service's records are known. */
	readonly prompt: string;
	/** Place of the recipe. */
	provenance: GenerationRequest['provenance'] = 'inImage';
	#healing: NodeJS.Timeout | undefined;

	private constructor(
		/** Absolute; the storage lies in it. */
		readonly root: string,
		readonly service: ImageService,
		readonly script: string,
		number: number,
	) {
		this.prompt = `fault run ${String(number)}`;
	}

	static async open(service: ImageService, number: number): Promise<World> {
		const root = await mkdtemp(path.join(tmpdir(), 'easel-faults-'));
		await mkdir(path.join(root, 'workspace'));
		return new World(root, service, await faultyWorker(), number);
	}

	get workspace(): string {
		return path.join(this.root, 'workspace');
	}

	get images(): string {
		return path.join(this.workspace, 'images');
	}

	get requests() {
		return this.service.requests.filter(({ fields }) =>
			fields.some(({ name, value }) => name === 'prompt' && value === this.prompt),
		);
	}

	get made(): number {
		return this.requests.filter(({ imageMade }) => imageMade).length;
	}

	async planWorker(plan: Plan): Promise<void> {
		this.healLater();
		await writeFile(path.join(this.root, workerFiles.plan), JSON.stringify(plan));
	}

	async workerCalls(): Promise<string[]> {
		const text = await readFile(path.join(this.root, workerFiles.calls), 'utf8');
		return JSON.parse(text) as string[];
	}

	/** Called when calls begin to be refused: a user would do something about it some time later. */
	healLater(): void {
		this.#healing = setTimeout(() => void this.heal(), healedAfterMs);
	}

	/** The disk is as it should be again, for the windows and the worker. */
	async heal(): Promise<void> {
		clearTimeout(this.#healing);
		for (const { injection } of this.windows) {
			injection.heal();
		}
		await writeFile(path.join(this.root, workerFiles.healed), '');
	}

	/** Lets the held requests of this world go on. */
	release(): void {
		this.service.releaseHeld(this.prompt);
	}

	async entries(): Promise<JobEntry[]> {
		const found = await readdir(this.#jobs, { withFileTypes: true }).catch(() => []);
		const entries = await Promise.all(
			found
				.filter((entry) => entry.isDirectory())
				.map(({ name }) => readEntry(path.join(this.#jobs, name)).catch(() => undefined)),
		);
		return entries.filter((entry) => entry !== undefined);
	}

	/** Resolves when a part of an answer is in the folder of a job. */
	async arriving(): Promise<void> {
		await until(async () => {
			const [entry] = await this.entries();
			const size =
				entry && (await stat(path.join(entry.folder, 'answer')).catch(() => undefined))?.size;
			return (size ?? 0) > 0;
		}, 'an answer to arrive');
	}

	/** Removes the jobs, as a cleaner or a user in need of space does. */
	async removeJobs(): Promise<void> {
		await rm(this.#jobs, { recursive: true, force: true, maxRetries: 10 });
		this.jobs.length = 0;
	}

	/** Jobs that have gone although what stays of them was not written: what it is, of each. */
	async gone(): Promise<string[]> {
		const left = new Set(await readdir(this.#jobs).catch((): string[] => []));
		const images = await new Gallery(this.root).list();
		const lines = await readFile(
			fileOfMonth(path.join(this.root, 'ledger.jsonl'), new Date()),
			'utf8',
		).catch(() => '');
		return this.jobs.flatMap((id) => {
			const line = lines.split('\n').find((one) => one.includes(id));
			const isMissing = line?.includes('"made"') === true && !images.some((one) => one.id === id);
			return left.has(id)
				? []
				: [
						...(line === undefined ? ['no line in the ledger'] : []),
						...(isMissing ? ['not in the gallery'] : []),
					];
		});
	}

	get #jobs(): string {
		return path.join(this.root, 'jobs');
	}

	/** The images of the workspace, by their hashes; `undefined` is neither an image nor a recipe. */
	async saved(): Promise<(string | undefined)[]> {
		const found = await readdir(this.images, { recursive: true, withFileTypes: true }).catch(
			() => [],
		);
		return Promise.all(
			found
				.filter((entry) => entry.isFile() && !/^harbor.*\.png\.json$/.test(entry.name))
				.map(async ({ parentPath, name }) => {
					const file = path.join(parentPath, name);
					return (await isWholeImage(file)) && !name.startsWith('.') ? sha256Of(file) : undefined;
				}),
		);
	}

	orphans(): number {
		return this.pids.filter(isAlive).length;
	}

	async remove(): Promise<void> {
		clearTimeout(this.#healing);
		for (const pid of this.pids.filter(isAlive)) {
			process.kill(pid, 'SIGKILL');
		}
		await rm(this.root, { recursive: true, force: true, maxRetries: 10 });
	}
}

/** A window as the editor's is, without its words: notes what it reports to the user. */
export class Window {
	readonly reported: JobState[] = [];
	/** Failures that are reported without an image. */
	readonly refusals: unknown[] = [];
	readonly injection: Injection;
	readonly #leases = new Leases();
	readonly #journal: Journal;
	readonly #slots: Slots;
	readonly #gallery: Gallery;
	readonly #finished: FinishedJobs;
	readonly #ending = new AbortController();

	/** @param script the worker; without it the one whose calls are counted and may fail */
	constructor(
		private readonly world: World,
		plan?: Plan,
		private readonly script = world.script,
	) {
		this.injection = new Injection(isOurs, plan);
		if (plan !== undefined) {
			world.healLater();
		}
		world.windows.push(this);
		this.#journal = new Journal(path.join(world.root, 'jobs'));
		this.#slots = new Slots(path.join(world.root, 'slots'), this.#leases, this.#journal);
		this.#gallery = new Gallery(world.root);
		this.#finished = new FinishedJobs({
			gallery: this.#gallery,
			ledger: new Ledger(world.root),
			images: { holds: (target, bytes) => isFileOf(fileURLToPath(target), bytes) },
			onRemoved: () => undefined,
		});
	}

	/** Runs the user's action in this window; its calls are those that may fail. */
	within<T>(task: () => Promise<T>): Promise<T> {
		return injections.run(this.injection, task);
	}

	/** Runs the command to the end that the user sees. */
	async generate(
		references: readonly string[] = [],
		signal = new AbortController().signal,
	): Promise<void> {
		const entry = await this.order(references);
		if (entry !== undefined) {
			await this.resume(entry, signal);
		}
	}

	/** Puts the request on disk and starts nothing. */
	async order(references: readonly string[] = []): Promise<JobEntry | undefined> {
		try {
			const entry = await createJob(
				{
					operation: references.length > 0 ? 'edit' : 'generate',
					model: 'std-image-2',
					prompt: this.world.prompt,
					size: '1024x1024',
					provenance: this.world.provenance,
					round: roundOf(),
					workspaceFolder: pathToFileURL(this.world.workspace).href,
					target: { folder: pathToFileURL(this.world.images).href, stem: 'harbor' },
				},
				references.map(referenceSource),
				{ journal: this.#journal, leases: this.#leases },
			);
			this.world.jobs.push(entry.request.id);
			return entry;
		} catch (error) {
			this.refusals.push(error);
			return undefined;
		}
	}

	async resume(entry: JobEntry, signal = new AbortController().signal): Promise<void> {
		const { id } = entry.request;
		let state: JobState;
		try {
			state = await makeWith(entry, this.#options(id, signal));
		} catch (error) {
			this.refusals.push(error);
			return;
		}
		await this.report(entry, state);
	}

	#options(id: string, signal: AbortSignal): MakeOptions {
		const { service, pids, images } = this.world;
		return {
			slots: this.#slots,
			leases: this.#leases,
			gallery: this.#gallery,
			recipes: recipeWriter('1.2.3'),
			worker: this.script,
			limit: () => 2,
			settings: () =>
				Promise.resolve({
					address: service.address,
					key,
					network: defaultNetworkOptions,
					timeoutMs: 60_000,
					retry: 'all',
				}),
			signal,
			onStarted: (pid) => pids.push(pid),
			destinationOf: ({ extension }) =>
				diskDestination(images, {
					names: () => candidateNames(`harbor${extension}`),
					id,
					toUri: (file) => pathToFileURL(file).href,
					toPath: (uri) => fileURLToPath(uri),
				}),
		};
	}

	/** Reports an end to the user, and notes that. */
	async report(entry: JobEntry, state: JobState): Promise<void> {
		if (this.#ending.signal.aborted) {
			return;
		}
		this.reported.push(state);
		if (isOver(state)) {
			await persistState(entry.folder, { ...state, notified: true });
			await this.#finished.remove(entry.folder);
		}
	}

	/** Takes up what was left, as a window does when it opens; resolves when all has been read once. */
	async recover(): Promise<void> {
		await recover(this.#journal, this.#leases, {
			signal: this.#ending.signal,
			belongsHere: () => true,
			resume: (entry) =>
				isOver(entry.state) ? this.report(entry, entry.state) : this.resume(entry),
			askAbout: () => Promise.resolve(),
			listFailure: () => undefined,
			dismiss: () => Promise.resolve(),
			listUnsaved: () => undefined,
			reportDamaged: (damaged) => this.refusals.push(...damaged),
			reportNewer: (folders) => this.refusals.push(...folders),
			removeFinished: (folders) => this.#finished.removeAll(folders),
		});
	}

	/** Cleans the journal as a window does when it opens. */
	async cleanUp(): Promise<void> {
		const { entries } = await this.#journal.list();
		await this.#finished.removeAll(entries.map(({ folder }) => folder));
	}

	/** Ends as a window that is reloaded, whose process lives on for a while: what runs in it goes on. */
	async close(): Promise<void> {
		this.#ending.abort();
		await this.#leases.dispose();
	}

	/**
	 * Resolves when everything has come to its end, or waits for the user, or nothing has happened
	 * for so long that the user would look after it.
	 */
	async idle(): Promise<void> {
		for (const until = performance.now() + maxIdleMs; performance.now() < until;) {
			const waits = this.reported.some(({ state }) => state === 'received');
			const failed = this.refusals.length > 0;
			const entries = await this.world.entries();
			if (
				entries.every(
					({ state }) => isSettled(state) || failed || (waits && state.state === 'received'),
				)
			) {
				return;
			}
			await delay(25);
		}
	}
}

/** More than any wait of ours that a passing refusal causes. */
const maxIdleMs = 12_000;

function referenceSource(file: string): ReferenceSource {
	return {
		uri: pathToFileURL(file).href,
		fileName: path.basename(file),
		fetch: async (copy) => {
			await writeFile(copy, await readFile(file));
		},
	};
}
