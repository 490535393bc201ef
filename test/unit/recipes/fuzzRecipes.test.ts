import { fuzzRecipes } from '../../fuzz/recipes.js';

const seed = Number(process.env['EASEL_SEED'] ?? Date.now() % 1_000_000);

suite('damaged PNG files', () => {
	// A part of `npm run test:fuzz`.
	test('are read and written anew, or refused, and nothing else', async function () {
		this.timeout(180_000);
		const { cases, note } = await fuzzRecipes({ cases: 10_000, seed });
		console.log(`      ${String(cases)} cases, seed ${String(seed)}: ${note}`);
	});
});
