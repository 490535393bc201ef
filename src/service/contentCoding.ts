import type { Transform } from 'node:stream';
import zlib from 'node:zlib';
import { ByteReader, piecesOf } from './byteReader.js';

/**
 * Undoes the content coding of a body (RFC 9110, part 8.4.1), gzip or br, once: Easel asks for none,
 * but some gateways pack all the same. Gzip is recognised by its first bytes, because gateways unpack
 * a body and leave the header, or pack it and set none; br has no such bytes and needs the header. A
 * coding that breaks off or is damaged ends there.
 *
 * @param coding the value of `Content-Encoding`
 * @throws the error of the body, behind all that came before it
 */
export async function* decodeContent(
	pieces: AsyncIterable<Buffer>,
	coding = '',
): AsyncGenerator<Buffer, void> {
	const reader = new ByteReader(pieces);
	try {
		const start = await reader.peek(2);
		if (start === gzipMark) {
			yield* gunzipped(reader);
		} else if (coding.trim().toLowerCase() === 'br' && !/^[{[<" \t\r\n\u00ef]/.test(start)) {
			yield* decoded(reader, zlib.createBrotliDecompress(brotliOptions));
		} else {
			yield* reader.rest();
		}
	} finally {
		// Not waited for: a decoder may just wait for a piece that does not come.
		reader.close().catch(() => undefined);
	}
}

/** RFC 1952, part 2.3.1; as latin1. */
const gzipMark = '\u001f\u008b';

/** Decodes everything before the cut, where data have no end. */
const brotliOptions = { finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH };

/**
 * Unpacks the members of gzip (RFC 1952, part 2.2). Node's own `Gunzip` drops the end of the data
 * where a wrong checksum, or anything but zeros, stands behind them.
 */
async function* gunzipped(reader: ByteReader): AsyncGenerator<Buffer, void> {
	for (let isWhole = true; isWhole && (await reader.peek(2)) === gzipMark;) {
		await skipGzipHead(reader);
		isWhole = yield* decoded(reader, zlib.createInflateRaw(inflateOptions));
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

/** The same for deflate. */
const inflateOptions = { finishFlush: zlib.constants.Z_SYNC_FLUSH };

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
