import assert from 'node:assert/strict';
import { once } from 'node:events';
import net, { type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { inWords } from '../../../src/easelError.js';
import { factsOf } from '../../../src/jobs/failure.js';
import { toMessageLine } from '../../../src/jobs/messageLines.js';
import {
	commandSchema,
	jobEventSchema,
	receive,
	send,
	startMessageSchema,
	workerInputSchema,
} from '../../../src/jobs/workerProtocol.js';
import { RequestError } from '../../../src/service/errors.js';
import { defaultNetworkOptions } from '../../../src/service/transport.js';
import { inputFor, withoutParts } from './support.js';

const failure = factsOf(new RequestError('prompt', inWords('empty')), { elapsedMs: 0 }, false);
const changedAt = '2026-01-01T00:00:00.000Z';

/** Everything that is said, by the schema that it is understood by. */
const messages = [
	[
		startMessageSchema,
		[
			{ type: 'hello', node: '24.0.0' },
			{ type: 'ready' },
			{ type: 'refused', error: { code: 'words' } },
		],
	],
	[commandSchema, [{ type: 'cancel' }, { type: 'answer', again: true }, { type: 'taken' }]],
	[
		jobEventSchema,
		[
			{ ageMs: 0, type: 'attempt', attempt: 1, endpoint: 'edits' },
			...['sending', 'waiting', 'receiving'].map((phase) => ({ ageMs: 5, type: 'phase', phase })),
			...[
				{ action: 'stop' },
				{ action: 'wait', waitMs: 3, mayHaveBeenMade: true },
				{ action: 'ask', waitMs: 3 },
			].map((next) => ({ ageMs: 5, type: 'failed', attempt: 1, failure, next })),
			{ ageMs: 5, type: 'stalled', code: 'ENOSPC' },
			{ ageMs: 5, type: 'stalled' },
			{
				ageMs: 5,
				type: 'ended',
				state: { state: 'discarded', attempts: [], changedAt },
				isNoted: true,
			},
		],
	],
	[
		workerInputSchema,
		[
			...(['all', 'ask', 'never'] as const).map((retry) => ({
				...inputFor({ folder: '/jobs/1' }, { address: 'https://a', key: 'k' }, { retry }),
				slot: { folder: '/slots/0', name: 'slot', number: 1 },
			})),
			{
				folder: '/jobs/1',
				address: 'https://a',
				key: 'k',
				network: defaultNetworkOptions,
				timeoutMs: 5,
				retry: 'all',
			},
		],
	],
] as const;

suite('jobs › worker protocol', () => {
	test('a message is one line, whatever its reader takes for the end of one', () => {
		const message = { folder: 'a\u2028b\u2029c\nd' };
		const line = toMessageLine(message);
		assert.doesNotMatch(line, /[\u2028\u2029]|\n./);
		assert.deepEqual(JSON.parse(line), message);
	});

	test('everything that is said is understood, and nothing that lacks a part', () => {
		for (const [schema, known] of messages) {
			for (const message of known) {
				assert.deepEqual(schema.parse(JSON.parse(toMessageLine(message))), message);
				for (const damaged of withoutParts(message)) {
					assert.ok(!schema.safeParse(damaged).success, JSON.stringify(damaged));
				}
			}
			assert.ok(!schema.safeParse({ type: '' }).success);
		}
		const phase = { ageMs: 0, type: 'phase', phase: '' };
		assert.ok(!jobEventSchema.safeParse(phase).success);
		assert.ok(!jobEventSchema.safeParse({ ...phase, phase: 'waiting', ageMs: -1 }).success);
	});

	test('messages are heard one by one, wherever they are cut, and what is none is not', async () => {
		const stream = new PassThrough();
		const heard: unknown[] = [];
		receive(stream, commandSchema, (message) => heard.push(message));
		const text = `{"type":"cancel"}\nsoup\n{"type":"soup"}\n\n${toMessageLine({ type: 'answer', again: false })}`;
		for (const character of text) {
			stream.write(character);
		}
		stream.end();
		await once(stream, 'close');
		await new Promise(setImmediate);
		assert.deepEqual(heard, [{ type: 'cancel' }, { type: 'answer', again: false }]);
	});

	test('a line without an end is given up, and not gathered', async () => {
		const stream = new PassThrough();
		const heard: unknown[] = [];
		receive(stream, commandSchema, (message) => heard.push(message));
		stream.write('{"type":"cancel"}\n');
		const closed = once(stream, 'close');
		const piece = 'x'.repeat(1024 * 1024);
		let written = 0;
		for (; !stream.destroyed; written += 1) {
			stream.write(piece);
			await new Promise(setImmediate);
		}
		await closed;
		assert.ok(written < 32, `${String(written)} MiB`);
		assert.deepEqual(heard, [{ type: 'cancel' }]);
	});

	test('a stream that breaks is not the end of the process', async () => {
		const stream = new PassThrough();
		receive(stream, commandSchema, () => undefined);
		const broken = new Promise((resolve) => stream.once('error', resolve));
		stream.destroy(new Error('ECONNRESET'));
		await broken;
		await new Promise(setImmediate);
	});

	test('what is said goes over the socket, and nowhere once that is closed', async () => {
		const heard = Promise.withResolvers<unknown>();
		const server = net.createServer((socket) => {
			receive(socket, commandSchema, heard.resolve);
		});
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		const socket: Socket = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1');
		send(socket, { type: 'answer', again: true });
		assert.deepEqual(await heard.promise, { type: 'answer', again: true });
		const failures: unknown[] = [];
		socket.on('error', (error) => failures.push(error));
		socket.end();
		send(socket, { type: 'cancel' });
		socket.destroy();
		await once(socket, 'close');
		assert.deepEqual(failures, []);
		server.close();
		await once(server, 'close');
	});
});
