import assert from 'node:assert/strict';
import fs, { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { mock } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { notedText } from '../../../src/editor/errorTexts.js';
import {
	deliver as deliverTo,
	lookAfterSaved,
	removeFiles,
	type Destination,
	type Recipes,
} from '../../../src/jobs/deliver.js';
import { diskDestination } from '../../../src/jobs/diskDestination.js';
import { Journal } from '../../../src/jobs/journal.js';
import { readState, writeState, type JobEntry } from '../../../src/jobs/jobFolder.js';
import type { StateNamed } from '../../../src/jobs/state.js';
import { onFlush } from '../files/flushes.js';
import { resultOf } from './results.js';
import { noRecipes, requestOf } from './support.js';
import { logTo } from '../../../src/log.js';
import { scratch as root, useScratch } from '../scratch.js';

suite('jobs › deliver', () => {
	useScratch();
	let entry: JobEntry;
	let received: StateNamed<'received'>;
	/** Calls, in order. */
	let happened: string[];
	let troubles: string[];
	const attempts = [{ number: 1, startedAt: '2026-01-01T00:00:00.000Z', status: 200 }];
	const everyStep = ['find image -', 'put image', 'look a.png 5', 'tidy', 'gallery saved'];

	setup(async () => {
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
		logTo({
			error: (what, error) => {
				troubles.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
			},
		});
	});

	teardown(() => {
		mock.restoreAll();
	});

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
				holds: (target, bytes) => {
					happened.push(`look ${path.basename(target)} ${String(bytes)}`);
					return Promise.resolve(true);
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
		};
	}

	function deliver(
		from: JobEntry,
		state: StateNamed<'received'>,
		{ destinationOf, ...services }: ReturnType<typeof optionsFor>,
	) {
		return deliverTo(from, state, services, destinationOf());
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
		assert.deepEqual(happened, everyStep);
		assert.deepEqual((await readdir(entry.folder)).sort(), ['request.json', 'state.json']);
		assert.deepEqual(troubles, []);
	});

	test('puts nothing twice: what was put before is found, also by the announced name', async () => {
		const find: Destination['find'] = (_, reserved) => Promise.resolve(reserved);
		const before = { ...received, saving: 'file:///w/before.png' };
		const saved = await deliver(entry, before, optionsFor({ find }));
		assert.equal(saved.state === 'saved' && saved.target, 'file:///w/before.png');
		assert.deepEqual(happened, ['look before.png 5', 'tidy', 'gallery saved']);
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
		const end = await deliver(entry, received, optionsFor({ put }));
		const { changedAt } = end;
		assert.deepEqual(end, { ...received, problem: 'the folder is gone', changedAt });
		assert.notEqual(changedAt, received.changedAt);
		assert.deepEqual(await readState(entry.folder), end);
		assert.deepEqual(troubles, ['The image could not be saved: the folder is gone']);
		assert.deepEqual(happened, ['find image -']);
		assert.ok((await readdir(entry.folder)).includes('image'));
	});

	test('has saved an image also where the journal refuses, and keeps the image', async () => {
		const state = path.join(entry.folder, 'state.json');
		await rm(state);
		await mkdir(path.join(state, 'in the way'), { recursive: true });
		const saved = await deliver(entry, received, optionsFor({}));
		assert.equal(saved.state, 'saved');
		assert.deepEqual(happened, ['find image -', 'put image', 'look a.png 5', 'gallery saved']);
		assert.match(troubles.join(), /^The journal could not be written/);
		assert.ok((await readdir(entry.folder)).includes('image'));
	});

	test('has saved an image also where the gallery refuses', async () => {
		const refusing = optionsFor({}, () => Promise.reject(new Error('full')));
		assert.equal((await deliver(entry, received, refusing)).state, 'saved');
		assert.deepEqual(troubles, ['The gallery could not be written: full']);
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
				...['look a.png 5', 'tidy', 'gallery saved'],
			]);
			assert.deepEqual((await readdir(entry.folder)).sort(), ['request.json', 'state.json']);
			assert.deepEqual(await readState(entry.folder), saved);
		});

		test('saves the image as it has come where the copy cannot be made, and logs it', async () => {
			const recipes = { ...embedding, embed: () => Promise.reject(new Error('full')) };
			const saved = await deliver(entry, received, { ...optionsFor({}), recipes });
			assert.ok(saved.state === 'saved' && !('recipe' in saved));
			assert.deepEqual(saved.result, received.result);
			assert.deepEqual(happened, everyStep);
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
					...['beside recipe.json file:///w/a.png.json', 'look a.png 5', 'tidy', 'gallery saved'],
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
			const folders: unknown[] = [];
			const recipes: Recipes = {
				...embedding,
				embed: (from, state, copy, folder) => {
					folders.push(folder);
					return embedding.embed(from, state, copy, folder);
				},
			};
			const file = path.join(entry.folder, 'image-saved-as');
			await writeFile(file, 'of an earlier try');
			const saved = await deliver(entry, received, {
				...optionsFor({ folder: 'file:///chosen' }),
				recipes,
			});
			assert.equal(saved.result.file, file);
			assert.deepEqual(folders, ['file:///chosen']);
		});
	});

	suite('loses nothing in a power failure', () => {
		let workspace: string;
		/** A target of a virtual file system, where nothing can be flushed. */
		const virtual = 'vscode-vfs://somewhere/a.png';
		const holdsNothing = () => Promise.resolve(false);
		const filesOf = async () => (await readdir(entry.folder)).sort();

		setup(async () => {
			workspace = path.join(root, 'new', 'images');
			await writeState(entry.folder, received);
			await writeFile(path.join(entry.folder, 'image'), 'image');
			await writeFile(path.join(entry.folder, 'image-with-recipe'), 'the image');
		});

		/** @param isCopied true where the image is copied, as to another disk, and not linked */
		function onDisk(isCopied: boolean): Destination {
			if (isCopied) {
				const { link } = fs;
				mock.method(fs, 'link', (source: string, target: string) =>
					source.startsWith(entry.folder)
						? Promise.reject(Object.assign(new Error('refused'), { code: 'EXDEV' }))
						: link(source, target),
				);
			}
			return diskDestination(workspace, {
				names: () => ['a.png', 'a-1.png'],
				id: 'job',
				toUri: (file) => pathToFileURL(file).href,
				toPath: (uri) => fileURLToPath(uri),
			});
		}

		for (const isCopied of [false, true]) {
			const how = isCopied ? 'a copy' : 'a link';
			test(`flushes ${how}, its folder and the new folders, then the note, and then removes`, async () => {
				if (process.platform === 'win32') {
					return; // Folders cannot be flushed there.
				}
				const { open, rm } = fs;
				mock.method(fs, 'open', async (...given: Parameters<typeof open>) => {
					const handle = await open(...given);
					opened.set(handle, String(given[0]));
					return handle;
				});
				const opened = new Map<object, string>();
				const events: string[] = [];
				const name = (file: string) => {
					const uniform = path.basename(file).replace(/[0-9a-f-]{36}/, 'id');
					return uniform === path.basename(root) ? 'root' : uniform;
				};
				const flushed = await onFlush(async () => {
					const file = opened.get([...flushed].at(-1)!) ?? '';
					const state = await readState(entry.folder);
					events.push(`flush ${name(file)} while ${state.state}`);
				});
				mock.method(fs, 'rm', (...given: Parameters<typeof rm>) => {
					events.push(`remove ${name(String(given[0]))}`);
					return rm(...given);
				});
				await deliver(entry, received, optionsFor(onDisk(isCopied)));
				const until = events.findIndex((event) => event === 'remove image');
				assert.deepEqual(
					events.slice(0, until + 1).filter((event) => event !== 'remove .easel-job.part'),
					[
						...['flush new while received', 'flush root while received'],
						...(isCopied ? ['flush .easel-job.part while received'] : []),
						'flush images while received',
						...['flush state.json.id.part while received', 'flush id while saved'],
						'remove image',
					],
				);
			});

			test(`makes ${how} anew after a flush that has failed, and takes the same name`, async () => {
				const target = path.join(workspace, 'a.png');
				const inodes = new Set<number>();
				let refusals = isCopied || process.platform === 'win32' ? 1 : 0;
				const destination = onDisk(isCopied);
				const flushed = await onFlush(async () => {
					const handle = [...flushed].at(-1)!;
					const found = await handle.stat();
					if (found.isFile() && found.size === 5) {
						inodes.add(found.ino);
						if (inodes.size === 1 && refusals > 0) {
							refusals -= 1;
							// Another file of the same number would prove nothing.
							await fs.link(path.join(workspace, '.easel-job.part'), path.join(root, 'first'));
							throw Object.assign(new Error('refused'), { code: 'EIO' });
						}
					} else if (found.isDirectory() && found.ino === (await fs.stat(workspace)).ino) {
						folderFlushes += 1;
						if (folderFlushes === 1) {
							throw Object.assign(new Error('refused'), { code: 'EIO' });
						}
					}
				});
				let folderFlushes = 0;
				const saved = await deliver(entry, received, optionsFor(destination));
				assert.equal(saved.state === 'saved' && saved.target, pathToFileURL(target).href);
				assert.equal(await readFile(target, 'utf8'), 'image');
				assert.deepEqual(await readdir(workspace), ['a.png']);
				if (isCopied) {
					assert.ok(inodes.size > 1, 'the same file was flushed again');
				}
				assert.equal(folderFlushes, process.platform === 'win32' ? 0 : 2);
			});
		}

		test('notes and removes nothing where the saved file cannot be seen', async () => {
			for (const holds of [holdsNothing, () => Promise.reject(new Error('not now'))]) {
				const end = await deliver(entry, received, optionsFor({ holds }));
				assert.ok(end.state === 'received');
				assert.match(
					notedText(end.problem, end.error) ?? '',
					/^The saved file is missing or not whole\.$|^not now$/,
				);
				assert.equal((await readState(entry.folder)).state, 'received');
				assert.ok((await filesOf()).includes('image'));
				assert.ok(!happened.includes('tidy') && !happened.includes('gallery saved'));
			}
		});

		test('keeps one image for a day where nothing can be flushed', async () => {
			const put = () => Promise.resolve(virtual);
			const saved = await deliver(entry, received, optionsFor({ put }));
			assert.equal(saved.state, 'saved');
			assert.deepEqual(await filesOf(), ['image', 'request.json', 'state.json']);
		});

		suite('of a window whose end was not shown', () => {
			const saved = (change: Partial<StateNamed<'saved'>> = {}): StateNamed<'saved'> => {
				const { result } = received;
				const state = { state: 'saved', attempts, changedAt: received.changedAt } as const;
				return { ...state, result, target: 'file:///w/a.png', ...change };
			};
			const look = (state: StateNamed<'saved'>, holds: Destination['holds']) =>
				lookAfterSaved(entry, state, { holds });

			test('which has left its copy: goes back to it where the file is gone', async () => {
				const file = path.join(entry.folder, 'image-with-recipe');
				for (const [names, bytes] of [
					[['image', 'image-with-recipe'], 5],
					[['image-with-recipe'], 9],
				] as const) {
					const [name] = names;
					const result = resultOf({ file, bytes: 9, sha256: 'cd' });
					const back = await look(saved({ result }), holdsNothing);
					assert.ok(back !== undefined);
					assert.equal(back.error?.code, 'job.savedFileMissing');
					assert.equal(back.result.file, path.join(entry.folder, name));
					assert.equal(back.result.bytes, bytes);
					assert.match(back.result.sha256, /^[0-9a-f]{64}$/);
					assert.deepEqual(await readState(entry.folder), back);
					await rm(path.join(entry.folder, name));
				}
			});

			test('which has left its copy: removes it where the file was seen', async () => {
				const seen: unknown[] = [];
				const holds: Destination['holds'] = (...given) => {
					seen.push(given);
					return Promise.resolve(true);
				};
				assert.equal(await look(saved(), holds), undefined);
				assert.deepEqual(seen, [['file:///w/a.png', 5]]);
				assert.deepEqual(await filesOf(), ['request.json', 'state.json']);
			});

			test('which has left its copy: keeps it where that is unknown, or for its day', async () => {
				const refusing = () => Promise.reject(new Error('not now'));
				assert.equal(await look(saved(), refusing), undefined);
				assert.ok((await filesOf()).includes('image'));
				assert.match(troubles.join(), /not now/);
				const holds = () => Promise.resolve(true);
				const changedAt = new Date().toISOString();
				await look(saved({ target: virtual, changedAt }), holds);
				assert.deepEqual(await filesOf(), ['image', 'request.json', 'state.json']);
				await look(saved({ target: virtual }), holds);
				assert.deepEqual(await filesOf(), ['request.json', 'state.json']);
			});

			test('which has left no copy: there is nothing to go back to', async () => {
				await removeFiles(entry);
				assert.equal(await look(saved(), holdsNothing), undefined);
				assert.deepEqual(troubles, []);
			});
		});
	});
});
