import assert from 'node:assert/strict';
import { deflateSync } from 'node:zlib';
import { readPng } from '../../../../src/images/thumbnails/png.js';
import { seeded } from '../random';
import { lineLength, pixelsOf, pngChunk, pngOf, type PngKind } from './pictures';

suite('pixels of a PNG', () => {
	const kinds: Pick<PngKind, 'colorType' | 'bitDepth'>[] = [
		...([1, 2, 4, 8, 16] as const).map((bitDepth) => ({ colorType: 0 as const, bitDepth })),
		...([8, 16] as const).map((bitDepth) => ({ colorType: 2 as const, bitDepth })),
		...([1, 2, 4, 8] as const).map((bitDepth) => ({ colorType: 3 as const, bitDepth })),
		...([8, 16] as const).map((bitDepth) => ({ colorType: 4 as const, bitDepth })),
		...([8, 16] as const).map((bitDepth) => ({ colorType: 6 as const, bitDepth })),
	];
	for (const { colorType, bitDepth } of kinds) {
		test(`color type ${String(colorType)}, ${String(bitDepth)} bits, as Skia reads them`, async () => {
			const random = seeded(colorType * 100 + bitDepth);
			for (const interlaced of [false, true]) {
				for (const [width, height] of [
					[1, 1],
					[2, 5],
					[33, 17],
					[64, 9],
				] as const) {
					for (const transparent of [false, true]) {
						const kind = { colorType, bitDepth, interlaced, width, height };
						await assertAsSkia(randomPng(kind, transparent, random));
					}
				}
			}
		});
	}

	test('the one transparent color of 16 bits has to match in both bytes', async () => {
		const kind = { colorType: 2, bitDepth: 16, width: 2, height: 1 } as const;
		const transparency = Buffer.from('0102 0304 0506'.replaceAll(' ', ''), 'hex');
		const line = Buffer.from(`00 0102 0304 0506 0102 0304 0507`.replaceAll(' ', ''), 'hex');
		const { data } = await read(pngOf({ ...kind, transparency }, line));
		assert.deepEqual([...data], [1, 3, 5, 0, 1, 3, 5, 255]);
	});

	test('what stands behind the pixels does not matter', async () => {
		const kind = { colorType: 0, bitDepth: 8, width: 2, height: 1 } as const;
		const { data } = await read(pngOf(kind, Buffer.from([0, 7, 8, 9, 9, 9])));
		assert.deepEqual([...data], [7, 7, 7, 255, 8, 8, 8, 255]);
	});

	const gray = { colorType: 0, bitDepth: 8, width: 2, height: 2 } as const;
	const lines = Buffer.from([0, 1, 2, 0, 3, 4]);
	const whole = pngOf(gray, lines);
	const withByte = (at: number, value: number) => Buffer.from(whole).fill(value, at, at + 1);
	const header = whole.subarray(16, 29);
	const damaged: Record<string, readonly [Buffer, RegExp]> = {
		'no pixels': [pngOf(gray, Buffer.alloc(0), Buffer.alloc(0)), /unexpected end/],
		'too few lines': [pngOf(gray, lines.subarray(0, 4)), /incomplete/],
		'an unknown filter': [pngOf(gray, Buffer.from([5, 1, 2, 0, 3, 4])), /unknown filter/],
		'no zlib data': [pngOf(gray, lines, Buffer.from('nothing')), /incorrect header/],
		'a wrong checksum': [
			pngOf(gray, lines, deflateSync(lines).fill(0, deflateSync(lines).length - 1)),
			/incorrect data check/,
		],
		'no palette': [pngOf({ ...gray, colorType: 3 }, lines), /chunk is missing/],
		'bits that its colors do not have': [
			pngOf({ ...gray, colorType: 2, bitDepth: 4 }, lines),
			/header is damaged/,
		],
		'a color type that does not exist': [
			pngOf({ ...gray, colorType: 5 as 4 }, lines),
			/header is damaged/,
		],
		'no width': [pngOf({ ...gray, width: 0 }, lines), /header is damaged/],
		'no height': [pngOf({ ...gray, height: 0 }, lines), /header is damaged/],
		'an unknown compression': [withByte(26, 1), /header is damaged/],
		'an unknown kind of filters': [withByte(27, 1), /header is damaged/],
		'an unknown interlacing': [withByte(28, 2), /header is damaged/],
		'a header that is too long': [
			Buffer.concat([
				whole.subarray(0, 8),
				pngChunk('IHDR', Buffer.concat([header, Buffer.alloc(1)])),
				whole.subarray(33),
			]),
			/header is damaged/,
		],
		'no header': [whole.subarray(0, 8), /chunk is missing/],
	};
	for (const [name, [bytes, message]] of Object.entries(damaged)) {
		test(`refuses ${name}`, async () => {
			await assert.rejects(read(bytes), message);
		});
	}

	test('needs no end behind its pixels, and reads nothing behind its end', async () => {
		const { data } = await read(whole);
		const ends = whole.length - 12;
		for (let length = ends; length < whole.length; length++) {
			assert.deepEqual((await read(whole.subarray(0, length))).data, data, String(length));
		}
		const another = pngOf({ ...gray, width: 1 }, lines).subarray(8);
		assert.deepEqual((await read(Buffer.concat([whole, another]))).data, data);
	});

	test('a transparent color that is cut off hides nothing', async () => {
		const kind = { colorType: 2, bitDepth: 8, width: 1, height: 1 } as const;
		for (let length = 0; length < 6; length++) {
			const transparency = Buffer.from([0, 1, 0, 2, 0, 3]).subarray(0, length);
			const { data } = await read(pngOf({ ...kind, transparency }, Buffer.from([0, 1, 2, 3])));
			assert.deepEqual([...data], [1, 2, 3, 255], String(length));
		}
	});

	test('refuses a file that is cut off anywhere before its last pixels', async () => {
		const end = whole.lastIndexOf('IDAT');
		for (let length = 0; length < end; length++) {
			await assert.rejects(read(whole.subarray(0, length)), `${String(length)} bytes`);
		}
	});

	test('rejects with an error of the receiver of pixels', async () => {
		const reason = new Error('no more');
		await assert.rejects(
			readPng(whole, () => () => {
				throw reason;
			}),
			reason,
		);
	});
});

interface Pixels {
	readonly width: number;
	readonly height: number;
	readonly data: Uint8ClampedArray;
}

async function read(bytes: Buffer): Promise<Pixels> {
	let pixels: Pixels | undefined;
	await readPng(bytes, ({ width, height }) => {
		const data = new Uint8ClampedArray(width * height * 4);
		pixels = { width, height, data };
		return (y, rgba, count, x, step) => {
			for (let index = 0; index < count; index++) {
				const pixel = rgba.subarray(index * 4, index * 4 + 4);
				data.set(pixel, (y * width + x + index * step) * 4);
			}
		};
	});
	assert.ok(pixels);
	return pixels;
}

async function assertAsSkia(file: Buffer): Promise<void> {
	const ours = await read(file);
	const theirs = await pixelsOf(file);
	assert.deepEqual([ours.width, ours.height], [theirs.width, theirs.height]);
	for (let at = 0; at < ours.data.length; at += 4) {
		const alpha = ours.data[at + 3]!;
		assert.ok(Math.abs(alpha - theirs.data[at + 3]!) <= 1, `alpha at ${String(at)}`);
		for (let channel = at; channel < at + 3; channel++) {
			// A canvas keeps colors multiplied by alpha, so that little is left of a faint one.
			const difference = (Math.abs(ours.data[channel]! - theirs.data[channel]!) * alpha) / 255;
			assert.ok(difference <= 1.5, `channel at ${String(channel)}: ${String(difference)}`);
		}
	}
}

/** Random pixels with random filters. */
function randomPng(kind: PngKind, transparent: boolean, random: () => number): Buffer {
	const { width, height, colorType, bitDepth, interlaced = false } = kind;
	const bytes = (length: number) =>
		Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
	const passes = interlaced
		? [
				[0, 0, 8, 8],
				[4, 0, 8, 8],
				[0, 4, 4, 8],
				[2, 0, 4, 4],
				[0, 2, 2, 4],
				[1, 0, 2, 2],
				[0, 1, 1, 2],
			]
		: [[0, 0, 1, 1]];
	const lines = passes.flatMap(([x = 0, y = 0, stepX = 1, stepY = 1]) => {
		const columns = Math.max(0, Math.ceil((width - x) / stepX));
		const rows = columns === 0 ? 0 : Math.max(0, Math.ceil((height - y) / stepY));
		return Array.from({ length: rows }, () => [
			Buffer.of(Math.floor(random() * 5)),
			bytes(lineLength(kind, columns)),
		]).flat();
	});
	const sample = () =>
		bitDepth === 16 ? bytes(2) : Buffer.of(0, Math.floor(random() * 2 ** bitDepth));
	const transparency = () => {
		switch (colorType) {
			case 0:
				return sample();
			case 2:
				return Buffer.concat([sample(), sample(), sample()]);
			case 3:
				return bytes(2 ** bitDepth - 1);
			default:
				return undefined;
		}
	};
	const chunk = transparent ? transparency() : undefined;
	return pngOf(
		{
			...kind,
			...(colorType === 3 ? { palette: bytes(3 * 2 ** bitDepth) } : {}),
			...(chunk === undefined ? {} : { transparency: chunk }),
		},
		Buffer.concat(lines),
	);
}
