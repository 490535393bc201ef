import assert from 'node:assert/strict';
import fc from 'fast-check';
import { MalformedAnswerError, parseAnswer } from '../../../src/service/httpAnswer.js';
import { cutAnywhere } from './pieces.js';

/** Parses bytes that come in pieces, before the connection ends, or breaks with an error. */
async function read(pieces: readonly string[], error?: Error) {
	const source = async function* () {
		for (const piece of pieces) {
			await Promise.resolve();
			yield Buffer.from(piece, 'latin1');
		}
		if (error !== undefined) {
			throw error;
		}
	};
	const { status, statusMessage, headers, body } = await parseAnswer(source());
	let text = '';
	let end: unknown;
	try {
		for await (const piece of body) {
			text += piece.toString('latin1');
		}
	} catch (error) {
		end = error;
	}
	return { status, statusMessage, headers, text, end };
}

const codeOf = (error: unknown) => (error as { readonly code?: string } | undefined)?.code;

suite('service › httpAnswer', () => {
	test('is the same wherever the pieces end', async () => {
		const hints =
			'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 101 Go on\r\nUpgrade: h2c\r\n\r\n';
		const head = 'HTTP/1.1 201 Made it\r\nX-Request-Id : r1 \r\nX-Request-ID: r2\r\nodd\r\n';
		const chunks =
			'Transfer-Encoding: chunked\r\n\r\n4\r\nfour\r\n0A;x=y\r\n0123456789\r\n0\r\n\r\n';
		const length = 'Content-Length: 14, 14\r\n\r\nfour0123456789, and more';
		await fc.assert(
			fc.asyncProperty(cutAnywhere, fc.constantFrom(chunks, length), async (cut, rest) => {
				const { headers, ...found } = await read(cut(`${hints}${head}${rest}`));
				assert.equal(headers['x-request-id'], 'r1');
				assert.deepEqual(found, {
					...{ status: 201, statusMessage: 'Made it', text: 'four0123456789', end: undefined },
				});
			}),
		);
	});

	test('reads a head as servers and proxies write it, against the rules too', async () => {
		for (const head of [
			'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n',
			'Transfer-Encoding: chunked\r\nServer: a\x01b\r\n',
			'Transfer-Encoding: chunked\r\nServer: a\r\n b\r\n',
			'Transfer-Encoding: chunked\r\nServer : x\r\n',
			`Transfer-Encoding: chunked\r\n${`X-More: ${'x'.repeat(9_000)}\r\n`.repeat(100)}`,
		]) {
			const { text, end } = await read([`HTTP/1.1 200 OK\r\n${head}\r\n6\r\nall of\r\n0\r\n\r\n`]);
			assert.deepEqual([text, end], ['all of', undefined], head.slice(0, 60));
		}
		const { text } = await read(['HTTP/1.1 200 OK\nConnection: close\n\nall of']);
		assert.equal(text, 'all of');
	});

	test('ends with the connection where nothing else says so, or two lengths differ', async () => {
		for (const fields of [
			'',
			'Content-Length: 4\r\nContent-Length: 5\r\n',
			'Content-Length: x\r\n',
		]) {
			const { text, end } = await read([`HTTP/1.0 200\r\n${fields}\r\nall of it`]);
			assert.deepEqual([text, end], ['all of it', undefined]);
		}
		assert.equal((await read(['HTTP/1.1 204 No Content\r\n\r\n'])).text, '');
	});

	test('says where the connection ends too early, behind all that has come', async () => {
		for (const rest of [
			'Content-Length: 9\r\n\r\nhalf',
			'Transfer-Encoding: chunked\r\n\r\n9\r\nhalf',
		]) {
			const { text, end } = await read([`HTTP/1.1 200 OK\r\n${rest}`]);
			assert.deepEqual([text, codeOf(end)], ['half', 'ECONNRESET']);
		}
		for (const head of [
			'',
			'HTT',
			'HTTP/1.1 200 OK\r\nServer: x',
			'HTTP/1.1 100 Continue\r\n\r\n',
		]) {
			await assert.rejects(read([head]), { code: 'ECONNRESET' }, head);
		}
	});

	test('keeps what comes behind a chunk that has no size', async () => {
		const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
		const { text, end } = await read([`${head}4\r\nfour\r\nzz\r\nand more`]);
		assert.equal(text, 'fourzz\r\nand more');
		assert.ok(end instanceof MalformedAnswerError);
		assert.equal(end.code, 'HPE_INVALID_CHUNK_SIZE');
	});

	test('keeps what comes in place of a chunk, though no line of it has ended', async () => {
		const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
		for (const [sent, expected] of [
			['{"data":[]}', '{"data":[]}'],
			['4\r\nfour\r\n{"data":[]}', 'four{"data":[]}'],
			['4\r\nfour\r\n1f', 'four'],
			['4\r\nfour\r\n', 'four'],
		] as const) {
			for (const error of [undefined, Object.assign(new Error('reset'), { code: 'EPIPE' })]) {
				const { text, end } = await read([head, sent], error);
				assert.deepEqual([text, codeOf(end)], [expected, error?.code ?? 'ECONNRESET'], sent);
			}
		}
	});

	test('is none where it begins like something else', async () => {
		for (const other of ['220 mail.example.com\r\n', '\x15\x03\x01\x00\x02\x02F', 'HTTP/x\r\n']) {
			await assert.rejects(read([other]), { code: 'HPE_INVALID_CONSTANT' }, other);
		}
	});

	test('treats a head as ended that goes on for more than 1 MiB', async () => {
		const { status, text } = await read([
			'HTTP/1.1 200 OK\r\n',
			`X: ${'x'.repeat(3_000_000)}`,
			'end',
		]);
		assert.equal(status, 200);
		assert.equal(text, 'end');
	});
});
