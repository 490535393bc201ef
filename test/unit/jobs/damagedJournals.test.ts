import { fuzzJournals } from '../../fuzz/journals.js';

const seed = Number(process.env['EASEL_SEED'] ?? Date.now() % 1_000_000);

suite('damaged journals, leases and galleries', () => {
	// A part of `npm run test:fuzz`.
	test('are read or told of, and cost nothing that is whole', async function () {
		this.timeout(180_000);
		const { cases, note } = await fuzzJournals({ cases: 1000, seed });
		console.log(`      ${String(cases)} cases, seed ${String(seed)}: ${note}`);
	});
});
