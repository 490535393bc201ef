import assert from 'node:assert/strict';
import { appendFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { writeWithRecipe } from '../../src/recipes/rewrite.js';
import { until } from '../host/until.js';
import { padPng, signPng } from '../service/png.js';
import { recipe } from '../unit/recipes/pngs.js';
import { file, service, studio, useHarbor, workbench } from './harbor.js';
import { draw, drawTransparent } from './drawings.js';
import { waitForNotes } from './notes.js';
import { resultsFolder, themes, type Theme } from './workbench.js';

const pictures = path.join(resultsFolder, 'themes');

/**
 * Every surface in every theme: each is set up once, and the workbench changes its theme around it.
 * The rest of a surface has tests of its own.
 */
suite('In every theme', () => {
	useHarbor({
		latencyMs: 300,
		settings: { 'easel.service.concurrency': 4 },
		prepare: async () => {
			await writeDocuments();
			await writePictures();
		},
	});

	setup(async () => {
		service.faults.clear();
		service.releaseHeld();
		await workbench.setTheme('light');
		await workbench.dismissEverything();
		await workbench.runCommand('View: Close All Editors');
		// A view that moves its rows into sight would move what is looked at.
		await workbench.page.mouse.move(900, 600);
	});

	const quickInput = (text: string) => workbench.quickInputWith(text);
	const row = (text: string) =>
		workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: text }).first();
	const dialog = (text: string) =>
		workbench.page.locator('.monaco-dialog-box').getByText(text).first();
	const decision = (name: string) => workbench.webview().getByRole('button', { name, exact: true });

	/** Takes a picture in each theme of what is on the screen; it must be seen in each of them. */
	async function look(
		name: string,
		shown: Locator,
		check: (theme: Theme) => Promise<void> = () => Promise.resolve(),
	): Promise<void> {
		await shown.waitFor();
		for (const theme of themes) {
			await workbench.setTheme(theme);
			assert.ok(await shown.isVisible(), `${name} is not seen any more in ${theme}`);
			await check(theme);
			await workbench.screenshot(`${name}-${theme}`, pictures);
		}
	}

	/** Looks at a notification, which stays as long as the pointer is on it. */
	async function lookAtNotification(name: string, text: string | RegExp): Promise<void> {
		await workbench.toast(text).hover();
		await look(name, workbench.toast(text));
		await workbench.page.mouse.move(900, 600);
	}

	/** Looks at the studio, in which axe-core finds nothing in any theme. */
	async function lookAtStudio(name: string, shown: Locator): Promise<void> {
		const open = studio.root
			.locator('.tile.image:visible')
			.filter({ hasNot: workbench.page.locator('img') })
			.filter({ hasNotText: 'Not found' });
		await until(async () => (await open.count()) === 0, 'the thumbnails');
		await look(name, shown, hasNoViolations);
	}

	async function hasNoViolations(theme: Theme): Promise<void> {
		assert.deepEqual(await studio.violations(), [], theme);
	}

	/** Does something in panels of these widths, and gives the window its size back. */
	async function inWidths(
		widths: readonly number[],
		lookAt: (width: string) => Promise<void>,
	): Promise<void> {
		const usual = workbench.page.viewportSize()!;
		try {
			for (const width of widths) {
				await studio.setPanelWidth(width);
				await lookAt(String(width));
			}
		} finally {
			await workbench.page.setViewportSize(usual);
			await workbench.runCommand('View: Show Explorer');
		}
	}

	test('the studio can be looked at: running, failed, done, chosen and narrow', async () => {
		await studio.open();
		service.faults.add({ prompt: 'a harbor', hold: true, times: 2 });
		await studio.compose('a harbor at dusk', 4);
		await service.waitUntil(() => service.requests.filter(({ held }) => held).length === 2);
		await studio.round('Round 1').locator('.tile.image').nth(1).waitFor();
		await lookAtStudio('studio-running', studio.slots().first());
		service.releaseHeld();
		await studio.waitForImages('1a', '1b', '1c', '1d');
		service.faults.add({ status: 400, message: 'Refused.', prompt: 'fails', times: 1 });
		await studio.compose('fails in every theme');
		await studio.root.locator('.tile').filter({ hasText: 'Refused.' }).first().waitFor();
		await studio.image('1b').hover();
		await studio.image('1b').getByRole('button', { name: 'Star 1b' }).click();
		await studio.button('Star 1b').and(studio.root.locator('[aria-pressed=true]')).waitFor();
		await inWidths([350, 600, 1280, 1920], (width) =>
			lookAtStudio(`studio-stream-${width}`, studio.root.getByText('Refused.').first()),
		);
	});

	test('the studio can be looked at: compared, continued, searched and with references', async () => {
		await studio.open();
		await studio.button('Compare 4').first().click();
		await studio.root.locator('easel-gallery-comparison img').nth(3).waitFor();
		await lookAtStudio('studio-comparison', studio.button('Back'));
		await studio.button('Back').click();
		await studio.image('1b').click();
		await studio.button('Edit').click();
		await studio.edited().waitFor();
		await studio.compose('more boats', 3);
		await studio.waitForImages('3a');
		await studio.image('3a').click();
		await studio.root.locator('easel-image-detail .strip img').nth(2).waitFor();
		await lookAtStudio('studio-detail', studio.root.locator('easel-image-detail .strip'));
		await studio.button('Back').click();
		await studio.image('3a').waitFor();

		const search = studio.root.getByRole('textbox', { name: 'Search images' });
		await search.fill('nothing like it');
		const clear = studio.root.getByText('Clear Search', { exact: true });
		await lookAtStudio('studio-nothing-found', clear);
		await clear.click();

		await studio.paste('one.png', await draw('one'));
		await studio.button('Remove one.png').waitFor();
		await studio.paste('page.png', Buffer.from('<html>'));
		await lookAtStudio('studio-references', studio.root.getByText(/page\.png/).first());
		await studio.button('Remove one.png').click();

		for (const label of ['3a', '1b']) {
			await studio.image(label).focus();
			await workbench.page.keyboard.press('Space');
		}
		const selection = studio.root.getByRole('group', { name: 'Selection' });
		await selection.getByRole('button', { name: 'Compare 2' }).click();
		const cells = studio.root.locator('easel-gallery-comparison .cell');
		await lookAtStudio('studio-compare-two', cells.nth(1));
		await studio.button('Back').click();
	});

	test('the contact sheet can be looked at, wide and narrow', async () => {
		await workbench.contextMenu(workbench.explorerRow('art'), 'Show Contact Sheet…');
		const cell = (name: string) => studio.root.locator(`.tile[title^=${JSON.stringify(name)}]`);
		await cell('bridge.png').waitFor();
		await inWidths([1280, 350], async (width) => {
			const open = studio.root.locator('.tile .picture:not(:has(img, .none))');
			await until(async () => (await open.count()) === 0, 'the pictures');
			await cell('boat.png').focus();
			await lookAtStudio(`sheet-${width}`, cell('boat.png'));
			await cell('castle.png').click({ modifiers: ['ControlOrMeta'] });
			await cell('bridge.png').click({ modifiers: ['ControlOrMeta'] });
			await workbench.page.keyboard.press('ArrowRight');
			const clear = studio.button('Clear Selection');
			await lookAtStudio(`sheet-${width}-selected`, clear);
			await clear.click();
		});
		await studio.filter('All').check();
	});

	test('a new image can be looked at: palette, prompt, size, progress and result', async () => {
		await workbench.findCommand('Easel: Generate Image');
		await look('palette', row('Easel: Generate Image'));
		await workbench.page.keyboard.press('Escape');
		await workbench.openFile('page.md');
		await workbench.goToLine(3);
		await workbench.runCommand('Easel: Generate Image');
		await workbench.waitForQuickInput('Describe the image');
		await workbench.typeInQuickInput('a lock of the harbor');
		await workbench.waitForItems(/Generate · [^]*→ /);
		await look('generate-prompt', quickInput('Describe the image'));
		await workbench.pickItem('Size');
		await look('generate-size', quickInput('Generate Image: Size'));
		await workbench.goBack();
		await workbench.waitForQuickInput('Describe the image');
		service.faults.add({ hold: true, times: 1 });
		await workbench.acceptQuickInput();
		await service.waitUntil(() => service.requests.at(-1)?.held === true);
		await workbench.waitForProgress(/\d:\d\d · (usually|about)/);
		await waitForNotes(workbench, /^Ships come and go\. \| Image/);
		await look('generate-waiting', workbench.imagesInProgress(), async (theme) => {
			// A line that is drawn anew has none for a moment.
			const [note] = await waitForNotes(workbench, /Image/);
			const contrast = contrastOf(note!.color, note!.background);
			assert.ok(contrast >= 4.5, `the note in ${theme}: ${contrast.toFixed(1)}`);
		});
		await workbench.imagesInProgress().click();
		await look('images-in-progress', row('Cancel “a lock of the harbor”'));
		await workbench.page.keyboard.press('Escape');
		service.releaseHeld();
		await workbench.waitForImage('images/lock-of-harbor');
		await lookAtNotification('generate-saved', 'Added ');
		await waitForNotes(workbench);

		const hover = workbench.page.locator('.monaco-hover:visible', { hasText: 'Regenerate' });
		// A hover goes again when the editor is drawn anew, and a pointer that rests brings none.
		const point = () =>
			until(async () => {
				await workbench.page.mouse.move(700, 700);
				await workbench.editorText().getByText('lock-of-harbor').hover();
				return hover.waitFor({ timeout: 3000 }).then(
					() => true,
					() => false,
				);
			}, 'the hover');
		for (const theme of themes) {
			await workbench.setTheme(theme);
			await point();
			await hover.locator('img').first().waitFor();
			await workbench.screenshot(`document-hover-${theme}`, pictures);
		}
		await workbench.runCommand('File: Save');
	});

	test('drafts for one place can be looked at, and are chosen by the keyboard', async () => {
		await workbench.openFile('page.md');
		await workbench.goToLine(5);
		await workbench.generateSeveral('a mole at low tide', 4);
		await lookAtNotification('drafts-arrived', '4 drafts of “a mole at low tide” arrived.');
		await workbench.clickNotificationButton('Choose…');
		const page = workbench.webview();
		await page.locator('img').nth(3).waitFor();
		await look('drafts', page.getByRole('listbox', { name: 'Drafts' }), hasNoViolations);
		const selected = page.getByRole('option', { selected: true });
		await workbench.page.keyboard.press('ArrowRight');
		await selected.getByText('2', { exact: true }).waitFor();
		await workbench.page.keyboard.press('End');
		await selected.getByText('4', { exact: true }).waitFor();
		await workbench.runCommand('File: Save All Files');
		await workbench.reloadWindow();
		await page.locator('img').nth(3).waitFor();
		await page.getByRole('listbox', { name: 'Drafts' }).press('Escape');
		await workbench.activeTab('page.md').waitFor();
		const drafts = (await readdir(file('images'))).filter((name) => name.startsWith('mole'));
		assert.equal(drafts.length, 4, 'none of them is deleted');
	});

	test('a prompt in an editor can be looked at', async () => {
		await workbench.writePrompt();
		await workbench.waitForText('Image Prompt');
		await look('write-prompt-empty', workbench.codeLens('Generate (Ctrl+Enter)'));
		await workbench.page.keyboard.insertText('A cutaway view.\n\n- *Colors:* #1f2430\n"HARBOR"');
		await look('write-prompt', workbench.codeLens('References: none'));
		await workbench.page.keyboard.press('ControlOrMeta+W');
	});

	test('an edit and its replacement can be looked at', async () => {
		await workbench.expandFolder('pictures');
		const harbor = workbench.explorerRow('harbor.png');
		// Without opening one, which would select it alone.
		await workbench.runCommand('File: Focus on Files Explorer');
		const selected = workbench.page.locator('.explorer-folders-view .monaco-list-row.selected');
		await selected.click({ modifiers: ['ControlOrMeta'] });
		await harbor.click({ modifiers: ['ControlOrMeta'] });
		await workbench.explorerRow('diagram.png').click({ modifiers: ['ControlOrMeta'] });
		await workbench.contextMenu(harbor, 'Edit with Prompt');
		await workbench.waitForQuickInput('Describe the change');
		await workbench.waitForItems(/diagram\.png[^]*harbor\.png|harbor\.png[^]*diagram\.png/);
		await look('edit', quickInput('Describe the change'));
		await workbench.dismissEverything();

		await workbench.openFile('pictures/harbor.png');
		await workbench.runCommand('Easel: Export…');
		await workbench.waitForItems(/Small PNG[^]*\d kB/);
		await look('export', quickInput('Select a preset'));
		await workbench.dismissEverything();

		await workbench.runCommand('Easel: Edit with Prompt');
		await workbench.waitForQuickInput('Describe the change');
		await workbench.typeInQuickInput('at night');
		await workbench.waitForItems(/1\s+image/);
		await workbench.acceptQuickInput();
		await workbench.waitForImage('pictures/harbor-at-night');
		await workbench.clickNotificationButton('Use New');
		await lookAtNotification('replace-done', 'Replaced harbor.png');
		await writeFile(file('pictures/harbor.png'), padPng(await draw('another'), 1_000_000));
		await workbench.clickNotificationButton('Undo');
		await lookAtNotification('replace-stale', 'harbor.png has changed since');
	});

	test('a comparison can be looked at, also of an image that takes the place of another', async () => {
		await compare('logo.png', 'diagram.png');
		const slider = workbench.webview().getByRole('slider', { name: 'Slider between' });
		await slider.focus();
		await slider.press('End');
		await slider.press('Shift+ArrowLeft');
		await look('compare', slider);
		const button = (name: string) => workbench.webview().getByRole('button', { name });
		await button('Difference').click();
		await button('Adjust Right Image').click();
		await look('compare-difference', button('Match Width'));
		await workbench.runCommand('View: Close All Editors');

		const name = (await readdir(file('images'))).find((one) => one.startsWith('lock'));
		await workbench.openFile(`images/${name!}`);
		await workbench.contextMenu(workbench.explorerRow(name!), 'Regenerate…');
		await workbench.waitForQuickInput('Describe the image');
		await workbench.typeInQuickInput('a lock of the harbor, with more light');
		await workbench.acceptQuickInput();
		await workbench.clickNotificationButton('Compare');
		await decision('Delete New').waitFor();
		await workbench.dismissEverything();
		await look('compare-decision', decision('Delete New'));
	});

	test('the history can be looked at', async () => {
		await studio.openSearch();
		await lookAtStudio('history', studio.search());
	});

	test('missing images can be looked at', async () => {
		await workbench.runCommand('Easel: Generate Missing Images');
		await workbench.waitForQuickInput('Select images to generate');
		await workbench.waitForItems(/A tug/);
		await look('missing', row('A tug'));
		await row('A tug').hover();
		await workbench.page.mouse.wheel(0, 2000);
		await look('missing-end', row('pier.jpg'));
	});

	test('how an image was made, and the recipe that goes, can be looked at', async () => {
		await writeRecipes();
		await workbench.explorerRow('made').waitFor();
		await workbench.openFile('made/boat.png');
		await workbench.webview().locator('img').waitFor();
		await workbench.runCommand('Easel: How Was This Image Made?');
		await workbench.waitForQuickInput('Enter copies a fact or runs an action');
		await look('recipe', row('std-image-2'));
		await workbench.pickItem('Show Source Images…');
		await workbench.waitForItems(/bare\.png/);
		await look('recipe-parents', quickInput('Select an image to open it'));
		await workbench.page.keyboard.press('Escape');

		await workbench.contextMenu(workbench.explorerRow('made'), 'Remove Prompt from File…');
		await look('strip-question', dialog('Remove the prompt from 2 files?'));
		await workbench.page
			.getByRole('button', { name: 'Remove Prompt from File', exact: true })
			.click();
		await lookAtNotification('strip-result', 'Removed the prompt from 2 files');
	});

	test('a style guide can be looked at wherever it counts', async () => {
		await workbench.runCommand('Easel: Create Style Guide');
		await workbench.waitForQuickInput('flat illustration');
		await workbench.typeInQuickInput('Flat illustration, thick outlines');
		await look('style-create', quickInput('flat illustration'));
		await workbench.acceptQuickInput();
		await workbench.waitForQuickInput('Images whose style all others take');
		await workbench.waitForItems(/hero\.png/);
		await look('style-create-images', row('hero.png'));
		await workbench.pickItem('hero.png');
		await workbench.acceptQuickInput();
		await workbench.waitForText('style.md');
		await workbench.waitForFileText('.easel/style.md', 'Flat illustration, thick outlines');
		await look('style-created', workbench.activeTab('style.md'));

		await workbench.dismissEverything();
		await workbench.runCommand('View: Close All Editors');

		await workbench.runCommand('Easel: Generate Image');
		await workbench.waitForQuickInput('Describe the image');
		await workbench.typeInQuickInput('a styled harbor');
		await workbench.waitForItems(/Generate · /);
		await look('style-prompt', row('Without Style'));
		// What the user has written with the command is not asked about, what others change is.
		await appendFile(file('.easel/style.md'), 'Soft light\n');
		await workbench.acceptQuickInput();
		await look('style-question', dialog('Use the style guide .easel/style.md?'));
		await workbench.page.getByRole('button', { name: 'Show What Is Sent', exact: true }).click();
		await workbench.waitForQuickInput('Nothing was sent yet');
		await workbench.activeTab('What Is Sent').waitFor();
		await look('style-shown', quickInput('Nothing was sent yet'));
		await workbench.pickItem('Use Style Guide');
		await workbench.waitForImage('images/styled-harbor.png');
	});

	test('a style guide can be looked at in the studio, in an edit and among missing images', async () => {
		await studio.open();
		await studio.prompt().fill('a tug');
		await lookAtStudio('style-studio', studio.button('Style: style.md · 1 image'));
		await studio.button('Without Style').click();
		await lookAtStudio('style-studio-without', studio.button('Without style'));
		await studio.button('Use style.md').click();
		await studio.prompt().fill('');
		await workbench.runCommand('View: Close All Editors');

		await workbench.openFile('art/hero.png');
		await workbench.runCommand('Easel: Edit with Prompt');
		await workbench.waitForQuickInput('Describe the change');
		await workbench.typeInQuickInput('at night');
		await workbench.waitForItems(/style: style\.md/);
		await look('style-edit', row('Without Style'));
		await workbench.dismissEverything();

		await workbench.runCommand('Easel: Generate Missing Images');
		await workbench.waitForQuickInput('Select images to generate');
		await workbench.waitForItems(/A tug/);
		await look('style-missing', row('A tug'));
		await workbench.dismissEverything();

		await writeFile(file('.easel/style.md'), 'Linocut in two colors');
		await workbench.runCommand('View: Close All Editors');
		await workbench.runCommand('Easel: Update Images to Current Style');
		const again = studio.button(/^Regenerate \d+ with Current Style…$/);
		await lookAtStudio('style-older', again);
		await again.click();
		await workbench.waitForQuickInput('Enter regenerates the images');
		await look('style-older-cost', row('Regenerate'));
		await workbench.dismissEverything();
		await inWidths([320, 560], (width) => lookAtStudio(`style-older-${width}`, again));
		await rm(file('.easel'), { recursive: true });
	});

	test('an image that is not saved can be looked at', async () => {
		await rm(file('images'), { recursive: true });
		await workbench.openFile('README.md');
		service.faults.add({ hold: true, times: 1 });
		await workbench.generate('a fox at the pier');
		await service.waitUntil(() => service.requests.at(-1)?.held === true);
		await writeFile(file('images'), 'a file in the place of the folder');
		service.releaseHeld();
		await workbench.statusBarItem('1 image not saved').waitFor();
		await lookAtNotification('unsaved-notification', 'The image is safe');
		await workbench.dismissEverything();
		await workbench.runCommand('View: Close All Editors');
		await studio.open();
		// The images of before have no thumbnails here: a file has the name of their folder.
		await look('unsaved', studio.root.locator('.tile.unsaved').first(), hasNoViolations);
	});

	async function compare(left: string, right: string): Promise<void> {
		await workbench.runCommand('Easel: Compare Images…');
		await workbench.waitForQuickInput('Select the image on the left');
		await workbench.typeInQuickInput(left);
		await workbench.pickItem(left);
		await workbench.waitForQuickInput('Select the image on the right');
		await workbench.typeInQuickInput(right);
		await workbench.pickItem(right);
		await workbench.webview().locator('.cell:nth-child(2) img').waitFor();
	}

	async function writeDocuments(): Promise<void> {
		await writeFile(file('page.md'), '# The harbor\n\nShips come and go.\n\nA quay.\n');
		await writeFile(
			file('missing.md'),
			[
				'![A lighthouse at dusk](lost/lighthouse.png)',
				'![A tug](lost/tug.png)',
				'![A storm over the old pier, seen from the harbor office](lost/storm.png)',
				...['A buoy', 'A crane', 'Fog', 'A ferry'].map((alt) => `![${alt}](lost/${alt}.png)`),
				'![A photo of the pier](lost/pier.jpg)',
			].join('\n\n'),
		);
	}

	async function writePictures(): Promise<void> {
		for (const folder of ['pictures', 'art']) {
			await mkdir(file(folder));
		}
		await writeFile(file('pictures/diagram.png'), await draw('parts and arrows', '1536x1024'));
		await writeFile(file('pictures/harbor.png'), await draw('a harbor'));
		await writeFile(file('pictures/logo.png'), drawTransparent());
		for (const name of ['boat', 'bridge', 'castle', 'dock', 'hero']) {
			await writeFile(file('art', `${name}.png`), await draw(name, '1536x1024'));
		}
	}

	/** Not before the studio was looked at, in whose rounds they would stand. */
	async function writeRecipes(): Promise<void> {
		await mkdir(file('made'));
		const bare = file('made/bare.png');
		await writeFile(bare, await draw('a boat'));
		const parents = [{ sha256: 'a'.repeat(64), path: 'bare.png' }];
		await writeWithRecipe(bare, file('made/boat.png'), { ...recipe, parents });
		await writeWithRecipe(bare, file('made/plain.png'), recipe);
		await writeFile(file('made/signed.png'), signPng(await draw('signed')));
	}
});

/** The contrast of two colors: 1 for equal ones, 21 for black and white (WCAG 2.2). */
function contrastOf(one: string, other: string): number {
	const [dark, light] = [one, other].map(luminance).sort((a, b) => a - b);
	return (light! + 0.05) / (dark! + 0.05);
}

function luminance(color: string): number {
	const [red, green, blue] = color.match(/[\d.]+/g)!.map((part) => {
		const share = Number(part) / 255;
		return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
