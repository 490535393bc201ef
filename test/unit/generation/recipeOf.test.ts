import assert from 'node:assert/strict';
import { recipeOf } from '../../../src/generation/recipeWriter.js';
import { parseRecipe, recipeJson, type Recipe } from '../../../src/recipes/recipe.js';
import type { GenerationRequest } from '../../../src/jobs/request.js';
import { resultOf } from '../jobs/results.js';
import { referenceOf, requestOf, roundOf } from '../jobs/support.js';

const received = {
	result: resultOf({ elapsedMs: 2500 }),
	attempts: [
		{ number: 1, startedAt: '2026-01-01T00:00:00.000Z' },
		{ number: 2, startedAt: '2026-01-01T00:01:00.000Z' },
	],
	changedAt: '2026-02-02T00:00:00.000Z',
};

/** Returns the value as JSON has it, without unknown fields. */
function recipe(change: Partial<GenerationRequest> = {}, given = received): Recipe {
	const made = recipeOf(requestOf(change), given, '1.2.3');
	return JSON.parse(JSON.stringify(made)) as Recipe;
}

const target = { folder: 'file:///w/docs/images', root: 'file:///w', stem: 'a' };
const used = (source: string) => ({ ...referenceOf(5), source, sha256: 'a'.repeat(64) });

suite('The recipe of a request', () => {
	test('says what was asked for, and when it came', () => {
		const id = '0b7c2f7e-5d3a-4f43-9f43-2f6f0a1b2c3d';
		const round = roundOf();
		assert.deepEqual(recipe({ id, round }), {
			version: 1,
			easel: '1.2.3',
			id,
			createdAt: '2026-01-01T00:01:02.500Z',
			operation: 'generate',
			prompt: 'a harbor',
			model: 'std-image-2',
			size: '1024x1024',
			parents: [],
			references: [],
			round,
		});
	});

	test('has a time also where no attempt was noted', () => {
		const { createdAt } = recipe({}, { ...received, attempts: [] });
		assert.equal(createdAt, '2026-02-02T00:00:02.500Z');
		const only = recipe({}, { ...received, attempts: received.attempts.slice(0, 1) });
		assert.equal(only.createdAt, '2026-01-01T00:00:02.500Z');
	});

	test('has the marks of an edit, and is a recipe without those of a later Easel', () => {
		const marks = [
			{ shape: 'rectangle', note: 'blue', x: 0.1, y: 0.2, width: 0.3, height: 0.1 },
		] as const;
		const made = recipe({
			operation: 'edit',
			references: [used('file:///w/a.png')],
			marks: [...marks],
		});
		assert.deepEqual(made.marks, marks);
		const later = { ...made, marks: [{ shape: 'spiral' }] };
		const read = parseRecipe(JSON.stringify(later));
		assert.ok(read !== undefined && read !== 'newer');
		assert.equal(read.marks, undefined);
	});

	test('says what the service has said, bounded, and a revised prompt where it is another', () => {
		const result = resultOf({ requestId: 'r'.repeat(400), revisedPrompt: 'a large harbor' });
		const { requestId, revisedPrompt } = recipe({}, { ...received, result });
		assert.equal(requestId, 'r'.repeat(300));
		assert.equal(revisedPrompt, 'a large harbor');
		const same = resultOf({ revisedPrompt: 'a harbor' });
		assert.ok(!('revisedPrompt' in recipe({}, { ...received, result: same })));
	});

	test('says what was sent with a style, which it was, and which images are its own', () => {
		const references = ['file:///w/a.png', 'file:///w/art/hero.png'].map(used);
		const style = { path: '.easel/style.md', sha256: 'c'.repeat(64), references: ['d'] };
		const effectivePrompt = 'a harbor\n\nStyle:\nFlat.';
		const styled = recipe({ references, style, effectivePrompt, target });
		assert.equal(styled.prompt, 'a harbor');
		assert.equal(styled.effectivePrompt, effectivePrompt);
		assert.deepEqual(styled.style, { ...style, references: 1 });
		assert.equal(styled.references.length, 2);
		assert.deepEqual(parseRecipe(recipeJson(styled)), styled);
		const result = resultOf({ revisedPrompt: effectivePrompt });
		const same = recipe({ effectivePrompt }, { ...received, result });
		assert.ok(!('revisedPrompt' in same));
		// A path that is none of the workspace goes nowhere.
		const outside = { ...styled, style: { ...styled.style, path: '/home/me/style.md' } };
		assert.ok(!recipeJson(outside).includes('style.md'));
	});

	test('has the image that an edit changes as its parent, and the others as references', () => {
		const references = ['file:///w/a.png', 'file:///w/docs/b%20c.png', 'file:///w/d.png'].map(used);
		const edited = recipe({ operation: 'edit', references, target });
		assert.deepEqual(
			edited.parents.map(({ path }) => path),
			['../../a.png'],
		);
		assert.deepEqual(
			edited.references.map(({ path }) => path),
			['../b c.png', '../../d.png'],
		);
		const generated = recipe({ references, target });
		assert.deepEqual([generated.parents.length, generated.references.length], [0, 3]);
	});

	test('reveals nothing outside of the workspace folder', () => {
		for (const source of [
			...['file:///home/me/secret.png', 'file:///w-2/a.png', 'untitled:a.png', 'no uri', ''],
			...['vscode-vfs://github/w/a.png', 'file://server/w/a.png', 'file:///w/%'],
		]) {
			const references = [used(source)];
			assert.deepEqual(recipe({ references, target }).references, [{ sha256: 'a'.repeat(64) }]);
		}
		const outside = { ...target, folder: 'file:///elsewhere' };
		const references = [used('file:///w/a.png')];
		assert.ok(!('path' in recipe({ references, target: outside }).references[0]!));
		const elsewhere = { ...target, root: 'memfs://x/w' };
		assert.ok(!('path' in recipe({ references, target: elsewhere }).references[0]!));
		const free = { folder: 'file:///w/images', stem: 'a' };
		assert.ok(!('path' in recipe({ references, target: free }).references[0]!));
		const { path } = recipe({ references, target: free, workspaceFolder: 'file:///w' })
			.references[0]!;
		assert.equal(path, '../a.png');
	});

	test('knows paths of Windows and of virtual file systems', () => {
		for (const root of ['file:///c%3A/w', 'memfs://x/w']) {
			const target = { folder: `${root}/images`, root, stem: 'a' };
			const [one] = recipe({ references: [used(`${root}/a.png`)], target }).references;
			assert.equal(one?.path, '../a.png');
		}
	});

	test('holds no address, no key and no absolute path, whatever the request holds', () => {
		const round = roundOf({ number: 2 });
		const json = recipeJson(
			recipe({
				operation: 'edit',
				quality: 'low',
				round,
				target,
				workspaceFolder: 'file:///w',
				document: 'file:///w/secret.md',
				regeneratedFrom: 'file:///w/secret.png',
				references: [used('file:///home/me/secret.png')],
			}),
		);
		for (const word of ['file:', 'secret', '/w', '/jobs', 'http']) {
			assert.ok(!json.includes(word), word);
		}
		assert.ok(json.includes('"quality":"low"') && json.includes(round.id));
	});
});
