import assert from 'node:assert/strict';
import { once } from 'node:events';
import http, { type RequestListener } from 'node:http';
import net, { type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { wordsOf } from '../../../src/editor/errorTexts.js';
import { RequestError } from '../../../src/service/errors.js';
import type { RequestBody } from '../../../src/service/requestBody.js';
import { bearer, sendRequest } from '../../../src/service/sendRequest.js';
import { until } from '../../host/until.js';
import { listen, type Listening } from './networkFixtures.js';

// What a whole call makes of it is tested in `client.test.ts` and `clientAnswer.test.ts`.
suite('service › sendRequest', () => {
	let server: Listening;
	let answering: RequestListener;
	let sockets: Socket[];
	let ending: AbortController;
	/** Number of reports that the request has left. */
	let sent: number;

	setup(async () => {
		server = await listen(http.createServer((...given) => answering(...given)));
		sockets = [];
		ending = new AbortController();
		sent = 0;
	});

	teardown(async () => {
		ending.abort(new Error('the test is over'));
		sockets.forEach((socket) => socket.destroy());
		await server.close();
	});

	const url = () => new URL(`http://127.0.0.1:${String(server.port)}/v1/images/edits?a=b`);

	async function connect(): Promise<Socket> {
		const socket = net.connect(server.port, '127.0.0.1');
		sockets.push(socket);
		await once(socket, 'connect');
		return socket;
	}

	function send(text: string | RequestBody, connecting = connect) {
		const { origin: address } = url();
		const body = typeof text === 'string' ? json(text) : text;
		return sendRequest(
			url(),
			{
				headers: { authorization: 'Bearer key' },
				body,
				transport: { address, viaProxy: undefined, connect: connecting },
			},
			(step) => {
				sent += step === 'sent' ? 1 : 0;
			},
			ending.signal,
		);
	}

	function json(content: string): RequestBody {
		const bytes = Buffer.from(content);
		const { length } = bytes;
		return { contentType: 'application/json', length, pieces: () => Readable.from([bytes]) };
	}

	/** A form that reports how much of it was taken, and when no more is. */
	function form(pieces: number, piece = Buffer.alloc(64 * 1024), atEnd?: Error) {
		const state = { taken: 0, isLeft: false };
		const body: RequestBody = {
			contentType: 'multipart/form-data; boundary=b',
			length: pieces * piece.length,
			async *pieces() {
				try {
					for (; state.taken < pieces; state.taken += 1) {
						// As a file does that is read: meanwhile the connection has its turn.
						await setImmediate();
						yield piece;
					}
					if (atEnd !== undefined) {
						throw atEnd;
					}
				} finally {
					state.isLeft = true;
				}
			},
		};
		return { state, body };
	}

	test('says what is sent, and that it has left when it has', async () => {
		const got = Promise.withResolvers<unknown[]>();
		answering = (request, response) => {
			void text(request).then((body) => {
				const { method, url: path, headers } = request;
				got.resolve([method, path, headers, body]);
				response.end('done');
			});
		};
		const answer = await send('{"prompt":"é"}');
		assert.deepEqual(await got.promise, [
			'POST',
			'/v1/images/edits?a=b',
			{
				host: url().host,
				authorization: 'Bearer key',
				accept: 'application/json',
				'accept-encoding': 'identity',
				'content-type': 'application/json',
				'content-length': '15',
				connection: 'close',
			},
			'{"prompt":"é"}',
		]);
		assert.equal(await text(Readable.from(answer.body)), 'done');
		assert.equal(sent, 1);
	});

	test('takes of a form no more than the connection does, and all of it in the end', async () => {
		const reading = Promise.withResolvers<void>();
		let bytes = 0;
		answering = (request, response) => {
			void reading.promise.then(() => {
				request.on('data', (piece: Buffer) => (bytes += piece.length));
				request.on('end', () => response.end('done'));
			});
		};
		const { state, body } = form(1000);
		const answer = send(body);
		let before = -1;
		await until(() => {
			const stands = state.taken > 0 && state.taken === before;
			before = state.taken;
			return stands;
		}, 'the connection to be full');
		assert.ok(state.taken < 500, String(state.taken));
		assert.equal(sent, 0);
		reading.resolve();
		const { headers, status } = await answer;
		assert.equal(status, 200);
		assert.equal(headers['content-length'], '4');
		assert.equal(bytes, 1000 * 64 * 1024);
		assert.equal(sent, 1);
	});

	test('asks a form for its next piece only once the memory of the last one is free', async () => {
		const pieces = 300;
		const memory = Buffer.alloc(64 * 1024);
		const numbered: RequestBody = {
			...form(pieces, memory).body,
			async *pieces() {
				for (let index = 0; index < pieces; index += 1) {
					await Promise.resolve();
					yield memory.fill(index % 251);
				}
			},
		};
		const got: Buffer[] = [];
		answering = (request, response) => {
			// It reads nothing until the connection takes no more.
			void until(() => sockets[0]!.writableNeedDrain, 'a full connection').then(() => {
				request.on('data', (piece: Buffer) => got.push(piece)).on('end', () => response.end());
			});
		};
		const warnings: Error[] = [];
		const warn = (warning: Error) => warnings.push(warning);
		process.on('warning', warn);
		await send(numbered);
		process.off('warning', warn);
		// Of listeners that were not removed, for example.
		assert.deepEqual(warnings, []);
		const body = Buffer.concat(got);
		assert.equal(body.length, pieces * memory.length);
		for (let index = 0; index < pieces; index += 1) {
			const piece = body.subarray(index * memory.length, (index + 1) * memory.length);
			assert.ok(piece.equals(Buffer.alloc(memory.length, index % 251)), `piece ${String(index)}`);
		}
	});

	test('takes no more of a form once the connection is closed', async () => {
		for (const [length, pieces] of [
			// Waiting until it may go on, and with every piece taken at once.
			[64 * 1024, 1000],
			[1, 1_000_000_000],
		] as const) {
			answering = (request, response) => {
				request.once('data', () => {
					response.end('too much', () => request.socket.destroy());
				});
			};
			const { state, body } = form(pieces, Buffer.alloc(length));
			const answer = await send(body);
			assert.equal(answer.status, 200);
			ending.abort(new Error('that is enough'));
			await until(() => state.isLeft, 'the form to be left');
			assert.ok(state.taken < pieces);
			assert.equal(sent, 0);
			ending = new AbortController();
		}
	});

	test('fails with the error of a form that cannot be read', async () => {
		answering = () => undefined;
		const own = new Error('the file has changed');
		await assert.rejects(send(form(2, Buffer.from('x'), own).body), own);
		assert.equal(sent, 0);
	});

	test('ends with its signal, before the answer and behind its head', async () => {
		answering = () => {
			ending.abort(new Error('enough'));
		};
		await assert.rejects(send('{}'), { code: 'ECONNRESET' });
		assert.ok(sockets[0]!.destroyed);

		ending = new AbortController();
		answering = (_, response) => response.writeHead(200).write('half');
		const answer = await send('{}');
		ending.abort(new Error('enough'));
		await assert.rejects(text(Readable.from(answer.body)), { code: 'ECONNRESET' });
		assert.ok(sockets[1]!.destroyed);
	});

	test('sends nothing where the signal ended it while it connected', async () => {
		answering = () => assert.fail('nothing may come');
		const reason = new Error('enough');
		const failing = send('{}', async () => {
			const socket = await connect();
			ending.abort(reason);
			return socket;
		});
		await assert.rejects(failing, reason);
		assert.ok(sockets[0]!.destroyed);
	});

	test('shows a key as a header can have it, and refuses every other one', () => {
		assert.equal(bearer('!key~'), 'Bearer !key~');
		for (const [key, words] of [
			['', /^This service address has no API key/],
			...[' key', 'key ', 'a b', 'a\nb', 'schlüssel', 'a\u0000', '\u007f'].map((each) => {
				return [each, /^The API key contains a space or an invalid character/] as const;
			}),
		] as const) {
			assert.throws(
				() => bearer(key),
				(error: unknown) => {
					assert.ok(error instanceof RequestError);
					assert.equal(error.field, 'key');
					assert.match(wordsOf(error), words);
					return true;
				},
			);
		}
	});
});
