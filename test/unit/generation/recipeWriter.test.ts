import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { recipeWriter } from '../../../src/generation/recipeWriter.js';
import { sha256Of } from '../../../src/images/hash.js';
import type { JobEntry } from '../../../src/jobs/jobFolder.js';
import type { GenerationRequest } from '../../../src/jobs/request.js';
import type { JobResult, StateNamed } from '../../../src/jobs/state.js';
import { PngError } from '../../../src/recipes/chunks.js';
import { readProvenance } from '../../../src/recipes/provenance.js';
import { resultOf } from '../jobs/results.js';
import { requestOf } from '../jobs/support.js';
import { caBX, inFolder, png } from '../recipes/pngs.js';

const recipes = recipeWriter('1.2.3');

function job(
	provenance: GenerationRequest['provenance'],
	result: Partial<JobResult>,
): [JobEntry, StateNamed<'received'>] {
	const received: StateNamed<'received'> = {
		state: 'received',
		attempts: [],
		changedAt: '2026-01-01T00:00:00.000Z',
		result: resultOf(result),
	};
	const request = requestOf({ provenance });
	return [{ folder: '/nowhere', request, state: received }, received];
}

suite('The recipe of an image is written', () => {
	test('in a copy of the image, whose hash and length are those of the copy', async () => {
		await inFolder(async (at, write) => {
			const [entry, received] = job('inImage', { file: await write('a', png()) });
			const { result, kept } = await recipes.embed(entry, received, at('copy'));
			assert.deepEqual(kept, { where: 'inImage' });
			assert.deepEqual(result, {
				...received.result,
				file: at('copy'),
				sha256: await sha256Of(at('copy')),
				bytes: (await stat(at('copy'))).size,
			});
			const { recipe } = await readProvenance(at('copy'));
			assert.equal(recipe?.prompt, 'a harbor');
			assert.equal(recipe.easel, '1.2.3');
		});
	});

	test('in the copy that is there already: what was put somewhere is known by it', async () => {
		await inFolder(async (at, write) => {
			const [entry, received] = job('inImage', { file: await write('a', png()) });
			await recipes.embed(entry, received, at('copy'));
			const before = await stat(at('copy'));
			const { result } = await recipes.embed(entry, received, at('copy'));
			assert.equal((await stat(at('copy'))).ino, before.ino);
			assert.equal(result?.bytes, before.size);
		});
	});

	test('beside what is signed, and beside what has no sound place for it', async () => {
		await inFolder(async (at, write) => {
			const signed = job('inImage', { file: await write('a', png(caBX)) });
			assert.deepEqual(await recipes.embed(...signed, at('copy')), {
				kept: { where: 'besideImage', isSigned: true },
			});
			const jpeg = job('inImage', {
				...{ file: await write('b', Buffer.from('ffd8ffe0', 'hex')), format: 'jpeg' },
			});
			assert.deepEqual(await recipes.embed(...jpeg, at('copy')), {
				kept: { where: 'besideImage' },
			});
			await assert.rejects(stat(at('copy')), { code: 'ENOENT' });
		});
	});

	test('where the request says, and nowhere where it says so', async () => {
		const beside = job('besideImage', {});
		assert.deepEqual(await recipes.embed(...beside, '/nowhere'), {
			kept: { where: 'besideImage' },
		});
		assert.deepEqual(await recipes.embed(...job('none', {}), '/nowhere'), {});
	});

	test('nowhere where the image is damaged, which is said', async () => {
		await inFolder(async (at, write) => {
			const cut = job('inImage', { file: await write('a', png().subarray(0, -4)) });
			await assert.rejects(recipes.embed(...cut, at('copy')), PngError);
		});
	});

	test('in a file of its own, always the same, with the hash of the image', async () => {
		await inFolder(async (at) => {
			const [entry, received] = job('besideImage', { sha256: 'a'.repeat(64) });
			await recipes.writeApart(entry, received, at('one'));
			await recipes.writeApart(entry, { ...received, problem: 'again' }, at('two'));
			const text = await readFile(at('one'), 'utf8');
			assert.equal(await readFile(at('two'), 'utf8'), text);
			assert.match(text, /"image": "a{64}"\n\}\n$/);
			assert.equal(recipes.suffix, '.json');
			if (process.platform !== 'win32') {
				assert.notEqual((await stat(at('one'))).mode & 0o044, 0, 'others may read it');
			}
		});
	});
});
