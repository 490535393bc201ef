import assert from 'node:assert/strict';
import fs from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { mock } from 'node:test';
import { besideText } from '../../../../src/recipes/beside.js';
import { recipeChunks } from '../../../../src/recipes/ours.js';
import { hashFiles, readRecipes } from '../../../../src/recipes/reading/readRecipes.js';
import { RecipeIndex, type Noted } from '../../../../src/recipes/reading/recipeIndex.js';
import type { Recipe } from '../../../../src/recipes/recipe.js';
import { png, recipe } from '../pngs.js';
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
	const withRecipe = (prompt: string) => png(recipeChunks(made(prompt), true));
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

	/** Looking at an image takes so long from now on, and nothing else takes any time. */
	function lookingTakes(ms: number): void {
		let time = 1_000_000;
		const { lstatSync } = fs;
		mock.method(performance, 'now', () => time);
		mock.method(fs, 'lstatSync', (...given: Parameters<typeof lstatSync>) => {
			time += String(given[0]).endsWith('.png') ? ms : 0;
			return lstatSync(...given);
		});
	}

	test('ends behind 50 ms, and has always read one', async () => {
		const names = Array.from({ length: 10 }, (_, number) => `${String(number)}.png`);
		await Promise.all(names.map((name) => write(name, withRecipe(name))));
		for (const [ms, done] of [
			[100, 1],
			[51, 1],
			[50, 2],
			[25, 3],
			[5, 10],
		] as const) {
			for (const work of [readRecipes, hashFiles]) {
				lookingTakes(ms);
				const answer = await work(names.map(at), undefined).finally(() => {
					mock.restoreAll();
				});
				assert.equal(answer.done, done, `${work.name} ${String(ms)}`);
				assert.equal(answer.found.length + answer.hashes.size, done);
			}
		}
	});

	test('ends behind so much text that it would take time to come over', async () => {
		const names = Array.from({ length: 6 }, (_, number) => `${String(number)}.png`);
		const long = (length: number): Noted => ({
			...{ width: 1, height: 1, bytes: 1 },
			recipe: made('x'.repeat(length)),
		});
		await Promise.all(names.map((name) => write(name, png())));
		for (const [each, done] of [
			[131_072, 5],
			[131_073, 4],
			[1_000_000, 1],
		] as const) {
			mock.method(index, 'noted', () => ({ found: long(each) }));
			const answer = await whole(() => readRecipes(names.map(at), index));
			mock.restoreAll();
			assert.equal(answer.done, done);
		}
	});
});
