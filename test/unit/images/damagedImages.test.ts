import { fuzzImages } from '../../fuzz/images.js';

const seed = Number(process.env['EASEL_SEED'] ?? Date.now() % 1_000_000);

suite('damaged images', () => {
	// A part of `npm run test:fuzz`.
	test('are read or refused, and nothing else', async function () {
		this.timeout(180_000);
		const { cases, note } = await fuzzImages({ cases: 1000, seed });
		console.log(`      ${String(cases)} cases, seed ${String(seed)}: ${note}`);
	});
});
