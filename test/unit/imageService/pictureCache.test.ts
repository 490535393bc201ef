import assert from 'node:assert/strict';
import { drawPicture } from '../../service/picture.js';
import { PictureCache } from '../../service/pictureCache.js';

const order = { prompt: 'A fox', size: '64x64', references: [] };

suite('The stand-in service: pictures kept', () => {
	test('The very same order gets the very same picture, also while it is drawn', async () => {
		const cache = new PictureCache(1_000_000);
		const [first, meanwhile] = await Promise.all([cache.get(order), cache.get({ ...order })]);
		assert.equal(first, meanwhile);
		assert.equal(first, await cache.get({ ...order, quality: undefined, small: false }));
		assert.ok(first.equals(await drawPicture(order)));
	});

	test('An order that differs in anything is drawn', async () => {
		const cache = new PictureCache(1_000_000);
		const kept = await cache.get(order);
		for (const change of [
			{ prompt: 'A wolf' },
			{ size: '64x65' },
			{ quality: 'low' },
			{ dimensions: { width: 64, height: 64 } },
			{ dimensions: { width: 64, height: 65 } },
			{ small: true },
			{ references: [kept] },
		]) {
			const changed = { ...order, ...change };
			assert.notEqual(await cache.get(changed), kept);
			assert.ok((await cache.get(changed)).equals(await drawPicture(changed)));
		}
		assert.equal(await cache.get(order), kept);
	});

	test('What was asked for longest ago makes room', async () => {
		const prompts = ['A fox', 'A wolf', 'A bear'];
		const pictures = await Promise.all(prompts.map((prompt) => drawPicture({ ...order, prompt })));
		// Two of the three, whichever they are.
		const cache = new PictureCache(pictures.reduce((sum, { length }) => sum + length, -1));
		const get = (prompt: string): Promise<Buffer> => cache.get({ ...order, prompt });
		const [fox, wolf] = [await get('A fox'), await get('A wolf')];
		assert.equal(await get('A fox'), fox);
		await get('A bear');
		assert.equal(await get('A fox'), fox);
		assert.notEqual(await get('A wolf'), wolf);
	});

	test('A picture that is larger than all the room is drawn and not kept', async () => {
		const cache = new PictureCache(100);
		const picture = await cache.get(order);
		assert.ok(picture.length > 100);
		assert.notEqual(await cache.get(order), picture);
	});

	test('An order that cannot be drawn fails each time', async () => {
		const cache = new PictureCache(1_000_000);
		const impossible = { ...order, size: 'nonsense' };
		await assert.rejects(cache.get(impossible));
		await assert.rejects(cache.get(impossible));
	});
});
