import { crc32 } from 'node:zlib';

/** Damages bytes as disks, transfers and enemies do: a few changes at random. */
export function mutated(random: () => number, bytes: Buffer, other: Buffer): Buffer {
	let result: Buffer = Buffer.from(bytes);
	for (let count = 1 + below(random, 4); count > 0; count -= 1) {
		const change = changes[below(random, changes.length)] ?? truncated;
		result = change(random, result, other);
	}
	return result;
}

/** A whole number from 0 to `limit` - 1; 0 where there is none. */
export function below(random: () => number, limit: number): number {
	return Math.floor(random() * Math.max(1, limit));
}

/** Corrects the checksums of as many chunks of a PNG as can be found, so that they are read on. */
export function withChecksums(bytes: Buffer): Buffer {
	for (let at = 8; bytes.toString('latin1', 1, 4) === 'PNG' && at + 12 <= bytes.length;) {
		const end = at + 8 + bytes.readUInt32BE(at);
		if (end + 4 > bytes.length) {
			break;
		}
		bytes.writeUInt32BE(crc32(bytes.subarray(at + 4, end)), end);
		at = end + 4;
	}
	return bytes;
}

type Change = (random: () => number, bytes: Buffer, other: Buffer) => Buffer;

const changes: readonly Change[] = [
	(random, bytes) => {
		bytes[below(random, bytes.length)] = below(random, 256);
		return bytes;
	},
	(random, bytes) => {
		// The beginning says how the rest is read.
		bytes[below(random, Math.min(64, bytes.length))]! ^= 1 << below(random, 8);
		return bytes;
	},
	(random, bytes) => {
		const number = Buffer.alloc(4);
		const value = extremes[below(random, extremes.length)]!;
		number[random() < 0.5 ? 'writeUInt32BE' : 'writeUInt32LE'](value);
		number.copy(bytes, below(random, bytes.length - 4));
		return bytes;
	},
	truncated,
	(random, bytes) => {
		const [start, end] = range(random, bytes);
		return Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]);
	},
	(random, bytes) => {
		const [start, end] = range(random, bytes);
		return Buffer.concat([bytes.subarray(0, end), bytes.subarray(start)]);
	},
	(random, bytes, other) => {
		const [start, end] = range(random, other);
		const at = below(random, bytes.length);
		return Buffer.concat([bytes.subarray(0, at), other.subarray(start, end), bytes.subarray(at)]);
	},
	(random, bytes) => {
		const [start, end] = range(random, bytes);
		return bytes.fill(random() < 0.5 ? 0 : 255, start, end);
	},
];

const extremes = [0, 1, 0x7f, 0xff, 0x7fff, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff];

function truncated(random: () => number, bytes: Buffer): Buffer {
	return bytes.subarray(0, below(random, bytes.length + 1));
}

function range(random: () => number, bytes: Buffer): [number, number] {
	const start = below(random, bytes.length);
	return [start, start + below(random, Math.min(2000, bytes.length - start + 1))];
}
