import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
	deliver,
	embed,
	noteSaved,
	removeFiles,
	type Destination,
	type Recipes,
} from '../../../src/jobs/deliver.js';
import { Journal } from '../../../src/jobs/journal.js';
import { readState, type JobEntry } from '../../../src/jobs/jobFolder.js';
import type { StateNamed } from '../../../src/jobs/state.js';
import { resultOf } from './results.js';
import { noRecipes, requestOf } from './support.js';

suite('jobs › deliver', () => {
	let root: string;
	let entry: JobEntry;
	let received: StateNamed<'received'>;
	/** What happened, in its order. */
	let happened: string[];
	let troubles: string[];
	const attempts = [{ number: 1, startedAt: '2026-01-01T00:00:00.000Z', status: 200 }];

	setup(async () => {
		root = await mkdtemp(path.join(tmpdir(), 'easel-deliver-'));
		entry = await new Journal(path.join(root, 'jobs')).create(requestOf());
		for (const name of ['image', 'image.part', 'worker.log']) {
			await writeFile(path.join(entry.folder, name), 'x');
		}
		await mkdir(path.join(entry.folder, 'references', '1'), { recursive: true });
		received = {
			state: 'received',
			attempts,
			changedAt: '2026-01-01T00:00:00.000Z',
			result: resultOf({ file: path.join(entry.folder, 'image') }),
		};
		happened = [];
		troubles = [];
	});

	teardown(() => rm(root, { recursive: true }));

	function optionsFor(destination: Partial<Destination>, add = () => Promise.resolve()) {
		return {
			destinationOf: (): Destination => ({
				find: (file, reserved) => {
					happened.push(`find ${path.basename(file)} ${reserved ?? '-'}`);
					return Promise.resolve(undefined);
				},
				put: (file) => {
					happened.push(`put ${path.basename(file)}`);
					return Promise.resolve('file:///w/a.png');
				},
				putBeside: (file, image, suffix) => {
					happened.push(`beside ${path.basename(file)} ${image}${suffix}`);
					return Promise.resolve();
				},
				tidy: () => {
					happened.push('tidy');
					return Promise.resolve();
				},
				...destination,
			}),
			recipes: noRecipes,
			gallery: {
				add: async ({ state }: JobEntry) => {
					happened.push(`gallery ${state.state}`);
					await add();
				},
			},
			onTrouble: (what: string, error: unknown) => {
				troubles.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
			},
		};
	}

	test('puts an image where it belongs, notes it, and leaves nothing behind', async () => {
		const saved = await deliver(entry, received, optionsFor({}));
		const { changedAt } = saved;
		assert.deepEqual(saved, {
			state: 'saved',
			attempts,
			changedAt,
			result: received.result,
			target: 'file:///w/a.png',
		});
		assert.ok(Math.abs(Date.now() - Date.parse(changedAt)) < 60_000);
		assert.deepEqual(await readState(entry.folder), saved);
		assert.deepEqual(happened, ['find image -', 'put image', 'tidy', 'gallery saved']);
		assert.deepEqual((await readdir(entry.folder)).sort(), ['request.json', 'state.json']);
		assert.deepEqual(troubles, []);
	});

	test('puts nothing twice: what was put before is found, also by what had been told', async () => {
		const find: Destination['find'] = (_, reserved) => Promise.resolve(reserved);
		const before = { ...received, saving: 'file:///w/before.png' };
		const saved = await deliver(entry, before, optionsFor({ find }));
		assert.equal(saved.state === 'saved' && saved.target, 'file:///w/before.png');
		assert.deepEqual(happened, ['tidy', 'gallery saved']);
	});

	test('notes the name that is about to be filled before it is', async () => {
		const put: Destination['put'] = async (_, onReserve) => {
			await onReserve('file:///w/a.png');
			assert.deepEqual(await readState(entry.folder), { ...received, saving: 'file:///w/a.png' });
			return 'file:///w/a.png';
		};
		assert.equal((await deliver(entry, received, optionsFor({ put }))).state, 'saved');
	});

	test('keeps what cannot be put there, with the reason', async () => {
		const put = () => Promise.reject(new Error('the folder is gone'));
		const kept = await deliver(entry, received, optionsFor({ put }));
		const { changedAt } = kept;
		assert.deepEqual(kept, { ...received, problem: 'the folder is gone', changedAt });
		assert.notEqual(changedAt, received.changedAt);
		assert.deepEqual(await readState(entry.folder), kept);
		assert.deepEqual(troubles, ['The image could not be saved: the folder is gone']);
		assert.deepEqual(happened, ['find image -']);
		assert.ok((await readdir(entry.folder)).includes('image'));
	});

	test('has saved an image also where the journal refuses, and keeps what tells of it', async () => {
		const state = path.join(entry.folder, 'state.json');
		await rm(state);
		await mkdir(path.join(state, 'in the way'), { recursive: true });
		const saved = await deliver(entry, received, optionsFor({}));
		assert.equal(saved.state, 'saved');
		assert.deepEqual(happened, ['find image -', 'put image', 'gallery saved']);
		assert.match(troubles.join(), /^The journal could not be written/);
		assert.ok((await readdir(entry.folder)).includes('image'));
	});

	test('has saved an image also where the gallery refuses', async () => {
		const refusing = optionsFor({}, () => Promise.reject(new Error('full')));
		assert.equal((await deliver(entry, received, refusing)).state, 'saved');
		assert.deepEqual(troubles, ['The gallery could not be written: full']);
	});

	test('takes a place where a person has put the image, which needs no tidying', async () => {
		const saved = await noteSaved(entry, received, 'file:///elsewhere/b.png', optionsFor({}));
		assert.equal(saved.target, 'file:///elsewhere/b.png');
		assert.deepEqual(await readState(entry.folder), saved);
		assert.deepEqual(happened, ['gallery saved']);
		assert.ok(!(await readdir(entry.folder)).includes('image'));
	});

	suite('with how it was made', () => {
		/** The copy with the recipe is another file, of other bytes. */
		const embedding: Recipes = {
			suffix: '.json',
			embed: async (_, { result }, copy) => {
				await writeFile(copy, 'with its recipe');
				return { result: { ...result, file: copy, sha256: 'cd' }, kept: { where: 'inImage' } };
			},
			writeApart: () => Promise.reject(new Error('It is in the image.')),
		};
		const besides: Recipes = {
			suffix: '.json',
			embed: () => Promise.resolve({ kept: { where: 'besideImage', isSigned: true } }),
			writeApart: (_, __, file) => writeFile(file, 'a recipe'),
		};

		test('saves the copy that says so, and its hash is that of the image', async () => {
			const saved = await deliver(entry, received, { ...optionsFor({}), recipes: embedding });
			assert.ok(saved.state === 'saved');
			assert.equal(saved.result.sha256, 'cd');
			assert.deepEqual(saved.recipe, { where: 'inImage' });
			assert.deepEqual(happened, [
				...['find image-with-recipe -', 'find image -', 'put image-with-recipe'],
				...['tidy', 'gallery saved'],
			]);
			assert.deepEqual((await readdir(entry.folder)).sort(), ['request.json', 'state.json']);
			assert.deepEqual(await readState(entry.folder), saved);
		});

		test('finds what an earlier try has put there, with the recipe or without', async () => {
			for (const [name, sha256, recipe] of [
				['image', received.result.sha256, undefined],
				['image-with-recipe', 'cd', { where: 'inImage' }],
			] as const) {
				await writeFile(path.join(entry.folder, 'image'), 'x');
				happened = [];
				const find: Destination['find'] = (file) =>
					Promise.resolve(path.basename(file) === name ? 'file:///w/b.png' : undefined);
				const options = { ...optionsFor({ find }), recipes: embedding };
				const saved = await deliver(entry, received, options);
				assert.ok(saved.state === 'saved');
				assert.equal(saved.target, 'file:///w/b.png');
				assert.equal(saved.result.sha256, sha256);
				assert.deepEqual(saved.recipe, recipe);
				assert.deepEqual(happened, ['tidy', 'gallery saved']);
			}
		});

		test('saves the image as it has come where the copy cannot be made, and tells the log', async () => {
			const recipes = { ...embedding, embed: () => Promise.reject(new Error('full')) };
			const saved = await deliver(entry, received, { ...optionsFor({}), recipes });
			assert.ok(saved.state === 'saved' && !('recipe' in saved));
			assert.deepEqual(saved.result, received.result);
			assert.deepEqual(happened, ['find image -', 'put image', 'tidy', 'gallery saved']);
			assert.deepEqual(troubles, ['How the image was made could not be written into it: full']);
		});

		test('puts it beside the image, also where an earlier try has come as far as the image', async () => {
			for (const found of [undefined, 'file:///w/a.png']) {
				const find = () => Promise.resolve(found);
				happened = [];
				const options = { ...optionsFor({ find }), recipes: besides };
				const saved = await deliver(entry, received, options);
				assert.ok(saved.state === 'saved');
				assert.deepEqual(saved.recipe, { where: 'besideImage', isSigned: true });
				assert.deepEqual(happened, [
					...(found === undefined ? ['put image'] : []),
					...['beside recipe.json file:///w/a.png.json', 'tidy', 'gallery saved'],
				]);
				assert.deepEqual((await readdir(entry.folder)).sort(), ['request.json', 'state.json']);
			}
		});

		test('has saved the image also where nothing can be put beside it', async () => {
			const putBeside = () => Promise.reject(new Error('the name is taken'));
			const options = { ...optionsFor({ putBeside }), recipes: besides };
			const saved = await deliver(entry, received, options);
			assert.ok(saved.state === 'saved' && !('recipe' in saved));
			assert.deepEqual(troubles, [
				'How the image was made could not be written beside it: the name is taken',
			]);
		});

		test('makes a copy of another name where it is asked to', async () => {
			const options = { recipes: embedding, onTrouble: () => undefined };
			const { result } = await embed(entry, received, options, 'other');
			assert.equal(result?.file, path.join(entry.folder, 'other'));
		});
	});

	test('has nothing to complain about where there is nothing to remove', async () => {
		await rm(path.join(entry.folder, 'references'), { recursive: true });
		await rm(path.join(entry.folder, 'image.part'));
		await deliver(entry, received, optionsFor({}));
		assert.deepEqual(troubles, []);
	});

	test('removes what it can where one file cannot be removed', async () => {
		await removeFiles(entry.folder, optionsFor({}).onTrouble, ['no\0name', 'image']);
		assert.ok(!(await readdir(entry.folder)).includes('image'));
		assert.match(troubles.join(), /^A file could not be removed/);
		assert.equal(troubles.length, 1);
	});
});
