import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { requestsInCurrentStyle, selectOutdated } from '../../src/features/studio/olderStyle.js';
import { RoundReader } from '../../src/library/knownRounds.js';
import { everything, type Image } from '../../src/protocol/studioModel.js';
import { recipeChunks } from '../../src/recipes/ours.js';
import { sha256Of } from '../../src/images/hash.js';
import { readProvenance } from '../../src/recipes/provenance.js';
import type { Recipe } from '../../src/recipes/recipe.js';
import { until } from '../host/until.js';
import { inserted, recipe } from '../unit/recipes/pngs.js';
import { drawPng } from './images.js';
import { answering } from './questions.js';
import { QuickPicks } from './quickPicks.js';
import { service, useService } from './service.js';
import { ShownMessages, type ShownMessage } from './shownMessages.js';
import { contextIn, Memory, partsIn, StudioPage } from './studioPage.js';
import { storage, useStorage } from './storage.js';
import { inRoot, remove, setSetting } from './workspace.js';
import { rare } from '../host/rare.js';

const useGuide = 'Use Style Guide';

suite('Images made with an older style', () => {
	let picks: QuickPicks;
	let messages: ShownMessages;
	let parts: ReturnType<typeof partsIn>;
	let page: StudioPage;

	useService();
	useStorage();

	setup(async () => {
		picks = new QuickPicks();
		messages = new ShownMessages(['showInformationMessage']);
		await mkdir(inRoot('aged'), { recursive: true });
		const memory = new Memory();
		// As another window has them: they are known by their files.
		parts = partsIn(storage, memory);
		page = new StudioPage(parts, contextIn(storage, memory));
	});

	teardown(async () => {
		await picks.leave();
		assert.deepEqual(page.refused, []);
		page.dispose();
		parts.dispose();
		await setSetting('easel.service.confirmCalls', 'never');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await remove('aged');
		await remove('.easel');
	});

	async function writeGuide(text: string): Promise<string> {
		await mkdir(inRoot('.easel'), { recursive: true });
		// A guide of another test may be known already.
		const content = `${text} ${crypto.randomUUID()}`;
		await writeFile(inRoot('.easel/style.md'), content);
		return content;
	}

	/** Makes an image with the guide as it is, and agrees to it. */
	async function make(name: string, more: object = {}): Promise<void> {
		const argument = { prompt: `A ${name}`, output: `aged/${name}.png`, ...more };
		await answering(useGuide, () =>
			vscode.commands.executeCommand('easel.generateImage', argument),
		);
	}

	const show = () => vscode.commands.executeCommand<void>('easel.showOlderStyle');
	const names = async () => (await readdir(inRoot('aged'))).sort();
	const recipeAt = async (name: string) => (await readProvenance(inRoot('aged', name))).recipe;
	const rows = ({ items }: vscode.QuickPick<vscode.QuickPickItem>) =>
		items.map(({ label, detail }) => [label, detail].filter(Boolean).join(' | '));

	/** The images that the filter of the studio finds, as soon as they are these. */
	async function listed(...prompts: readonly string[]): Promise<readonly Image[]> {
		let found: readonly Image[] = [];
		await page.ask({ type: 'ready' });
		await page.ask({ type: 'search', query: { text: '', among: 'older' } });
		await until(async () => {
			const { rounds, query } = page.all('rounds').at(-1)!;
			const images = rounds.flatMap(({ slots }) => slots.map(({ id }) => id));
			found = (await page.described({ images })).images;
			return query.among === 'older' && found.map(({ prompt }) => prompt).join() === prompts.join();
		}, `the images ${prompts.join()}`).catch((error) => {
			const cause = found.map(({ prompt }) => prompt).join();
			throw new Error(`found: ${cause}`, { cause: error });
		});
		return found;
	}

	const idsOf = (images: readonly Image[]) => images.map(({ id }) => id);

	/** The prompts of those that are selected from the start. */
	async function selected(): Promise<string[]> {
		const ids = await selectOutdated(parts);
		const known = await new RoundReader(parts).read();
		return (ids ?? []).map((id) => known.slot(id)?.image?.prompt ?? '').sort();
	}

	/** Asks for these, and for nothing more. */
	async function requested(images: readonly Image[]) {
		const known = await new RoundReader(parts).read();
		return requestsInCurrentStyle(idsOf(images), known, parts);
	}

	/** Agrees to the cost, and answers every dialog with this button. */
	async function accept(
		task: PromiseLike<unknown>,
		answer?: string,
	): Promise<readonly ShownMessage[]> {
		const { asked } = await answering(answer, async () => {
			await picks.accept();
			await task;
		});
		return asked;
	}

	rare('are none where there is no guide, and the message says what can be done', async () => {
		await show();
		assert.deepEqual(messages.reported, [
			'This workspace has no style guide. Create one first. | Create Style Guide…',
		]);
	});

	rare('are none where all have the current style, and the message says so', async () => {
		await writeGuide('Flat');
		await make('fox');
		await show();
		assert.deepEqual(messages.reported.slice(-1), [
			'All images of this workspace have the current style, or were regenerated with it. | Open Style Guide',
		]);
	});

	rare('that cannot be distinguished, because the guide is invalid, are not guessed', async () => {
		const errors = new ShownMessages(['showErrorMessage']);
		await writeGuide('---\ncolor: red\n---\n');
		await show();
		assert.match(
			errors.reported.join(),
			/The style guide \.easel\/style\.md cannot be used\. Line 2/,
		);
	});

	rare('are regenerated beside the old ones, as one round, and reported together', async () => {
		await writeGuide('Flat');
		await make('fox', { size: '1536x1024', quality: 'low' });
		await make('crow');
		const guide = await writeGuide('Woodcut');
		const images = await listed('A crow', 'A fox');
		assert.deepEqual(await selected(), ['A crow', 'A fox']);
		assert.match(images[0]!.details, / · style\.md, older style$/);
		const before = service.requests.length;
		messages.clear();
		await page.ask({ type: 'restyle', images: idsOf(images) });
		const pick = await picks.shown(/Regenerate 2 Images/);
		assert.match(
			pick.title ?? '',
			/^Regenerate 2 Images · 2 paid requests · .+ (?:seconds?|minutes?)$/,
		);
		assert.deepEqual(rows(pick), [
			'$(sync) Regenerate 2 Images | Saved beside the old images, which stay',
		]);
		// It is reported where they are not seen arriving.
		page.setVisible(false);
		const isOver = () => messages.reported.some((text) => text.startsWith('2 images saved'));
		const asked = await accept(until(isOver, 'the end to be reported'), useGuide);
		assert.deepEqual(
			asked.map(({ text }) => text),
			['Use the style guide .easel/style.md?'],
		);
		assert.deepEqual(await names(), ['crow-1.png', 'crow.png', 'fox-1.png', 'fox.png']);
		const sent = service.requests
			.slice(before)
			.map(({ fields }) => Object.fromEntries(fields.map(({ name, value }) => [name, value])));
		const ofFox = sent.find(({ size }) => size === '1536x1024');
		assert.equal(ofFox?.['prompt'], `A fox\n\nStyle:\n${guide}`);
		assert.equal(ofFox['quality'], 'low');
		assert.equal(sent.length, 2);
		assert.equal(
			messages.reported.filter((text) => /images? saved/i.test(text)).length,
			1,
			messages.reported.join('\n'),
		);
		const rounds = await Promise.all(
			['crow.png', 'fox.png', 'crow-1.png', 'fox-1.png'].map(
				async (name) => (await recipeAt(name))?.round,
			),
		);
		assert.equal(new Set(rounds.map((round) => round?.id)).size, 3);
		assert.equal(new Set(rounds.map((round) => round?.number)).size, 3);
		assert.deepEqual(
			vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs),
			[],
			'no comparison',
		);

		// What was made again is not offered once more, until its new image is gone.
		page.setVisible(true);
		await listed();
		await rm(inRoot('aged/crow-1.png'));
		await listed('A crow');
		// Nor is the place in which the new image stands now.
		await rename(inRoot('aged/fox-1.png'), inRoot('aged/fox.png'));
		await listed('A crow');
		assert.deepEqual(await selected(), ['A crow']);
		// The filter follows the guide while it is shown.
		await writeGuide('Linocut');
		await page.reported(
			'rounds',
			({ rounds }) => rounds.flatMap(({ slots }) => slots).length === 2,
		);
	});

	rare('have sizes that the service of now offers, and the question says so', async () => {
		await writeGuide('Flat');
		await make('fox', { size: '1536x1152' });
		await writeGuide('Woodcut');
		const images = await listed('A fox');
		await setSetting('easel.service.type', 'openai');
		await setSetting('easel.service.model', 'gpt-image-1.5');
		try {
			const asked = requested(images);
			assert.deepEqual(rows(await picks.shown(/Regenerate 1 Image/)), [
				'$(sync) Regenerate 1 Image | OpenAI offers other choices: 1536x1024 in place of 1536x1152. Saved beside the old images, which stay',
			]);
			await accept(asked, useGuide);
			assert.deepEqual(
				(await asked)?.map(({ size }) => size),
				['1536x1024'],
			);
		} finally {
			await setSetting('easel.service.model', undefined);
			await setSetting('easel.service.type', undefined);
		}
	});

	rare('are seen arriving among all images, and are not offered while they are made', async () => {
		await writeGuide('Flat');
		await make('fox');
		await writeGuide('Woodcut');
		const images = await listed('A fox');
		service.faults.add({ hold: true, times: 1 });
		await page.ask({ type: 'restyle', images: idsOf(images) });
		await picks.shown(/Regenerate 1 Image/);
		const looked = () => page.all('search').length > 0;
		await accept(until(looked, 'all images to be looked for'), useGuide);
		assert.deepEqual(page.all('search'), [{ type: 'search', query: everything, selected: [] }]);
		await until(() => service.requests.at(-1)?.held === true, 'the request');
		await listed();
		service.releaseHeld();
		await until(async () => (await names()).includes('fox-1.png'), 'the image');
	});

	rare(
		'of which one is chosen are reported as any other regenerated image: with Use New',
		async () => {
			await writeGuide('Flat');
			await make('fox');
			await writeGuide('Woodcut');
			const images = await listed('A fox');
			messages.clear();
			await page.ask({ type: 'restyle', images: idsOf(images) });
			await picks.shown(/Regenerate 1 Image/);
			page.setVisible(false);
			const isOver = () =>
				messages.reported.some((text) => text.startsWith('New draft of fox.png'));
			await accept(until(isOver, 'the end to be reported'), useGuide);
			assert.match(
				messages.reported.join('\n'),
				/New draft of fox\.png is ready: aged\/fox-1\.png\. \| Compare \| Use New \|/,
			);
		},
	);

	rare(
		'stand beside those without a style, which are not selected, and those that cannot be regenerated',
		async () => {
			await make('plain');
			await writeGuide('Flat');
			await make('left', { style: false });
			await make('fox');
			await make('crow', { references: ['aged/fox.png', 'aged/plain.png'] });
			await rm(inRoot('aged/plain.png'));
			await writeGuide('Woodcut');
			const before = service.requests.length;
			const images = await listed('A crow', 'A fox', 'A left');
			assert.deepEqual(await selected(), ['A fox']);
			assert.deepEqual(
				images.map(({ details }) => details.split(' · ').at(-1)),
				['style.md, older style', 'style.md, older style', 'without style'],
			);
			await page.ask({ type: 'restyle', images: idsOf(images) });
			const pick = await picks.shown(/Regenerate 2 Images/);
			assert.deepEqual(rows(pick).slice(1), [
				'cannot be regenerated',
				'A crow | aged/crow.png · plain.png is missing',
			]);
			const isMade = async () => (await names()).length === 5;
			await accept(until(isMade, 'both images'), useGuide);
			assert.equal(service.requests.length, before + 2);
			assert.ok((await recipeAt('left-1.png'))?.style !== undefined);
		},
	);

	rare('that cannot be regenerated are named, and nothing is offered', async () => {
		await writeGuide('Flat');
		await make('plain', { style: false });
		await make('crow', { references: ['aged/plain.png'] });
		await rm(inRoot('aged/plain.png'));
		await writeGuide('Woodcut');
		const before = service.requests.length;
		const images = await listed('A crow');
		assert.deepEqual(await selected(), []);
		const asking = requested(images);
		const pick = await picks.shown(/None of these images can be regenerated/);
		assert.deepEqual(rows(pick), [
			'cannot be regenerated',
			'A crow | aged/crow.png · plain.png is missing',
		]);
		await picks.accept();
		await picks.leave();
		assert.equal(await asking, undefined);
		assert.equal(service.requests.length, before);
	});

	rare('are not sent where the cost, or the question about the guide, is left', async () => {
		await writeGuide('Flat');
		await make('fox');
		await writeGuide('Woodcut');
		const before = service.requests.length;
		const images = await listed('A fox');
		const first = requested(images);
		const pick = await picks.shown(/Regenerate 1 Image/);
		await picks.leave();
		assert.equal(await first, undefined);
		const again = requested(images);
		const isAnother = async () => (await picks.shown(/Regenerate 1 Image/)) !== pick;
		await until(isAnother, 'the question to be asked again');
		const second = await picks.shown(/Regenerate 1 Image/);
		assert.equal((await accept(again)).length, 1);
		assert.equal(await again, undefined);
		const third = requested(images);
		const isThird = async () => (await picks.shown(/Regenerate 1 Image/)) !== second;
		await until(isThird, 'the question to be asked once more');
		await accept(third, 'Without Style');
		assert.equal(await third, undefined);
		assert.equal(
			messages.reported.at(-1),
			'You chose to go without the style guide, so no image was regenerated.',
		);
		assert.equal(service.requests.length, before);
		assert.deepEqual(await names(), ['fox.png']);
	});

	rare(
		'are not selected where they are more than may be asked for without a question',
		async () => {
			await writeGuide('Flat');
			for (let index = 0; index < 11; index += 1) {
				await make(`fox${String(index)}`);
			}
			await writeGuide('Woodcut');
			await setSetting('easel.service.confirmCalls', undefined);
			await listed(...Array.from({ length: 11 }, (_, index) => `A fox${String(10 - index)}`));
			assert.deepEqual(await selectOutdated(parts), []);
		},
	);

	rare(
		'of another machine are known by their files alone, with what they were asked with',
		async () => {
			const guide = await writeGuide('Woodcut');
			const picture = await drawPng('a team');
			const style = { path: '.easel/old.md', sha256: 'd'.repeat(64), references: 1 };
			const [parent, ofStyle] = [
				{ sha256: 'e'.repeat(64), path: 'base.png' },
				{ sha256: 'f'.repeat(64) },
			];
			const theirs = (change: Partial<Recipe>) =>
				inserted(picture, 'IDAT', [
					recipeChunks({ ...recipe, id: crypto.randomUUID(), ...change }, true),
				]);
			await writeFile(inRoot('aged/base.png'), picture);
			await writeFile(
				inRoot('aged/edit.png'),
				theirs({
					operation: 'edit',
					prompt: 'at night',
					parents: [parent],
					references: [ofStyle],
					style,
				}),
			);
			await writeFile(
				inRoot('aged/lost.png'),
				theirs({
					prompt: 'lost',
					createdAt: '2020-01-01T00:00:00.000Z',
					parents: [],
					references: [{ ...parent, path: 'away.png' }, ofStyle],
					style,
				}),
			);
			const images = await listed('lost', 'at night');
			assert.deepEqual(await selected(), ['at night']);
			await page.ask({ type: 'restyle', images: idsOf(images) });
			const pick = await picks.shown(/Regenerate 1 Image/);
			assert.deepEqual(rows(pick).slice(1), [
				'cannot be regenerated',
				'lost | aged/lost.png · away.png is missing',
			]);
			const isMade = async () => (await names()).includes('edit-1.png');
			await accept(until(isMade, 'the image'), useGuide);
			const { endpoint, references, fields } = service.requests.at(-1)!;
			assert.equal(endpoint, 'edits');
			assert.deepEqual(
				references.map(({ sha256 }) => sha256),
				[await sha256Of(inRoot('aged/base.png'))],
			);
			assert.ok(fields.some(({ value }) => String(value).includes(guide)));
			assert.equal(
				path.basename((await recipeAt('edit-1.png'))?.parents[0]?.path ?? ''),
				'base.png',
			);
			await readFile(inRoot('aged/edit.png'));
		},
	);
});
