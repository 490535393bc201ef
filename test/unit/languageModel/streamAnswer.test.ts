import assert from 'node:assert/strict';
import type { RequestListener, ServerResponse } from 'node:http';
import { once } from 'node:events';
import { brotliCompressSync } from 'node:zlib';
import { wordsOf } from '../../../src/editor/errorTexts.js';
import type { ModelQuestion } from '../../../src/languageModel/protocols.js';
import { streamAnswer, type StreamOptions } from '../../../src/languageModel/streamAnswer.js';
import {
	AnswerError,
	CancelledError,
	ConnectionError,
	StatusError,
	TimeoutError,
} from '../../../src/service/errors.js';
import { defaultNetworkOptions, openTransport } from '../../../src/service/transport.js';
import { startImageService, type ImageService } from '../../service/server.js';
import { FakeClock } from '../service/fakeClock.js';
import { echoServer, freePort, rawServer, useServers } from '../service/networkFixtures.js';

const key = 'test-key-5f0c1a';
const eventStream = { 'content-type': 'text/event-stream' };
const json = { 'content-type': 'application/json; charset=utf-8' };
const plain = { 'content-type': 'text/plain' };
const brotli = { ...eventStream, 'content-encoding': 'br' };
const png = Buffer.from('89504e470d0a1a0a', 'hex');

async function all(words: AsyncIterable<string>): Promise<string[]> {
	const received: string[] = [];
	for await (const piece of words) {
		received.push(piece);
	}
	return received;
}

function events(...data: readonly object[]): string {
	return data.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
}

function chatStream(...contents: readonly unknown[]): string {
	return events(...contents.map((content) => ({ choices: [{ delta: { content } }] })), {
		choices: [{ delta: {}, finish_reason: 'stop' }],
	});
}

function chatAnswer(content: unknown): string {
	return JSON.stringify({ choices: [{ message: { content } }] });
}

function messagesAnswer(text: string): string {
	return JSON.stringify({ type: 'message', content: [{ type: 'text', text }] });
}

/** Sends a text over and over, as quickly as it is taken. */
function flood(response: ServerResponse, text: string): void {
	const write = () => {
		while (!response.destroyed && response.write(text));
	};
	response.on('drain', write);
	write();
}

suite('languageModel › streamAnswer', () => {
	const opened = useServers();
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

	function pieces(given: Partial<StreamOptions> = {}, question = asked): Promise<string[]> {
		return all(streamAnswer(question, options(given)));
	}

	/** The address of a server that a test answers for. */
	async function listen(listener: RequestListener): Promise<string> {
		const { port } = await opened(echoServer(undefined, listener));
		return `http://127.0.0.1:${String(port)}`;
	}

	/** The words of an answer with this body, and its error in words, where it ends with one. */
	async function answerTo(
		body: string | Buffer,
		headers: Record<string, string> = eventStream,
		protocol: StreamOptions['protocol'] = 'chat',
	): Promise<{ words: string; error?: unknown }> {
		const address = await listen((_, response) => response.writeHead(200, headers).end(body));
		let words = '';
		try {
			for await (const piece of streamAnswer(asked, options({ protocol }, address))) {
				words += piece;
			}
			return { words };
		} catch (error) {
			assert.ok(error instanceof AnswerError, String(error));
			return { words, error: wordsOf(error) };
		}
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
			test('The words come one after the other, however the answer is cut', async () => {
				const reply = 'A quiet harbor, “at dusk” 🌅\n'.repeat(9);
				service.modelReplies.push(reply);
				const received = await pieces({ protocol });
				assert.ok(received.length > 3, String(received));
				assert.equal(received.join(''), reply);
				// Also within a character.
				for (const chunkSize of [1, 7, 64]) {
					service.faults.add({ chunkSize, times: 1, endpoint: protocol });
					service.modelReplies.push(reply);
					assert.equal((await pieces({ protocol })).join(''), reply);
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

	for (const [name, answer, code] of [
		['hangs up without an answer', '', 'connection.reset'],
		['hangs up in the middle of a head', 'HTTP/1.1 200', 'connection.reset'],
		['is none of HTTP', '220 ready\r\n', 'connection.notHttp'],
	] as const) {
		test(`The error says of a server that it ${name}`, async () => {
			const { port } = await opened(rawServer((socket) => socket.end(answer)));
			const error = await failure({ retry: 'never' }, `http://127.0.0.1:${String(port)}`);
			assert.ok(error instanceof ConnectionError, String(error));
			assert.deepEqual([error.facts.code, error.charge], [code, 'unknown']);
		});
	}

	const part = (text: string) => ({ type: 'text', text });
	for (const [name, protocol, body, headers = eventStream] of [
		['of a service that does not stream', 'chat', chatAnswer('A quiet harbor'), json],
		['the same of the other family', 'messages', messagesAnswer('A quiet harbor'), json],
		['as one JSON that calls itself a stream', 'chat', chatAnswer('A quiet harbor')],
		['as one JSON that calls itself text', 'messages', messagesAnswer('A quiet harbor'), plain],
		['packed by Brotli', 'chat', brotliCompressSync(chatStream('A quiet harbor')), brotli],
		[
			'among events without a choice',
			'chat',
			events(
				{ choices: [], prompt_filter_results: [{ prompt_index: 0 }] },
				{ object: 'chat.completion.chunk' },
				{ choices: [{ delta: { content: 'A quiet harbor' }, finish_reason: null }] },
				{ choices: [], usage: { total_tokens: 7 } },
			) + 'data: [DONE]\n\n',
		],
		[
			'as a list of parts',
			'chat',
			chatStream(
				[{ type: 'thinking', thinking: [], text: 'Hm' }],
				[part('A quiet'), 7],
				[part(' harbor')],
			),
		],
		['as a list of parts at once', 'chat', chatAnswer([part('A quiet'), part(' harbor')]), json],
		[
			'behind what the model thinks',
			'messages',
			events(
				{ type: 'message_start', message: { content: [] } },
				{ type: 'ping' },
				{ type: 'content_block_delta', delta: { type: 'thinking_delta', thinking: 'Hm' } },
				{ type: 'content_block_delta', delta: { type: 'text_delta', text: 'A quiet harbor' } },
				{ type: 'message_stop' },
			),
		],
		['with other line ends', 'chat', chatStream('A quiet harbor').replaceAll('\n', '\r\n')],
	] as const) {
		test(`The words are read ${name}`, async () => {
			assert.deepEqual(await answerTo(body, headers, protocol), { words: 'A quiet harbor' });
		});
	}

	const noWords = 'The answer of the language model has no words that Easel can read';
	const cutWords = 'The answer of the language model ends before it is complete.';
	const noJson = 'The answer of the service is not JSON.';
	const quiet = { choices: [{ delta: { content: 'A quiet' } }] };
	const done = { choices: [{ delta: {}, finish_reason: 'stop' }] };
	const filtered = { choices: [{ delta: {}, finish_reason: 'content_filter' }] };
	for (const [name, body, words, headers = eventStream] of [
		['an error in the stream', events({ error: { message: 'Overloaded' } }), 'Overloaded'],
		['an error with status 200', '{"error":{"message":"No such model"}}', 'No such model', json],
		['an error that calls itself a stream', '{"error":{"message":"Busy"}}', 'Busy'],
		['an error that calls itself text', ' {"error":"Busy"}', 'Busy', plain],
		['a bare error', events({ code: 429, message: 'Slow down' }), 'Slow down'],
		['an event of an error', 'event: error\ndata: {"message":"Overloaded"}\n\n', 'Overloaded'],
		['an event of an error in words', 'event: error\ndata: Overloaded\n\n', 'Overloaded'],
		['a list around an error', '[{"error":{"code":429,"message":"Slow down"}}]', 'Slow down', json],
		['what was filtered', events(filtered), `${noWords} (content_filter).`],
		[
			'what the model refuses in words',
			events({ choices: [{ delta: { refusal: 'No.' } }] }, done),
			`${noWords} ({"choices":[{"delta":{"refusal":"No."}}]}).`,
		],
		[
			'a stream without words',
			events({ choices: [] }) + 'data: [DONE]\n\n',
			`${noWords} ({"choices":[]}).`,
		],
		['something else', '{"choices":7}', `${noWords} ({"choices":7}).`, json],
		['the end alone', 'data: [DONE]\n\n', `${noWords}.`],
		['a page', '<html>Hello</html>', /answered with a web page/, { 'content-type': 'text/html' }],
		['half of a JSON', '{"choices":', noJson, json],
		['an event that is no JSON', 'data: hello\n\n', noJson],
		['what cannot be unpacked', Buffer.from('1f8b0800aabbccdd', 'hex'), cutWords],
		['nothing', '', cutWords],
		['what ends with an error', events(quiet, { message: 'Busy' }), 'Busy'],
	] as const) {
		test(`It is no answer: ${name}`, async () => {
			const { error } = await answerTo(body, headers);
			if (typeof words === 'string') {
				assert.equal(error, words);
			} else {
				assert.match(String(error), words);
			}
		});
	}

	test('A stream that ends politely, but before it says so, is not taken for complete', async () => {
		for (const [protocol, event] of [
			['chat', { choices: [{ delta: { content: 'A quiet' } }] }],
			['messages', { type: 'content_block_delta', delta: { type: 'text_delta', text: 'A quiet' } }],
		] as const) {
			const said = await answerTo(events(event), eventStream, protocol);
			assert.deepEqual(said, { words: 'A quiet', error: cutWords });
		}
	});

	// In which forms it is found is tested in `serviceText.test.ts`.
	test('Neither words nor errors show the key, however the service cuts it', async () => {
		const reply = `Your key is Bearer ${key}.\nKeep it, ${'and so on. '.repeat(20)}`;
		for (const length of [1, 5, 30, 1000]) {
			const cut = reply.match(new RegExp(`[^]{1,${String(length)}}`, 'g'))!;
			const { words } = await answerTo(chatStream(...cut));
			assert.equal(words, reply.replace(key, '***'));
		}
		const { error } = await answerTo(events({ error: { message: `Bad key ${key}!` } }));
		assert.equal(error, 'Bad key ***!');
	});

	test('An endless answer ends with 32,768 characters, and its connection with it', async () => {
		let closed: Promise<unknown> | undefined;
		const address = await listen((_, response) => {
			closed = once(response, 'close');
			response.setHeader('content-type', 'text/event-stream');
			flood(response, events({ choices: [{ delta: { content: 'x'.repeat(999) } }] }));
		});
		let length = 0;
		for await (const piece of streamAnswer(asked, options({}, address))) {
			length += piece.length;
		}
		await closed;
		assert.equal(length, 32 * 1024);
	});

	test('A stream without words ends with an error before it fills the memory', async () => {
		const address = await listen((_, response) => {
			response.setHeader('content-type', 'text/event-stream');
			flood(response, ':'.repeat(64 * 1024));
		});
		const error = await failure({}, address);
		assert.ok(error instanceof AnswerError, String(error));
	});

	test('Our own time-out names its seconds', async () => {
		const address = await listen(() => undefined);
		const error = await failure({ timeoutMs: 50 }, address);
		assert.ok(error instanceof TimeoutError, String(error));
	});

	test('Nothing is sent again where the user wants no retries', async () => {
		service.faults.add({ status: 503, endpoint: 'chat' });
		const before = service.modelRequests.length;
		assert.ok((await failure({ retry: 'never' })) instanceof StatusError);
		assert.equal(service.modelRequests.length, before + 1);
	});

	test('What an attempt may have cost is what it has sent, and a wait costs nothing', async () => {
		const failed: string[] = [];
		const onFailure: StreamOptions['onFailure'] = ({ error }, _, next) => {
			failed.push(`${error.charge} ${next.action}`);
		};
		const cancel = new AbortController();
		const clock = new (class extends FakeClock {
			override sleep(ms: number): Promise<void> {
				if (failed.length === 3) {
					cancel.abort();
				}
				return super.sleep(ms);
			}
		})();
		const address = `http://127.0.0.1:${String(await freePort())}`;
		const refused = await failure({ clock, onFailure, signal: cancel.signal }, address);
		assert.ok(refused instanceof CancelledError, String(refused));
		assert.equal(refused.charge, 'notSent');

		service.faults.add({ status: 503, times: 1, endpoint: 'chat' });
		service.modelReplies.push('A quiet harbor');
		assert.equal((await pieces({ clock, onFailure })).join(''), 'A quiet harbor');
		assert.deepEqual(failed, [...Array<string>(3).fill('notSent wait'), 'unknown wait']);
	});
});
