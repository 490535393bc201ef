import assert from 'node:assert/strict';
import { open } from 'node:fs/promises';
import { mock } from 'node:test';
import { deflateSync } from 'node:zlib';
import { readChunks } from '../../../src/recipes/chunks.js';
import { fitText, maxTextBytes, readTexts, textChunk } from '../../../src/recipes/textChunks.js';
import { pngChunk } from '../images/thumbnails/pictures.js';
import { inFolder, iTXt, plainTexts, png, tEXt, zTXt } from './pngs.js';

type Found = readonly (readonly [string, string | undefined])[];

async function texts(...chunks: readonly Buffer[]): Promise<Found> {
	return (await textsAndCost(...chunks)).found;
}

/** Also how many bytes of the file were read for the texts. */
async function textsAndCost(
	...chunks: readonly Buffer[]
): Promise<{ readonly found: Found; readonly cost: number }> {
	let found: Found = [];
	let cost = 0;
	await inFolder(async (_, write) => {
		const handle = await open(await write('a.png', png(...chunks)));
		try {
			const all = await readChunks(handle);
			const read = mock.method(handle, 'read');
			found = (await readTexts(handle, all)).map(({ keyword, text }) => [keyword, text] as const);
			for (const { result } of read.mock.calls) {
				cost += (await (result as unknown as Promise<{ bytesRead: number }>)).bytesRead;
			}
		} finally {
			await handle.close();
		}
	});
	return { found, cost };
}

const raw = (type: string, text: string) => pngChunk(type, Buffer.from(text, 'latin1'));

suite('The texts of a PNG', () => {
	test('are read from each kind of chunk, in its own script', async () => {
		assert.deepEqual(
			await texts(
				tEXt('Title', 'é'),
				zTXt('Comment', Buffer.from([0xe9])),
				iTXt('Description', 'é 🦊'),
				iTXt('Author', 'ü', true),
				pngChunk('pHYs', Buffer.alloc(9)),
			),
			[
				['Title', 'é'],
				['Comment', 'é'],
				['Description', 'é 🦊'],
				['Author', 'ü'],
			],
		);
	});

	test('are not believed where something is wrong with them, but have their keyword', async () => {
		const packed = deflateSync('text').toString('latin1');
		const wrong = Buffer.from(tEXt('Title', 'A'));
		wrong[wrong.length - 1]! ^= 1;
		for (const chunk of [
			wrong,
			raw('tEXt', 'Title'),
			raw('zTXt', 'Title\0'),
			raw('zTXt', 'Title\0\x01abc'),
			raw('zTXt', 'Title\0\0no deflate'),
			// Packed soundly, but by an unknown method.
			raw('zTXt', `Title\0\x01${packed}`),
			raw('iTXt', `Title\0\x01\x01\0\0${packed}`),
			raw('iTXt', 'Title\0'),
			raw('iTXt', 'Title\0\0\0'),
			raw('iTXt', 'Title\0\0\0en\0'),
			raw('iTXt', 'Title\0\x01\x01\0\0text'),
			raw('iTXt', 'Title\0\x01\0\0\0text'),
		]) {
			assert.deepEqual(await texts(chunk), [['Title', undefined]], chunk.toString('latin1'));
		}
		assert.deepEqual(await texts(raw('tEXt', 'k'.repeat(90))), [['k'.repeat(79), undefined]]);
		assert.deepEqual(await texts(raw('tEXt', '')), [['', undefined]]);
	});

	test('are bounded, packed or not', async () => {
		const long = 'x'.repeat(maxTextBytes + 1);
		for (const make of [tEXt, zTXt, iTXt, (key: string, text: string) => iTXt(key, text, true)]) {
			const [, fits] = (await texts(make('a', long.slice(1))))[0]!;
			assert.equal(fits?.length, maxTextBytes);
			assert.deepEqual(await texts(make('a', long)), [['a', undefined]]);
		}
		assert.deepEqual(await texts(tEXt('a', long.repeat(2))), [['a', undefined]]);
	});

	test('of four mebibytes are read, all together, and then their keywords', async () => {
		const large = tEXt('a', 'x'.repeat(maxTextBytes));
		const less = tEXt('a', 'x'.repeat(maxTextBytes - 1));
		assert.deepEqual((await texts(large, large, large, less, tEXt('b', 'c'))).at(-1), ['b', 'c']);
		assert.deepEqual((await texts(large, large, large, large, tEXt('b', 'c'))).at(-1), [
			...['b', undefined],
		]);
		// What is damaged costs nothing where nothing is to be unpacked.
		const damaged = Buffer.from(tEXt('a', 'x'));
		damaged[damaged.length - 1]! ^= 1;
		const all = await texts(damaged, damaged, damaged, damaged, damaged, tEXt('b', 'c'));
		assert.deepEqual(all.at(-1), ['b', 'c']);
	});

	test('of bombs are given up, all of them together', async () => {
		const bomb = deflateSync(Buffer.alloc(100 * maxTextBytes));
		const chunk = pngChunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), bomb]));
		const before = process.memoryUsage.rss();
		const bombs = Array.from({ length: 100 }, () => chunk);
		const found = await texts(...bombs, zTXt('b', 'c'), iTXt('b', 'c', true), tEXt('d', 'e'));
		assert.deepEqual(found, [
			...bombs.map(() => ['a', undefined]),
			...['b', 'b'].map((keyword) => [keyword, undefined]),
			// What is not packed is read all the same.
			['d', 'e'],
		]);
		assert.ok(process.memoryUsage.rss() - before < 150 * maxTextBytes);
	}).timeout(20_000);

	test('are counted', async () => {
		const some = (count: number) => Array.from({ length: count }, () => tEXt('a', 'b'));
		assert.equal((await texts(...some(500))).length, 500);
		await assert.rejects(texts(...some(501)), { name: 'PngError', kind: 'tooMuch' });
	});
});

suite('A text that is written', () => {
	test('is UTF-8 that is not packed, with its checksum', () => {
		assert.deepEqual(plainTexts(png(textChunk('Description', 'é 🦊\nb'))), [
			['Description', 'é 🦊\nb'],
		]);
	});

	test('has line feeds alone, no zero and no half characters', () => {
		assert.equal(fitText('a\r\nb\rc\0d\ud800e'), 'a\nb\nc\ufffdd\ufffde');
	});

	test('is not longer than what is read', async () => {
		const long = 'x'.repeat(maxTextBytes);
		assert.deepEqual(await texts(textChunk('a', long)), [['a', long]]);
		assert.throws(() => textChunk('a', `${long}x`), RangeError);
	});
});
