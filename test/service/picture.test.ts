import assert from 'node:assert/strict';
import { loadImage } from '@napi-rs/canvas';
import { formatOf } from './helpers.js';
import { choosePalette } from './palette.js';
import { drawPicture } from './picture.js';
import { padPng } from './png.js';

suite('The stand-in service: pictures', () => {
	test('The same order gives the same picture, another prompt another one', async () => {
		const order = { prompt: 'A house by the lake', size: '1024x1024', references: [] };
		const picture = await drawPicture(order);
		assert.ok(picture.equals(await drawPicture(order)));
		assert.ok(!picture.equals(await drawPicture({ ...order, prompt: 'A house in the wood' })));
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
		const dimensions = { width: 1, height: 1 };
		const smallest = await drawPicture({ prompt, size: 'auto', references: [], dimensions });
		assert.equal(formatOf(smallest), 'png 1x1');
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
