import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { wordsOf } from '../../../src/editor/errorTexts.js';
import type { ModelQuestion } from '../../../src/languageModel/protocols.js';
import { streamAnswer, type StreamOptions } from '../../../src/languageModel/streamAnswer.js';
import {
	AnswerError,
	CancelledError,
	ConnectionError,
	RequestError,
	StatusError,
	TimeoutError,
} from '../../../src/service/errors.js';
import { defaultNetworkOptions, openTransport } from '../../../src/service/transport.js';
import { startImageService, type ImageService } from '../../service/server.js';
import { FakeClock } from '../service/fakeClock.js';

const key = 'test-key-5f0c1a';
const png = Buffer.from('89504e470d0a1a0a', 'hex');

suite('languageModel › streamAnswer', () => {
	let service: ImageService;

	suiteSetup(async () => {
		service = await startImageService({ key, keys: [{ key: 'poor', quota: 'insufficient' }] });
	});

	suiteTeardown(() => service.close());

	teardown(() => {
		service.faults.clear();
		service.modelReplies.length = 0;
	});

	const asked: ModelQuestion = {
		model: 'words-1',
		instructions: 'Say what it shows.',
		text: 'The harbor',
	};

	function options(given: Partial<StreamOptions> = {}, address = service.address): StreamOptions {
		return {
			protocol: 'chat',
			transport: openTransport(new URL(address), defaultNetworkOptions, {}),
			key,
			signal: new AbortController().signal,
			timeoutMs: 60_000,
			retry: 'all',
			...given,
		};
	}

	async function pieces(given: Partial<StreamOptions> = {}, question = asked): Promise<string[]> {
		const received: string[] = [];
		for await (const piece of streamAnswer(question, options(given))) {
			received.push(piece);
		}
		return received;
	}

	async function failure(given: Partial<StreamOptions> = {}, address?: string): Promise<Error> {
		try {
			for await (const piece of streamAnswer(asked, options(given, address))) {
				assert.ok(piece);
			}
		} catch (error) {
			assert.ok(error instanceof Error);
			return error;
		}
		assert.fail('It did not fail.');
	}

	for (const protocol of ['chat', 'messages'] as const) {
		suite(protocol, () => {
			test('The words come one after the other', async () => {
				service.modelReplies.push('A quiet harbor, “at dusk” 🌅');
				const received = await pieces({ protocol });
				assert.ok(received.length > 3, String(received));
				assert.equal(received.join(''), 'A quiet harbor, “at dusk” 🌅');
			});

			test('They are the same however the answer is cut, also within a character', async () => {
				for (const chunkSize of [1, 7, 64]) {
					service.faults.add({ chunkSize, times: 1, endpoint: protocol });
					service.modelReplies.push('A quiet harbor, “at dusk” 🌅');
					const received = await pieces({ protocol });
					assert.equal(received.join(''), 'A quiet harbor, “at dusk” 🌅');
				}
			});

			test('A picture goes with the question', async () => {
				const image = { contentType: 'image/png', bytes: png } as const;
				await pieces({ protocol }, { ...asked, image });
				const request = service.modelRequests.at(-1)!;
				assert.deepEqual(
					request.pictures.map(({ contentType, size }) => [contentType, size]),
					[['image/png', 8]],
				);
				assert.equal(request.text, 'The harbor');
				assert.equal(request.instructions, 'Say what it shows.');
			});

			test('Errors are in the words of the service, and refusals are not repeated', async () => {
				const before = service.modelRequests.length;
				for (const [given, status, words] of [
					['wrong', 401, 'The API key is invalid.'],
					['poor', 402, 'Insufficient quota: top up the account.'],
				] as const) {
					const error = await failure({ protocol, key: given });
					assert.ok(error instanceof StatusError, String(error));
					assert.equal(error.status, status);
					assert.equal(wordsOf(error), words);
				}
				assert.equal(service.modelRequests.length, before);
			});

			test('What is busy is asked again, after the waits of the specification', async () => {
				service.faults.add(
					{ status: 429, retryAfter: 5, times: 1, endpoint: protocol },
					{ status: 503, times: 1, endpoint: protocol },
				);
				service.modelReplies.push('At last');
				const clock = new FakeClock();
				const before = service.modelRequests.length;
				assert.equal((await pieces({ protocol, clock })).join(''), 'At last');
				assert.deepEqual(clock.sleeps, [5_000, 8_000]);
				assert.equal(service.modelRequests.length, before + 3);
			});

			test('A connection that breaks behind words is not made again', async () => {
				service.faults.add({ cut: 'body', chunkSize: 100, endpoint: protocol });
				service.modelReplies.push('A quiet harbor at dusk with three boats');
				const before = service.modelRequests.length;
				const error = await failure({ protocol });
				assert.ok(error instanceof ConnectionError, String(error));
				assert.equal(error.facts.code, 'connection.lost');
				assert.equal(service.modelRequests.length, before + 1);
			});

			test('Cancelling closes the connection', async () => {
				service.faults.add({ chunkSize: 50, chunkPause: 10_000, endpoint: protocol });
				const cancel = new AbortController();
				const before = service.modelRequests.length;
				const failed = failure({ protocol, signal: cancel.signal });
				await service.waitUntil(() => service.modelRequests.length > before);
				cancel.abort();
				assert.ok((await failed) instanceof CancelledError);
				await service.waitUntil(() => service.modelRequests.at(-1)!.status === 'left');
			});
		});
	}

	test('A service that does not stream is read as well', async () => {
		for (const [protocol, body] of [
			['chat', { choices: [{ message: { content: 'All at once' } }] }],
			['messages', { type: 'message', content: [{ type: 'text', text: 'All at once' }] }],
		] as const) {
			const server = await listen((_, response) => {
				response.setHeader('content-type', 'application/json; charset=utf-8');
				response.end(JSON.stringify(body));
			});
			const received: string[] = [];
			for await (const piece of streamAnswer(asked, options({ protocol }, server.address))) {
				received.push(piece);
			}
			await server.close();
			assert.deepEqual(received, ['All at once']);
		}
	});

	for (const [name, type, body, words] of [
		[
			'an error in the stream',
			'text/event-stream',
			'data: {"error":{"message":"Overloaded"}}\n\n',
			'Overloaded',
		],
		[
			'an error with status 200',
			'application/json',
			'{"error":{"message":"No such model"}}',
			'No such model',
		],
		['a page', 'text/html', '<html>Hello</html>', undefined],
		['no JSON', 'application/json', '{"choices":', undefined],
		['something else', 'application/json', '{"choices":7}', undefined],
		['nothing', 'text/event-stream', '', undefined],
		['an event that is no JSON', 'text/event-stream', 'data: hello\n\n', undefined],
	] as const) {
		test(`It is no answer: ${name}`, async () => {
			const server = await listen((_, response) => {
				response.setHeader('content-type', type);
				response.end(body);
			});
			const error = await failure({}, server.address);
			await server.close();
			assert.ok(error instanceof AnswerError, String(error));
			const none = 'The answer of the language model has no words that Easel can read.';
			assert.equal(wordsOf(error), words ?? none);
		});
	}

	test('Words of the service have the key hidden', async () => {
		const server = await listen((_, response) => {
			response.setHeader('content-type', 'text/event-stream');
			response.end(`data: {"error":{"message":"Bad key ${key}!"}}\n\n`);
		});
		const error = await failure({}, server.address);
		await server.close();
		assert.ok(!wordsOf(error).includes(key), wordsOf(error));
	});

	test('An endless answer ends with 32,768 characters, and its connection with it', async () => {
		let closed: Promise<unknown> | undefined;
		const server = await listen((_, response) => {
			closed = once(response, 'close');
			response.setHeader('content-type', 'text/event-stream');
			const event = `data: ${JSON.stringify({ choices: [{ delta: { content: 'x'.repeat(999) } }] })}\n\n`;
			const write = () => {
				while (!response.destroyed && response.write(event)) {
					// As quickly as it is taken.
				}
			};
			response.on('drain', write);
			write();
		});
		let length = 0;
		for await (const piece of streamAnswer(asked, options({}, server.address))) {
			length += piece.length;
		}
		await closed;
		await server.close();
		assert.equal(length, 32 * 1024);
	});

	test('A stream without words ends with an error before it fills the memory', async () => {
		const server = await listen((_, response) => {
			response.setHeader('content-type', 'text/event-stream');
			const write = () => {
				while (!response.destroyed && response.write(':'.repeat(64 * 1024))) {
					// As quickly as it is taken.
				}
			};
			response.on('drain', write);
			write();
		});
		const error = await failure({}, server.address);
		await server.close();
		assert.ok(error instanceof AnswerError, String(error));
	});

	test('Our own time-out names its seconds', async () => {
		const server = await listen(() => undefined);
		const error = await failure({ timeoutMs: 50 }, server.address);
		await server.close();
		assert.ok(error instanceof TimeoutError, String(error));
	});

	test('A stream that ends politely, but before it says so, is not taken for complete', async () => {
		for (const [protocol, event] of [
			['chat', { choices: [{ delta: { content: 'A quiet' } }] }],
			['messages', { type: 'content_block_delta', delta: { type: 'text_delta', text: 'A quiet' } }],
		] as const) {
			const server = await listen((_, response) => {
				response.setHeader('content-type', 'text/event-stream');
				response.end(`data: ${JSON.stringify(event)}\n\n`);
			});
			const received: string[] = [];
			const reading = async () => {
				for await (const piece of streamAnswer(asked, options({ protocol }, server.address))) {
					received.push(piece);
				}
			};
			await assert.rejects(reading(), { facts: { code: 'answer.cutWords' } });
			await server.close();
			assert.deepEqual(received, ['A quiet']);
		}
	});

	test('Nothing is sent again where the user wants no retries', async () => {
		service.faults.add({ status: 503, endpoint: 'chat' });
		const before = service.modelRequests.length;
		assert.ok((await failure({ retry: 'never' })) instanceof StatusError);
		assert.equal(service.modelRequests.length, before + 1);
	});

	test('A key that cannot stand in a header is never sent', async () => {
		for (const protocol of ['chat', 'messages'] as const) {
			const error = await failure({ protocol, key: 'a key\nwith lines' });
			assert.ok(error instanceof RequestError, String(error));
			assert.equal(error.field, 'key');
		}
	});

	/** A server that a test answers for. */
	async function listen(listener: RequestListener) {
		const server = createServer(listener).listen(0, '127.0.0.1');
		await once(server, 'listening');
		const { port } = server.address() as AddressInfo;
		return {
			address: `http://127.0.0.1:${String(port)}`,
			close: async () => {
				server.closeAllConnections();
				server.close();
				await once(server, 'close');
			},
		};
	}
});
