import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { recipeChunks } from '../../../src/recipes/ours.js';
import { sha256Of } from '../../../src/images/hash.js';
import { readProvenance } from '../../../src/recipes/provenance.js';
import type { Recipe } from '../../../src/recipes/recipe.js';
import { until } from '../../host/until.js';
import type { ImageService } from '../../service/server.js';
import { inserted, recipe } from '../../unit/recipes/pngs.js';
import { drawPng } from '../images.js';
import { answering } from '../questions.js';
import { QuickPicks } from '../quickPicks.js';
import { closeService, openService } from '../service.js';
import { ShownMessages, type ShownMessage } from '../shownMessages.js';
import { inRoot, remove, setSetting } from '../workspace.js';
import { testsOf, type Tier } from '../tiers.js';

const useGuide = 'Use Style Guide';

export function olderStyleTests(tier: Tier): void {
	const { core, more } = testsOf(tier);

	suite('Images made with an older style', () => {
		let service: ImageService;
		let picks: QuickPicks;
		let messages: ShownMessages;

		suiteSetup(async () => {
			service = await openService();
		});

		suiteTeardown(() => closeService(service));

		setup(async () => {
			picks = new QuickPicks();
			messages = new ShownMessages(['showInformationMessage']);
			await mkdir(inRoot('aged'), { recursive: true });
		});

		teardown(async () => {
			await picks.leave();
			picks.dispose();
			messages.dispose();
			await setSetting('easel.service.confirmAbove', 1000);
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
			items.map(({ label, description, detail }) =>
				[label, description?.replace(/^\d+[a-z]+ · [^·]*(?=$| ·)/, 'place and age'), detail]
					.filter(Boolean)
					.join(' | '),
			);
		const ticked = ({ selectedItems }: vscode.QuickPick<vscode.QuickPickItem>) =>
			selectedItems.map(({ label }) => label).sort();

		/** Answers with what is ticked, and every dialog with this button. */
		async function accept(
			ended: Thenable<void>,
			answer?: string,
		): Promise<readonly ShownMessage[]> {
			const { asked } = await answering(answer, async () => {
				await picks.accept();
				await ended;
			});
			return asked;
		}

		core('are none where there is no guide, which is said with what can be done', async () => {
			await show();
			assert.deepEqual(messages.told, [
				'This workspace has no style guide. Create one first. | Create Style Guide…',
			]);
		});

		more('are none where all have the style of now, which is said', async () => {
			await writeGuide('Flat');
			await make('fox');
			await show();
			assert.deepEqual(messages.told.slice(-1), [
				'All images of this workspace have the current style. | Open Style Guide',
			]);
		});

		core('that cannot be told apart, because the guide is wrong, are not guessed', async () => {
			const errors = new ShownMessages(['showErrorMessage']);
			try {
				await writeGuide('---\ncolor: red\n---\n');
				await show();
				assert.match(
					errors.told.join(),
					/The style guide \.easel\/style\.md cannot be used\. Line 2/,
				);
			} finally {
				errors.dispose();
			}
		});

		core('are made again beside the old ones, as one round, and told together', async () => {
			await writeGuide('Flat');
			await make('fox', { size: '1536x1024', quality: 'low' });
			await make('crow');
			const guide = await writeGuide('Woodcut');
			const before = service.requests.length;
			messages.clear();
			const ended = show();
			const pick = await picks.shownTicked(/Regenerate 2 Images/);
			assert.match(
				pick.title ?? '',
				/^Regenerate 2 Images · 2 paid requests · .+ (?:seconds?|minutes?)$/,
			);
			assert.deepEqual(rows(pick), [
				'made with an older style',
				'A crow | place and age | aged/crow.png · 1024 × 1024',
				'A fox | place and age | aged/fox.png · 1536 × 1024',
			]);
			const asked = await accept(ended, useGuide);
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
			await until(
				() => messages.told.some((text) => text.startsWith('2 images saved')),
				'the end to be told',
			);
			assert.equal(
				messages.told.filter((text) => /saved/.test(text)).length,
				1,
				messages.told.join('\n'),
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

			// They give way as any other try, and what was made again is not ticked any more.
			const again = show();
			const next = await picks.shown(/none selected/);
			assert.match(
				rows(next)[1]!,
				/^A crow \| place and age · regenerated as \d+a \| aged\/crow\.png/,
			);
			assert.deepEqual(ticked(next), []);
			await picks.leave();
			await again;
			void vscode.commands.executeCommand(
				'easel.replaceImage',
				vscode.Uri.file(inRoot('aged/fox-1.png')),
			);
			await until(async () => !(await names()).includes('fox-1.png'), 'the image to be replaced');
			const third = show();
			const last = async () => picks.shown(/none selected/);
			await until(async () => (await last()) !== next, 'the list to stand there again');
			assert.deepEqual(
				rows(await last()).map((row) => row.split(' |')[0]),
				['made with an older style', 'A crow'],
			);
			await picks.leave();
			await third;
		});

		more('of which one is chosen are told as any other try: with Replace Original', async () => {
			await writeGuide('Flat');
			await make('fox');
			await writeGuide('Woodcut');
			messages.clear();
			const ended = show();
			await picks.shownTicked(/Regenerate 1 Image/);
			await accept(ended, useGuide);
			await until(
				() => messages.told.some((text) => text.startsWith('Saved aged/')),
				'the end to be told',
			);
			assert.match(messages.told.join('\n'), /Saved aged\/fox-1\.png .*\| Replace Original \|/);
		});

		more(
			'stand above those without a style, which are not ticked, and those that cannot be regenerated',
			async () => {
				await make('plain');
				await writeGuide('Flat');
				await make('left', { style: false });
				await make('fox');
				await make('crow', { references: ['aged/fox.png', 'aged/plain.png'] });
				await rm(inRoot('aged/plain.png'));
				await writeGuide('Woodcut');
				const before = service.requests.length;
				const ended = show();
				const pick = await picks.shownTicked(/Regenerate 1 Image/);
				assert.deepEqual(rows(pick), [
					'made with an older style',
					'A fox | place and age | aged/fox.png · 1024 × 1024',
					'made without a style',
					'A left | place and age | aged/left.png · 1024 × 1024',
					'cannot be regenerated',
					'A crow | place and age | aged/crow.png · plain.png is missing',
				]);
				await picks.toggle(pick, 'A crow');
				await until(() => ticked(pick).join() === 'A fox', 'the fox alone to be ticked');
				await picks.toggle(pick, 'A left');
				await until(
					() => pick.title?.startsWith('Regenerate 2 Images') === true,
					'both to be ticked',
				);
				await accept(ended, useGuide);
				assert.equal(service.requests.length, before + 2);
				assert.ok((await recipeAt('left-1.png'))?.style !== undefined);
			},
		);

		core('are not sent where the list, or the question about the guide, is left', async () => {
			await writeGuide('Flat');
			await make('fox');
			await writeGuide('Woodcut');
			const before = service.requests.length;
			const ended = show();
			const first = await picks.shownTicked(/Regenerate 1 Image/);
			await picks.leave();
			await ended;
			const again = show();
			const isAnother = async () => (await picks.shownTicked(/Regenerate 1 Image/)) !== first;
			await until(isAnother, 'the list to stand there again');
			const second = await picks.shown(/Regenerate 1 Image/);
			assert.equal((await accept(again)).length, 1);
			const third = show();
			const isThird = async () => (await picks.shownTicked(/Regenerate 1 Image/)) !== second;
			await until(isThird, 'the list to stand there once more');
			await accept(third, 'Without Style');
			assert.equal(
				messages.told.at(-1),
				'You chose to go without the style guide, so no image was regenerated.',
			);
			assert.equal(service.requests.length, before);
			assert.deepEqual(await names(), ['fox.png']);
		});

		more(
			'are not ticked where they are more than may be asked for without a question',
			async () => {
				await writeGuide('Flat');
				await make('fox');
				await make('crow');
				await writeGuide('Woodcut');
				await setSetting('easel.service.confirmAbove', 1);
				const ended = show();
				const pick = await picks.shown(/Select which of 2 images/);
				assert.deepEqual(ticked(pick), []);
				assert.equal(pick.title, 'Update Images to Current Style · none selected');
				await picks.leave();
				await ended;
			},
		);

		more(
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
						parents: [],
						references: [{ ...parent, path: 'away.png' }, ofStyle],
						style,
					}),
				);
				const ended = show();
				const pick = await picks.shownTicked(/Regenerate 1 Image/);
				assert.deepEqual(
					rows(pick).map((row) => row.replace(/ \| place and age|\b\d+ × \d+\b/g, '')),
					[
						'made with an older style',
						'at night | aged/edit.png ·  · .easel/old.md',
						'cannot be regenerated',
						'lost | aged/lost.png · away.png is missing',
					],
				);
				await accept(ended, useGuide);
				const { endpoint, references, fields } = service.requests.at(-1)!;
				assert.equal(endpoint, 'edits');
				assert.deepEqual(
					references.map(({ sha256 }) => sha256),
					[await sha256Of(inRoot('aged/base.png'))],
				);
				assert.ok(fields.some(({ value }) => String(value).includes(guide)));
				assert.ok((await names()).includes('edit-1.png'));
				assert.equal(
					path.basename((await recipeAt('edit-1.png'))?.parents[0]?.path ?? ''),
					'base.png',
				);
				await readFile(inRoot('aged/edit.png'));
			},
		);
	});
}
