import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { besideText } from '../../../src/recipes/beside.js';
import { PngError } from '../../../src/recipes/chunks.js';
import { readProvenance, type Provenance } from '../../../src/recipes/provenance.js';
import { writeWithRecipe } from '../../../src/recipes/rewrite.js';
import { caBX, inFolder, inserted, iTXt, png, recipe, tEXt } from './pngs.js';

const nothing: Provenance = {
	recipe: undefined,
	where: undefined,
	isOfOther: false,
	isNewer: false,
	foreign: [],
	isSigned: false,
	isDamaged: false,
};

async function assertRead(
	bytes: Buffer,
	expected: Partial<Provenance>,
	beside?: string,
): Promise<void> {
	await inFolder(async (_, write) => {
		const file = await write('a.png', bytes);
		if (beside !== undefined) {
			await write('a.png.json', Buffer.from(beside));
		}
		assert.deepEqual(await readProvenance(file), { ...nothing, ...expected });
	});
}

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

suite('How an image was made', () => {
	test('is read from the image before the file beside it', async () => {
		await inFolder(async (at, write) => {
			await writeWithRecipe(await write('b.png', png()), at('a.png'), recipe);
			await write(
				'a.png.json',
				Buffer.from(besideText({ ...recipe, prompt: 'other' }, 'd'.repeat(64))),
			);
			const found = await readProvenance(at('a.png'));
			assert.deepEqual(found, { ...nothing, recipe, where: 'inImage' });
		});
	});

	test('is read from the file beside, which may be that of another image', async () => {
		const own = hashOf(png());
		const found = { recipe: { ...recipe, image: own }, where: 'besideImage' } as const;
		await assertRead(png(), found, besideText(recipe, own));
		const other = { recipe: { ...recipe, image: 'e'.repeat(64) }, where: 'besideImage' } as const;
		await assertRead(png(), { ...other, isOfOther: true }, besideText(recipe, 'e'.repeat(64)));
		await assertRead(png(), { recipe, where: 'besideImage' }, JSON.stringify(recipe));
		await assertRead(png(), {}, '{}');
	});

	test('by a later Easel is known as such', async () => {
		await assertRead(png(iTXt('Easel Recipe', '{"version":2}')), {
			isNewer: true,
			where: 'inImage',
		});
		await assertRead(png(), { isNewer: true, where: 'besideImage' }, '{"version":7}');
	});

	test('by others, whether it is signed, and whether something is damaged stands beside it', async () => {
		await inFolder(async (at, write) => {
			await writeWithRecipe(await write('b.png', png(tEXt('Title', 'T'))), at('a.png'), recipe);
			const { foreign } = await readProvenance(at('a.png'));
			const facts = [{ name: 'Title', text: 'T' }];
			assert.deepEqual(foreign, [{ source: 'Text in the file', facts }]);
		});
		await assertRead(png(caBX), { isSigned: true });
		await assertRead(inserted(png(), 'IEND', [caBX]), { isSigned: true });
		await assertRead(png().subarray(0, -3), { isDamaged: true });
		const wrong = Buffer.from(tEXt('Title', 'T'));
		wrong[9]! ^= 1;
		await assertRead(png(wrong), { isDamaged: true });
	});

	test('is not asked of what is no PNG', async () => {
		await inFolder(async (at, write) => {
			await assert.rejects(readProvenance(await write('a.png', Buffer.from('text'))), PngError);
			await assert.rejects(readProvenance(at('none.png')), { code: 'ENOENT' });
		});
	});
});
