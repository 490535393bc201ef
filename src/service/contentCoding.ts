import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import zlib from 'node:zlib';
import { ByteReader, piecesOf } from './byteReader.js';

/** Codings within one another. */
const maxCodings = 3;

/**
 * Takes back the content coding of a body (RFC 9110, part 8.4.1): by its first bytes, because
 * gateways unpack a body and leave the header, or pack it and set none. One that breaks off or is
 * damaged ends there.
 *
 * @param coding the value of `Content-Encoding`; it counts where the first bytes say nothing
 * @throws the error of the body, behind all that came before it
 */
export async function* decodeContent(
	pieces: AsyncIterable<Buffer>,
	coding = '',
): AsyncGenerator<Buffer, void> {
	let body = pieces;
	for (let count = 0; count < maxCodings; count++) {
		const reader = new ByteReader(body);
		const start = Buffer.from((await reader.peek(4)).padEnd(4, '\0'), 'latin1');
		const decoder = decoderFor(start, count === 0 ? coding.trim().toLowerCase() : '');
		body = decoder === undefined ? reader.rest() : decoded(reader.rest(), decoder);
		if (decoder === undefined) {
			break;
		}
	}
	yield* body;
}

function decoderFor(start: Buffer, coding: string): zlib.Gunzip | undefined {
	// Without a whole end, everything up to the end is to be had.
	const options = { finishFlush: zlib.constants.Z_SYNC_FLUSH };
	const [one = 0, two = 0] = start;
	if (one === 0x1f && two === 0x8b) {
		return zlib.createGunzip(options);
	}
	if (start.readUInt32LE(0) === 0xfd2fb528) {
		return zlib.createZstdDecompress();
	}
	// JSON, a page, or the byte order mark of either.
	if ('{[<" \t\r\n\u00ef'.includes(String.fromCharCode(one))) {
		return undefined;
	}
	// RFC 1950, part 2.2.
	if ((one & 0x0f) === 8 && one >> 4 <= 7 && start.readUInt16BE(0) % 31 === 0) {
		return zlib.createInflate(options);
	}
	return coding === 'br'
		? zlib.createBrotliDecompress({ finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH })
		: coding === 'deflate'
			? zlib.createInflateRaw(options)
			: undefined;
}

async function* decoded(
	body: AsyncIterable<Buffer>,
	decoder: zlib.Gunzip,
): AsyncGenerator<Buffer, void> {
	let refusal: { readonly by: unknown } | undefined;
	const source = async function* () {
		try {
			yield* body;
		} catch (error) {
			// The decoder ends as if the coding broke off, so that it hands out what has come before.
			refusal = { by: error };
		}
	};
	pipeline(Readable.from(source()), decoder).catch(() => undefined);
	try {
		yield* piecesOf(decoder);
	} catch {
		// What has been decoded before counts.
	} finally {
		decoder.destroy();
	}
	if (refusal !== undefined) {
		throw refusal.by;
	}
}
