import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import {
	mkdir,
	mkdtemp,
	readFile,
	rm,
	stat,
	symlink,
	truncate,
	unlink,
	utimes,
	writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import { maxImageBytes } from '../../../../src/images/inspect.js';
import { besideText } from '../../../../src/recipes/beside.js';
import { recipeChunks, recipeKeyword } from '../../../../src/recipes/ours.js';
import { hashFiles, readRecipes } from '../../../../src/recipes/reading/readRecipes.js';
import { RecipeIndex, type Noted } from '../../../../src/recipes/reading/recipeIndex.js';
import { recipeJson, type Recipe } from '../../../../src/recipes/recipe.js';
import { png, recipe, zTXt } from '../pngs.js';

/** One by one pixel. */
const webp = Buffer.from(
	'524946461a000000574542505650384c0d0000002f00000010071011118888fe0700',
	'hex',
);
const hashOf = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');

// Its thread, and what strangers make of it, is tested in `recipeReader.test.ts`.
suite('readRecipes', () => {
	let folder: string;
	let file: string;
	let index: RecipeIndex;

	setup(async () => {
		folder = await mkdtemp(path.join(tmpdir(), 'easel-recipes-'));
		file = path.join(folder, 'storage', 'recipes.jsonl');
		index = new RecipeIndex(file);
	});

	teardown(async () => {
		mock.restoreAll();
		await rm(folder, { recursive: true });
	});

	const at = (name: string) => path.join(folder, name);
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
			found.map(({ file, recipe: { prompt } }) => [path.relative(folder, file), prompt]),
		);
	}

	test('says what a list needs, of an image with its recipe in it or beside it', async () => {
		const style = { path: '.easel/style.md', sha256: 'c'.repeat(64), references: 0 };
		await write('in.png', png(recipeChunks({ ...made('in'), style }, true)));
		await write('photo.webp', webp);
		const { quality, round, ...least } = made('beside');
		await write('photo.webp.json', besideText(least, 'a'.repeat(64)));
		const { found } = await whole(() => readRecipes([at('in.png'), at('photo.webp')], undefined));
		const { id, createdAt, operation, size, parents, references } = recipe;
		const shared = { id, createdAt, operation, size, parents, references };
		assert.deepEqual(found, [
			{
				...{ file: at('in.png'), width: 6, height: 4, bytes: (await stat(at('in.png'))).size },
				recipe: { ...shared, prompt: 'in', quality, style, round },
			},
			{
				...{ file: at('photo.webp'), width: 1, height: 1, bytes: webp.length },
				recipe: { ...shared, prompt: 'beside' },
			},
		]);
	});

	test('takes what stands in an image before what lies beside it, and what others have packed', async () => {
		await write('both.png', withRecipe('in'));
		await write('both.png.json', beside('beside'));
		await write('beside.png', png());
		await write('beside.png.json', beside('beside'));
		await write('packed.png', png(zTXt(recipeKeyword, Buffer.from(recipeJson(made('packed'))))));
		await write('packed.png.json', beside('beside'));
		await write('none.png', png());
		await write('none.webp', webp);
		await write('newer.png', png());
		await write('newer.png.json', JSON.stringify({ ...recipe, version: 9 }));
		const names = ['both', 'beside', 'packed', 'none', 'newer'].map((name) => `${name}.png`);
		assert.deepEqual(await read([...names, 'none.webp']), {
			'both.png': 'in',
			'beside.png': 'beside',
			'packed.png': 'packed',
		});
	});

	test('leaves out what is no image of its own, or cannot be read, and goes on', async () => {
		await write('text.webp', 'no image');
		await write('text.webp.json', beside('beside'));
		await mkdir(at('folder.png'));
		await write('folder.png.json', beside('beside'));
		await write('a.png', withRecipe('a'));
		await symlink(at('a.png'), at('link.png'));
		const names = ['text.webp', 'folder.png', 'gone.png', 'link.png', 'no\0name.png', 'a.png'];
		assert.deepEqual(await read(names, index), { 'a.png': 'a' });
	});

	test('takes from its index what has not changed, what says nothing too', async () => {
		await write('a.png', withRecipe('a'));
		await write('none.png', png());
		const note = mock.method(index, 'note');
		for (let times = 0; times < 2; times += 1) {
			assert.deepEqual(await read(['a.png', 'none.png'], index), { 'a.png': 'a' });
			assert.equal(note.mock.callCount(), 2);
		}
		const again = new RecipeIndex(file);
		const anew = mock.method(again, 'note');
		assert.deepEqual(await read(['a.png', 'none.png'], again), { 'a.png': 'a' });
		assert.equal(anew.mock.callCount(), 0, 'it was written');
	});

	test('does not note what it could not read: that may be otherwise the next time', async () => {
		await write('text.webp', 'no image');
		await write('text.webp.json', beside('beside'));
		const note = mock.method(index, 'note');
		assert.deepEqual(await read(['text.webp'], index), {});
		assert.equal(note.mock.callCount(), 0);
	});

	test('reads anew whatever is not as it was, the image or what lies beside it', async () => {
		const bytes = png();
		const changes: readonly (readonly [what: string, change: () => Promise<unknown>])[] = [
			['something lies beside it', () => write('a.png.json', beside('beside'))],
			['that is another', () => write('a.png.json', beside('another'))],
			['that was written anew', () => utimes(at('a.png.json'), 1, 1)],
			['that is gone', () => unlink(at('a.png.json'))],
			['the image is longer', () => write('a.png', withRecipe('in'))],
			['it is as long', () => write('a.png', withRecipe('on'))],
			['it says that it is older', () => utimes(at('a.png'), 1, 1)],
		];
		await write('a.png', bytes);
		const note = mock.method(index, 'note');
		await read(['a.png'], index);
		for (const [number, [what, change]] of changes.entries()) {
			await change();
			await read(['a.png'], index);
			assert.equal(note.mock.callCount(), number + 2, what);
		}
		assert.deepEqual(await read(['a.png'], index), { 'a.png': 'on' });
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

	test('hashes what it can read, and remembers that of what it has read before', async () => {
		const [a, b] = [withRecipe('a'), withRecipe('b')];
		await write('a.png', a);
		await write('b.png', b);
		await mkdir(at('folder.png'));
		await symlink(at('a.png'), at('link.png'));
		await read(['a.png'], index);
		await write('large.png', png());
		await truncate(at('large.png'), maxImageBytes + 1);
		const names = ['a', 'folder', 'gone', 'large', 'link', 'b'];
		const files = names.map((name) => at(`${name}.png`));
		const expected = new Map([
			[at('a.png'), hashOf(a)],
			[at('b.png'), hashOf(b)],
		]);
		for (const from of [index, undefined]) {
			const { done, found, hashes } = await whole(() => hashFiles(files, from));
			assert.deepEqual([done, found, hashes], [6, [], expected]);
		}
		const text = await readFile(file, 'utf8');
		await writeFile(file, text.replaceAll(hashOf(a), 'c'.repeat(64)));
		const again = new RecipeIndex(file);
		const { hashes } = await whole(() => hashFiles([at('a.png'), at('b.png')], again));
		assert.equal(hashes.get(at('a.png')), 'c'.repeat(64), 'as it was noted');
		assert.equal(hashes.get(at('b.png')), hashOf(b), 'of which nothing was noted');
		await write('a.png', b);
		const anew = await hashFiles([at('a.png')], again);
		assert.equal(anew.hashes.get(at('a.png')), hashOf(b));
	});
});
