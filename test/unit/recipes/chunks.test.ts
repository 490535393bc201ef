import assert from 'node:assert/strict';
import { open, type FileHandle } from 'node:fs/promises';
import { isSigned, PngError, readChunks } from '../../../src/recipes/chunks.js';
import { pngChunk } from '../images/thumbnails/pictures.js';
import { caBX, chunksOf, inFolder, inserted, png, tEXt } from './pngs.js';

type Chunks = Awaited<ReturnType<typeof readChunks>>;

/** The chunks of a file, and by how many reads, of how many bytes together, they are found. */
async function chunks(
	file: Buffer,
): Promise<Chunks & { readonly reads: number; readonly bytes: number }> {
	let found!: Chunks;
	let [reads, bytes] = [0, 0];
	await inFolder(async (_, write) => {
		const handle = await open(await write('a.png', file));
		const counting = {
			stat: () => handle.stat(),
			read: async (...args: Parameters<typeof handle.read>) => {
				const result = await handle.read(...args);
				reads += 1;
				bytes += result.bytesRead;
				return result;
			},
		};
		try {
			found = await readChunks(counting as unknown as FileHandle);
		} finally {
			await handle.close();
		}
	});
	return { ...found, reads, bytes };
}

const named = (kind: string) => (error: unknown) =>
	error instanceof PngError && error.name === 'PngError' && error.kind === kind;

suite('The chunks of a PNG', () => {
	test('are found with their places', async () => {
		const file = png(tEXt('Title', 'A'));
		const { all, isWhole, size } = await chunks(file);
		assert.deepEqual(
			all,
			chunksOf(file).map(({ type, start, data }) => ({ type, start, length: data.length })),
		);
		assert.ok(isWhole);
		assert.equal(size, file.length);
	});

	test('end with IEND, whatever comes behind', async () => {
		const file = Buffer.concat([png(), caBX]);
		const found = await chunks(file);
		assert.equal(found.all.at(-1)?.type, 'IEND');
		assert.ok(found.isWhole);
		assert.ok(!isSigned(found));
		assert.equal(found.size, file.length);
	});

	test('are not whole where one is cut off, too long, or has no type', async () => {
		const file = png();
		for (const length of [9, 20, 33, 44, file.length - 13, file.length - 1]) {
			const { all, isWhole } = await chunks(file.subarray(0, length));
			assert.ok(!isWhole, String(length));
			assert.ok(all.every(({ start, length: data }) => start + 12 + data <= length));
		}
		const huge = Buffer.from(file);
		huge.writeUInt32BE(0xffffffff, 33);
		assert.deepEqual(
			(await chunks(huge)).all.map(({ type }) => type),
			['IHDR'],
		);
		const nameless = Buffer.from(file);
		nameless[37] = 0x30;
		assert.deepEqual(
			(await chunks(nameless)).all.map(({ type }) => type),
			['IHDR'],
		);
	});

	test('are no picture without a head or without data', async () => {
		const [signature, end] = [png().subarray(0, 8), pngChunk('IEND', Buffer.alloc(0))];
		assert.ok(!(await chunks(Buffer.concat([signature, end]))).isWhole);
		const head = png().subarray(8, 33);
		assert.ok(!(await chunks(Buffer.concat([signature, head, end]))).isWhole);
		const data = pngChunk('IDAT', Buffer.alloc(3));
		assert.ok(!(await chunks(Buffer.concat([signature, data, end]))).isWhole);
		assert.ok((await chunks(Buffer.concat([signature, head, data, end]))).isWhole);
	});

	test('of no PNG are refused', async () => {
		for (const bytes of [Buffer.alloc(0), Buffer.from('\x89PNG'), Buffer.alloc(200, 0x41)]) {
			await assert.rejects(chunks(bytes), named('notPng'));
		}
	});

	test('are counted: a file of nothing but heads ends soon', async () => {
		const some = Buffer.concat(Array.from({ length: 21_000 }, () => pngChunk('noNe', Buffer.of())));
		await assert.rejects(chunks(png(some)), named('tooMuch'));
		assert.ok((await chunks(png(some.subarray(0, 12 * 19_000)))).isWhole);
	}).timeout(20_000);

	test('with a credential are known wherever it stands', async () => {
		assert.ok(isSigned(await chunks(png(caBX))));
		assert.ok(isSigned(await chunks(inserted(png(), 'IEND', [caBX]))));
		assert.ok(!isSigned(await chunks(png())));
	});

	test('are read by their heads alone', async () => {
		const large = pngChunk('noNe', Buffer.alloc(1_000_000));
		const { bytes } = await chunks(png(large));
		assert.equal(bytes, 8 + 5 * 8);
		const many = await chunks(png(Buffer.concat(Array.from({ length: 24 }, () => large))));
		assert.equal(many.bytes, bytes + 23 * 8);
	});
});
