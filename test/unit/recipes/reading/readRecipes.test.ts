import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { mock } from 'node:test';
import { besideText } from '../../../../src/recipes/beside.js';
import { readRecipes } from '../../../../src/recipes/reading/readRecipes.js';
import { RecipeIndex } from '../../../../src/recipes/reading/recipeIndex.js';
import type { Recipe } from '../../../../src/recipes/recipe.js';
import { recipe } from '../pngs.js';
import { useFolder } from '../../scratch.js';

// Its thread, and what strangers make of it, is tested in `recipeReader.test.ts`.
suite('readRecipes', () => {
	const at = useFolder();
	let index: RecipeIndex;

	setup(() => {
		index = new RecipeIndex(at('storage/recipes.jsonl'));
	});

	const write = (name: string, bytes: Buffer | string) => writeFile(at(name), bytes);
	const made = (prompt: string): Recipe => ({ ...recipe, prompt });
	const beside = (prompt: string) => besideText(made(prompt), 'a'.repeat(64));

	/** Time stands still meanwhile, however slow this machine is: then a step goes to its end. */
	async function whole<T>(step: () => Promise<T>): Promise<T> {
		const clock = mock.method(performance, 'now', () => 1_000_000);
		return step().finally(() => {
			clock.mock.restore();
		});
	}

	/** The prompts that are found, by the names of the files. */
	async function read(names: readonly string[], from?: RecipeIndex) {
		const { done, found, hashes } = await whole(() => readRecipes(names.map(at), from));
		assert.equal(done, names.length);
		assert.equal(hashes.size, 0);
		return Object.fromEntries(
			found.map(({ file, recipe: { prompt } }) => [path.relative(at(), file), prompt]),
		);
	}

	test('does not note what it could not read: that may be otherwise the next time', async () => {
		await write('text.webp', 'no image');
		await write('text.webp.json', beside('beside'));
		const note = mock.method(index, 'note');
		assert.deepEqual(await read(['text.webp'], index), {});
		assert.equal(note.mock.callCount(), 0);
	});
});
