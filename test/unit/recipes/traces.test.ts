import assert from 'node:assert/strict';
import { createCanvas } from '@napi-rs/canvas';
import { besideText } from '../../../src/recipes/beside.js';
import { PngError } from '../../../src/recipes/chunks.js';
import { writeWithRecipe } from '../../../src/recipes/rewrite.js';
import { findTraces } from '../../../src/recipes/traces.js';
import { caBX, inFolder, inserted, iTXt, png, recipe, tEXt } from './pngs.js';

suite('What Easel has written', () => {
	test('is found in an image, beside it, and in signed ones', async () => {
		await inFolder(async (at, write) => {
			await writeWithRecipe(await write('plain.png', png(tEXt('Title', 'a'))), at('a.png'), recipe);
			const nothing = { inImage: false, beside: false, isSigned: false };
			assert.deepEqual(await findTraces(at('plain.png')), nothing);
			assert.deepEqual(await findTraces(at('a.png')), { ...nothing, inImage: true });
			await write('plain.png.json', Buffer.from(besideText(recipe, 'a'.repeat(64))));
			assert.deepEqual(await findTraces(at('plain.png')), { ...nothing, beside: true });
			await write('plain.png.json', Buffer.from('{"mine":true}'));
			assert.deepEqual(await findTraces(at('plain.png')), nothing);
			const signed = inserted(png(iTXt('Easel Recipe', '{}')), 'IDAT', [caBX]);
			assert.deepEqual(await findTraces(await write('b.png', signed)), {
				...{ inImage: true, beside: false, isSigned: true },
			});
		});
	});

	test('is found where it is damaged, and of a later version', async () => {
		await inFolder(async (_, write) => {
			const damaged = iTXt('Easel Recipe', '{}');
			damaged[damaged.length - 1]! ^= 1;
			assert.ok((await findTraces(await write('a.png', png(damaged)))).inImage);
			await write('b.png.json', Buffer.from('{"version":2}'));
			assert.ok((await findTraces(await write('b.png', png()))).beside);
		});
	});

	test('is found beside an image of another kind alone, whatever its name', async () => {
		const canvas = createCanvas(6, 4);
		const kinds = [canvas.toBuffer('image/jpeg'), canvas.toBuffer('image/webp')];
		for (const [name, bytes] of kinds.flatMap((one) =>
			['a.jpg', 'b.webp', 'c.png'].map((name) => [name, one] as const),
		)) {
			await inFolder(async (_, write) => {
				const file = await write(name, bytes);
				const nothing = { inImage: false, beside: false, isSigned: false };
				assert.deepEqual(await findTraces(file), nothing);
				await write(`${name}.json`, Buffer.from('{"mine":true}'));
				assert.deepEqual(await findTraces(file), nothing);
				await write(`${name}.json`, Buffer.from(besideText(recipe, 'a'.repeat(64))));
				assert.deepEqual(await findTraces(file), { ...nothing, beside: true });
			});
		}
	});

	test('is looked for in no file that is no image, and found beside it', async () => {
		for (const name of ['a.png', 'a.jpg']) {
			await inFolder(async (_, write) => {
				const file = await write(name, Buffer.from('text'));
				await assert.rejects(findTraces(file), PngError);
				await write(`${name}.json`, Buffer.from(besideText(recipe, 'a'.repeat(64))));
				assert.ok((await findTraces(file)).beside);
			});
		}
	});
});
