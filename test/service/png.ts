import { createCipheriv } from 'node:crypto';
import { crc32 } from 'node:zlib';

const headerEnd = 8 + 25;
const frameSize = 12;
// One large chunk takes some decoders seconds, since they look for its end from its beginning
// again and again; many small ones do not.
const largestChunk = 32 * 1024;

/**
 * Makes a PNG file exactly `size` bytes long with chunks of noise that decoders skip; a file that
 * is as long already, or has no room for a chunk, stays as it is.
 */
export function padPng(png: Buffer, size: number): Buffer {
	const noise = createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16));
	const chunks: Buffer[] = [];
	let missing = size - png.length;
	while (missing >= frameSize) {
		// What is left after a chunk is nothing, or room for one more.
		const whole = missing <= largestChunk ? missing : largestChunk - frameSize;
		chunks.push(chunkOf(noise.update(Buffer.alloc(whole - frameSize))));
		missing -= whole;
	}
	if (chunks.length === 0) {
		return png;
	}
	// Right after the header, where every reader has to pass them.
	return Buffer.concat([png.subarray(0, headerEnd), ...chunks, png.subarray(headerEnd)]);
}

function chunkOf(data: Buffer): Buffer {
	const chunk = Buffer.alloc(data.length + frameSize);
	chunk.writeUInt32BE(data.length, 0);
	// The case of the letters says: ancillary, private, safe to copy.
	chunk.write('paDd', 4, 'latin1');
	data.copy(chunk, 8);
	chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
	return chunk;
}
