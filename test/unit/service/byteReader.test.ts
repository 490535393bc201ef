import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { piecesOf } from '../../../src/service/byteReader.js';
import { listen, useServers } from './networkFixtures.js';

suite('service › byteReader', () => {
	const opened = useServers();

	/** Reads the beginning of an answer, destroys it, and returns how the reading ends. */
	async function endOf(response: Readable, reason?: Error): Promise<unknown> {
		const pieces: string[] = [];
		try {
			for await (const piece of piecesOf(response)) {
				pieces.push(Buffer.from(piece).toString());
				response.destroy(reason);
			}
		} catch (error) {
			assert.deepEqual(pieces, ['begun']);
			return error;
		}
		return assert.fail('it broke off, and was taken for whole');
	}

	test('an answer that breaks off ends with the error that broke it off', async () => {
		// It begins an answer and never ends it.
		const { port } = await opened(
			listen(createServer((_, response) => response.writeHead(200).write('begun'))),
		);
		const request = get({ port, host: '127.0.0.1' });
		const [response] = (await once(request, 'response')) as [IncomingMessage];
		request.on('error', () => undefined);
		const reason = new Error('enough');
		assert.equal(await endOf(response, reason), reason);
	});

	test('an answer without a reported end ends as a connection that was closed', async () => {
		// A stream may close without an error and without an end, though those of Node's HTTP do not.
		const stream = new Readable({ read: () => undefined });
		stream.push('begun');
		const error = await endOf(stream);
		assert.equal((error as NodeJS.ErrnoException).code, 'ECONNRESET');
	});
});
