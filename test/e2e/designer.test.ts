import assert from 'node:assert/strict';
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Locator } from 'playwright-core';
import { Gallery } from '../../src/jobs/gallery.js';
import { until } from '../host/until.js';
import { file, service, studio, useHarbor, workbench } from './harbor.js';

interface Shared {
	readonly images: readonly { file: string; star?: boolean; title?: string }[];
}

/** Expectations of a designer that the other tests of the studio do not hold. */
suite('A designer in the studio', () => {
	useHarbor({
		latencyMs: 300,
		settings: { 'easel.service.concurrency': 4 },
	});

	suiteSetup(async () => {
		await workbench.page.setViewportSize({ width: 1600, height: 1000 });
	});

	setup(() => service.faults.clear());

	const press = (name: string) => workbench.page.keyboard.press(name);
	const type = (text: string) => workbench.page.keyboard.type(text);

	async function images(): Promise<string[]> {
		return (await readdir(file('images'))).filter((name) => name.endsWith('.png')).sort();
	}

	async function shared(): Promise<Shared['images']> {
		return (JSON.parse(await readFile(file('.easel', 'images.json'), 'utf8')) as Shared).images;
	}

	/** The file of an image, as its tile says it. */
	async function nameOf(label: string): Promise<string | null> {
		await studio.image(label).and(studio.root.locator('[title]')).waitFor();
		return studio.image(label).getAttribute('title');
	}

	const comparison = () => studio.root.locator('easel-gallery-comparison');

	test('opens it and types; four drafts have names in the order of their labels', async () => {
		await workbench.runCommand('Easel: Open Image Studio');
		await studio.untilFocused(studio.prompt(), 'the prompt');
		await type('a settings page');
		// The last ones asked for arrive first.
		service.faults.add({ prompt: 'a settings page', delay: 1500, times: 1 });
		service.faults.add({ prompt: 'a settings page', delay: 1000, times: 1 });
		await studio.setCount(4);
		await studio.send().click();
		await studio.untilAccepted();
		await studio.waitForImages('1a', '1b', '1c', '1d');
		const names = await Promise.all(['1a', '1b', '1c', '1d'].map(nameOf));
		assert.deepEqual(
			names,
			[1, 2, 3, 4].map((number) => `settings-page-${String(number)}.png`),
		);
	});

	test('goes a way of ten clicks: compare, star, continue, name, brief', async () => {
		let clicks = 0;
		const click = async (target: Locator) => {
			clicks += 1;
			await target.click();
		};
		await click(studio.round('Round 1').getByRole('button', { name: 'Compare 4' }));
		await comparison().getByText('a settings page').first().waitFor();
		await click(comparison().getByRole('button', { name: 'Star 1c' }));
		await workbench.screenshot('designer-compare');
		assert.deepEqual(await studio.violations(), []);
		await click(comparison().getByRole('button', { name: 'Edit 1c' }));
		await studio.root.getByRole('group', { name: /^Editing: 1c, / }).waitFor();
		await studio.untilFocused(studio.prompt(), 'the prompt');
		await type('make it dark');
		await click(studio.send());
		await studio.untilAccepted();
		await studio.waitForImages('2a');
		await click(studio.image('2a'));
		await click(studio.root.getByRole('textbox', { name: 'Title' }));
		await type('The dark one');
		await press('Enter');
		await click(studio.button('Write Brief…'));
		await workbench.waitForQuickInput('Write Brief');
		await workbench.typeInQuickInput('The mobile app');
		await workbench.acceptStep();
		await workbench.waitForItems(/1c/);
		await workbench.acceptStep();
		await workbench.waitForNotification('The brief was saved as');
		await workbench.dismissEverything();
		assert.ok(clicks <= 8, `${String(clicks)} clicks, and one before for four drafts`);
		console.log(`      ${String(clicks + 2)} clicks with those for four drafts`);
		await until(async () => (await shared()).length === 2, 'the team to know it');
		const noted = await shared();
		assert.deepEqual(
			noted.map(({ file: name, star = false, title }) => [name, star, title]).sort(),
			[
				['images/settings-page-3-dark.png', false, 'The dark one'],
				['images/settings-page-3.png', true, undefined],
			],
		);
		await studio.button('Back').click();
	});

	test('knows at once what a colleague has decided', async () => {
		const known = await shared();
		const text = JSON.stringify({
			format: 1,
			images: known.map((one) => ({ ...one, title: `Theirs: ${one.title ?? ''}` })),
		});
		await writeFile(file('.easel', 'images.json'), text);
		await studio.image('2a').getByText('Theirs: The dark one').waitFor();
	});

	test('deletes what has no star of a round, and brings it back with one click', async () => {
		const before = await images();
		await studio.button('More about Round 1').click();
		await workbench.screenshot('designer-round-menu');
		await studio.root.getByRole('menuitem', { name: 'Delete without a Star…' }).click();
		await studio.untilFound('1c', '2a');
		await studio.root.getByText('3 images were deleted.').waitFor();
		assert.deepEqual(await images(), ['settings-page-3-dark.png', 'settings-page-3.png']);
		await workbench.screenshot('designer-deleted');
		await studio.button('Undo').click();
		await studio.untilFound('1a', '1b', '1c', '1d', '2a');
		assert.deepEqual(await images(), before);
	});

	test('selects some: stars them, uses them as references, deletes them, by the keyboard', async () => {
		await studio.image('1a').focus();
		await press('Shift+ArrowRight');
		const selection = studio.root.getByRole('group', { name: 'Selection' });
		await selection.getByText('2 selected').waitFor();
		await workbench.screenshot('designer-selection');
		assert.deepEqual(await studio.violations(), []);
		await selection.getByRole('button', { name: 'More' }).click();
		await studio.root.getByRole('menuitem', { name: 'Star', exact: true }).click();
		for (const label of ['1a', '1b']) {
			await studio
				.button(`Star ${label}`)
				.and(studio.root.locator('[aria-pressed=true]'))
				.waitFor();
		}
		await studio.image('1b').click({ button: 'right' });
		await studio.root.getByRole('menuitem', { name: 'Add as Reference' }).click();
		for (const label of ['1a', '1b']) {
			await studio.button(`Remove ${label}`).click();
		}
		await studio.image('1a').focus();
		await press('Delete');
		await studio.untilFound('1c', '1d', '2a');
		await studio.button('Undo').click();
		await studio.untilFound('1a', '1b', '1c', '1d', '2a');
	});

	test('exports one, or deletes all but one, where they are compared', async () => {
		await studio.round('Round 1').getByRole('button', { name: 'Compare 4' }).click();
		await comparison().getByRole('button', { name: 'Export 1c…' }).click();
		await workbench.waitForQuickInput('Export ');
		await workbench.waitForItems(/Page/);
		await workbench.screenshot('studio-compare-export');
		await workbench.page.keyboard.press('Escape');
		await comparison().getByRole('button', { name: 'Delete All but 1d' }).click();
		await comparison().waitFor({ state: 'detached' });
		await studio.untilFound('1d', '2a');
		await studio.button('Undo').click();
		await studio.untilFound('1a', '1b', '1c', '1d', '2a');
	});

	test('never loses what is written: an edit keeps it, and undo brings it back', async () => {
		await studio.prompt().fill('half of a thought');
		await studio.image('1a').hover();
		await studio.button('Edit 1a').first().click();
		await studio.edited().waitFor();
		assert.equal(await studio.prompt().inputValue(), 'half of a thought');
		await studio.button('Make a New Image Instead').click();
		await studio.image('2a').click();
		await studio.button('Reuse Prompt').click();
		await until(async () => (await studio.prompt().inputValue()) === 'make it dark', 'its prompt');
		await studio.prompt().focus();
		await press('Control+Z');
		assert.equal(await studio.prompt().inputValue(), 'half of a thought');
		await press('Control+Y');
		assert.equal(await studio.prompt().inputValue(), 'make it dark');
		await studio.prompt().fill('');
		await studio.button('Make a New Image Instead').click();
		await studio.button('Back').click();
	});

	test('has all keys by a key', async () => {
		await studio.image('1a').focus();
		await press('?');
		const keys = studio.root.getByRole('dialog', { name: 'Keyboard Shortcuts' });
		await keys.getByText('Star the image, or remove its star').waitFor();
		assert.deepEqual(await studio.violations(), []);
		await workbench.screenshot('designer-keys');
		await press('Escape');
		await keys.waitFor({ state: 'hidden' });
		await studio.untilFocused(studio.image('1a'), 'the image');
	});

	test('drags an image into a document', async () => {
		await writeFile(file('page.md'), '# Page\n\n');
		await workbench.openFile('page.md');
		await workbench.runCommand('View: Split Editor Right');
		await studio.open();
		await studio.image('1a').waitFor();
		await workbench.dragWithShift(
			studio.image('1a').locator('.picture'),
			workbench.editorText().first(),
		);
		await workbench.editorText().getByText('(images/settings-page-1.png)').first().waitFor();
		await workbench.screenshot('designer-dragged');
		await workbench.runCommand('File: Revert File');
		await workbench.runCommand('View: Close All Editors');
	});

	test('attaches an image that is dragged onto the prompt, and none that slips on its tile', async () => {
		await studio.open();
		await studio.image('1a').locator('.picture').dragTo(studio.image('1b').locator('.picture'));
		await studio.image('1b').locator('.picture').dragTo(studio.prompt());
		const attached = studio.root
			.locator('easel-references')
			.getByRole('button', { name: /^Remove / });
		await attached.first().waitFor();
		assert.equal(await attached.count(), 1);
		await attached.first().click();
		await attached.waitFor({ state: 'detached' });
	});

	test('reads what the paid button does, whole, at every width', async () => {
		const usual = workbench.page.viewportSize()!;
		try {
			await studio.open();
			await studio.button('Edit 1a').first().click();
			await studio.edited().waitFor();
			await studio.setCount(4);
			await studio.prompt().fill('in the rain');
			for (const width of [320, 350, 462, 522, 602, 660, 661, 800, 1600]) {
				await studio.setPanelWidth(width);
				const label = studio.send().locator('span').last();
				assert.equal(await label.innerText(), 'Make 4 Edits of 1a');
				const cut = await studio.send().evaluate((button) => {
					const words = button.querySelector('span:last-child')!;
					const { left, right } = button.getBoundingClientRect();
					return {
						words: words.scrollWidth - words.clientWidth,
						button: Math.max(right - document.documentElement.clientWidth, -left),
					};
				});
				assert.ok(cut.words <= 0 && cut.button <= 0, `${String(width)}: ${JSON.stringify(cut)}`);
				await workbench.screenshot(`designer-${String(width)}`);
			}
		} finally {
			await workbench.page.setViewportSize(usual);
			await workbench.runCommand('View: Show Explorer');
		}
	});

	test('has it as a view, too, whose search serves where no tab is open', async () => {
		await workbench.runCommand('View: Close All Editors');
		await workbench.runCommand('Image Studio: Focus on Image Studio View');
		await studio.image('1a').waitFor();
		await studio.compose('a boat in the view');
		await studio.waitForImages('3a');
		await workbench.screenshot('designer-view');
		await studio.findByKey();
		assert.equal(await workbench.activeTab('Image Studio').count(), 0);
		await workbench.runCommand('View: Hide Panel');
	});

	/** Returns what of the composer is out of reach, or too low to write in. */
	function outOfReach(): Promise<string[]> {
		return studio.root.locator('easel-compose').evaluate((compose) => {
			const field = compose.querySelector('textarea')!;
			const lines = field.getBoundingClientRect().height;
			const least = 2 * parseFloat(getComputedStyle(field).lineHeight);
			const controls = [...compose.querySelectorAll('textarea, button, select, fieldset')];
			const out = controls.filter((control) => {
				const { left, right, top, bottom } = control.getBoundingClientRect();
				return left < 0 || right > innerWidth + 1 || top < 0 || bottom > innerHeight + 1;
			});
			return [
				...(lines < least ? [`a prompt of ${String(lines)} px`] : []),
				...out.map((one) => one.getAttribute('aria-label') ?? one.textContent ?? one.localName),
			];
		});
	}

	test('keeps two lines of prompt and every control in reach, at four widths and in a low panel', async () => {
		const usual = workbench.page.viewportSize()!;
		await studio.open();
		for (const label of ['1a', '1b']) {
			await studio.image(label).focus();
			await press('Shift+F10');
			await studio.root.getByRole('menuitem', { name: 'Add as Reference' }).click();
		}
		await studio.root.locator('easel-references li').nth(1).waitFor();
		try {
			for (const width of [350, 540, 900, 1280]) {
				await studio.setPanelWidth(width);
				await until(async () => (await outOfReach()).length === 0, 'all to be in reach').catch(
					async () => assert.deepEqual(await outOfReach(), [], `${String(width)} px`),
				);
				await workbench.screenshot(`designer-${String(width)}`);
			}
			await workbench.page.setViewportSize({ width: 1280, height: 720 });
			await workbench.runCommand('View: Close All Editors');
			await workbench.runCommand('Image Studio: Focus on Image Studio View');
			await studio.root.locator('easel-references li').nth(1).waitFor();
			const height = await studio.root.locator('html').evaluate((html) => html.clientHeight);
			assert.ok(height <= 300, `the panel is ${String(height)} px high`);
			await until(async () => (await outOfReach()).length === 0, 'all to be in reach').catch(
				async () => assert.deepEqual(await outOfReach(), [], 'in the panel'),
			);
			await workbench.screenshot('designer-panel');
		} finally {
			await workbench.runCommand('View: Hide Panel');
			await workbench.page.setViewportSize(usual);
			await workbench.runCommand('View: Show Explorer');
			await studio.open();
			for (const name of ['1a', '1b']) {
				await studio.button(`Remove ${name}`).click();
			}
		}
	});

	test('leads back to the image that was looked at, however far down it is', async () => {
		const gallery = new Gallery(path.join(workbench.editor.globalStorage, 'easel.easel'));
		const [known] = await gallery.list();
		for (let index = 10; index < 70; index++) {
			const copy = file('images', `far-${String(index)}.png`);
			await copyFile(fileURLToPath(known!.target), copy);
			const target = pathToFileURL(copy).href;
			await gallery.restore({ ...known!, id: crypto.randomUUID(), target, round: undefined });
		}
		await studio.open();
		await studio.slots().and(studio.root.locator('[title^="far-"]')).first().click();
		const detail = studio.root.locator('easel-image-detail');
		const shown = async () => /far-\d+\.png/.exec(await detail.innerText())?.[0];
		await until(async () => (await shown()) !== undefined, 'the first one');
		const first = await shown();
		for (let step = 0; step < 40; step++) {
			await press('ArrowRight');
		}
		await until(async () => ![first, undefined].includes(await shown()), 'the last one');
		const last = await shown();
		await press('Escape');
		await studio.untilFocused(studio.slots().and(studio.root.locator(`[title="${last!}"]`)), last!);
	});
});
