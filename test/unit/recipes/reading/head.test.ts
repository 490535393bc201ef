import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { recipeChunks, recipeKeyword } from '../../../../src/recipes/ours.js';
import { readPngHead } from '../../../../src/recipes/reading/head.js';
import { recipeJson } from '../../../../src/recipes/recipe.js';
import { textChunk } from '../../../../src/recipes/textChunks.js';
import { pngChunk } from '../../images/thumbnails/pictures.js';
import { inFolder, inserted, iTXt, png, recipe, tEXt, zTXt } from '../pngs.js';

const size = { width: 6, height: 4 };
const json = recipeJson(recipe);
const ours = recipeChunks(recipe, true);

async function headOf(bytes: Buffer) {
	let found;
	await inFolder(async (_, write) => {
		found = readPngHead(await write('a.png', bytes));
	});
	return found;
}

suite('The head of a PNG', () => {
	teardown(() => {
		mock.restoreAll();
	});

	test('has the recipe that Easel has written, and the dimensions', async () => {
		assert.deepEqual(await headOf(png(ours)), { ...size, recipe });
		assert.deepEqual(await headOf(png()), { ...size, recipe: undefined });
	});

	test('has it also behind what is longer than is read at once', async () => {
		const others = [tEXt('Comment', 'a'.repeat(100_000)), pngChunk('eXIf', Buffer.alloc(70_000))];
		assert.deepEqual(await headOf(png(...others, ours)), { ...size, recipe });
		const long = { ...recipe, prompt: 'é'.repeat(150_000) };
		assert.deepEqual(await headOf(png(recipeChunks(long, true))), { ...size, recipe: long });
	});

	test('has the last one where several stand there', async () => {
		const earlier = { ...recipe, prompt: 'earlier' };
		const both = png(recipeChunks(earlier, true), ours);
		assert.deepEqual(await headOf(both), { ...size, recipe });
	});

	test('says that the recipe stands there otherwise where another program has written the file', async () => {
		for (const chunk of [
			zTXt(recipeKeyword, json),
			tEXt(recipeKeyword, json),
			iTXt(recipeKeyword, json),
			iTXt(recipeKeyword, json, true),
		]) {
			assert.deepEqual(await headOf(png(chunk)), { ...size, recipe: 'otherwise' });
			const behind = inserted(png(), 'IEND', [chunk]);
			assert.deepEqual(await headOf(behind), { ...size, recipe: 'otherwise' });
		}
		assert.deepEqual(await headOf(inserted(png(), 'IEND', [ours])), { ...size, recipe });
	});

	test('says of a recipe of a later version that it is one', async () => {
		const later = textChunk(recipeKeyword, '{"version":2}');
		assert.deepEqual(await headOf(png(later)), { ...size, recipe: 'newer' });
	});

	test('has none that is damaged, cut off or too long', async () => {
		const damaged = Buffer.from(textChunk(recipeKeyword, json));
		damaged[40]! ^= 1;
		assert.deepEqual(await headOf(png(damaged)), { ...size, recipe: undefined });
		const whole = png(ours);
		for (const end of [24, 40, 100, whole.indexOf(json) + 20]) {
			assert.deepEqual(await headOf(whole.subarray(0, end)), { ...size, recipe: undefined });
		}
		const long = iTXt(recipeKeyword, 'a'.repeat(1_100_000));
		assert.deepEqual(await headOf(png(long)), { ...size, recipe: undefined });
	});

	test('is read on for 500 chunks, and for 64 from where the picture begins', async () => {
		const ourOne = textChunk(recipeKeyword, json);
		const others = (count: number) => Array.from({ length: count }, () => tEXt('a', ''));
		// IHDR is one of them.
		assert.deepEqual(await headOf(png(...others(498), ourOne)), { ...size, recipe });
		assert.deepEqual(await headOf(png(...others(499), ourOne)), { ...size, recipe: undefined });
		// And so are the two pieces of the picture.
		const behind = (chunks: readonly Buffer[]) => headOf(inserted(png(), 'IEND', chunks));
		assert.deepEqual(await behind([...others(61), ourOne]), { ...size, recipe });
		assert.deepEqual(await behind([...others(62), ourOne]), { ...size, recipe: undefined });
		const pieces = Array.from({ length: 70 }, () => pngChunk('IDAT', Buffer.alloc(1)));
		assert.deepEqual(await behind([...pieces, ourOne]), { ...size, recipe: undefined });
	});

	test('ends with the picture, and with what is cut off', async () => {
		const packed = zTXt(recipeKeyword, json);
		for (const chunk of [ours, packed]) {
			const behind = Buffer.concat([png(), chunk]);
			assert.deepEqual(await headOf(behind), { ...size, recipe: undefined });
		}
		const whole = png(packed);
		const end = whole.indexOf(packed) + packed.length;
		assert.deepEqual(await headOf(whole.subarray(0, end)), { ...size, recipe: 'otherwise' });
		for (const missing of [1, 5, 30, packed.length - 30]) {
			const cut = whole.subarray(0, end - missing);
			assert.deepEqual(await headOf(cut), { ...size, recipe: undefined }, String(missing));
		}
	});

	test('is that of a PNG alone, whatever its name', async () => {
		const noWidth = png();
		noWidth.writeUInt32BE(0, 16);
		const tooHigh = png();
		tooHigh.writeUInt32BE(2 ** 31, 20);
		const other = png();
		other.write('GIF', 0, 'latin1');
		const headless = png();
		headless.write('PLTE', 12, 'latin1');
		for (const bytes of [
			Buffer.alloc(0),
			Buffer.from('no image'),
			png().subarray(0, 20),
			...[noWidth, tooHigh, other, headless],
		]) {
			assert.equal(await headOf(bytes), undefined);
		}
	});
});
