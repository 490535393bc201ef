import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import * as vscode from 'vscode';
import { stripRecipes } from '../../src/features/recipes/strip.js';
import { readableSize } from '../../src/images/readableSize.js';
import { until } from '../host/until.js';
import { besideText } from '../../src/recipes/beside.js';
import { writeWithRecipe } from '../../src/recipes/rewrite.js';
import { caBX, inserted, png, recipe } from '../unit/recipes/pngs.js';
import { ShownMessages } from './shownMessages.js';
import { ShownProgress } from './shownProgress.js';
import { storage, useStorage } from './storage.js';
import { inRoot, remove, root } from './workspace.js';
import { rare } from '../host/rare.js';

suite('Remove Prompt from File', () => {
	const bare = png();
	const beside = besideText(recipe, 'a'.repeat(64));
	/** The file of an image with a recipe. */
	let whole: Buffer;
	let messages: ShownMessages;
	let answer: string | undefined;
	/** Resolves with the pressed button of the last message. */
	let pressed: Promise<string | undefined>;
	let press: (label: string | undefined) => void;

	useStorage();

	setup(async () => {
		answer = 'Remove Prompt from File';
		const button = Promise.withResolvers<string | undefined>();
		[pressed, press] = [button.promise, button.resolve];
		messages = new ShownMessages(
			['showInformationMessage', 'showWarningMessage'],
			({ modal, buttons }) => (modal ? answer : buttons.length === 0 ? undefined : pressed),
		);
		await mkdir(inRoot('strip', 'deep', 'node_modules'), { recursive: true });
		await writeFile(file('bare.png'), bare);
		await writeWithRecipe(file('bare.png'), file('a.png'), recipe);
		whole = await readFile(file('a.png'));
		await writeFile(file('deep/b.PNG'), whole);
		await writeFile(file('deep/node_modules/c.png'), whole);
		await writeFile(file('bare.png.json'), beside);
		await writeFile(file('other.png.json'), beside);
		await writeFile(file('signed.png'), inserted(whole, 'IDAT', [caBX]));
	});

	/** Messages with their buttons, and questions. */
	const reported = () =>
		messages.all.map(({ text, detail, modal, buttons }) =>
			modal ? `${text} ${detail}` : [text, ...buttons].join(' | '),
		);

	teardown(async () => {
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await remove('strip');
	});

	/** Small ones: what counts is their number. */
	const many = 100;
	const file = (name: string) => inRoot('strip', name);
	const uri = (name: string) => vscode.Uri.joinPath(root(), 'strip', name);

	/** Names by what they hold. */
	async function state(): Promise<Record<string, string>> {
		const entries = await readdir(file(''), { recursive: true, withFileTypes: true });
		const files = entries.filter((entry) => entry.isFile());
		const known = await Promise.all(
			files.map(async ({ parentPath, name }): Promise<[string, string]> => {
				const bytes = await readFile(path.join(parentPath, name));
				const what = bytes.equals(whole) ? 'whole' : bytes.equals(bare) ? 'bare' : undefined;
				return [name, what ?? (name.endsWith('.json') ? 'recipe' : 'signed')];
			}),
		);
		return Object.fromEntries(known.sort(([a], [b]) => (a < b ? -1 : 1)));
	}

	const before = {
		'a.png': 'whole',
		'b.PNG': 'whole',
		'bare.png': 'bare',
		'bare.png.json': 'recipe',
		'c.png': 'whole',
		'other.png.json': 'recipe',
		'signed.png': 'signed',
	};
	const others = Object.fromEntries(
		Object.entries(before).filter(([name]) => name !== 'bare.png.json'),
	);
	const after = { ...others, 'a.png': 'bare', 'b.PNG': 'bare' };

	/** Strips; the message with its button stays, as it does on the screen. */
	async function strip(target: vscode.Uri, selected?: readonly vscode.Uri[]): Promise<void> {
		const running = stripRecipes(target, selected, storage);
		const said = () => reported().some((text) => text.endsWith('| Undo'));
		let isOver = false;
		const ended = running.finally(() => {
			isOver = true;
		});
		await Promise.race([ended, until(() => isOver || said(), 'the message')]);
		stripped = running;
	}
	let stripped: Promise<void>;

	test('says of how many files, takes the recipes of a folder, and is taken back by its Undo', async () => {
		await strip(uri(''));
		assert.deepEqual(reported(), [
			'Remove the prompt from 3 files? It is removed from 2 images; the pictures do not change. They leave the studio and the history of everyone who gets these files. 1 file beside images is deleted. 1 signed image cannot be changed without breaking the signature. You can undo this: Easel has backups for 30 days (7.4 KB).',
			'Removed the prompt from 3 files. 1 signed image cannot be changed without breaking the signature. | Undo',
		]);
		assert.deepEqual(await state(), after);
		press('Undo');
		await stripped;
		assert.deepEqual(await state(), before);
		assert.equal(await readFile(file('bare.png.json'), 'utf8'), beside);
	});

	suite('of many files', () => {
		const names = Array.from({ length: many }, (_, index) => `many/${String(index)}.png`);
		let shown: ShownProgress;
		/** Title of the progress that the user cancels when half of it is done. */
		let cancelIn: string | undefined;

		setup(async () => {
			cancelIn = undefined;
			shown = new ShownProgress(
				(title, words) => title === cancelIn && words.startsWith(String(many / 2)),
			);
			await mkdir(file('many'));
			await Promise.all(names.map((name) => writeFile(file(name), whole)));
		});

		/** Number of images without a recipe, and with one. */
		async function counts(): Promise<readonly number[]> {
			const all = await Promise.all(names.map((name) => readFile(file(name))));
			return [bare, whole].map((state) => all.filter((bytes) => bytes.equals(state)).length);
		}

		rare('shows its progress, and is taken back by one Undo', async () => {
			await strip(uri('many'));
			assert.deepEqual(await counts(), [many, 0]);
			assert.deepEqual(
				[...shown.all].map(([title, words]) => [title, words.split(' · ')[0]]).slice(0, 3),
				['Looking for prompts', 'Backing up the files', 'Removing prompts'].map((title) => [
					title,
					`${String(many)} of ${String(many)}`,
				]),
			);
			press('Undo');
			await stripped;
			assert.deepEqual(await counts(), [0, many]);
		});

		for (const title of ['Backing up the files', 'Removing prompts']) {
			rare(`changes nothing when the user cancels: ${title}`, async () => {
				cancelIn = title;
				await strip(uri('many'));
				await stripped;
				assert.ok(shown.all.has(title));
				assert.deepEqual(await counts(), [0, many]);
				assert.equal(reported().length, 1);
			});
		}
	});

	suite('of images that are no PNG', () => {
		const jpeg = createCanvas(6, 4).toBuffer('image/jpeg');
		const webp = createCanvas(6, 4).toBuffer('image/webp');
		/** Some with another format's extension: the content counts. */
		const photos = { 'c.JPEG': jpeg, 'd.jpg': webp, 'e.webp': webp, 'f.png': jpeg };

		setup(async () => {
			await mkdir(file('photos'));
			for (const [name, bytes] of Object.entries(photos)) {
				await writeFile(file(`photos/${name}`), bytes);
				await writeFile(file(`photos/${name}.json`), beside);
			}
			await writeFile(file('photos/mine.jpg'), jpeg);
			await writeFile(file('photos/mine.jpg.json'), '{"mine":true}');
		});

		/** Asserts that the images are as they were, and returns the files beside them. */
		async function besides(): Promise<readonly string[]> {
			for (const [name, bytes] of Object.entries({ ...photos, 'mine.jpg': jpeg })) {
				assert.ok(bytes.equals(await readFile(file(`photos/${name}`))), name);
			}
			return (await readdir(file('photos'))).filter((name) => name.endsWith('.json')).sort();
		}

		const all = [...Object.keys(photos), 'mine.jpg'].map((name) => `${name}.json`);

		rare('takes the files beside them, if Easel has written them, and is taken back', async () => {
			await strip(uri('photos'));
			assert.deepEqual(reported(), [
				`Remove the prompt from 4 files? 4 files beside images are deleted. You can undo this: Easel has backups for 30 days (${readableSize(4 * Buffer.byteLength(beside))}).`,
				'Removed the prompt from 4 files. | Undo',
			]);
			assert.deepEqual(await besides(), ['mine.jpg.json']);
			press('Undo');
			await stripped;
			assert.deepEqual(await besides(), all);
			assert.equal(await readFile(file('photos/c.JPEG.json'), 'utf8'), beside);
		});

		rare('takes it out of a PNG by the name of one', async () => {
			await writeFile(file('photos/g.jpg'), whole);
			await strip(uri('photos/g.jpg'));
			assert.match(reported()[0]!, /It is removed from 1 image;/);
			assert.ok(bare.equals(await readFile(file('photos/g.jpg'))));
			press('Undo');
			await stripped;
			assert.ok(whole.equals(await readFile(file('photos/g.jpg'))));
		});
	});

	test('changes nothing without a yes', async () => {
		answer = undefined;
		await stripRecipes(uri(''), undefined, storage);
		assert.equal(reported().length, 1);
		assert.deepEqual(await state(), before);
	});

	test('takes those that are selected, and one beside the selection alone', async () => {
		await strip(uri('a.png'), [uri('a.png'), uri('bare.png')]);
		assert.deepEqual(await state(), { ...others, 'a.png': 'bare' });
		press(undefined);
		await stripped;
		messages.clear();
		await strip(uri('deep/b.PNG'), [uri('a.png'), uri('bare.png')]);
		assert.match(reported()[0]!, /^Remove the prompt from 1 file\? It is removed from 1 image;/);
		assert.deepEqual(await state(), after);
	});

	test('says so where there is nothing to remove, and why of what is signed or cannot be read', async () => {
		await stripRecipes(uri('signed.png'), undefined, storage);
		await writeFile(file('text.png'), 'text');
		await stripRecipes(uri('text.png'), undefined, storage);
		assert.deepEqual(reported(), [
			'Easel saved no prompt in these files. 1 signed image cannot be changed without breaking the signature.',
			'Easel saved no prompt in these files. 1 file could not be read.',
		]);
		await stripRecipes(vscode.Uri.parse('memfs:/a.png'), undefined, storage);
		assert.match(reported()[2]!, /needs a local folder\.$/);
		await stripRecipes(undefined, undefined, storage);
		assert.match(reported()[3]!, /^Open or select the image/);
		await rm(file('text.png'));
		assert.deepEqual(await state(), before);
	});

	rare('leaves alone what has changed meanwhile, and puts the rest back', async () => {
		await strip(uri(''));
		await writeFile(file('a.png'), 'another picture');
		press('Undo');
		await stripped;
		assert.equal(await readFile(file('a.png'), 'utf8'), 'another picture');
		assert.equal((await state())['b.PNG'], 'whole');
		assert.match(reported().at(-1)!, /^a\.png was not changed: It has changed since\.$/);
	});
});
