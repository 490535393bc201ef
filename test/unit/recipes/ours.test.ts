import assert from 'node:assert/strict';
import { ourTexts, recipeIn, recipeKeyword } from '../../../src/recipes/ours.js';
import { recipeJson } from '../../../src/recipes/recipe.js';
import type { TextChunk } from '../../../src/recipes/textChunks.js';
import { xmpKeyword } from '../../../src/recipes/xmp.js';
import { recipe } from './pngs.js';

const chunk = { type: 'iTXt', start: 0, length: 0 };
const one = (keyword: string, text?: string): TextChunk => ({ chunk, keyword, text });
const json = recipeJson(recipe);

// What becomes of them in a file is tested in `rewrite.test.ts`.
suite('The texts of Easel in a PNG', () => {
	test('have the recipe under its keyword alone, the last of them', () => {
		const other = recipeJson({ ...recipe, prompt: 'another' });
		const texts = [one(recipeKeyword, other), one(recipeKeyword, json), one('Comment', other)];
		assert.deepEqual(recipeIn(texts), recipe);
		assert.equal(recipeIn([one('Comment', json)]), undefined);
		assert.equal(recipeIn([one(recipeKeyword, json), one(recipeKeyword)]), undefined);
	});

	test('are distinguished from those of others, which know our recipe, or cannot be read', () => {
		const theirs = [
			one('Comment', json),
			one('Description', recipe.prompt),
			one('Software'),
			one('Creation Time'),
			one(xmpKeyword),
			one('Title', 'Easel '),
		];
		assert.deepEqual(ourTexts(theirs), []);
	});
});
