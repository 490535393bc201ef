import assert from 'node:assert/strict';
import { parseJson, parseRecipe, recipeJson, relativePath } from '../../../src/recipes/recipe.js';
import { recipe } from './pngs.js';

suite('A recipe', () => {
	test('is read back as it was written, and without what it may lack', () => {
		assert.deepEqual(parseRecipe(recipeJson(recipe)), recipe);
		const { effectivePrompt, revisedPrompt, quality, round, requestId, ...least } = recipe;
		assert.ok(effectivePrompt && revisedPrompt && quality && round && requestId);
		const made = { ...least, operation: 'generate' as const, parents: [], references: [] };
		assert.deepEqual(parseRecipe(recipeJson(made)), made);
		assert.equal(parseRecipe(JSON.stringify({ ...made, operation: '' })), undefined);
	});

	test('has its fields always in the same order', () => {
		const turned = Object.fromEntries(Object.entries(recipe).reverse()) as typeof recipe;
		const parents = recipe.parents.map(({ sha256, path }) => ({ path, sha256 }));
		assert.equal(recipeJson({ ...turned, parents }), recipeJson(recipe));
		assert.match(
			recipeJson(recipe),
			/^\{"version":1,"easel":"1.2.3","id":"[\da-f-]{36}","createdAt"/,
		);
		assert.deepEqual(Object.keys(parseJson(recipeJson(recipe)) as object), Object.keys(recipe));
	});

	test('has no round where nothing of ours could count on from that of a stranger', () => {
		const { round, ...rest } = recipe;
		assert.ok(round);
		const read = (change: object) =>
			parseRecipe(JSON.stringify({ ...rest, round: { ...round, ...change } }));
		for (const change of [
			{ number: Number.MAX_SAFE_INTEGER },
			{ number: 1_000_001 },
			{ number: 0 },
			{ place: 1_000_000 },
			{ place: -1 },
			{ id: 'x' },
			{ count: undefined },
			{ askedAt: 'today' },
		]) {
			assert.deepEqual(read(change), { ...rest, round: undefined }, JSON.stringify(change));
		}
		const most = { number: 1_000_000, place: 999_999 };
		assert.deepEqual(read(most), { ...rest, round: { ...round, ...most } });
	});

	test('of a later version is distinguished from what is none', () => {
		assert.equal(parseRecipe('{"version":2,"prompt":["a","b"]}'), 'newer');
		for (const text of [
			'',
			'{',
			'[]',
			'null',
			'2',
			'"version"',
			'{"version":"2"}',
			'{"version":1}',
		]) {
			assert.equal(parseRecipe(text), undefined, text);
		}
	});

	test('does not take over what it does not know', () => {
		const more = JSON.stringify({ ...recipe, address: 'https://images.example.com' });
		assert.deepEqual(parseRecipe(more), recipe);
	});

	test('holds no path but a relative one, also from other programs', () => {
		for (const path of [
			'/home/me/a.png',
			'C:\\a.png',
			'c:/a.png',
			'\\\\host\\a',
			'file:///a',
			'',
		]) {
			const parents = [{ sha256: 'a'.repeat(64), path }];
			assert.ok(!recipeJson({ ...recipe, parents }).includes('path'), path);
			const read = parseRecipe(JSON.stringify({ ...recipe, parents }));
			assert.ok(typeof read === 'object');
			assert.deepEqual(read.parents, [{ sha256: 'a'.repeat(64), path: undefined }], path);
		}
	});

	test('knows an image by its hash alone, and by nothing like it', () => {
		const read = (sha256: string) =>
			parseRecipe(JSON.stringify({ ...recipe, parents: [{ sha256 }] })) !== undefined;
		assert.ok(read('0123456789abcdef'.repeat(4)));
		const hash = 'a'.repeat(64);
		for (const other of [`${hash}a`, `x${hash}`, `${hash}\n`, hash.slice(1), 'A'.repeat(64)]) {
			assert.ok(!read(other), other);
		}
	});

	test('names the style guide that was applied, or none where that is no guide', () => {
		const style = { path: '.easel/style.md', sha256: 'c'.repeat(64), references: 0 };
		const read = (change: object) => {
			const found = parseRecipe(JSON.stringify({ ...recipe, style: { ...style, ...change } }));
			assert.ok(typeof found === 'object');
			return found.style;
		};
		for (const change of [{}, { references: 64 }, { path: `a/${'b'.repeat(4094)}` }]) {
			assert.deepEqual(read(change), { ...style, ...change });
		}
		for (const change of [
			...[{ references: -1 }, { references: 65 }, { references: 0.5 }, { sha256: 'c' }],
			...[{ path: '/home/me/style.md' }, { path: `a/${'b'.repeat(4095)}` }, { path: undefined }],
		]) {
			assert.equal(read(change), undefined, JSON.stringify(change).slice(0, 60));
		}
	});

	test('with a text of any length is none', () => {
		assert.equal(parseRecipe(JSON.stringify({ ...recipe, model: 'x'.repeat(301) })), undefined);
		assert.equal(
			parseRecipe(JSON.stringify({ ...recipe, prompt: 'x'.repeat(200_001) })),
			undefined,
		);
		assert.throws(() => recipeJson({ ...recipe, prompt: 'x'.repeat(200_001) }));
		assert.ok(parseRecipe(JSON.stringify({ ...recipe, prompt: 'x'.repeat(200_000) })));
	});
});

suite('The way to an image that was used', () => {
	test('leads from the folder of the image that was made', () => {
		assert.equal(relativePath('/w/docs/images', '/w/photos/a b.png', '/w'), '../../photos/a b.png');
		assert.equal(relativePath('/w/images', '/w/images/a.png', '/w'), 'a.png');
		assert.equal(relativePath('/w', '/w/..a/b.png', '/w'), '..a/b.png');
		assert.equal(relativePath('/w', '/w/a b/c:d.png', '/w'), 'a b/c:d.png');
		assert.equal(relativePath('/w', '/w/ä:b.png', '/w'), 'ä:b.png');
	});

	test('is left out where it would reveal what lies around the workspace', () => {
		assert.equal(relativePath('/w/images', '/home/me/a.png', '/w'), undefined);
		assert.equal(relativePath('/elsewhere', '/w/a.png', '/w'), undefined);
		assert.equal(relativePath('/w/images', '/wide/a.png', '/w'), undefined);
		assert.equal(relativePath('/w', '/w/c:a.png', '/w'), undefined);
		assert.equal(relativePath('/w', '/w/h2+x-y.z:a.png', '/w'), undefined);
		assert.equal(relativePath('/w', '/', '/w'), undefined, 'the folder right around it');
		assert.equal(relativePath('/w/v', '/w', '/w/v'), undefined, 'the folder right around it');
		assert.equal(relativePath('/w', '/w', '/w'), undefined);
	});

	test('is as long as a path can be, and there is none where one of the paths is longer', () => {
		const [longest, longer] = ['/w/'.padEnd(32_767, 'a'), '/w/'.padEnd(32_768, 'a')];
		assert.ok(relativePath('/w', longest, '/w') === longest.slice('/w/'.length));
		assert.equal(relativePath('/w', longer, '/w'), undefined);
		assert.equal(relativePath(longest, '/w/b', '/w'), '../b');
		assert.equal(relativePath(longer, '/w/b', '/w'), undefined);
		assert.equal(relativePath('/w', '/w/b', longer), undefined);
	});
});
