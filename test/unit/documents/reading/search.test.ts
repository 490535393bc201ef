import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { wordsOf } from '../../../../src/editor/errorTexts.js';
import { scan } from '../../../../src/documents/missing/scan.js';
import { ReadingTooSlowError } from '../../../../src/documents/reading/reader.js';
import { search, SearchStalledError } from '../../../../src/documents/reading/search.js';
import type { SearchOrder } from '../../../../src/documents/reading/searchOrder.js';
import { writeTree } from '../missing/tree.js';

suite('documents › reading › search', () => {
	let folder: string;

	setup(async () => {
		folder = await realpath(await mkdtemp(path.join(tmpdir(), 'easel-search-')));
	});

	teardown(() => rm(folder, { recursive: true }));

	/** Looks through the folder with real steps, but those that take too long as a test says. */
	async function stalled(
		takesTooLong: (order: SearchOrder, names: readonly string[]) => boolean,
		exclude: Readonly<Record<string, unknown>> = {},
	): Promise<SearchStalledError> {
		const root = { path: folder, workspaceFolder: folder, exclude: { 'files.exclude': exclude } };
		const steps = search([root], (order) => {
			const names = order.places.map((place) => path.relative(folder, place));
			return takesTooLong(order, names)
				? Promise.reject(new ReadingTooSlowError(1000))
				: Promise.resolve(scan(order));
		});
		try {
			for await (const step of steps) {
				assert.deepEqual(step.problems, []);
			}
		} catch (error) {
			assert.ok(error instanceof SearchStalledError, String(error));
			return error;
		}
		return assert.fail('nothing was given up');
	}

	test('names of many documents the one that takes too long', async () => {
		const names = ['a.md', 'b.md', 'c.md', 'd.md'];
		await writeTree(folder, Object.fromEntries(names.map((name) => [name, ''])));
		for (const slow of names) {
			const error = await stalled((_, places) => places.includes(slow));
			assert.match(wordsOf(error), new RegExp(`^“${slow}” takes too long to read\\.`));
			assert.equal(error.setting, 'files.exclude');
		}
	});

	test('leads to the setting that leaves a folder out, where its .gitignore takes too long', async () => {
		await writeTree(folder, { 'docs/a.md': '' });
		const error = await stalled(
			({ respectGitignore }, places) => respectGitignore && places.includes('docs'),
			{ '**/*.log': true },
		);
		assert.match(wordsOf(error), /^A \.gitignore pattern in the folder “docs” takes too long\./);
		assert.equal(error.setting, 'files.exclude');
	});
});
