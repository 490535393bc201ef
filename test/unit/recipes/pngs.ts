import assert from 'node:assert/strict';
import fs, { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import type { Recipe } from '../../../src/recipes/recipe.js';
import { pngChunk, pngOf } from '../images/thumbnails/pictures.js';

/** A recipe with every field. */
export const recipe: Recipe = {
	version: 1,
	easel: '1.2.3',
	id: '0b7c2f7e-5d3a-4f43-9f43-2f6f0a1b2c3d',
	createdAt: '2026-03-01T12:34:56.789Z',
	operation: 'edit',
	prompt: 'A fox in the snow, “quiet” & <calm>,\nat dusk 🦊',
	effectivePrompt: 'A fox in the snow, in flat colors',
	revisedPrompt: 'A red fox in deep snow',
	model: 'std-image-2',
	size: '1024x1024',
	quality: 'high',
	parents: [{ sha256: 'a'.repeat(64), path: '../images/fox.png' }],
	references: [{ sha256: 'b'.repeat(64) }],
	round: {
		id: '6f1d7a39-8a3c-4a52-9d3c-0f1f2a3b4c5d',
		number: 3,
		place: 1,
		count: 2,
		askedAt: '2026-01-01T00:00:00.000Z',
	},
	requestId: 'req_123',
};

/** A small picture, with these chunks before it. */
export function png(...chunks: readonly Buffer[]): Buffer {
	const whole = pngOf({ width: 6, height: 4, colorType: 2, bitDepth: 8 }, lines());
	return inserted(whole, 'IDAT', chunks);
}

function lines(): Buffer {
	const bytes = Buffer.alloc(4 * (1 + 6 * 3), 90);
	for (let at = 0; at < bytes.length; at += 19) {
		bytes[at] = 0;
		bytes[at + 4] = at;
	}
	return bytes;
}

/** Puts chunks before the first one of a type. */
export function inserted(file: Buffer, before: string, chunks: readonly Buffer[]): Buffer {
	const at = chunksOf(file).find(({ type }) => type === before)?.start ?? 0;
	return Buffer.concat([file.subarray(0, at), ...chunks, file.subarray(at)]);
}

export function tEXt(keyword: string, text: string): Buffer {
	return pngChunk('tEXt', Buffer.from(`${keyword}\0${text}`, 'latin1'));
}

export function zTXt(keyword: string, text: Buffer | string): Buffer {
	const head = Buffer.from(`${keyword}\0\0`, 'latin1');
	return pngChunk('zTXt', Buffer.concat([head, deflateSync(text)]));
}

export function iTXt(keyword: string, text: string | Buffer, packed = false): Buffer {
	const head = Buffer.from(`${keyword}\0${packed ? '\x01' : '\0'}\0en\0Wort\0`, 'latin1');
	const content = packed ? deflateSync(text) : Buffer.from(text);
	return pngChunk('iTXt', Buffer.concat([head, content]));
}

/** A signed credential, as far as Easel looks at it. */
export const caBX = pngChunk('caBX', Buffer.from('a signed manifest'));

interface ReadChunk {
	readonly type: string;
	readonly start: number;
	readonly data: Buffer;
}

/** Reads a PNG strictly, independently of what is tested: order, lengths and checksums. */
export function chunksOf(file: Buffer): ReadChunk[] {
	assert.equal(file.toString('latin1', 0, 8), '\x89PNG\r\n\x1a\n');
	const found: ReadChunk[] = [];
	for (let at = 8; at < file.length;) {
		const length = file.readUInt32BE(at);
		const type = file.toString('latin1', at + 4, at + 8);
		const data = file.subarray(at + 8, at + 8 + length);
		assert.equal(file.readUInt32BE(at + 8 + length), crc32(file.subarray(at + 4, at + 8 + length)));
		found.push({ type, start: at, data });
		at += 12 + length;
	}
	assert.equal(found[0]?.type, 'IHDR');
	assert.equal(found.at(-1)?.type, 'IEND');
	return found;
}

/** The texts of chunks iTXt that are not packed, by their keywords. */
export function plainTexts(file: Buffer): [keyword: string, text: string][] {
	return chunksOf(file)
		.filter(({ type }) => type === 'iTXt')
		.map(({ data }) => {
			const end = data.indexOf(0);
			assert.deepEqual([...data.subarray(end, end + 5)], [0, 0, 0, 0, 0]);
			return [data.toString('latin1', 0, end), data.toString('utf8', end + 5)];
		});
}

/** All bytes of the picture itself. */
export function picture(file: Buffer): Buffer {
	const all = chunksOf(file).filter(({ type }) => type === 'IDAT');
	return Buffer.concat(all.map(({ data }) => data));
}

/** Runs with a folder that is removed afterwards. */
export async function inFolder(
	run: (
		at: (name: string) => string,
		write: (name: string, bytes: Buffer) => Promise<string>,
	) => Promise<void>,
): Promise<void> {
	const folder = await mkdtemp(path.join(tmpdir(), 'easel-recipes-'));
	const at = (name: string) => path.join(folder, name);
	try {
		await run(at, async (name, bytes) => {
			await writeFile(at(name), bytes);
			return at(name);
		});
	} finally {
		await rm(folder, { recursive: true });
	}
}

/** Runs, and holds that files were opened meanwhile, and that all of them are closed. */
export async function assertCloses(run: () => Promise<void>): Promise<void> {
	const { open } = fs;
	const opened: fs.FileHandle[] = [];
	const opening = mock.method(fs, 'open', async (...given: Parameters<typeof open>) => {
		const handle = await open(...given);
		opened.push(handle);
		return handle;
	});
	await run().finally(() => {
		opening.mock.restore();
	});
	assert.ok(opened.length > 0);
	assert.ok(opened.every(({ fd }) => fd === -1));
}
