import { fuzz } from './campaign';
import { fuzzRecipes } from './fuzz/recipes';

suite('damaged PNG files with recipes', () => {
	test('are read and rewritten, or refused, and nothing else', () =>
		fuzz('recipes', fuzzRecipes, 10_000));
});
