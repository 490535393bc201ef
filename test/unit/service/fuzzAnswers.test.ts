import { fuzzAnswers } from '../../fuzz/answers.js';

suite('service › answer, at random', () => {
	test('is read as JSON.parse reads it, or refused, however it is damaged and split', async () => {
		const seed = Number(process.env['EASEL_SEED'] ?? Date.now() % 1_000_000);
		const { cases, note } = await fuzzAnswers({ cases: 2000, seed });
		console.log(`      seed ${String(seed)}: ${String(cases)} answers, ${note}`);
	}).timeout(120_000);
});
