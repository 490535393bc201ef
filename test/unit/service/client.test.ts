import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { wordsOf } from '../../../src/editor/errorTexts.js';
import type { CallOptions, Phase } from '../../../src/service/client.js';
import type { ImageCall } from '../../../src/service/requestBody.js';
import { retryAfterMs } from '../../../src/service/statusError.js';
import {
	AnswerError,
	CancelledError,
	ConnectionError,
	TimeoutError,
	type Charge,
} from '../../../src/service/errors.js';
import { defaultNetworkOptions, openTransport } from '../../../src/service/transport.js';
import { freePort } from './networkFixtures.js';
import { openBench, type Bench } from './support.js';

suite('service › client', () => {
	let bench: Bench;

	setup(async () => {
		bench = await openBench();
	});

	teardown(() => bench.close());

	async function failureOf(
		call: Partial<ImageCall> = {},
		options: Partial<CallOptions> = {},
	): Promise<unknown> {
		return bench.call(call, options).then(
			() => assert.fail('it should have failed'),
			(error: unknown) => error,
		);
	}

	test('phases are sending, waiting, receiving', async () => {
		const phases: Phase[] = [];
		await bench.call({}, { onPhase: (phase) => phases.push(phase) });
		assert.deepEqual(phases, ['sending', 'waiting', 'receiving']);
	});

	test('an endless answer is cut off at the limit, and the service sees us leave', async () => {
		bench.service.faults.add({ answer: 'endless' });
		const error = await failureOf({}, { maxAnswerBytes: 1_000_000 });
		assert.ok(error instanceof AnswerError);
		assert.equal(error.facts.code, 'answer.tooLarge');
		await bench.service.waitForRequest(1, 'ended');
		const left = await readdir(bench.folder);
		assert.ok(!left.some((name) => name.startsWith('image')), 'half a file is left');
	});

	test('a connection that cannot be made has cost nothing', async () => {
		const port = await freePort();
		const transport = openTransport(`http://127.0.0.1:${String(port)}`, defaultNetworkOptions, {});
		const error = await failureOf({}, { transport });
		assert.ok(error instanceof ConnectionError);
		assert.equal(error.code, 'ECONNREFUSED');
		assert.equal(error.charge, 'notSent');
		assert.match(wordsOf(error), /127\.0\.0\.1/);
		assert.doesNotMatch(wordsOf(error), /arriving/);
	});

	test('a time-out ends the wait, is not repeatable, and leaves it open whether an image was made', async () => {
		bench.service.faults.add({ hold: true });
		// Long enough for a busy machine to connect and send.
		const error = await failureOf({}, { timeoutMs: 1000 });
		assert.ok(error instanceof TimeoutError);
		assert.equal(error.charge, 'unknown');
		assert.equal(error.repeatable, false);
		assert.match(wordsOf(error), /Raise the setting easel\.service\.timeoutSeconds/);
		await bench.service.waitForRequest(1, 'left');
	});

	function cancelled(error: unknown, charge: Charge): void {
		assert.ok(error instanceof CancelledError, String(error));
		assert.equal(error.charge, charge);
	}

	test('cancelling before the start sends nothing', async () => {
		const onPhase = () => assert.fail('nothing may begin');
		const signal = AbortSignal.abort();
		cancelled(await failureOf({}, { signal, onPhase, key: 'no key' }), 'notSent');
		assert.equal(bench.service.requests.length, 0);
	});

	test('cancelling while the connection is being made has cost nothing', async () => {
		const controller = new AbortController();
		const failing = failureOf(
			{},
			{
				signal: controller.signal,
				onPhase: () => {
					controller.abort();
				},
			},
		);
		cancelled(await failing, 'notSent');
		assert.equal(bench.service.requests.length, 0);
	});

	test('cancelling while waiting ends at once, and the service sees us leave', async () => {
		bench.service.faults.add({ hold: true });
		const controller = new AbortController();
		const failing = failureOf({}, { signal: controller.signal });
		await bench.service.waitForRequest(1, 'held');
		const startedAt = performance.now();
		controller.abort();
		cancelled(await failing, 'unknown');
		assert.ok(performance.now() - startedAt < 5000, 'of an answer that never comes');
		await bench.service.waitForRequest(1, 'left');
	});
});

suite('service › Retry-After', () => {
	test('is a number of seconds or a date, and nothing else', () => {
		const now = Date.parse('2026-01-01T00:00:00Z');
		assert.equal(retryAfterMs('120', now), 120_000);
		assert.equal(retryAfterMs(' 0.5 ', now), 500);
		assert.equal(retryAfterMs('0.25', now), 250);
		assert.equal(retryAfterMs('Thu, 01 Jan 2026 00:00:10 GMT', now), 10_000);
		assert.equal(retryAfterMs('Wed, 31 Dec 2025 00:00:10 GMT', now), 0);
		for (const text of [undefined, '', 'soon', '-5', '1.5.2']) {
			assert.equal(retryAfterMs(text, now), undefined, text);
		}
	});
});
