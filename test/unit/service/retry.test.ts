import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { inWords } from '../../../src/easelError.js';
import {
	CancelledError,
	ConnectionError,
	StatusError,
	type Charge,
	type ImageServiceError,
} from '../../../src/service/errors.js';
import {
	decideRetry,
	lateAfterMs,
	maxAttempts,
	withRetries,
	type AttemptOptions,
	type FailedAttempt,
	type RetryDecision,
	type RetryMode,
} from '../../../src/service/retry.js';
import { systemClock } from '../../../src/service/clock.js';
import { FakeClock } from './fakeClock.js';

function status(code: number, details: { retryAfterMs?: number; charge?: Charge } = {}) {
	return new StatusError(inWords(`status ${String(code)}`), {
		status: code,
		charge: details.charge ?? (code >= 500 ? 'unknown' : 'rejected'),
		retryAfterMs: details.retryAfterMs,
	});
}

function connection(charge: Charge): ConnectionError {
	return new ConnectionError('ECONNRESET', inWords('broken'), { charge });
}

function decide(
	error: ImageServiceError,
	elapsedMs: number,
	attempt = 1,
	unknownRepeats = 0,
	mode: RetryMode = 'all',
): RetryDecision {
	return decideRetry({ error, elapsedMs }, attempt, unknownRepeats, mode);
}

suite('service › retry › decision', () => {
	test('follows a longer Retry-After, up to 120 s, and ignores a shorter one', () => {
		const wait = (retryAfterMs: number) => {
			const decision = decide(status(429, { retryAfterMs }), 100);
			return decision.action === 'wait' ? decision.waitMs : undefined;
		};
		assert.equal(wait(60_000), 60_000);
		assert.equal(wait(1000), 3000);
		assert.equal(wait(500_000), 120_000);
	});

	test('repeats an unknown outcome once by itself, after at least 15 s and with a warning, then asks', () => {
		for (const [error, elapsedMs] of [
			[status(504), lateAfterMs],
			[connection('unknown'), 60_000],
			[status(408, { charge: 'unknown' }), 60_000],
			// It breaks after status 200.
			[connection('charged'), 10],
		] as const) {
			assert.deepEqual(decide(error, elapsedMs), {
				action: 'wait',
				waitMs: 15_000,
				mayHaveBeenMade: true,
			});
			assert.deepEqual(decide(error, elapsedMs, 2, 1), { action: 'ask', waitMs: 15_000 });
		}
	});

	test('takes a failure within 30 s, or before the request had left, for no unknown outcome', () => {
		for (const [error, elapsedMs] of [
			[status(504), 29_999],
			[connection('unknown'), 29_999],
			[connection('notSent'), 60_000],
			[status(429), 60_000],
		] as const) {
			assert.deepEqual(decide(error, elapsedMs), {
				action: 'wait',
				waitMs: 3000,
				mayHaveBeenMade: false,
			});
		}
	});

	test('with `ask` repeats by itself only what cannot have made an image', () => {
		const actions = (error: ImageServiceError, elapsedMs: number) =>
			decide(error, elapsedMs, 1, 0, 'ask').action;
		assert.equal(actions(connection('notSent'), 10), 'wait');
		assert.equal(actions(status(429), 10), 'wait');
		assert.equal(actions(status(503), 10), 'ask');
		assert.equal(actions(connection('unknown'), 10), 'ask');
		assert.equal(actions(status(504), 60_000), 'ask');
		assert.equal(actions(status(401), 10), 'stop');
	});

	test('with `never` repeats nothing', () => {
		for (const error of [connection('notSent'), status(429), status(503)]) {
			assert.equal(decide(error, 10, 1, 0, 'never').action, 'stop');
		}
	});
});

suite('service › retry › run', () => {
	/** Runs attempts that fail with these errors, one after another, and then succeed. */
	async function run(
		failures: readonly { error: Error; afterMs?: number }[],
		options: Pick<Partial<AttemptOptions>, 'mode' | 'ask' | 'signal'> & { clock?: FakeClock } = {},
	) {
		const clock = options.clock ?? new FakeClock();
		const reported: [FailedAttempt, RetryDecision][] = [];
		let attempts = 0;
		const result = withRetries(
			() => {
				const failure = failures[attempts++];
				if (failure === undefined) {
					return Promise.resolve('image');
				}
				clock.pass(failure.afterMs ?? 0);
				return Promise.reject(failure.error);
			},
			{
				mode: 'all',
				...options,
				clock,
				onFailure: (failure, _attempt, next) => {
					reported.push([failure, next]);
				},
			},
		);
		const end = await result.catch((error: unknown) => error);
		return { end, attempts, sleeps: clock.sleeps, reported };
	}

	test('sends four times at the most, with waits of 3, 8 and 15 s between', async () => {
		const error = status(503);
		const ran = await run(Array.from({ length: 9 }, () => ({ error })));
		assert.equal(ran.end, error);
		assert.equal(ran.attempts, 4);
		assert.equal(ran.attempts, maxAttempts);
		assert.deepEqual(ran.sleeps, [3000, 8000, 15_000]);
		assert.deepEqual(
			ran.reported.map(([, next]) => next.action),
			['wait', 'wait', 'wait', 'stop'],
		);
	});

	for (const [questionMs, sleeps] of [
		[5000, [10_000]],
		[15_000, []],
		[100_000, []],
	] as const) {
		test(`retries when the user says so after ${String(questionMs)} ms, and not before the wait has passed`, async () => {
			const clock = new FakeClock();
			const ran = await run([{ error: status(504), afterMs: 60_000 }], {
				mode: 'ask',
				clock,
				ask: () => {
					clock.pass(questionMs);
					return Promise.resolve(true);
				},
			});
			assert.equal(ran.end, 'image');
			assert.deepEqual(ran.sleeps, sleeps);
		});
	}

	test('stops when the user says no', async () => {
		const error = status(503);
		const ran = await run([{ error }], { mode: 'ask', ask: () => Promise.resolve(false) });
		assert.equal(ran.end, error);
		assert.equal(ran.attempts, 1);
		assert.deepEqual(ran.sleeps, []);
	});

	test('passes on at once what is no failure of the service, whatever it looks like', async () => {
		for (const error of [
			new TypeError('a bug'),
			Object.assign(new Error('a look-alike'), { repeatable: true, charge: 'notSent' }),
		]) {
			const ran = await run([{ error }]);
			assert.equal(ran.end, error);
			assert.equal(ran.attempts, 1);
			assert.deepEqual(ran.reported, [], 'no failure of the service is reported');
		}
	});

	test('measures each attempt from its own start', async () => {
		const ran = await run([
			{ error: status(504), afterMs: 29_000 },
			{ error: status(504), afterMs: 31_000 },
		]);
		assert.deepEqual(
			ran.reported.map(([{ elapsedMs }, next]) => [elapsedMs, next]),
			[
				[29_000, { action: 'wait', waitMs: 3000, mayHaveBeenMade: false }],
				[31_000, { action: 'wait', waitMs: 15_000, mayHaveBeenMade: true }],
			],
		);
	});

	test('repeats an unknown outcome by itself once, however many plain failures came before', async () => {
		const ran = await run([
			{ error: status(503) },
			{ error: status(504), afterMs: 60_000 },
			{ error: status(504), afterMs: 60_000 },
		]);
		assert.deepEqual(
			ran.reported.map(([, next]) => next.action),
			['wait', 'wait', 'ask'],
		);
	});

	test('is cancelled also where the signal was aborted before the wait or the question began', async () => {
		for (const mode of ['all', 'ask'] as const) {
			const controller = new AbortController();
			const run = withRetries(() => Promise.reject(status(503)), {
				mode,
				signal: controller.signal,
				onFailure: () => {
					controller.abort();
				},
				ask: () => Promise.withResolvers<boolean>().promise,
			});
			await assert.rejects(run, (error: unknown) => {
				assert.ok(error instanceof CancelledError, String(error));
				assert.equal(error.charge, 'notSent');
				return true;
			});
		}
	});

	test('asks again by itself neither before its wait is over nor before there is room', async () => {
		for (const first of ['wait', 'room'] as const) {
			const over = { wait: Promise.withResolvers<void>(), room: Promise.withResolvers<void>() };
			const failures = [status(429), status(429, { retryAfterMs: 5000 })];
			const [reported, slept]: [FailedAttempt[], number[]] = [[], []];
			let attempts = 0;
			const run = withRetries(
				() => {
					const failure = failures[attempts++];
					return failure === undefined ? Promise.resolve('image') : Promise.reject(failure);
				},
				{
					mode: 'ask',
					clock: {
						now: () => 0,
						wallTime: () => 0,
						sleep: (ms) => (slept.push(ms), over.wait.promise),
					},
					waitForCapacity: (failure) => (reported.push(failure), over.room.promise),
				},
			);
			await new Promise(setImmediate);
			over[first].resolve();
			await new Promise(setImmediate);
			assert.equal(attempts, 1, first);
			over[first === 'wait' ? 'room' : 'wait'].resolve();
			assert.equal(await run, 'image');
			assert.deepEqual(
				reported.map(({ error }) => error),
				failures,
			);
			assert.deepEqual(slept, [3000, 8000]);
		}
	});

	test('waits for no capacity where the user is asked, or nothing follows', async () => {
		for (const [mode, code] of [
			['ask', 503],
			['never', 429],
			['all', 400],
		] as const) {
			const run = withRetries(() => Promise.reject(status(code)), {
				mode,
				clock: new FakeClock(),
				ask: () => Promise.resolve(true),
				waitForCapacity: () => assert.fail(),
			});
			await assert.rejects(run, StatusError);
		}
	});

	const rejections: ((reason: Error) => void)[] = [];
	const late = () => {
		const { promise, reject } = Promise.withResolvers<never>();
		rejections.push(reject);
		return promise;
	};
	for (const [what, error, options] of [
		['a wait', status(429, { retryAfterMs: 60_000 }), { mode: 'all', clock: systemClock }],
		[
			'the wait for room',
			status(429),
			{ mode: 'all', clock: new FakeClock(), waitForCapacity: late },
		],
		['the question', status(503), { mode: 'ask', ask: late }],
	] as const) {
		test(`ends ${what} at once when it is cancelled, with nothing more sent and no listener left`, async () => {
			const controller = new AbortController();
			const run = withRetries(() => Promise.reject(error), {
				...options,
				signal: controller.signal,
			});
			setImmediate(() => {
				controller.abort();
			});
			await assert.rejects(run, (reason: unknown) => {
				assert.ok(reason instanceof CancelledError);
				assert.equal(reason.charge, 'notSent');
				return true;
			});
			assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
			// An unhandled rejection would fail the test.
			rejections.splice(0).forEach((reject) => {
				reject(new Error('too late'));
			});
			await new Promise(setImmediate);
		});
	}
});
