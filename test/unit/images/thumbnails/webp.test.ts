import assert from 'node:assert/strict';
import { firstFrame } from '../../../../src/images/thumbnails/webp.js';
import { webpChunk } from './pictures';

/** The header of an extended WebP: flags, three reserved bytes, width and height less 1. */
function extended(flags: number, width = 0x012345, height = 0x000678): Buffer {
	const content = Buffer.alloc(10);
	content[0] = flags;
	content.writeUIntLE(width - 1, 4, 3);
	content.writeUIntLE(height - 1, 7, 3);
	return webpChunk('VP8X', content);
}

/** A frame: half its place, its size less 1, its duration and flags, then its chunks. */
function frame(chunks: readonly Buffer[], x = 0x020304, y = 0x050607): Buffer {
	const header = Buffer.alloc(16, 0xaa);
	header.writeUIntLE(x / 2, 0, 3);
	header.writeUIntLE((y - 1) / 2, 3, 3);
	header.writeUIntLE(0x0a0b0c, 6, 3);
	header.writeUIntLE(0x0d0e0f, 9, 3);
	return webpChunk('ANMF', Buffer.concat([header, ...chunks]));
}

const riff = (...chunks: readonly Buffer[]) =>
	webpChunk('RIFF', Buffer.concat([Buffer.from('WEBP', 'latin1'), ...chunks]));

const animated = 0x02;
// A length that is odd, so that a byte is filled in behind it.
const picture = webpChunk('VP8 ', Buffer.from([1, 2, 3]));
const other = webpChunk('VP8L', Buffer.from([4, 5]));
const alpha = webpChunk('ALPH', Buffer.from([6]));
// Long enough to be taken for a header or a frame.
const foreign = webpChunk('EXIF', Buffer.alloc(20, animated));

suite('images › thumbnails › the first frame of a WebP', () => {
	test('is a file of its own, with its place on the canvas', () => {
		const found = firstFrame(
			riff(extended(animated), foreign, frame([picture]), frame([other], 0, 1)),
		);
		assert.ok(found);
		const { file, ...place } = found;
		assert.deepEqual(place, { width: 0x012345, height: 0x000678, x: 0x020304, y: 0x050606 });
		const header = Buffer.from([0x10, 0, 0, 0, 0x0c, 0x0b, 0x0a, 0x0f, 0x0e, 0x0d]);
		assert.deepEqual(file, riff(webpChunk('VP8X', header), picture));
	});

	test('takes along the pixels and their transparency, and nothing else', () => {
		for (const chunks of [[alpha, picture], [other]]) {
			const found = firstFrame(riff(extended(animated), frame([foreign, ...chunks, foreign])));
			assert.deepEqual(found?.file.subarray(30), Buffer.concat(chunks));
		}
	});

	test('is none of a still image, whatever else its header says', () => {
		const still = 0xff & ~animated;
		for (const bytes of [
			riff(picture),
			riff(other),
			riff(extended(0), frame([picture])),
			riff(extended(still), frame([picture])),
			riff(foreign, extended(animated), frame([picture])),
			riff(webpChunk('VP8X', Buffer.alloc(9, animated)), frame([picture])),
			riff(),
			Buffer.alloc(0),
		]) {
			assert.equal(firstFrame(bytes), undefined);
		}
	});

	test('is missed where an animated one has none that is whole', () => {
		const whole = riff(extended(animated), frame([picture]));
		for (const bytes of [
			riff(extended(animated)),
			riff(extended(animated), foreign),
			// Its last byte is missing, and more than that.
			whole.subarray(0, -1),
			whole.subarray(0, 12 + 18 + 4),
			// A header of a frame, and nothing behind it.
			riff(extended(animated), frame([])),
		]) {
			assert.throws(() => firstFrame(bytes), RangeError);
		}
	});

	test('is the first that has something in it', () => {
		const found = firstFrame(riff(extended(animated), frame([]), frame([other])));
		assert.deepEqual(found?.file.subarray(30), other);
	});

	test('leaves out a chunk that is cut off, and is content with a header alone', () => {
		const cut = Buffer.concat([picture, Buffer.from('VP8L\xff\0\0\0', 'latin1')]);
		const found = firstFrame(riff(extended(animated), frame([cut])));
		assert.deepEqual(found?.file.subarray(30), picture);
		const empty = webpChunk('VP8 ', Buffer.alloc(0));
		const other = firstFrame(riff(extended(animated), frame([empty])));
		assert.deepEqual(other?.file.subarray(30), empty);
	});
});
