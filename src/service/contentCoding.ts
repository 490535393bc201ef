import type { Transform } from 'node:stream';
import zlib from 'node:zlib';
import { ByteReader, piecesOf } from './byteReader.js';

/** Codings within one another. */
const maxCodings = 3;

/**
 * Takes back the content coding of a body (RFC 9110, part 8.4.1): by its first bytes, because
 * gateways unpack a body and leave the header, or pack it and set none. One that breaks off or is
 * damaged ends there. What stands behind the data, such as a checksum, decides nothing about them.
 *
 * @param coding the value of `Content-Encoding`; it counts where the first bytes say nothing
 * @throws the error of the body, behind all that came before it
 */
export async function* decodeContent(
	pieces: AsyncIterable<Buffer>,
	coding = '',
): AsyncGenerator<Buffer, void> {
	let reader = new ByteReader(pieces);
	const readers = [reader];
	for (let count = 0; count < maxCodings; count++) {
		const start = Buffer.from((await reader.peek(4)).padEnd(4, '\0'), 'latin1');
		const body = decodedBody(reader, start, count === 0 ? coding.trim().toLowerCase() : '');
		if (body === undefined) {
			break;
		}
		reader = new ByteReader(body);
		readers.unshift(reader);
	}
	try {
		yield* reader.rest();
	} finally {
		for (const each of readers) {
			// Not waited for: a decoder may just wait for a piece that does not come.
			each.close().catch(() => undefined);
		}
	}
}

function decodedBody(
	reader: ByteReader,
	start: Buffer,
	coding: string,
): AsyncGenerator<Buffer, unknown> | undefined {
	const [first = 0] = start;
	if (start.readUInt16BE(0) === gzipMark) {
		return gunzipped(reader);
	}
	if (start.readUInt32LE(0) === 0xfd2fb528) {
		return decoded(reader, zlib.createZstdDecompress());
	}
	// JSON, a page, or the byte order mark of either.
	if ('{[<" \t\r\n\u00ef'.includes(String.fromCharCode(first))) {
		return undefined;
	}
	// RFC 1950, part 2.2.
	if ((first & 0x0f) === 8 && first >> 4 <= 7 && start.readUInt16BE(0) % 31 === 0) {
		return inflated(reader, 2);
	}
	if (coding === 'deflate') {
		return inflated(reader, 0);
	}
	const options = { finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH };
	return coding === 'br' ? decoded(reader, zlib.createBrotliDecompress(options)) : undefined;
}

/** RFC 1952, part 2.3.1. */
const gzipMark = 0x1f8b;

/**
 * Unpacks the members of gzip (RFC 1952, part 2.2). Node's own `Gunzip` drops the end of the data
 * where a wrong checksum, or anything but zeros, stands behind them.
 */
async function* gunzipped(reader: ByteReader): AsyncGenerator<Buffer, void> {
	const mark = String.fromCharCode(gzipMark >> 8, gzipMark & 0xff);
	for (let isWhole = true; isWhole && (await reader.peek(2)) === mark;) {
		await skipGzipHead(reader);
		isWhole = yield* inflated(reader, 0);
		// Checksum and length.
		await reader.skip(8);
	}
}

/** Leaves out the head of a member (RFC 1952, part 2.3). */
async function skipGzipHead(reader: ByteReader): Promise<void> {
	const flags = (await reader.peek(10)).charCodeAt(3);
	await reader.skip(10);
	if (flags & 0x04) {
		const [low = 0, high = 0] = Buffer.from(await reader.peek(2), 'latin1');
		await reader.skip(2 + low + 256 * high);
	}
	for (const text of [0x08, 0x10]) {
		if (flags & text) {
			await reader.skip((await reader.peek(maxTextBytes)).indexOf('\0') + 1);
		}
	}
	if (flags & 0x02) {
		await reader.skip(2);
	}
}

/** Size of a file name or comment in the head of gzip, in bytes. */
const maxTextBytes = 4096;

/** @param headLength bytes before the data */
async function* inflated(reader: ByteReader, headLength: number): AsyncGenerator<Buffer, boolean> {
	await reader.skip(headLength);
	// Without a whole end, everything up to the end is to be had.
	const options = { finishFlush: zlib.constants.Z_SYNC_FLUSH };
	return yield* decoded(reader, zlib.createInflateRaw(options));
}

/**
 * Decodes up to the end of the data, and leaves in the reader what comes behind it.
 *
 * @returns whether it has come to that end, or that of the body, without damage
 */
async function* decoded(
	reader: ByteReader,
	decoder: Transform & Pick<zlib.InflateRaw, 'bytesWritten'>,
): AsyncGenerator<Buffer, boolean> {
	const over = new Promise<void>((resolve) => {
		decoder.once('end', resolve).once('close', resolve);
	});
	const feed = async () => {
		let given = 0;
		try {
			// One after another, so that what the decoder does not take is part of the last one.
			for (let piece = await reader.next(); piece.length > 0; piece = await reader.next()) {
				given += piece.length;
				// It does not call back for a piece that goes on behind the end of the data.
				await Promise.race([over, new Promise((resolve) => decoder.write(piece, resolve))]);
				if (decoder.readableEnded || decoder.destroyed) {
					reader.putBack(piece.subarray(piece.length - (given - decoder.bytesWritten)));
					return;
				}
			}
		} finally {
			// Where the body breaks off, too: it hands out what has come before.
			decoder.end();
		}
	};
	const feeding = feed();
	feeding.catch(() => undefined);
	try {
		yield* piecesOf(decoder);
	} catch {
		// What has been decoded before counts.
	} finally {
		decoder.destroy();
	}
	await feeding;
	return decoder.errored === null;
}
