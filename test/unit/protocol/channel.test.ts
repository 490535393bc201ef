import assert from 'node:assert/strict';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import * as z from 'zod/mini';
import type { Protocol } from '../../../src/protocol/channel';
import { HostChannel, type Handlers } from '../../../src/protocol/hostChannel';
import { PageChannel, ChannelError } from '../../../src/protocol/pageChannel';

const protocol = {
	request: z.discriminatedUnion('type', [
		z.strictObject({ type: z.literal('ready') }),
		z.strictObject({ type: z.literal('double'), number: z.number() }),
		z.strictObject({ type: z.literal('length'), bytes: z.instanceof(Uint8Array) }),
	]),
	event: z.discriminatedUnion('type', [
		z.strictObject({ type: z.literal('changed'), to: z.string() }),
	]),
} satisfies Protocol;

const handlers: Handlers<typeof protocol> = {
	ready: () => undefined,
	double: () => Promise.resolve(),
	length: () => undefined,
};

const never = () => new Promise<never>(() => undefined);
const id = '0d9f5b0e-6f0c-4f6f-9a3e-0c8a8f6f7a11';

suite('protocol › channel', () => {
	const open: MessagePort[] = [];

	teardown(() => {
		open.splice(0).forEach((port) => port.close());
	});

	/** Two ends with a real channel between them, and what each of them has seen. */
	function connect(given: Partial<Handlers<typeof protocol>> = {}, timeoutMs = 10_000) {
		const { port1, port2 } = new MessageChannel();
		open.push(port1, port2);
		const events: unknown[] = [];
		/** Everything that has come to the page. */
		const arrived: unknown[] = [];
		const refusedByPage: string[] = [];
		const refusedByExtension: string[] = [];
		const failures: unknown[] = [];
		/** Waiters for the next thing that one of the ends has seen. */
		const waiting: (() => void)[] = [];
		const seen = <T>(list: T[], value: T) => {
			list.push(value);
			waiting.splice(0).forEach((done) => done());
		};
		const page = new PageChannel(protocol, {
			post: (message) => port1.postMessage(message),
			onEvent: (event) => seen(events, event),
			onRefused: (problem) => seen(refusedByPage, problem),
			timeoutMs,
		});
		const extension = new HostChannel(
			protocol,
			{ ...handlers, ...given },
			{
				post: (message) => port2.postMessage(message),
				onRefused: (problem) => seen(refusedByExtension, problem),
				onFailed: (error) => {
					failures.push(error);
					return error instanceof Error ? error.message : String(error);
				},
			},
		);
		port1.on('message', (data: unknown) => {
			page.receive(data);
			seen(arrived, data);
		});
		port2.on('message', (data: unknown) => void extension.receive(data));
		return {
			page,
			extension,
			toExtension: (data: unknown) => port1.postMessage(data),
			toPage: (data: unknown) => port2.postMessage(data),
			next: () => new Promise<void>((resolve) => waiting.push(resolve)),
			events,
			arrived,
			refusedByPage,
			refusedByExtension,
			failures,
		};
	}

	async function failure(asked: Promise<unknown>): Promise<ChannelError> {
		const error: unknown = await asked.then(
			() => assert.fail('It was done.'),
			(reason: unknown) => reason,
		);
		assert.ok(error instanceof ChannelError, String(error));
		return error;
	}

	test('every request gets its own answer, in whatever order they come', async () => {
		const first = Promise.withResolvers<void>();
		const done: (number | 'first')[] = [];
		const { page } = connect({
			double: ({ number }) => {
				done.push(number);
				return number === 1 ? first.promise : undefined;
			},
			length: ({ bytes }) => {
				done.push(bytes.length);
			},
		});
		const one = page.ask({ type: 'double', number: 1 }).then(() => done.push('first'));
		await page.ask({ type: 'double', number: 21 });
		first.resolve();
		await one;
		await page.ask({ type: 'ready' });
		await page.ask({ type: 'length', bytes: new Uint8Array(1_000_000) });
		assert.deepEqual(done, [1, 21, 'first', 1_000_000]);
	});

	test('an error of a handler arrives in its given words', async () => {
		for (const double of [
			() => Promise.reject(new Error('Nothing was sent.')),
			() => {
				throw new Error('Nothing was sent.');
			},
		]) {
			const { page, failures } = connect({ double });
			const { kind, message } = await failure(page.ask({ type: 'double', number: 1 }));
			assert.deepEqual([kind, message], ['failed', 'Nothing was sent.']);
			assert.equal(failures.length, 1);
			assert.equal(await page.ask({ type: 'ready' }), undefined, 'it goes on');
		}
		const endless = connect({ double: () => Promise.reject(new Error('x'.repeat(1e6))) });
		const { message } = await failure(endless.page.ask({ type: 'double', number: 1 }));
		assert.ok(message.length <= 4000);
	});

	test('an unanswered request fails after its time, and an answer after that is ignored', async () => {
		const late = Promise.withResolvers<void>();
		const { page, next, arrived, refusedByPage } = connect({ double: () => late.promise }, 20);
		assert.equal((await failure(page.ask({ type: 'double', number: 1 }))).kind, 'late');
		late.resolve();
		await next();
		assert.equal(arrived.length, 1);
		assert.deepEqual(refusedByPage, []);
	});

	test('closing settles pending and later requests', async () => {
		const { page, extension } = connect({ double: never });
		const waiting = [1, 2].map((number) => failure(page.ask({ type: 'double', number })));
		await page.ask({ type: 'ready' });
		extension.close();
		assert.deepEqual(
			(await Promise.all(waiting)).map(({ kind }) => kind),
			['closed', 'closed'],
		);
		assert.equal((await failure(page.ask({ type: 'ready' }))).kind, 'closed');
	});

	test('nothing comes from an end that is closed', async () => {
		const running = Promise.withResolvers<void>();
		const sent: { kind: string }[] = [];
		let handled = 0;
		const end = new HostChannel(
			protocol,
			{
				...handlers,
				double: () => {
					handled++;
					return running.promise;
				},
			},
			{
				post: (message) => sent.push(message),
				onRefused: assert.fail,
				onFailed: () => assert.fail(),
			},
		);
		const request = { kind: 'request', id, request: { type: 'double', number: 1 } };
		const received = end.receive(request);
		end.close();
		end.close();
		running.resolve();
		await received;
		await end.receive(request);
		end.send({ type: 'changed', to: 'a' });
		assert.deepEqual(sent, [{ kind: 'closed' }]);
		assert.equal(handled, 1);
	});

	test('a request that is unknown or malformed is refused with an error', async () => {
		const { page, refusedByExtension } = connect();
		for (const request of [
			{ type: 'a-secret-word' },
			{ type: 'toString' },
			{ type: 'double', number: 'a-secret-word' },
			{ type: 'double', number: 1, more: 'a-secret-word' },
			{},
			'a-secret-word',
		]) {
			const { kind, message } = await failure(page.ask(request as { type: 'ready' }));
			assert.equal(kind, 'failed');
			assert.match(message, /does not know this request/);
			assert.doesNotMatch(message, /secret/);
		}
		assert.equal(refusedByExtension.length, 6);
	});

	test('what is no message at all is refused by both sides, and neither ends by it', async () => {
		const both = connect();
		const { page, toExtension, toPage } = both;
		const strange: readonly unknown[] = [
			undefined,
			null,
			5,
			'ready',
			[],
			{},
			{ type: 'ready' },
			{ kind: 'request', request: { type: 'ready' } },
			{ kind: 'request', id: '../x', request: { type: 'ready' } },
			{ kind: 'done', id, more: 1 },
			{ kind: 'error', id },
			{ kind: 'event', event: { type: 'changed' } },
			{ kind: 'event', event: { type: 'changed', to: 'a', onerror: 'alert(1)' } },
		];
		for (const message of strange) {
			toExtension(message);
			toPage(message);
		}
		while (
			both.refusedByExtension.length < strange.length ||
			both.refusedByPage.length < strange.length
		) {
			await both.next();
		}
		await page.ask({ type: 'double', number: 2 });
		assert.deepEqual(both.events, []);
		assert.equal(both.refusedByExtension.length, strange.length);
		assert.equal(both.refusedByPage.length, strange.length);
	});

	test('a request that cannot be sent fails at once', async () => {
		const { page } = connect();
		const request = { type: 'double', number: () => 1 } as unknown as { type: 'ready' };
		assert.equal((await failure(page.ask(request))).kind, 'failed');
	});

	test('an answer to another page is not taken for one to this', async () => {
		const { page, toPage, extension } = connect({ double: never });
		const asked = failure(page.ask({ type: 'double', number: 1 }));
		toPage({ kind: 'done', id });
		toPage({ kind: 'error', id, message: 'No.' });
		await page.ask({ type: 'ready' });
		extension.close();
		assert.equal((await asked).kind, 'closed');
	});

	test('events come in the order in which they were sent, before the answer after them', async () => {
		const { page, extension, events } = connect({
			ready: () => {
				extension.send({ type: 'changed', to: 'a' });
				extension.send({ type: 'changed', to: 'b' });
			},
		});
		await page.ask({ type: 'ready' });
		assert.deepEqual(events, [
			{ type: 'changed', to: 'a' },
			{ type: 'changed', to: 'b' },
		]);
	});
});
