import assert from 'node:assert/strict';
import { mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inWords } from '../../src/easelError.js';
import { factsOf, type FailureFacts } from '../../src/jobs/failure.js';
import { followJob } from '../../src/jobs/follow.js';
import { becomePresent, type Presence } from '../../src/jobs/processIdentity.js';
import { Journal } from '../../src/jobs/journal.js';
import { readState, workerLease, writeState, type JobEntry } from '../../src/jobs/jobFolder.js';
import { writeNextLease } from '../../src/jobs/leaseFiles.js';
import type { JobState, StateChange } from '../../src/jobs/state.js';
import {
	commandSchema,
	receive,
	send,
	type Command,
	type JobEvent,
} from '../../src/jobs/workerProtocol.js';
import { ConnectionError } from '../../src/service/errors.js';
import { until } from '../host/until';
import { FakeClock } from '../unit/service/fakeClock.js';
import { referencePng } from '../unit/service/support.js';
import { resultOf } from '../unit/jobs/results.js';
import { requestOf } from '../unit/jobs/support.js';
import type { Clock } from '../../src/service/clock.js';
import { listening } from './support.js';

const changedAt = '2026-01-01T00:00:00.000Z';
const attempts = [{ number: 1, startedAt: changedAt, status: 200, requestId: 'r1' }];
const ended = (isNoted: boolean): JobEvent => ({
	ageMs: 0,
	type: 'ended',
	state: { state: 'cancelled', charge: 'rejected', attempts, changedAt },
	isNoted,
});
const question: JobEvent & { type: 'failed' } = {
	ageMs: 0,
	type: 'failed',
	attempt: 1,
	failure: factsOf(
		new ConnectionError('EPIPE', inWords('broke'), { charge: 'unknown' }),
		{ elapsedMs: 1 },
		true,
	),
	next: { action: 'ask', waitMs: 0 },
};

suite('jobs › follow', () => {
	let root: string;
	let entry: JobEntry;
	let png: Uint8Array;
	let presence: Presence | undefined;
	let heard: Command[];
	let events: JobEvent[];
	let unknown: string[];

	suiteSetup(async () => {
		png = await referencePng();
	});

	setup(async () => {
		root = await mkdtemp(path.join(tmpdir(), 'easel-follow-'));
		entry = await new Journal(path.join(root, 'jobs')).create(requestOf());
		heard = [];
		events = [];
		unknown = [];
	});

	teardown(async () => {
		await presence?.socket.close();
		presence = undefined;
		await rm(root, { recursive: true, maxRetries: 10 });
	});

	const fileOf = (name: string) => path.join(entry.folder, name);
	const stateIs = (change: StateChange & { notified?: boolean }): Promise<void> =>
		writeState(entry.folder, { ...change, attempts, changedAt });

	/** A process that asks for the image: this one. */
	async function worker(
		onCommand: (command: Command, socket: Socket) => void,
		first: JobEvent[] = [],
	) {
		const endsBy = new Date(Date.now() + 3_600_000).toISOString();
		presence = await becomePresent(
			(socket) => {
				socket.on('error', () => undefined);
				for (const event of first) {
					send(socket, event);
				}
				receive(socket, commandSchema, (command) => {
					heard.push(command);
					onCommand(command, socket);
				});
			},
			{ endsBy, job: undefined },
		);
		await writeNextLease(entry.folder, workerLease, 0, presence.owner);
	}

	function follow({
		signal = new AbortController().signal,
		clock,
		...change
	}: Parameters<typeof listening>[0] & {
		signal?: AbortSignal;
		clock?: Clock;
	} = {}): Promise<JobState> {
		const [onProgress, ask] = listening({
			onEvent: (event) => events.push(event as JobEvent),
			ask: () => Promise.reject(new Error('no user')),
			onUnknown: (reason) => unknown.push(reason),
			...change,
		});
		return followJob(entry, signal, onProgress, ask, clock);
	}

	suite('a worker that lives', () => {
		test('is heard to its end, and learns that the end was heard', async () => {
			const first: JobEvent[] = [{ ageMs: 0, type: 'phase', phase: 'waiting' }, ended(true)];
			await worker(({ type }, socket) => type === 'taken' && socket.end(), first);
			const state = await follow();
			assert.equal(state.state, 'cancelled');
			assert.deepEqual(events, first);
			assert.deepEqual(heard, [{ type: 'taken' }]);
			assert.equal((await readState(entry.folder)).state, 'queued', 'it has noted its end itself');
			assert.deepEqual(unknown, []);
		});

		test('has its end noted where it could not do that itself', async () => {
			await worker(({ type }, socket) => type === 'taken' && socket.end(), [ended(false)]);
			const state = await follow();
			assert.deepEqual(await readState(entry.folder), state);
		});

		test('that does not go once it has said its end holds nothing up', async () => {
			await worker(() => undefined, [ended(true)]);
			const startedAt = performance.now();
			assert.equal((await follow()).state, 'cancelled');
			assert.ok(performance.now() - startedAt > 1_900);
		});

		test('hears of a cancellation, whether that came before or meanwhile', async () => {
			await worker(({ type }, socket) => {
				if (type === 'cancel') {
					send(socket, ended(true));
				} else {
					socket.end();
				}
			});
			await follow({ signal: AbortSignal.abort() });
			const controller = new AbortController();
			presence?.socket.server.once('connection', (socket: Socket) => {
				send(socket, { ageMs: 0, type: 'phase', phase: 'waiting' });
			});
			const onEvent = () => {
				controller.abort();
			};
			await follow({ signal: controller.signal, onEvent });
			const [cancel, taken] = [{ type: 'cancel' }, { type: 'taken' }];
			assert.deepEqual(heard, [cancel, taken, cancel, taken]);
		});

		test('gets the user’s answer to its question, and to no other failure', async () => {
			await worker(
				({ type }, socket) => {
					if (type === 'answer') {
						send(socket, ended(true));
					} else {
						socket.end();
					}
				},
				[{ ...question, next: { action: 'stop' } }, question],
			);
			const asked: FailureFacts[] = [];
			await follow({
				ask: (failure) => {
					asked.push(failure);
					return Promise.resolve(true);
				},
			});
			assert.deepEqual(asked, [question.failure]);
			assert.deepEqual(heard, [{ type: 'answer', again: true }, { type: 'taken' }]);
		});

		test('that has ended before the answer came is reported where the answer was yes', async () => {
			for (const again of [true, false]) {
				const answer = Promise.withResolvers<boolean>();
				let late = 0;
				await worker(
					({ type }, socket) => type === 'taken' && socket.end(),
					[question, ended(true)],
				);
				await follow({ ask: () => answer.promise, onLateAnswer: () => (late += 1) });
				answer.resolve(again);
				await new Promise(setImmediate);
				assert.equal(late, again ? 1 : 0);
				await presence?.socket.close();
				await rm(fileOf(`${workerLease}.1`));
			}
		});

		test('and does not answer is asked again, and never called dead', async () => {
			const endsBy = new Date(Date.now() + 3_600_000).toISOString();
			let connections = 0;
			presence = await becomePresent(
				(socket) => {
					connections += 1;
					socket.destroy();
				},
				{ endsBy, job: undefined },
			);
			await writeNextLease(entry.folder, workerLease, 0, presence.owner);
			await stateIs({ state: 'waiting' });
			const following = follow();
			await until(() => unknown.length >= 2, 'two looks');
			assert.equal(unknown[0], 'its process does not answer');
			assert.ok(connections >= 2);
			assert.equal((await readState(entry.folder)).state, 'waiting');
			await stateIs({ state: 'received', result: resultOf() });
			assert.equal((await following).state, 'received');
		});
	});

	suite('a worker that was interrupted', () => {
		const interrupted = {
			state: 'interrupted',
			charge: 'charged',
			reason: 'SIGTERM',
			...{ attempts, changedAt },
		} as const;
		const reported: JobEvent = { ageMs: 0, type: 'ended', state: interrupted, isNoted: true };

		for (const isNoted of [true, false]) {
			const how = isNoted ? 'has noted' : 'could not note';
			test(`and ${how} that may have left the whole image`, async () => {
				const end = { ...reported, isNoted };
				await worker(({ type }, socket) => type === 'taken' && socket.end(), [end]);
				await writeFile(fileOf('image.part'), png);
				const state = await follow();
				assert.equal(state.state, 'received');
				assert.deepEqual(await readState(entry.folder), state);
			});

			test(`and ${how} that has left none`, async () => {
				const end = { ...reported, isNoted };
				await stateIs(interrupted);
				await worker(({ type }, socket) => type === 'taken' && socket.end(), [end]);
				assert.deepEqual(await follow(), interrupted);
				assert.deepEqual(await readState(entry.folder), interrupted);
			});
		}
	});

	suite('a worker that is gone', () => {
		test('is gone for certain where its socket is closed', async () => {
			await worker(() => undefined);
			const { owner, socket } = presence!;
			await socket.close();
			await stateIs({ state: 'waiting' });
			// Not this process, which goes on.
			await writeNextLease(entry.folder, workerLease, 1, { ...owner, started: 'before' });
			assert.equal((await follow()).state, 'interrupted');
			assert.deepEqual(unknown, []);
		});

		test('has left a job that was interrupted, with what that means for the money', async () => {
			for (const [change, charge] of [
				[{ state: 'waiting' }, 'unknown'],
				[{ state: 'receiving' }, 'charged'],
				[{ state: 'queued' }, 'notSent'],
			] as const) {
				await stateIs(change);
				const state = await follow();
				assert.deepEqual(state, {
					state: 'interrupted',
					charge,
					reason: 'job.processEnded',
					error: { code: 'job.processEnded' },
					attempts,
					changedAt: state.changedAt,
				});
				assert.notEqual(state.changedAt, changedAt);
				assert.deepEqual(await readState(entry.folder), state);
			}
			assert.deepEqual(unknown, []);
		});

		test('has left its last words', async () => {
			for (const [text, reason] of [
				['one\nFATAL: too little memory\n  at somewhere\n', 'FATAL: too little memory'],
				['Error: first\nnode: Error: last \nat x', 'node: Error: last'],
				['terrors\nsome words\n \n', 'some words'],
				[`${'x'.repeat(400)}`, 'x'.repeat(300)],
				[`error of long ago\n${'y\n'.repeat(20_000)}`, 'y'],
				['\n', 'job.processEnded'],
			] as const) {
				await stateIs({ state: 'waiting' });
				await writeFile(fileOf('worker.log'), text);
				const state = await follow();
				assert.equal(state.state === 'interrupted' && state.reason, reason);
			}
			if (process.platform === 'linux') {
				const files = (await readdir('/proc/self/fd')).map((name) => `/proc/self/fd/${name}`);
				const opened = await Promise.all(files.map((file) => readlink(file).catch(() => '')));
				assert.deepEqual(
					opened.filter((file) => file.startsWith(root)),
					[],
				);
			}
		});

		test('may have left the whole image, under its name or not yet', async () => {
			for (const name of ['image', 'image.part']) {
				await stateIs({ state: 'receiving' });
				await writeFile(fileOf(name), png);
				const state = await follow();
				assert.ok(state.state === 'received');
				const { width, height, bytes, requestId, elapsedMs, file, sha256 } = state.result;
				assert.deepEqual(
					[width, height, bytes, requestId, elapsedMs, file],
					[1024, 1024, png.length, 'r1', 0, fileOf('image')],
				);
				assert.match(sha256, /^[\da-f]{64}$/);
				assert.deepEqual(await readState(entry.folder), state);
				await rm(fileOf('image'));
			}
			await writeState(entry.folder, { state: 'receiving', attempts: [], changedAt });
			await writeFile(fileOf('image'), png);
			const state = await follow();
			assert.ok(state.state === 'received' && !('requestId' in state.result));
		});

		test('has left an end, which stands', async () => {
			for (const change of [
				{ state: 'received', result: resultOf() },
				{ state: 'discarded' },
				{ state: 'interrupted', charge: 'unknown', notified: true },
			] as const) {
				await stateIs(change);
				await writeFile(fileOf('image'), png);
				assert.deepEqual(await follow(), { ...change, attempts, changedAt });
			}
		});
	});

	suite('a worker whose state is unknown', () => {
		let clock: FakeClock;

		setup(() => {
			clock = new FakeClock();
		});

		test('is asked about again, less and less often, until that is given up', async () => {
			await stateIs({ state: 'waiting' });
			await writeFile(fileOf(`${workerLease}.1`), '{"cut off');
			const controller = new AbortController();
			const onUnknown = (reason: string) => {
				if (unknown.push(reason) === 7) {
					controller.abort();
				}
			};
			const following = follow({ signal: controller.signal, clock, onUnknown });
			await assert.rejects(following, { name: 'CancelledError', charge: 'unknown' });
			assert.equal(unknown[0], 'its state cannot be read');
			assert.deepEqual(clock.sleeps.slice(0, 6), [250, 500, 1_000, 2_000, 4_000, 5_000]);
			// A user waits from then on, so it is looked often, for five seconds.
			assert.deepEqual([...new Set(clock.sleeps.slice(6))], [250]);
			assert.equal(clock.sleeps.length, 6 + 5_000 / 250 + 1);
		});

		test('is asked about again where it runs on another machine, and cancelled as soon as it can be', async () => {
			const sender = ({ type }: Command, socket: Socket) => {
				if (type === 'cancel') {
					send(socket, ended(true));
				} else {
					socket.end();
				}
			};
			await worker(sender);
			const { owner } = presence!;
			const elsewhere = { ...owner, address: '/nowhere/s', machine: 'another', boot: undefined };
			await writeNextLease(entry.folder, workerLease, 1, elsewhere);
			const controller = new AbortController();
			const following = follow({ signal: controller.signal });
			await until(() => unknown.length === 1, 'a look');
			assert.deepEqual(unknown, ['ENOENT']);
			controller.abort();
			await until(() => unknown.length >= 4, 'three more looks');
			// It is reached after all.
			await writeNextLease(entry.folder, workerLease, 2, owner);
			assert.equal((await following).state, 'cancelled');
			assert.deepEqual(heard, [{ type: 'cancel' }, { type: 'taken' }]);
		});

		test('is not asked about where its job is gone', async () => {
			await rm(entry.folder, { recursive: true });
			await assert.rejects(follow(), { code: 'ENOENT' });
			assert.deepEqual(unknown, []);
		});
	});
});
