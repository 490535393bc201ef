import assert from 'node:assert/strict';
import { linkSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { until } from '../host/until.js';
import { drawPicture } from '../service/picture.js';
import { file, studio, useHarbor, workbench } from './harbor.js';

/** A GIF of a single gray pixel. */
const gif = Buffer.from('R0lGODlhAQABAIAAAICAgAAAACwAAAAAAQABAAACAkQBADs=', 'base64');

suite('The contact sheet', () => {
	useHarbor({
		latencyMs: 100,
		prepare: async () => {
			await mkdir(file('art'));
			const sizes = ['1024x1024', '1536x1024', '1024x1536'] as const;
			for (const [index, subject] of subjects.entries()) {
				const size = sizes[index % sizes.length]!;
				const png = await drawPicture({ prompt: subject, size, references: [] });
				await writeFile(file('art', files[index]!), png);
			}
			await writeFile(
				file('art', 'damaged.png'),
				(await readFile(file('art', 'bridge.png'))).subarray(0, 24),
			);
			await writeFile(file('art', 'pixel.gif'), gif);
			await writeFile(file('art', 'notes.md'), '# Notes\n');
			await symlink('/etc/hostname', file('art', 'secret.png'));
			await mkdir(file('images'));
			await copyFile(file('art', 'bridge.png'), file('images', 'made.png'));
			await mkdir(file('bare'));
			await writeFile(file('bare', 'notes.md'), '# Notes\n');
		},
	});

	setup(() => workbench.dismissEverything());

	test('shows a folder as a filter of the studio, with its keys, menu and reload', async () => {
		await workbench.contextMenu(workbench.explorerRow('art'), 'Show Contact Sheet…');
		await workbench.activeTab('Image Studio').waitFor();
		await cell('boat.png').waitFor();
		await untilPictured();
		assert.deepEqual((await names()).sort(), [...files, 'damaged.png', 'pixel.gif'].sort());
		await studio.root.getByText('1 link leads out of the workspace and is not shown.').waitFor();
		assert.ok(await studio.filter('Folder: art').isChecked());
		await isFocused(cell('boat.png'));
		await workbench.screenshot('folder-beside');

		// The keys of the rounds.
		const { keyboard } = workbench.page;
		await keyboard.press('End');
		await isFocused(cell((await names()).at(-1)!));
		await keyboard.press('Home');
		await keyboard.press('ArrowRight');
		await keyboard.press('Space');
		await keyboard.press('Shift+ArrowRight');
		await selection().getByText('2 selected').waitFor();
		await isFocused(cell('castle.png'));
		await workbench.screenshot('folder-selected');
		await studio.button('Clear Selection').click();

		// Its menu has what a file can be used for.
		await cell('bridge.png').click({ button: 'right' });
		await workbench.screenshot('folder-menu');
		await studio.root.getByRole('menuitem', { name: 'Edit', exact: true }).click();
		await studio.root.getByRole('group', { name: /^Editing: bridge\.png/ }).waitFor();
		await studio.button('Make a New Image Instead').click();

		// Enter opens one large, Escape leads back.
		await cell('bridge.png').focus();
		await keyboard.press('Enter');
		await studio.root.locator('easel-image-detail').getByText('art/bridge.png').waitFor();
		await workbench.screenshot('folder-large');
		await keyboard.press('Escape');
		await isFocused(cell('bridge.png'));

		// No width leaves a part of it out.
		const usual = workbench.page.viewportSize()!;
		for (const [name, width] of [
			['Small', 350],
			['Large', 350],
			['Small', 1920],
		] as const) {
			await studio.setPanelWidth(width);
			await size(name).check();
			await untilPictured();
			const over = await studio.root
				.locator('html')
				.evaluate((html) => html.scrollWidth - html.clientWidth);
			assert.ok(over <= 0, `${String(over)} px too wide`);
			await workbench.screenshot(`folder-${name}-${String(width)}`);
		}
		await size('Medium').check();
		await workbench.page.setViewportSize(usual);
		await workbench.runCommand('View: Show Explorer');

		// It is there again after a reload, as large, and where it was.
		await size('Large').check();
		await cell('tower.png').focus();
		await workbench.reloadWindow();
		await workbench.activeTab('Image Studio').waitFor();
		await cell('tower.png').waitFor();
		assert.ok(await size('Large').isChecked());
		await until(
			async () => (await cell('tower.png').getAttribute('tabindex')) === '0',
			'the tab stop where it was',
		);

		// Another folder, from within the studio; one without images says so.
		await studio.button('Show Contact Sheet…').click();
		await workbench.waitForQuickInput('Contact Sheet');
		await workbench.waitForItems(/^images[^]*art/);
		await workbench.pickItem('images');
		await cell('made.png').waitFor();
		await workbench.runCommand('View: Show Explorer');
		await workbench.contextMenu(workbench.explorerRow('bare'), 'Show Contact Sheet…');
		await studio.root.getByText('No images in bare.').waitFor();
		await workbench.screenshot('folder-empty');
		assert.deepEqual(await studio.violations(), []);

		// A request leads back to the rounds.
		await studio.compose('a windmill');
		await studio.waitForImages('1a');
		assert.ok(await studio.filter('All').isChecked());
	});

	test('pages through ten thousand images with few cells', async () => {
		await mkdir(file('many'));
		const first = file('many', '0.png');
		await writeFile(first, await readFile(file('art', 'bridge.png')));
		for (let index = 1; index < 10_050; index++) {
			linkSync(first, file('many', `${String(index)}.png`));
		}
		await workbench.explorerRow('many').waitFor();
		await workbench.contextMenu(workbench.explorerRow('many'), 'Show Contact Sheet…');
		await studio.root.getByText('50 more are not shown.').waitFor();
		await cell('0.png').focus();
		await workbench.page.keyboard.press('End');
		await isFocused(cell('9999.png'));
		await untilPictured();
		const cells = await studio.slots().count();
		assert.ok(cells < 200, `${String(cells)} cells are there`);
		await rm(file('many'), { recursive: true });
	});

	// --- What is on the screen

	/** A picture, by the name of its file. */
	function cell(name: string): Locator {
		return studio.root.locator(`.tile[title^=${JSON.stringify(name)}]`);
	}

	function selection(): Locator {
		return studio.root.getByRole('group', { name: 'Selection' });
	}

	function size(name: string): Locator {
		return studio.root.getByRole('radio', { name, exact: true });
	}

	/** Names of the files that are shown, in order. */
	async function names(): Promise<string[]> {
		const titles = await studio
			.slots()
			.evaluateAll((cells) => cells.map((one) => one.getAttribute('title') ?? ''));
		return titles.map((title) => title.split('\n')[0]!);
	}

	/** Waits until everything on the screen is a picture, or says why it is none. */
	async function untilPictured(): Promise<void> {
		const missing = studio.root.locator('.tile .picture:not(:has(img, .none))');
		await until(
			async () => (await studio.slots().count()) > 0 && (await missing.count()) === 0,
			'the pictures',
		);
	}

	async function isFocused(one: Locator): Promise<void> {
		await until(
			async () => (await one.count()) === 1 && one.evaluate((element) => element.matches(':focus')),
			`the focus on ${one.toString()}`,
		);
	}
});

const subjects = [
	...['boat', 'bridge', 'castle', 'dock', 'farm', 'ferry', 'garden'],
	...[
		'harbor',
		'lighthouse',
		'market',
		'mill',
		'pier at the end of a very long street',
		'tower',
		'village',
	],
];
const files = subjects.map((subject) => `${subject.replaceAll(' ', '-')}.png`);
