import assert from 'node:assert/strict';
import { linkSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import type { Locator } from 'playwright-core';
import { copySample } from '../host/sample.js';
import { until } from '../host/until.js';
import { drawPicture } from '../service/picture.js';
import { startImageService, type ImageService } from '../service/server.js';
import { StudioPage } from './studioPage.js';
import { Workbench } from './workbench.js';

const key = 'e2e-sheet-key-77d1';
/** One is a GIF of a single gray pixel. */
const gif = Buffer.from('R0lGODlhAQABAIAAAICAgAAAACwAAAAAAQABAAACAkQBADs=', 'base64');

suite('The style sheet', () => {
	let sample: Awaited<ReturnType<typeof copySample>>;
	let service: ImageService;
	let workbench: Workbench;
	let studio: StudioPage;

	suiteSetup(async () => {
		service = await startImageService({ key, latencyMs: 100 });
		sample = await copySample('sheet');
		await mkdir(file('art'));
		const sizes = ['1024x1024', '1536x1024', '1024x1536'] as const;
		for (const [index, subject] of subjects.entries()) {
			const size = sizes[index % sizes.length]!;
			const png = await drawPicture({ prompt: subject, size, references: [] });
			const [name, bytes] = await encoded(subject, png, index);
			await writeFile(file('art', name), bytes);
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
		workbench = await Workbench.open({
			folder: sample.folder,
			settings: { 'easel.service.address': service.address },
			env: { EASEL_API_KEY: key },
		});
		studio = new StudioPage(workbench);
	});

	suiteTeardown(async () => {
		await workbench?.close();
		await service?.close();
		sample?.remove();
	});

	setup(() => workbench.dismissEverything());

	test('shows all images of a folder of the explorer, whoever has made them', async () => {
		await workbench.contextMenu(workbench.explorerRow('art'), 'Show Contact Sheet…');
		await workbench.activeTab('Image Studio').waitFor();
		await sheet().waitFor();
		await untilPictured();
		const expected = [...files, 'damaged.png', 'pixel.gif'].sort();
		assert.deepEqual((await names()).sort(), expected);
		await sheet().getByText('1 link leads out of the workspace and is not shown.').waitFor();
		const option = (name: RegExp) => sheet().getByRole('option', { name });
		assert.equal(await option(/^bridge\.png 1536 × 1024 · .*B$/).count(), 1);
		assert.equal(await option(/^damaged\.png .*damaged/).count(), 1);
		await isFocused(cell('boat.jpg'));
		await workbench.screenshot('sheet-beside');
	});

	test('is gone through with the keyboard alone, and opens a file by Enter', async () => {
		await cell('boat.jpg').focus();
		const { keyboard } = workbench.page;
		await keyboard.press('End');
		await isFocused(cell((await names()).at(-1)!));
		await keyboard.press('Home');
		await isFocused(cell('boat.jpg'));
		await keyboard.press('ArrowRight');
		await isFocused(cell('bridge.png'));
		await keyboard.press('Space');
		await keyboard.press('Shift+ArrowRight');
		await selection().getByText('2 selected').waitFor();
		await keyboard.press('b');
		await isFocused(cell('castle.webp'));
		await workbench.screenshot('sheet-keyboard');
		await keyboard.press('Escape');
		await selection().waitFor({ state: 'hidden' });
		await keyboard.press('Enter');
		await workbench.activeTab('castle.webp').waitFor();
		await openSheet();
		assert.ok(await cell('castle.webp').isVisible(), 'it is where it was left');
	});

	test('has what can be done with one, with two, and with many', async () => {
		await cell('bridge.png').click();
		await selection().getByText('1 selected').waitFor();
		await selection().getByRole('button', { name: 'Edit with Prompt' }).click();
		await studio.root.getByRole('group', { name: /^Editing: bridge\.png/ }).waitFor();
		await studio.button('Make a New Image Instead').click();
		await studio.edited().waitFor({ state: 'detached' });
		await cell('boat.jpg').click();
		await cell('castle.webp').click({ modifiers: ['Shift'] });
		await selection().getByText('3 selected').waitFor();
		await selection().getByRole('button', { name: 'Add as Reference' }).click();
		for (const name of ['boat.jpg', 'bridge.png', 'castle.webp']) {
			await studio.button(`Remove ${name}`).click();
		}
		await cell('castle.webp').click({ modifiers: ['ControlOrMeta'] });
		await selection().getByText('2 selected').waitFor();
		await workbench.screenshot('sheet-two');
		await cell('bridge.png').click({ button: 'right' });
		await workbench.screenshot('sheet-menu');
		await studio.root.getByRole('menuitem', { name: 'Compare' }).click();
		await workbench.activeTab('boat.jpg ↔ bridge.png').waitFor();
		await workbench.page.keyboard.press('ControlOrMeta+W');
		await openSheet();
	});

	test('adds an image to the style guide, and tells how one was made', async () => {
		await choose('bridge.png', 'Add to Style Guide…');
		await workbench.waitForNotification(/bridge\.png is now part of the style guide/);
		await workbench.waitForFileText('.easel/style.md', '../art/bridge.png');
		await workbench.dismissEverything();
		await choose('bridge.png', 'How Was This Image Made?');
		await workbench.waitForNotification(/bridge\.png/);
		await workbench.dismissEverything();
		await choose('pixel.gif', 'Reveal in Explorer View');
		await openSheet();
		await rm(file('.easel', 'style.md'));
		await studio.button(/^Style: /).waitFor({ state: 'detached' });
	});

	test('follows the folder: what comes, goes, is renamed, or is another picture now', async () => {
		await writeFile(file('art', 'a new one.png'), await readFile(file('art', 'bridge.png')));
		await cell('a new one.png').waitFor();
		await rename(file('art', 'a new one.png'), file('art', 'another.png'));
		await cell('another.png').waitFor();
		await cell('a new one.png').waitFor({ state: 'detached' });
		await untilPictured();
		const before = await cell('another.png').locator('img').getAttribute('src');
		await copyFile(file('art', 'tower.png'), file('art', 'another.png'));
		await until(async () => {
			const image = cell('another.png').locator('img');
			return (await image.count()) === 1 && (await image.getAttribute('src')) !== before;
		}, 'the other picture');
		await cell('another.png').click();
		await rm(file('art', 'another.png'));
		await cell('another.png').waitFor({ state: 'detached' });
		await selection().waitFor({ state: 'hidden' });
	});

	test('is there again after a reload of the window, as large, and where it was', async () => {
		await size('Large').check();
		await cell('boat.jpg').focus();
		await workbench.page.keyboard.press('End');
		await isFocused(cell('village.png'));
		await workbench.page.keyboard.press('ArrowLeft');
		await isFocused(cell('tower.png'));
		await workbench.reloadWindow();
		await workbench.activeTab('Image Studio').waitFor();
		await sheet().waitFor();
		await cell('tower.png').waitFor();
		assert.ok(await size('Large').isChecked());
		await until(
			async () => (await cell('tower.png').getAttribute('tabindex')) === '0',
			'the tab stop where it was',
		);
		await size('Medium').check();
	});

	test('shows small and large cells, also on a large screen', async () => {
		const usual = workbench.page.viewportSize()!;
		try {
			for (const [name, width] of [
				['Small', 350],
				['Large', 350],
				['Small', 1920],
				['Large', 1920],
			] as const) {
				await studio.setPanelWidth(width);
				await size(name).check();
				await untilPictured();
				const over = await studio.root
					.locator('html')
					.evaluate((html) => html.scrollWidth - html.clientWidth);
				assert.ok(over <= 0, `${String(over)} px too wide`);
				await workbench.screenshot(`sheet-${name}-${String(width)}`);
			}
			await size('Medium').check();
		} finally {
			await workbench.page.setViewportSize(usual);
			await workbench.runCommand('View: Show Explorer');
		}
	});

	test('is offered in the palette and in the studio, the folder of the setting first', async () => {
		await sheet().getByRole('button', { name: 'Back' }).click();
		await sheet().waitFor({ state: 'detached' });
		const usual = workbench.page.viewportSize()!;
		await studio.setPanelWidth(350);
		await workbench.screenshot('sheet-button-350');
		await workbench.page.setViewportSize(usual);
		await workbench.runCommand('View: Show Explorer');
		await studio.button('Show Contact Sheet…').click();
		await workbench.waitForQuickInput('Contact Sheet');
		await workbench.waitForItems(/^images[^]*art/);
		await workbench.screenshot('sheet-folders');
		await workbench.pickItem('art');
		await sheet().waitFor();
		await workbench.runCommand('Easel: Show Contact Sheet');
		await workbench.waitForQuickInput('Contact Sheet');
		await workbench.pickItem('images');
		await cell('made.png').waitFor();
		assert.deepEqual(await names(), ['made.png']);
	});

	test('says that a folder has no images, or has gone', async () => {
		await workbench.contextMenu(workbench.explorerRow('bare'), 'Show Contact Sheet…');
		await sheet().getByText('No images in bare.').waitFor();
		assert.deepEqual(await studio.violations(), []);
		await workbench.screenshot('sheet-empty');
		await rm(file('bare'), { recursive: true });
		await sheet().getByText('The folder is missing.').waitFor();
		await workbench.screenshot('sheet-gone');
	});

	test('of ten thousand images is quick, and asks for those in sight alone', async () => {
		await mkdir(file('many'));
		const first = file('many', '0.png');
		await writeFile(first, await readFile(file('art', 'bridge.png')));
		for (let index = 1; index < 10_050; index++) {
			linkSync(first, file('many', `${String(index)}.png`));
		}
		await workbench.explorerRow('many').waitFor();
		await workbench.contextMenu(workbench.explorerRow('many'), 'Show Contact Sheet…');
		await sheet().getByText('50 more are not shown.').waitFor();
		await cell('0.png').focus();
		await workbench.page.keyboard.press('End');
		await isFocused(cell('9999.png'));
		await untilPictured();
		const cells = await sheet().locator('.cell').count();
		assert.ok(cells < 200, `${String(cells)} cells are there`);
		await workbench.screenshot('sheet-many');
		const maxMs = await maxTaskMs(async () => {
			for (let presses = 0; presses < 40; presses++) {
				await workbench.page.keyboard.press('PageUp');
			}
		});
		console.log(
			`      the longest task while it is paged through takes ${String(Math.round(maxMs))} ms`,
		);
		await rm(file('many'), { recursive: true });
		// The explorer moves its rows then, and a click in that moment would hit another one.
		await workbench.explorerRow('many').waitFor({ state: 'detached' });
	});

	test('leads to the stream when something is asked for, where an image becomes the style', async () => {
		await workbench.contextMenu(workbench.explorerRow('art'), 'Show Contact Sheet…');
		// A sheet that is opened takes the focus, and what is being written goes nowhere.
		await isFocused(cell('boat.jpg'));
		await studio.compose('a windmill');
		await sheet().waitFor({ state: 'detached' });
		await studio.waitForImages('1a');
		await studio.image('1a').click({ button: 'right' });
		await workbench.screenshot('sheet-style-of-studio');
		await studio.root.getByRole('menuitem', { name: 'Add to Style Guide…' }).click();
		await workbench.waitForNotification(/windmill\.png is now part of the style guide/);
		await workbench.waitForFileText('.easel/style.md', '../images/windmill.png');
		await studio.button('Style: style.md · 1 image').waitFor();
	});

	// --- What is on the screen

	function file(...parts: string[]): string {
		return path.join(sample.folder, ...parts);
	}

	function sheet(): Locator {
		return studio.root.locator('easel-style-sheet');
	}

	/** A picture of the sheet, by the name of its file. */
	function cell(name: string): Locator {
		return sheet().locator(`.cell[title^=${JSON.stringify(name)}]`);
	}

	function selection(): Locator {
		return sheet().getByRole('group', { name: 'Selection' });
	}

	function size(name: string): Locator {
		return sheet().getByRole('radio', { name, exact: true });
	}

	/** Those that are there, in order. */
	async function names(): Promise<string[]> {
		const titles = await sheet()
			.locator('.cell')
			.evaluateAll((cells) => cells.map((one) => one.getAttribute('title') ?? ''));
		return titles.map((title) => title.split('\n')[0]!);
	}

	/** Waits until everything on the screen is a picture, or says why it is none. */
	async function untilPictured(): Promise<void> {
		const open = sheet().locator('.cell .picture:not(:has(img, .none))');
		await until(
			async () => (await sheet().locator('.cell').count()) > 0 && (await open.count()) === 0,
			'the pictures',
		);
	}

	async function isFocused(one: Locator): Promise<void> {
		await until(
			async () => (await one.count()) === 1 && one.evaluate((element) => element.matches(':focus')),
			`the focus on ${one.toString()}`,
		);
	}

	/** Has an item of the menu of a picture chosen. */
	async function choose(name: string, item: string): Promise<void> {
		await cell(name).click({ button: 'right' });
		await studio.root.getByRole('menuitem', { name: item, exact: true }).click();
	}

	async function openSheet(): Promise<void> {
		await workbench.runCommand('Easel: Open Image Studio');
		await sheet().waitFor();
		await untilPictured();
	}

	/** The longest task of the page meanwhile that took more than 50 ms, in milliseconds; else 0. */
	async function maxTaskMs(meanwhile: () => Promise<void>): Promise<number> {
		const body = studio.root.locator('body');
		await body.evaluate(() => {
			const counted = window as unknown as { longest: number };
			counted.longest = 0;
			new PerformanceObserver((list) => {
				counted.longest = Math.max(
					counted.longest,
					...list.getEntries().map((one) => one.duration),
				);
			}).observe({ type: 'longtask' });
		});
		await meanwhile();
		return body.evaluate(() => (window as unknown as { longest: number }).longest);
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
const kinds = ['jpg', 'png', 'webp', 'png'] as const;
const files = subjects.map((subject, index) => `${subject.replaceAll(' ', '-')}.${kindOf(index)}`);

function kindOf(index: number): (typeof kinds)[number] {
	return index < 3 ? kinds[index]! : 'png';
}

/** A picture under its name, in one of the formats. */
async function encoded(
	subject: string,
	png: Buffer,
	index: number,
): Promise<[name: string, bytes: Buffer]> {
	const kind = kindOf(index);
	const name = `${subject.replaceAll(' ', '-')}.${kind}`;
	if (kind === 'png') {
		return [name, png];
	}
	const image = await loadImage(png);
	const canvas = createCanvas(image.width, image.height);
	canvas.getContext('2d').drawImage(image, 0, 0);
	return [name, await canvas.encode(kind === 'jpg' ? 'jpeg' : 'webp', 80)];
}
