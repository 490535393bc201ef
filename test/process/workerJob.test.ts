import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import { notedText } from '../../src/editor/errorTexts.js';
import { inWords } from '../../src/easelError.js';
import type { GenerationRequest } from '../../src/jobs/request.js';
import { becomePresent, type LeaseOwner } from '../../src/jobs/processIdentity.js';
import { Journal } from '../../src/jobs/journal.js';
import {
	now,
	readState,
	workerLease,
	writeState,
	type JobEntry,
} from '../../src/jobs/jobFolder.js';
import { leaseFile, writeNextLease } from '../../src/jobs/leaseFiles.js';
import { connectLocally } from '../../src/jobs/localSocket.js';
import { chargeOf, type JobState, type StateNamed } from '../../src/jobs/state.js';
import { WorkerJob, maxLifeMs } from '../../src/jobs/workerJob.js';
import {
	jobEventSchema,
	receive,
	send,
	type Command,
	type JobEvent,
	type WorkerInput,
} from '../../src/jobs/workerProtocol.js';
import { systemClock, type Clock } from '../../src/service/clock.js';
import { defaultNetworkOptions } from '../../src/service/transport.js';
import { ConnectionError } from '../../src/service/errors.js';
import { maxCapacityWaitMs } from '../../src/jobs/rateLimit.js';
import { factsOf } from '../../src/jobs/failure.js';
import { maxAttempts } from '../../src/service/retry.js';
import { startImageService, type ImageService } from '../service/server.js';
import { inputFor, referenceOf, requestOf } from '../unit/jobs/support.js';
import { referencePng } from '../unit/service/support.js';
import { sha256OfBytes } from './support.js';

const key = 'job-key-83c2';
const hour = 60 * 60 * 1000;
const ends = [
	...(['SIGTERM', 'SIGINT', 'SIGHUP'] as const),
	...(['uncaughtException', 'unhandledRejection'] as const),
];

/** A window that follows the job. */
interface Window {
	readonly events: JobEvent[];
	readonly socket: Socket;
	readonly closed: Promise<unknown>;
	readonly say: (command: Command) => void;
	/** Until it has heard this last. */
	readonly hears: (type: JobEvent['type'], phase?: string) => Promise<void>;
	/** Returns a word for each event. */
	readonly words: () => string[];
}

interface Running {
	readonly entry: JobEntry;
	/** The end of the job's work. */
	readonly end: Promise<void>;
	readonly self: LeaseOwner;
	readonly window: () => Promise<Window>;
}

/** The waits between two attempts, and between two looks, take a tenth of their time. */
class QuickClock implements Clock {
	sleeps = 0;

	now(): number {
		return systemClock.now();
	}

	wallTime(): number {
		return systemClock.wallTime();
	}

	sleep(ms: number, signal?: AbortSignal): Promise<void> {
		this.sleeps += 1;
		return systemClock.sleep(ms > 15_000 ? ms : ms / 10, signal);
	}
}

// The life of the process around it is tested in `worker.test.ts` and `workerEnds.test.ts`.
suite('jobs › worker’s job', () => {
	let root: string;
	let service: ImageService;
	let journal: Journal;
	let clock: QuickClock;
	const closing: (() => Promise<void>)[] = [];

	suiteSetup(async () => {
		root = await mkdtemp(path.join(tmpdir(), 'easel-job-'));
	});

	suiteTeardown(() => rm(root, { recursive: true, maxRetries: 10 }));

	setup(async () => {
		service = await startImageService({ key, pictures: 'small' });
		journal = new Journal(await mkdtemp(path.join(root, 'jobs-')));
		clock = new QuickClock();
		// This process ends as it always does.
		const on = process.on.bind(process) as (name: string, listener: () => void) => NodeJS.Process;
		mock.method(process, 'on', (name: string, listener: () => void) =>
			ends.some((end) => end === name) ? process : on(name, listener),
		);
	});

	teardown(async () => {
		mock.restoreAll();
		await Promise.all(closing.splice(0).map((close) => close()));
		await service.close();
		process.exitCode = undefined;
	});

	/** Waits as `until` does, but looks more often. */
	async function soon(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
		for (const deadline = Date.now() + 40_000; !(await condition());) {
			assert.ok(Date.now() < deadline, `waited for ${what}`);
			await new Promise((resolve) => setTimeout(resolve, 10));
		}
	}

	function create(prompt: string, change: Partial<GenerationRequest> = {}): Promise<JobEntry> {
		return journal.create(requestOf({ prompt, ...change }));
	}

	async function run(entry: JobEntry, change: Partial<WorkerInput> = {}): Promise<Running> {
		const input = inputFor(entry, { address: service.address, key }, { retry: 'ask', ...change });
		const job = new WorkerJob(entry, input, undefined, clock);
		const { owner: self, socket } = await becomePresent(
			(window) => {
				job.clients.add(window);
			},
			{ endsBy: new Date(Date.now() + hour).toISOString(), job: entry.request.id },
		);
		await writeNextLease(entry.folder, workerLease, 0, self);
		const windows: Socket[] = [];
		closing.push(async () => {
			// Nothing goes on in the next test.
			const last = await connectLocally(self.address);
			if (typeof last !== 'string') {
				send(last, { type: 'cancel' });
				send(last, { type: 'taken' });
				last.end();
			}
			windows.forEach((window) => window.destroy());
			await socket.close();
		});
		const window = async (): Promise<Window> => {
			const connected = await connectLocally(self.address);
			assert.ok(typeof connected !== 'string');
			windows.push(connected);
			const events: JobEvent[] = [];
			receive(connected, jobEventSchema, (event) => events.push(event));
			return {
				events,
				socket: connected,
				closed: once(connected, 'close'),
				say: (command) => {
					send(connected, command);
				},
				hears: (type, phase) =>
					soon(
						() => {
							const last = events.at(-1);
							const isHeard =
								last?.type === type && (last.type !== 'phase' || last.phase === phase);
							assert.ok(isHeard || !connected.destroyed, `ended without ${type}`);
							return isHeard;
						},
						`${type} ${phase ?? ''}`,
					),
				words: () =>
					events.map((event) => {
						const { type } = event;
						return type === 'phase'
							? event.phase
							: type === 'stalled'
								? `stalled ${event.code ?? 'no more'}`
								: type;
					}),
			};
		};
		return {
			entry,
			self,
			window,
			end: job.run(self).finally(() => {
				job.clients.disconnect();
			}),
		};
	}

	const stateOf = ({ folder }: JobEntry) => readState(folder);

	/** Until the journal has the state, which no window waits for, as a job goes on meanwhile. */
	async function reaches<Name extends JobState['state']>(
		entry: JobEntry,
		name: Name,
	): Promise<StateNamed<Name>> {
		const found = Promise.withResolvers<StateNamed<Name>>();
		await soon(async () => {
			const state = await stateOf(entry);
			if (state.state !== name) {
				return false;
			}
			found.resolve(state as StateNamed<Name>);
			return true;
		}, name);
		return found.promise;
	}

	/** Returns the job's last event. */
	function endOf({ events }: Window): JobEvent & { type: 'ended' } {
		const last = events.at(-1);
		assert.ok(last?.type === 'ended', JSON.stringify(events));
		return last;
	}

	test('knows what it has got, without the key', async () => {
		service.faults.add({ dimensions: '640x480', revisedPrompt: `a calm harbor by ${key}` });
		const entry = await create('a harbor', { size: '1536x1024' });
		await (
			await run(entry)
		).end;
		const { result } = await reaches(entry, 'received');
		const bytes = await readFile(path.join(entry.folder, 'image'));
		const { elapsedMs, ...rest } = result;
		assert.ok(elapsedMs > 0 && elapsedMs < 60_000, String(elapsedMs));
		assert.deepEqual(rest, {
			file: path.join(entry.folder, 'image'),
			...{ format: 'png', contentType: 'image/png', extension: '.png' },
			...{ width: 640, height: 480, bytes: bytes.length },
			sha256: sha256OfBytes(bytes),
			requestId: service.requests[0]?.id,
			revisedPrompt: 'a calm harbor by ***',
		});
	});

	test('asks for an edit where there are references, and says so', async () => {
		const copy = path.join(root, 'a.png');
		await writeFile(copy, await referencePng());
		for (const [references, endpoint] of [
			[[{ ...referenceOf(1), path: copy }], 'edits'],
			[[], 'generations'],
		] as const) {
			const { end, window } = await run(await create('a pier', { references: [...references] }));
			const { events, closed } = await window();
			await end;
			await closed;
			const [attempt] = events;
			assert.ok(attempt?.type === 'attempt');
			assert.equal(attempt.endpoint, endpoint);
			assert.equal(service.requests.at(-1)?.endpoint, endpoint);
		}
	});

	test('names an unusable proxy before anything is sent', async () => {
		const network = { ...defaultNetworkOptions, proxy: 'nonsense://proxy' };
		const entry = await create('a pier');
		await (
			await run(entry, { network, address: 'https://images.example.com' })
		).end;
		const { failure } = await reaches(entry, 'failed');
		assert.deepEqual(
			[failure.kind, failure.field, failure.charge],
			[...['request', 'http.proxy', 'notSent']],
		);
	});

	test('has noted that it sends before the service hears of it', async () => {
		service.faults.add({ hold: 'request' });
		const entry = await create('a pier');
		const { end, window } = await run(entry);
		await service.waitForRequest(1, 'held');
		const state = await stateOf(entry);
		assert.ok(['sending', 'waiting'].includes(state.state), state.state);
		assert.equal(state.attempts.length, 1);
		(await window()).say({ type: 'cancel' });
		await end;
	});

	test('says when it is cancelled what all attempts have cost, and what one has left', async () => {
		for (const [fault, charge] of [
			[{ cut: 'body' }, 'charged'],
			[{ status: 503 }, 'unknown'],
			[{ status: 429 }, 'rejected'],
		] as const) {
			service.faults.add({ ...fault, times: 1 });
			const entry = await create('a pier [fault status=429 retry-after=60]');
			const { window, end } = await run(entry, { retry: 'all' });
			const first = await window();
			await soon(async () => {
				const { state, attempts } = await stateOf(entry);
				return state === 'pausing' && attempts.length === 2;
			}, 'the second pause');
			first.say({ type: 'cancel' });
			await end;
			await first.closed;
			const { state } = endOf(first);
			assert.equal(chargeOf(state), charge);
			assert.equal(state.state, charge === 'charged' ? 'failed' : 'cancelled');
			const left = state.state === 'failed' ? state.failure.answerFile : undefined;
			assert.equal(left, charge === 'charged' ? path.join(entry.folder, 'answer') : undefined);
		}
	});

	suite('that asks the user', () => {
		const question = 'a pier [fault status=503 times=1]';

		interface Case {
			/** Runs before the question is answered. */
			readonly meanwhile?: (running: Running) => Promise<unknown>;
			readonly again?: boolean;
			/** Number of requests to the service. */
			readonly requests: number;
			/** The reported state; none where the job is another one's. */
			readonly reported?: Partial<Record<'state' | 'charge' | 'kind', string>> & {
				readonly error?: object;
			};
			readonly noted: JobState['state'];
		}

		const stranger = (self: LeaseOwner): LeaseOwner => ({ ...self, id: crypto.randomUUID() });
		const note = (change: object) => async (running: Running) => {
			const { attempts } = await stateOf(running.entry);
			const state = { attempts, changedAt: now(), ...change } as JobState;
			await writeState(running.entry.folder, state);
		};
		const wall = async ({ entry }: Running) => {
			await rm(path.join(entry.folder, 'state.json'));
			await mkdir(path.join(entry.folder, 'state.json'));
		};
		const unsent = (systemCode: string) => ({ code: 'storage.journal', systemCode });

		const cases: Readonly<Record<string, Case>> = {
			'sends again where the answer is yes': {
				requests: 2,
				reported: { state: 'received' },
				noted: 'received',
			},
			'ends where the answer is no': {
				again: false,
				requests: 1,
				reported: { state: 'failed', kind: 'status', charge: 'unknown' },
				noted: 'failed',
			},
			'sends nothing where a window has noted that it was cancelled': {
				meanwhile: note({ state: 'cancelled', charge: 'notSent' }),
				requests: 1,
				reported: { state: 'cancelled', charge: 'unknown' },
				noted: 'cancelled',
			},
			'is silent where another process asks for the image': {
				meanwhile: ({ entry, self }) =>
					writeNextLease(entry.folder, workerLease, 1, stranger(self)),
				requests: 1,
				noted: 'pausing',
			},
			'sends nothing where it is unknown who may ask': {
				meanwhile: ({ entry }) => writeFile(leaseFile(entry.folder, workerLease, 2), '{'),
				requests: 1,
				reported: { state: 'failed', kind: 'storage', charge: 'unknown', error: unsent('EIO') },
				noted: 'failed',
			},
			'sends nothing that cannot be noted': {
				meanwhile: wall,
				requests: 1,
				reported: { state: 'failed', kind: 'storage', charge: 'unknown', error: unsent('EISDIR') },
				noted: 'failed',
			},
			'sends again where the journal has lost its state': {
				meanwhile: ({ entry }) => rm(path.join(entry.folder, 'state.json')),
				requests: 2,
				reported: { state: 'received' },
				noted: 'received',
			},
		};

		test('does what is right with the answer, whatever has happened meanwhile', async () => {
			const said: string[] = [];
			mock.method(process.stderr, 'write', (text: string) => said.push(text) > 0);
			await Promise.all(
				Object.entries(cases).map(async ([what, { meanwhile, again = true, ...expected }]) => {
					// Its own words, by which the service counts.
					const running = await run(await create(`${what}: ${question}`));
					const { entry, window, end } = running;
					const first = await window();
					await first.hears('failed');
					assert.equal((await reaches(entry, 'pausing')).until, undefined, what);
					await meanwhile?.(running);
					first.say({ type: 'answer', again });
					if (expected.reported !== undefined) {
						await first.hears('ended');
						const { state, isNoted } = endOf(first);
						const facts = { ...state, ...('failure' in state ? state.failure : {}) };
						assert.deepEqual({ ...facts, ...expected.reported }, facts, what);
						assert.equal(isNoted, meanwhile !== wall, what);
						if (!isNoted) {
							await rm(path.join(entry.folder, 'state.json'), { recursive: true });
						}
					}
					await end;
					await first.closed;
					assert.equal(first.words().includes('ended'), expected.reported !== undefined, what);
					assert.equal((await stateOf(entry)).state, expected.noted, what);
					const sent = service.requests.filter(({ fields }) =>
						JSON.stringify(fields).includes(`${what}:`),
					);
					assert.equal(sent.length, expected.requests, what);
				}),
			);
			const silent = Object.values(cases).filter(({ reported }) => reported === undefined);
			assert.equal(said.filter((text) => /^LeaseLostError: .*\n/.test(text)).length, silent.length);
		});

		test('takes an hour without an answer for a no', async () => {
			const { setTimeout } = globalThis;
			// An hour is over at once.
			mock.method(globalThis, 'setTimeout', (then: () => void, ms: number) =>
				setTimeout(then, ms === hour ? 0 : ms),
			);
			const entry = await create(question);
			const { end } = await run(entry);
			await end;
			assert.equal((await stateOf(entry)).state, 'failed');
			assert.equal(service.requests.length, 1);
		});
	});

	test('whose start cannot be noted, or is not its own, sends nothing', async () => {
		mock.method(process.stderr, 'write', () => true);
		for (const [lease, end] of [
			['{', 'failed'],
			['{}', 'queued'],
		] as const) {
			const entry = await create('a pier');
			await writeFile(leaseFile(entry.folder, workerLease, 2), lease);
			await (
				await run(entry)
			).end;
			const state = await stateOf(entry);
			assert.equal(state.state, end);
			if (state.state === 'failed') {
				assert.deepEqual([state.failure.kind, state.failure.charge], ['storage', 'notSent']);
			}
		}
		const entry = await create('a pier');
		const running = await run(entry);
		const file = path.join(entry.folder, 'state.json');
		await rm(file);
		await mkdir(file);
		const first = await running.window();
		await first.hears('ended');
		const { state } = endOf(first);
		assert.ok(state.state === 'failed');
		assert.deepEqual([state.failure.kind, state.failure.charge], ['storage', 'notSent']);
		await rm(file, { recursive: true });
		await running.end;
		assert.equal(service.requests.length, 0);
	});

	test('ends also by an unexpected error, and says what it may have cost', async () => {
		const failure = (charge: 'rejected') =>
			factsOf(new ConnectionError('EPIPE', inWords('broke'), { charge }), { elapsedMs: 1 }, false);
		const rejected: JobState = {
			state: 'pausing',
			attempts: [{ number: 1, startedAt: now(), failure: failure('rejected') }],
			changedAt: now(),
		};
		for (const before of [undefined, rejected]) {
			const entry = await create('a pier');
			await (
				await run({ ...entry, state: before ?? entry.state }, { address: 'no address' })
			).end;
			const state = await stateOf(entry);
			assert.ok(state.state === 'failed');
			assert.deepEqual(state.attempts.slice(0, 1), before?.attempts ?? state.attempts);
			const { message, error, ...facts } = state.failure;
			const words = notedText(message, error);
			assert.match(words, /^Something went wrong in Easel: /);
			assert.match(words, /Invalid URL$/);
			assert.deepEqual(facts, {
				kind: 'unexpected',
				charge: 'unknown',
				repeatable: false,
				elapsedMs: 0,
				unknownOutcome: true,
			});
		}
	});

	test('may take every attempt with its wait, every question, and an hour to be written', () => {
		const input = inputFor({ folder: '' }, { address: '', key }, { timeoutMs: 1000 });
		const attemptsMs = maxAttempts * (1000 + maxCapacityWaitMs);
		assert.equal(maxLifeMs(input), attemptsMs + (maxAttempts - 1) * hour + hour);
	});
});
