import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import { inspectImage } from '../../../src/images/inspect.js';
import { isWholeImage } from '../../../src/images/whole.js';
import { readProvenance } from '../../../src/recipes/provenance.js';
import { recipeJson } from '../../../src/recipes/recipe.js';
import { readRecipes } from '../../../src/recipes/reading/readRecipes.js';
import { writeWithoutRecipe, writeWithRecipe } from '../../../src/recipes/rewrite.js';
import { findTraces } from '../../../src/recipes/traces.js';
import { xmpPacket } from '../../../src/recipes/xmp.js';
import { pixelsOf, webpChunk } from '../images/thumbnails/pictures.js';
import { inFolder, recipe } from './pngs.js';

const canvas = createCanvas(7, 5);
const context = canvas.getContext('2d');
context.fillStyle = 'red';
context.fillRect(1, 1, 4, 3);
const jpeg = canvas.toBuffer('image/jpeg');
const opaque = createCanvas(7, 5);
opaque.getContext('2d').fillRect(0, 0, 7, 5);
const lossy = opaque.toBuffer('image/webp', 60);
const files: Readonly<Record<string, Buffer>> = {
	'a.jpg': jpeg,
	'lossy.webp': lossy,
	'alpha.webp': canvas.toBuffer('image/webp', 60),
	'lossless.webp': canvas.toBuffer('image/webp', 100),
	// As the content says, not the name.
	'b.png': lossy,
};

const foreign = Buffer.from(xmpPacket('Other 1', recipe.createdAt).replace('"Easel', '"Other'));
const name = Buffer.from('http://ns.adobe.com/xap/1.0/\0');

/** Puts a segment behind the first marker. */
function withSegment(marker: number, content: Buffer): Buffer {
	const head = Buffer.from([0xff, marker, 0, 0]);
	head.writeUInt16BE(2 + content.length, 2);
	return Buffer.concat([jpeg.subarray(0, 2), head, content, jpeg.subarray(2)]);
}

/** Puts a chunk at the end. */
function withChunk(file: Buffer, type: string, content: Buffer): Buffer {
	const changed = Buffer.concat([file, webpChunk(type, content)]);
	changed.writeUInt32LE(changed.length - 8, 4);
	return changed;
}

suite('Recipes in JPEG and WebP', () => {
	for (const [file, bytes] of Object.entries(files)) {
		test(`are written, read by every reader and removed: ${file}`, async () => {
			await inFolder(async (at, write) => {
				await write(file, bytes);
				await writeWithRecipe(at(file), at('first'), { ...recipe, prompt: 'Another' });
				// The newer one takes its place.
				const made = at(`made-${file}`);
				assert.equal(await writeWithRecipe(at('first'), made, recipe), 'written');
				assert.deepEqual(await pixelsOf(await readFile(made)), await pixelsOf(bytes));
				assert.equal(await isWholeImage(made), true);
				const { bytes: size, ...facts } = await inspectImage(at(file));
				const { bytes: newSize, ...newFacts } = await inspectImage(made);
				assert.deepEqual(newFacts, facts);
				assert.ok(newSize > size);
				const provenance = await readProvenance(made);
				assert.equal(recipeJson(provenance.recipe!), recipeJson(recipe));
				assert.deepEqual([provenance.where, provenance.foreign], ['inImage', []]);
				const { found } = await readRecipes([made], undefined);
				assert.equal(found[0]?.recipe.prompt, recipe.prompt);
				const traces = { inImage: true, beside: false, isSigned: false };
				assert.deepEqual(await findTraces(made), traces);
				assert.equal(await writeWithoutRecipe(made, at('bare')), 'written');
				const bare = await readFile(at('bare'));
				assert.deepEqual(await pixelsOf(bare), await pixelsOf(bytes));
				assert.equal(bare.includes('fox'), false);
				assert.equal(path.extname(file) !== '.jpg' || bare.equals(bytes), true);
				assert.equal(await writeWithoutRecipe(at('bare'), at('again')), 'none');
			});
		});
	}

	for (const [what, file, end] of [
		['a JPEG that is signed', withSegment(0xeb, Buffer.from('JP and more')), 'signed'],
		['a WebP that is signed', withChunk(lossy, 'C2PA', Buffer.from('jumb')), 'signed'],
		['XMP of others in a JPEG', withSegment(0xe1, Buffer.concat([name, foreign])), 'noRoom'],
		['XMP of others in a WebP', withChunk(lossy, 'XMP ', foreign), 'noRoom'],
	] as const) {
		test(`leave ${what} as it is`, async () => {
			await inFolder(async (at, write) => {
				await write('a', file);
				assert.equal(await writeWithRecipe(at('a'), at('b'), recipe), end);
				const { foreign: texts } = await readProvenance(at('a'));
				assert.equal(texts[0]?.source, end === 'noRoom' ? 'XMP' : undefined);
			});
		});
	}

	test('have no room in a JPEG where they are longer than a segment', async () => {
		await inFolder(async (at, write) => {
			const long = { ...recipe, prompt: 'x'.repeat(70_000) };
			assert.equal(await writeWithRecipe(await write('a', jpeg), at('b'), long), 'noRoom');
			assert.equal(await writeWithRecipe(await write('a', lossy), at('b'), long), 'written');
		});
	});

	test('go where another program has rewritten their XMP, which stays', async () => {
		await inFolder(async (at, write) => {
			await writeWithRecipe(await write('a', lossy), at('b'), recipe);
			const changed = (await readFile(at('b'))).toString('latin1').replace('"Easel', '"Other');
			await write('c', Buffer.from(changed, 'latin1'));
			assert.equal((await readProvenance(at('c'))).recipe?.prompt, recipe.prompt);
			assert.equal(await writeWithoutRecipe(at('c'), at('d')), 'written');
			const bare = await readFile(at('d'));
			assert.deepEqual([bare.includes('fox'), bare.includes('CreatorTool')], [false, true]);
		});
	});
});
