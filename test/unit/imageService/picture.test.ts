import assert from 'node:assert/strict';
import { crc32, inflateSync } from 'node:zlib';
import { createCanvas, loadImage, type Canvas } from '@napi-rs/canvas';
import { imageSize } from 'image-size';
import { formatOf } from '../../service/helpers.js';
import { choosePalette } from '../../service/palette.js';
import { drawPicture, type PictureOrder } from '../../service/picture.js';
import { padPng } from '../../service/png.js';

// The smallest, the middle and the largest size of the specification's table, with the sizes in MB
// that photographic PNG files of it have.
const fileSizes: Readonly<Record<string, readonly [least: number, most: number]>> = {
	'1024x1024': [1, 3],
	'2048x1152': [4, 6],
	'3840x2160': [12, 24],
};
// Large white areas, hardly any light, many edges, and soft gradients.
const prompts = ['A settings dialog', 'The sea at night', 'A city skyline', 'Snow in winter'];

suite('The stand-in service: pictures', () => {
	test('The same order gives the same picture, another prompt another one', async () => {
		const order = { prompt: 'A house by the lake', size: '1024x1024', references: [] };
		const picture = await drawPicture(order);
		assert.ok(picture.equals(await drawPicture(order)));
		assert.ok(!picture.equals(await drawPicture({ ...order, prompt: 'A house in the wood' })));
	});

	for (const [size, [least, most]] of Object.entries(fileSizes)) {
		test(`A file of the size ${size} has ${least} to ${most} MB, by its quality`, async () => {
			const format = `png ${size}`;
			// Fewer of those that take long.
			for (const prompt of prompts.slice(0, most <= 3 ? 2 : 1)) {
				const draw = async (quality?: string): Promise<number> => {
					const picture = await drawPicture({ prompt, size, quality, references: [] });
					assertWhole(picture, format);
					const { width, height } = await loadImage(picture);
					assert.equal(`png ${width}x${height}`, format);
					return picture.length / 1e6;
				};
				const [low, unset, high] = [await draw('low'), await draw(), await draw('high')];
				const found = `${prompt}: ${low}, ${unset}, ${high} MB`;
				assert.ok(least <= low && low < least + (most - least) / 3, found);
				assert.ok(low < unset && unset < high, found);
				assert.ok(least + ((most - least) * 3) / 5 < high && high <= most, found);
			}
		});
	}

	test('Others decode a picture, and need as many bytes for what it shows', async () => {
		for (const prompt of prompts.slice(0, 2)) {
			const order = { prompt, size: '1024x1024', quality: 'low', references: [] };
			const canvas = await canvasOf(await drawPicture(order));
			assert.equal(`${canvas.width}x${canvas.height}`, order.size);
			const again = canvas.toBuffer('image/png');
			assert.ok(again.length > 1e6, `${prompt}: ${again.length} bytes`);
		}
	});

	test('A small picture shows the same in about 0.1 MB', async () => {
		for (const prompt of prompts) {
			const order = { prompt, size: '1024x1024', references: [] };
			const [real, small] = [
				await drawPicture(order),
				await drawPicture({ ...order, small: true }),
			];
			assertWhole(small, 'png 1024x1024');
			assert.ok(small.length < 200_000, `${prompt}: ${small.length} bytes`);
			const difference = meanDifference(await pixelsOf(real), await pixelsOf(small));
			assert.ok(difference > 1 && difference < 10, `${prompt}: ${difference} levels`);
		}
	});

	test('References as large as real ones are drawn, and the file stays in its range', async () => {
		const references = await Promise.all(
			prompts.map((prompt) => drawPicture({ prompt, size: '1024x1024', references: [] })),
		);
		const order: PictureOrder = { prompt: 'Join them', size: '1024x1024', references };
		const picture = await drawPicture(order);
		assertWhole(picture, 'png 1024x1024');
		assert.ok(picture.length > 1e6 && picture.length < 3e6, `${picture.length} bytes`);
	});

	test('Every reference is drawn in its order', async () => {
		const [red, blue] = await Promise.all(
			['red', 'blue'].map((prompt) => drawPicture({ prompt, size: '64x64', references: [] })),
		);
		const draw = (references: readonly (Buffer | undefined)[]): Promise<Buffer> =>
			drawPicture({ prompt: 'Both', size: '1024x1024', references });
		const forth = await draw([red, blue]);
		assert.ok(!forth.equals(await draw([blue, red])));
		assert.ok(!forth.equals(await draw([red])));
	});

	test('Anything is drawn: a damaged reference, fifty of them, a prompt without end', async () => {
		const damaged = Buffer.from('89504e470d0a1a0a00', 'hex');
		const references = Array.from({ length: 50 }, (_, index) => (index % 2 ? damaged : undefined));
		const prompt = 'endless'.repeat(100_000);
		const picture = await drawPicture({ prompt, size: '1536x1024', references });
		assert.equal(formatOf(picture), 'png 1536x1024');
		for (const dimensions of [
			{ width: 1, height: 1 },
			{ width: 9999, height: 3 },
			{ width: 3, height: 9999 },
		]) {
			const extreme = await drawPicture({ prompt, size: 'auto', references: [], dimensions });
			assertWhole(extreme, `png ${dimensions.width}x${dimensions.height}`);
			assert.equal((await canvasOf(extreme)).width, dimensions.width);
		}
	});

	test('The words of a prompt choose the colors, the last one first', () => {
		const night = choosePalette('night');
		assert.equal(choosePalette('A green house at night'), night);
		assert.notEqual(choosePalette('A green house'), night);
		assert.equal(choosePalette('Nothing said'), choosePalette('Nothing said'));
	});

	test('A padded picture has exactly the asked length and still decodes', async () => {
		const picture = await drawPicture({ prompt: 'x', size: '32x32', references: [] });
		for (const more of [12, 13, 100_000]) {
			const padded = padPng(picture, picture.length + more);
			assert.equal(padded.length, picture.length + more);
			assert.equal((await loadImage(padded)).height, 32);
		}
		assert.equal(padPng(picture, 10), picture);
	});
});

/** Reads every chunk: nothing is missing, damaged or left over, and the pixels are all there is. */
function assertWhole(png: Buffer, format: string): void {
	assert.equal(formatOf(png), format);
	assert.equal(png.toString('hex', 0, 8), '89504e470d0a1a0a');
	const types: string[] = [];
	const data: Buffer[] = [];
	let at = 8;
	while (at < png.length) {
		const end = at + 8 + png.readUInt32BE(at);
		const type = png.toString('latin1', at + 4, at + 8);
		assert.equal(png.readUInt32BE(end), crc32(png.subarray(at + 4, end)), `${type} at ${at}`);
		types.push(type);
		if (type === 'IDAT') {
			data.push(png.subarray(at + 8, end));
		}
		at = end + 4;
	}
	assert.equal(at, png.length);
	assert.match(types.join(' '), /^IHDR sRGB( IDAT)+ IEND$/);
	const { width, height } = imageSize(png);
	assert.equal(inflateSync(Buffer.concat(data)).length, height * (1 + width * 3));
}

async function pixelsOf(png: Buffer): Promise<Uint8ClampedArray> {
	const canvas = await canvasOf(png);
	return canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
}

/** The picture as somebody else decodes it. */
async function canvasOf(png: Buffer): Promise<Canvas> {
	const image = await loadImage(png);
	const canvas = createCanvas(image.width, image.height);
	canvas.getContext('2d').drawImage(image, 0, 0);
	return canvas;
}

/** By how many levels of 255 a value of one differs from that of the other. */
function meanDifference(one: Uint8ClampedArray, other: Uint8ClampedArray): number {
	assert.equal(one.length, other.length);
	return one.reduce((sum, value, at) => sum + Math.abs(value - other[at]!), 0) / one.length;
}
