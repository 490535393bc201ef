import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Generator } from '../../src/generation/generator.js';
import { RoundReader } from '../../src/library/knownRounds.js';
import type { RoundSlot } from '../../src/library/rounds.js';
import type { StudioEvent } from '../../src/protocol/studio.js';
import { everything } from '../../src/protocol/studioModel.js';
import { besideText } from '../../src/recipes/beside.js';
import { recipeChunks } from '../../src/recipes/ours.js';
import type { Recipe } from '../../src/recipes/recipe.js';
import { until } from '../host/until.js';
import { roundOf } from '../unit/jobs/support.js';
import { inserted } from '../unit/recipes/pngs.js';
import { drawPng, galleryImage } from './images.js';
import { contextIn, Memory, partsIn, StudioPage } from './studioPage.js';
import { useService } from './service.js';
import { storage, useStorage } from './storage.js';
import { inRoot, remove, root } from './workspace.js';
import { rare } from '../host/rare.js';
import { imageRequest } from './imageRequest.js';

type RoundsEvent = Extract<StudioEvent, { readonly type: 'rounds' }>;

suite('the history of a workspace', () => {
	let memory: Memory;
	let parts: ReturnType<typeof partsIn>;
	let picture: Buffer;

	useStorage();

	suiteSetup(async () => {
		picture = await drawPng('a fox');
	});

	setup(async () => {
		memory = new Memory();
		await mkdir(inRoot('team', 'drafts'), { recursive: true });
		parts = partsIn(storage, memory);
	});

	teardown(async () => {
		parts.dispose();
		await remove('team');
	});

	const at = (name: string) => inRoot('team', ...name.split('/'));
	const uriOf = (name: string) => vscode.Uri.file(at(name)).toString();
	const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

	let minute = 0;

	/** A foreign recipe; each is a minute younger than the one before. */
	function recipeOf(prompt: string, change: Partial<Recipe> = {}): Recipe {
		minute += 1;
		return {
			version: 1,
			easel: '1.0.0',
			id: crypto.randomUUID(),
			createdAt: new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString(),
			operation: 'generate',
			prompt,
			model: 'std-image-2',
			size: '1024x1024',
			parents: [],
			references: [],
			...change,
		};
	}

	/** An image as a teammate has committed it. */
	async function write(name: string, recipe: Recipe): Promise<Buffer> {
		const bytes = inserted(picture, 'IDAT', [recipeChunks(recipe, true)]);
		await writeFile(at(name), bytes);
		return bytes;
	}

	const round = (number: number, place: number, id: string = crypto.randomUUID()) => ({
		round: roundOf({ id, number, place }),
	});

	/** Two drafts, and an edit of the second one in another folder. */
	async function writeTeam(): Promise<{ first: Recipe; second: Recipe; edit: Recipe }> {
		const { round: of } = round(1, 0);
		const first = recipeOf('a fox in the snow', { round: of });
		const second = recipeOf('a fox in the snow', { round: { ...of, place: 1 } });
		await write('drafts/fox.png', first);
		const bytes = await write('drafts/fox-2.png', second);
		const parents = [{ sha256: hashOf(bytes), path: 'drafts/fox-2.png' }];
		const edit = recipeOf('make it night', { operation: 'edit', parents, ...round(2, 0) });
		await write('night.png', edit);
		return { first, second, edit };
	}

	/** Waits until the images that are found are these, by their prompts. */
	async function found(...prompts: string[]): Promise<void> {
		await until(
			async () => {
				const all = (await parts.history.list()).map(({ prompt }) => prompt);
				return !parts.history.isLooking && all.sort().join() === prompts.sort().join();
			},
			`the images ${prompts.join(', ')}`,
		);
	}

	test('knows images, rounds and lineage by the files alone', async () => {
		const { first, second, edit } = await writeTeam();
		assert.deepEqual(await parts.history.list(), [], 'no caller has asked yet');
		const following = parts.history.follow();
		await found('a fox in the snow', 'a fox in the snow', 'make it night');
		const { rounds, lineage, total } = await new RoundReader(parts).read();
		assert.equal(total, 3);
		assert.deepEqual(
			rounds.map(({ slots }) => slots.map(({ id, label }) => [label, id])),
			[
				[['2a', edit.id]],
				[
					['1a', first.id],
					['1b', second.id],
				],
			],
		);
		assert.equal(lineage.parentOf(rounds[0]!.slots[0]!)?.label, '1b');
		const [newest] = await parts.history.list();
		assert.deepEqual(newest, {
			id: edit.id,
			savedAt: edit.createdAt,
			target: uriOf('night.png'),
			operation: 'edit',
			prompt: 'make it night',
			size: '1024x1024',
			quality: undefined,
			background: undefined,
			marks: undefined,
			keptRest: undefined,
			references: [uriOf('drafts/fox-2.png')],
			referenceHashes: [edit.parents[0]!.sha256],
			style: undefined,
			round: edit.round,
			workspaceFolder: root().toString(),
			width: 1024,
			height: 1024,
			bytes: newest!.bytes,
		});
		following.dispose();
	});

	test('follows the files while a view shows them', async () => {
		const following = parts.history.follow();
		await found();
		await write('one.png', recipeOf('one'));
		await writeFile(at('two.png'), picture);
		await writeFile(at('two.png.json'), besideText(recipeOf('two'), hashOf(picture)));
		await found('one', 'two');
		const before = await parts.history.list();
		await writeFile(at('other.png'), picture);
		await write('one.png', recipeOf('another'));
		await found('another', 'two');
		assert.notEqual(await parts.history.list(), before);
		await rm(at('two.png.json'));
		await rename(at('one.png'), at('renamed.png'));
		await found('another');
		await until(
			async () => (await parts.history.list())[0]?.target === uriOf('renamed.png'),
			'the new name',
		);
		following.dispose();
		following.dispose();
		await rm(at('renamed.png'));
		const again = parts.history.follow();
		await found();
		again.dispose();
	});

	rare(
		'knows what an image was made from by its bytes, where that has another place now',
		async () => {
			const { second, edit } = await writeTeam();
			await rename(at('drafts/fox-2.png'), at('drafts/winter.png'));
			const following = parts.history.follow();
			const parent = async () => {
				const known = await new RoundReader(parts).read();
				const slot = known.slot(edit.id);
				return slot && known.lineage.parentOf(slot)?.id;
			};
			await until(async () => (await parent()) === second.id, 'the image that was moved');
			const before = await parts.history.list();
			await writeFile(at('photo.png'), picture);
			await until(() => parts.history.isLooking, 'the files to be looked at again');
			await until(() => !parts.history.isLooking, 'all of them to be known');
			assert.equal(await parts.history.list(), before);
			following.dispose();
		},
	);

	suite('that no view has shown', () => {
		useService();

		/** Makes images, and says which rounds they are shown in once all images are known. */
		async function numbersOf(generator: Generator, ...prompts: string[]): Promise<unknown[]> {
			const made = prompts.map((prompt) =>
				generator.make(
					[0, 1].map(() => {
						const request = imageRequest(prompt);
						const folder = vscode.Uri.file(at('')).toString();
						return { ...request, target: { ...request.target, folder } };
					}),
				),
			);
			const uris = (await Promise.all(made)).flatMap((some) => some ?? []);
			await parts.history.untilKnown();
			const { rounds } = await new RoundReader(parts).read();
			return uris.map((uri) => {
				const isOf = ({ image }: RoundSlot) => image?.target === uri.toString();
				const round = rounds.find(({ slots }) => slots.some(isOf));
				return [round?.slots.find(isOf)?.image?.prompt, round?.number];
			});
		}

		rare('has the rounds that are asked for go on from those of its files', async () => {
			await writeTeam();
			assert.deepEqual(await numbersOf(parts.generator, 'boat', 'tug'), [
				...[
					['boat', 3],
					['boat', 3],
				],
				...[
					['tug', 4],
					['tug', 4],
				],
			]);
		});
	});

	test('is read in the order in which it is asked for, so that what is shown last is the last', async () => {
		const slow = Promise.withResolvers<void>();
		let looks = 0;
		const styles = {
			look: async (folder: vscode.Uri) => {
				looks += 1;
				await (looks === 1 ? slow.promise : undefined);
				return parts.styles.look(folder);
			},
		} as typeof parts.styles;
		let lists = 0;
		const history = {
			list: async () => {
				const images = await parts.history.list();
				lists += 1;
				return images;
			},
		} as typeof parts.history;
		const rounds = new RoundReader({ ...parts, history, styles });
		const totals: number[] = [];
		const read = async () => {
			totals.push((await rounds.read()).total);
		};
		const before = read();
		await until(() => looks === 1 && lists === 1, 'the first to have what it needs but for that');
		await parts.gallery.restore(galleryImage(vscode.Uri.file(at('one.png'))));
		const behind = read();
		// As long as the second one would take by itself.
		await new RoundReader(parts).read();
		slow.resolve();
		await Promise.all([before, behind]);
		assert.deepEqual(totals, [0, 1]);
	});

	test('keeps the place of an image that arrives while it is read', async () => {
		const image = galleryImage(vscode.Uri.file(at('one.png')));
		const { id } = image;
		const changedAt = new Date().toISOString();
		const job = parts.jobs.addRunning(
			{
				folder: '',
				request: {
					...{ id, createdAt: changedAt, operation: 'generate', model: 'std-image-2' },
					...{ prompt: 'a fox', size: '1024x1024', references: [] },
					...{ round: roundOf(), provenance: 'none' },
					target: { folder: uriOf('.'), stem: 'one', root: root().toString() },
				},
				state: { state: 'queued', attempts: [], changedAt },
			},
			[],
		);
		const history = {
			list: async () => {
				const images = await parts.history.list();
				await parts.gallery.restore(image);
				job.end();
				return images;
			},
		} as typeof parts.history;
		const { rounds } = await new RoundReader({ ...parts, history }).read();
		assert.deepEqual(
			rounds.map(({ slots }) => slots.map((slot) => slot.id)),
			[[id]],
		);
	});

	rare('takes what the gallery knows, and of copies the first', async () => {
		const { first } = await writeTeam();
		const mine = galleryImage(vscode.Uri.file(at('drafts/fox.png')), {
			id: first.id,
			prompt: 'as I know it',
		});
		await parts.gallery.restore(mine);
		const copied = recipeOf('copied');
		await write('z.png', copied);
		await write('b.png', copied);
		await write('drafts/a.png', copied);
		// One of another folder on this machine, from which this one was copied.
		const elsewhere = vscode.Uri.file('/elsewhere/b.png');
		const folder = { workspaceFolder: 'file:///elsewhere' };
		await parts.gallery.restore(galleryImage(elsewhere, { id: copied.id, ...folder }));
		const following = parts.history.follow();
		await until(async () => (await new RoundReader(parts).read()).total === 4, 'four images');
		const known = await new RoundReader(parts).read();
		assert.deepEqual(known.slot(first.id)?.image, mine);
		assert.equal(known.slot(copied.id)?.image?.target, uriOf('b.png'));
		following.dispose();
	});

	rare(
		'finds an image of the gallery where another program has moved it, and not its copies',
		async () => {
			const { first, second } = await writeTeam();
			const mine = galleryImage(vscode.Uri.file(at('drafts/fox.png')), { id: first.id });
			const copied = galleryImage(vscode.Uri.file(at('drafts/fox-2.png')), { id: second.id });
			const gone = galleryImage(vscode.Uri.file(at('gone.png')), { prompt: 'gone' });
			for (const image of [mine, copied, gone]) {
				await parts.gallery.restore(image);
			}
			await copyFile(at('drafts/fox-2.png'), at('a-copy.png'));
			const following = parts.history.follow();
			const target = async ({ id }: { readonly id: string }) =>
				(await new RoundReader(parts).read()).slot(id)?.image?.target;
			await until(async () => (await new RoundReader(parts).read()).total === 4, 'four images');
			assert.equal(await target(mine), mine.target);

			await rename(at('drafts'), at('finished'));
			await until(async () => (await target(mine)) !== mine.target, 'the folder to be looked at');
			assert.equal(await target(mine), uriOf('finished/fox.png'));
			// Of two places that it may have come to, the first.
			assert.equal(await target(copied), uriOf('a-copy.png'));
			assert.equal(await target(gone), gone.target);
			const known = await new RoundReader(parts).read();
			assert.deepEqual(known.slot(mine.id)?.image, {
				...mine,
				target: uriOf('finished/fox.png'),
			});
			assert.equal(known.imageAt(vscode.Uri.file(at('finished/fox.png')))?.id, mine.id);

			await rename(at('finished'), at('drafts'));
			await until(async () => (await target(mine)) === mine.target, 'the folder to be back');
			assert.equal(await target(copied), copied.target);
			following.dispose();
		},
	);

	rare('has no file of this machine shown or sent that a stranger names', async () => {
		const secret = path.join(storage, 'secret.png');
		await writeFile(secret, picture);
		const outside = path.relative(at(''), secret).split(path.sep).join('/');
		if (process.platform !== 'win32') {
			await symlink(secret, at('link.png'));
		}
		const sha256 = hashOf(picture);
		const references = [outside, 'link.png', 'gone.png', undefined].map((way) => ({
			sha256,
			...(way === undefined ? {} : { path: way }),
		}));
		await write('hostile.png', recipeOf('hostile', { operation: 'edit', parents: references }));
		const following = parts.history.follow();
		await found('hostile');
		const [image] = await parts.history.list();
		assert.deepEqual(
			image!.references.map((uri) => vscode.Uri.parse(uri).toString(true)),
			['secret.png', 'link.png', 'gone.png', ''].map((name) => `easel-elsewhere:/${name}`),
		);
		const page = new StudioPage(parts, contextIn(storage, memory));
		await page.ask({ type: 'ready' });
		const { images } = await page.described({ images: [image!.id] });
		assert.deepEqual(images[0]?.chain, [{ label: 'secret.png' }]);
		assert.equal(images[0]?.hasOriginal, false);
		await page.ask({ type: 'image', id: image!.id, action: 'usePrompt' });
		const { references: used, words } = await page.reported('compose');
		assert.deepEqual(used, []);
		assert.match(
			words!,
			/^secret\.png, link\.png, gone\.png and an unknown image were removed; they are not sent\.$/,
		);
		assert.deepEqual(page.refused, []);
		page.dispose();
		following.dispose();
	});

	suite('in the studio', () => {
		let studio: StudioPage;

		setup(() => {
			studio = new StudioPage(parts, contextIn(storage, memory));
		});

		teardown(async () => {
			assert.deepEqual(studio.refused, []);
			studio.dispose();
			await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		});

		const imagesOf = (rounds: RoundsEvent['rounds']) =>
			rounds.flatMap(({ slots }) => slots.map(({ id }) => id));

		/** Returns the rounds that the page shows, as soon as there are so many. */
		const described = async (count: number) => {
			await studio.ask({ type: 'ready' });
			const { rounds } = await studio.reported('rounds', ({ total }) => total === count);
			return studio.described({ images: imagesOf(rounds) });
		};

		test('has the focus in its search, as soon as the page stands, and again later', async () => {
			studio.lookFor(everything);
			assert.deepEqual(studio.all('search'), []);
			await studio.ask({ type: 'ready' });
			const event = { type: 'search', query: everything, selected: [] };
			assert.deepEqual(studio.all('search'), [event]);
			studio.lookFor(everything);
			await studio.reported('search', () => studio.all('search').length === 2);
		});

		rare(
			'says prompt, place among the rounds, where it comes from, and what is starred',
			async () => {
				const { second } = await writeTeam();
				await parts.annotations.setImages([second.id], {
					isFavorite: true,
					title: 'The one',
					note: 'for page 3',
				});
				const { images } = await described(3);
				const [night, , kept] = images;
				assert.equal(night!.prompt, 'make it night');
				assert.equal(night!.label, '2a');
				assert.deepEqual(night!.chain, [{ label: '1b', id: second.id }]);
				assert.equal(night!.path, 'team/night.png');
				assert.match(night!.details, /^1024 × 1024 · /);
				assert.deepEqual(
					[kept!.isFavorite, kept!.title, kept!.prompt, kept!.path, kept!.note],
					[true, 'The one', 'a fox in the snow', 'team/drafts/fox-2.png', 'for page 3'],
				);
			},
		);

		rare('shows what is found while it is still opening', async () => {
			await write('fox.png', recipeOf('a fox'));
			const styles = {
				look: async (folder: vscode.Uri) => {
					await until(() => !parts.history.isLooking, 'all images to be known');
					return parts.styles.look(folder);
				},
				sizeFor: () => Promise.resolve(undefined),
				onDidChange: parts.styles.onDidChange,
			} as unknown as typeof parts.styles;
			studio.dispose();
			studio = new StudioPage({ ...parts, styles }, contextIn(storage, memory));
			const { images } = await described(1);
			assert.equal(images[0]?.prompt, 'a fox');
		});

		rare('names images whose files have gone, for what they were asked with', async () => {
			const target = vscode.Uri.file(at('gone.png'));
			await parts.gallery.restore(galleryImage(target, { prompt: 'gone' }));
			const { images } = await described(1);
			const [{ prompt, label, exists, source } = assert.fail()] = images;
			assert.deepEqual([prompt, label, exists, source], ['gone', '1a', false, undefined]);
		});
	});
});
