import { fuzzAnswers } from '../campaigns/fuzz/answers';
import { fuzzImages } from '../campaigns/fuzz/images';
import { fuzzJournals } from '../campaigns/fuzz/journals';
import { fuzzRecipes } from '../campaigns/fuzz/recipes';

// A handful of the cases of `npm run test:campaigns`, the same in each run.
suite('foreign input', () => {
	test('answers', () => fuzzAnswers({ cases: 40, seed: 1 }));
	test('images', () => fuzzImages({ cases: 20, seed: 1 }));
	test('journals', () => fuzzJournals({ cases: 50, seed: 1 }));
	test('recipes', () => fuzzRecipes({ cases: 100, seed: 1 }));
});
