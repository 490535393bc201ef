import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import type { FrameLocator, Locator } from 'playwright-core';
import { writeWithRecipe } from '../../src/recipes/rewrite.js';
import { copySample } from '../host/sample.js';
import { draw, drawShifted, drawTransparent } from './drawings.js';
import { until } from '../host/until.js';
import { recipe } from '../unit/recipes/pngs.js';
import { Workbench } from './workbench.js';

const command = 'Easel: Compare Images…';
const menuItem = 'Compare Images…';
const hostileName = '<img src=x onerror=alert(1)>.png';
const longName = `a-lighthouse-at-dusk-${'flat-illustration-'.repeat(8)}12.png`;

suite('Compare Images', () => {
	let sample: Awaited<ReturnType<typeof copySample>>;
	let workbench: Workbench;

	suiteSetup(async () => {
		// Before the workbench opens: its explorer would miss what comes while it starts.
		sample = await copySample();
		await mkdir(path.join(sample.folder, 'images'));
		const day = await draw('a lighthouse at dusk', '1024x1024');
		for (const [name, bytes] of Object.entries({
			'harbor.png': day,
			'harbor-night.png': await draw('a lighthouse at night', '1024x1024'),
			'wide.PNG': await draw('a city in the morning', '1536x1024'),
			'logo.png': drawTransparent(),
			'concept.png': drawShifted(0),
			'built.png': drawShifted(8),
			'made.png': drawShifted(0),
			'broken.png': Buffer.concat([day.subarray(0, 33), Buffer.alloc(1000, 7)]),
			'animated.gif': Buffer.from('GIF89a'),
			[hostileName]: await draw('a boat', '1024x1024'),
			[longName]: day,
		})) {
			await writeFile(file(name), bytes);
		}
		await writeWithRecipe(file('made.png'), file('drawn.png'), recipe);
		workbench = await Workbench.open({
			folder: sample.folder,
			// A click opens the file, and the explorer, following it, would undo what is selected next.
			settings: { 'explorer.autoReveal': false },
		});
	});

	suiteTeardown(async () => {
		await workbench?.close();
		sample?.remove();
	});

	setup(async () => {
		await workbench.dismissEverything();
		await workbench.runCommand('View: Close All Editors');
	});

	// --- What is on the screen

	function file(name: string): string {
		return path.join(sample.folder, 'images', name);
	}

	function page(): FrameLocator {
		return workbench.webview();
	}

	function slider(): Locator {
		return page().getByRole('slider', { name: 'Slider between' });
	}

	function pane(side: 'left' | 'right'): Locator {
		return page().locator(`.cell:nth-child(${side === 'left' ? 1 : 2}) .pane`);
	}

	function image(side: 'left' | 'right'): Locator {
		return pane(side).locator('img');
	}

	function stage(): Locator {
		return page().locator('.stage');
	}

	function mode(name: string): Locator {
		return page().getByRole('button', { name, exact: true });
	}

	/** Waits until both images are on the screen as the browser has decoded them. */
	async function shown(...widths: readonly [left: number, right: number]): Promise<void> {
		for (const [index, side] of (['left', 'right'] as const).entries()) {
			await waitFor(
				image(side),
				(element, width) => (element as HTMLImageElement).naturalWidth === width,
				widths[index],
			);
		}
	}

	async function compare(left: string, right: string): Promise<void> {
		await workbench.runCommand(command);
		await workbench.waitForQuickInput('Select the image on the left');
		await workbench.typeInQuickInput(left);
		await workbench.pickItem(left);
		await workbench.waitForQuickInput('Select the image on the right');
		await workbench.typeInQuickInput(right);
		await workbench.pickItem(right);
		await workbench.activeTab(`${left} ↔ ${right.slice(0, 20)}`).waitFor();
	}

	/** Waits until the page knows the room that it has now, which it learns with a frame. */
	async function laidOut(): Promise<void> {
		await page()
			.locator('html')
			.evaluate(
				() =>
					new Promise<void>((done) => {
						requestAnimationFrame(() => requestAnimationFrame(() => done()));
					}),
			);
	}

	async function box(locator: Locator) {
		const found = await locator.boundingBox();
		assert.ok(found);
		return found;
	}

	async function position(): Promise<number> {
		return Number(await slider().getAttribute('aria-valuenow'));
	}

	/** The end of the left image and the start of the right one, in percent of the visible width. */
	async function cut(): Promise<number[]> {
		const [left, right] = await Promise.all(
			(['left', 'right'] as const).map((side) =>
				pane(side).evaluate((element) => getComputedStyle(element).clipPath),
			),
		);
		const picture = await box(image('left'));
		const room = await box(pane('left'));
		const from = (pixels: number) =>
			Math.round(((pixels - (picture.x - room.x)) / picture.width) * 100);
		const leftEnd = /calc\(100% - ([\d.]+)px\)/.exec(left ?? '')?.[1];
		const rightStart = /([\d.]+)px\)$/.exec(right ?? '')?.[1];
		return [from(Number(leftEnd)), from(Number(rightStart))];
	}

	// --- The tests

	test('opens from the explorer, for two selected images and nothing else', async () => {
		await workbench.expandFolder('images');
		const [day, night, gif] = ['harbor.png', 'harbor-night.png', 'animated.gif'].map((name) =>
			workbench.explorerRow(name),
		) as [Locator, Locator, Locator];
		await day.click();
		const has = async (row: Locator) =>
			(await workbench.contextMenuItems(row)).some((text) => text.startsWith(menuItem));
		assert.equal(await has(day), false, 'for a single image');
		await night.click({ modifiers: ['ControlOrMeta'] });
		await workbench.explorerRow('wide.PNG').click({ modifiers: ['ControlOrMeta'] });
		assert.equal(await has(night), false, 'for three images');
		await gif.click();
		await workbench.explorerRow('README.md').click({ modifiers: ['ControlOrMeta'] });
		assert.equal(await has(gif), false, 'for other files');

		await workbench.explorerRow('wide.PNG').click();
		await day.click({ modifiers: ['ControlOrMeta'] });
		assert.equal(await has(workbench.explorerRow('wide.PNG')), true, 'in any letter case');
		await day.click();
		await night.click({ modifiers: ['ControlOrMeta'] });
		await workbench.contextMenu(night, menuItem);
		await workbench.activeTab('↔').waitFor();
		await shown(1024, 1024);
		const names = await page().locator('.whole').allTextContents();
		assert.deepEqual(names.toSorted(), ['harbor-night.png', 'harbor.png']);
		for (const details of await page().locator('.details').allInnerTexts()) {
			assert.match(details, /^1024\s×\s1024 · \d\.\d\sMB$/);
		}
		assert.equal(await page().locator('.note').innerText(), '');
		await workbench.screenshot('compare-slider');
	});

	test('the slider moves by keyboard and by pointer, and cuts both images there', async () => {
		await compare('harbor.png', 'harbor-night.png');
		await shown(1024, 1024);
		await slider().focus();
		assert.equal(await position(), 50);
		for (const [key, value] of [
			['ArrowRight', 51],
			['ArrowLeft', 50],
			['ArrowDown', 49],
			['Shift+ArrowRight', 59],
			['Shift+ArrowLeft', 49],
			['PageUp', 59],
			['PageDown', 49],
			['Home', 0],
			['ArrowLeft', 0],
			['End', 100],
			['PageUp', 100],
			['PageDown', 90],
		] as const) {
			await slider().press(key);
			await page()
				.locator(`.handle[aria-valuenow="${String(value)}"]`)
				.waitFor();
			assert.deepEqual(await cut(), [value, value], key);
		}
		assert.equal(
			await slider().getAttribute('aria-valuetext'),
			'90 % left image, 10 % right image',
		);
		await workbench.screenshot('compare-slider-focus');

		const handle = await box(slider());
		const picture = await box(image('left'));
		const y = handle.y + handle.height / 2;
		await workbench.page.mouse.move(handle.x + handle.width / 2, y);
		await workbench.page.mouse.down();
		await workbench.page.mouse.move(picture.x + picture.width * 0.25, y, { steps: 4 });
		await workbench.page.mouse.up();
		await page().locator('.handle[aria-valuenow="25"]').waitFor();
		assert.deepEqual(await cut(), [25, 25]);
		// Released: the pointer takes nothing along any more.
		await workbench.page.mouse.move(picture.x + picture.width * 0.75, y);
		assert.equal(await position(), 25);
	});

	test('zoom and place are the same for both images, in every mode', async () => {
		await compare('harbor.png', 'harbor-night.png');
		await shown(1024, 1024);
		const zoom = page().locator('output');
		const same = async (apart: number) => {
			await laidOut();
			const [left, right] = [await box(image('left')), await box(image('right'))];
			assert.deepEqual([right.width, right.height, right.y], [left.width, left.height, left.y]);
			assert.ok(Math.abs(right.x - left.x - apart) < 0.01, `${String(right.x - left.x)} apart`);
			return left;
		};
		const fitting = await same(0);
		await stage().focus();
		await stage().press('1');
		await page().getByText('100 %').waitFor();
		assert.equal((await same(0)).width, 1024);
		await workbench.screenshot('compare-stage-focus');
		await stage().press('+');
		assert.equal(await zoom.innerText(), '125 %');
		await stage().press('-');
		await stage().press('-');
		assert.equal(await zoom.innerText(), '80 %');
		await stage().press('1');
		const before = await same(0);
		await stage().press('ArrowDown');
		assert.equal((await same(0)).y, before.y - 40);

		// The wheel zooms where the pointer is: what lies under it stays.
		const at = { x: before.x + 400, y: before.y + 500 };
		const under = async () => {
			const { x, y, width, height } = await same(0);
			return [(at.x - x) / width, (at.y - y) / height].map((part) => part.toFixed(3));
		};
		const point = await under();
		await workbench.page.mouse.move(at.x, at.y);
		await workbench.page.mouse.wheel(0, -300);
		await waitFor(zoom, (element) => element.textContent !== '100 %');
		assert.deepEqual(await under(), point);
		const dragged = await same(0);
		await workbench.page.mouse.down();
		await workbench.page.mouse.move(at.x - 60, at.y - 35, { steps: 3 });
		await workbench.page.mouse.up();
		const moved = await same(0);
		assert.deepEqual([moved.x, moved.y], [dragged.x - 60, dragged.y - 35]);

		await mode('Side by Side').click();
		assert.equal(await slider().count(), 0);
		const half = (await box(pane('right'))).x - (await box(pane('left'))).x;
		assert.equal((await same(half)).width, moved.width);
		await workbench.screenshot('compare-side');
		await mode('Overlay').click();
		await same(0);
		const opacity = page().getByRole('slider', { name: 'Opacity of harbor-night.png' });
		await opacity.press('End');
		const shares = () =>
			page()
				.locator('.pane')
				.evaluateAll((panes) => panes.map((pane) => getComputedStyle(pane).opacity));
		assert.deepEqual(await shares(), ['0', '1']);
		await opacity.fill('40');
		assert.deepEqual(await shares(), ['0.6', '0.4']);
		await page().getByRole('button', { name: 'Fit' }).click();
		assert.equal((await same(0)).width, fitting.width);
		await workbench.screenshot('compare-overlay');
	});

	test('shows what differs, from a threshold on, until the images lie over each other', async () => {
		await compare('concept.png', 'built.png');
		await shown(1024, 1024);
		await mode('Difference').click();
		await stage().focus();
		await stage().press('1');
		await laidOut();
		// The edges of the square, 8 pixels wide and 200 high; all else is alike.
		const edges = 2 * 8 * 200;
		assert.ok(Math.abs((await lightPixels()) - edges) < edges / 20, String(await lightPixels()));
		await workbench.screenshot('compare-difference');
		const threshold = page().getByRole('slider', { name: 'Smallest Difference' });
		await threshold.fill('30');
		assert.equal(await lightPixels(), 0, 'white and light gray differ by a quarter');
		await threshold.fill('10');
		await mode('Adjust Right Image').click();
		await stage().focus();
		await stage().press('Shift+ArrowLeft');
		await stage().press('ArrowRight');
		await stage().press('ArrowRight');
		await laidOut();
		assert.equal(await lightPixels(), 0);
		assert.equal((await box(image('right'))).x, (await box(image('left'))).x - 8);
		await workbench.screenshot('compare-adjusted');
		await stage().press('0');
		assert.ok((await lightPixels()) > 0);
	});

	test('hands a concept over with how much of it differs from what is built', async () => {
		await compare('drawn.png', 'built.png');
		await shown(1024, 1024);
		const write = page().getByRole('button', { name: 'Write Brief…' });
		assert.equal(await write.count(), 0);
		await mode('Difference').click();
		await write.waitFor();
		await workbench.screenshot('compare-brief');
		await write.click();
		await workbench.waitForQuickInput('Write Brief');
		await workbench.acceptQuickInput();
		await workbench.waitForNotification(/drawn\.brief\.md/);
		const brief = await readFile(file('drawn.brief.md'), 'utf8');
		// The edges of the square: 2 × 8 × 200 of 1024 × 1024 pixels.
		assert.match(
			brief,
			/!\[built\]\(built\.png\)\n\nbuilt\.png, laid over the picture: in 0\.3 % of the picture/,
		);
	});

	/** Drops what the explorer has dragged, or a folder of the desktop. */
	async function drop(dragged: { readonly uri: string } | { readonly folder: string }) {
		await page()
			.locator('body')
			.evaluate((body, what) => {
				const dataTransfer = new DataTransfer();
				if ('uri' in what) dataTransfer.setData('text/uri-list', what.uri);
				else dataTransfer.items.add(new File([], what.folder));
				body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }));
			}, dragged);
	}

	/** Counts the light pixels of what the images show together. */
	async function lightPixels(): Promise<number> {
		const { width, height, x, y } = await box(pane('left'));
		const shot = await loadImage(
			await workbench.page.screenshot({
				// Without the round corners.
				clip: { x: x + 8, y: y + 8, width: width - 16, height: height - 16 },
				scale: 'css',
			}),
		);
		const context = createCanvas(shot.width, shot.height).getContext('2d');
		context.drawImage(shot, 0, 0);
		const { data } = context.getImageData(0, 0, shot.width, shot.height);
		return data.filter((value, at) => at % 4 === 1 && value > 127).length;
	}

	test('takes a pasted screenshot, which comes back after a reload, and is saved where one says', async () => {
		await workbench.runCommand(command);
		await workbench.waitForQuickInput('Select the image on the left');
		await workbench.typeInQuickInput('concept.png');
		await workbench.pickItem('concept.png');
		await workbench.waitForQuickInput('Select the image on the right');
		await workbench.pickItem('Paste or Drop an Image…');
		await page().getByText('Paste an image here').waitFor();
		await workbench.screenshot('compare-paste');
		await drop({ uri: 'file:///elsewhere/secret.png' });
		await workbench.toast('“secret.png” is outside this workspace').waitFor();
		await drop({ folder: 'holiday' });
		await page().getByText('“holiday” cannot be read.').waitFor();
		await drop({ uri: pathToFileURL(file('built.png')).href });
		await shown(1024, 1024);
		await workbench.activeTab('concept.png ↔ built.png').waitFor();
		await page()
			.locator('body')
			.evaluate(
				(body, { data }) => {
					const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
					const clipboardData = new DataTransfer();
					clipboardData.items.add(new File([bytes], 'image.png', { type: 'image/png' }));
					body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
				},
				{ data: drawShifted(8).toString('base64') },
			);
		await shown(1024, 1024);
		await workbench.activeTab('concept.png ↔ pasted.png').waitFor();
		await workbench.screenshot('compare-pasted');
		await workbench.reloadWindow();
		await shown(1024, 1024);
		assert.ok(!(await readdir(path.dirname(file('')))).includes('pasted.png'));
		await page().getByRole('button', { name: 'Save As…' }).click();
		await workbench.waitForQuickInput('');
		await workbench.page.keyboard.press('Enter');
		await until(async () => (await readdir(file(''))).includes('pasted.png'), 'the file');
		assert.deepEqual(await readFile(file('pasted.png')), drawShifted(8));
		await page().getByText('pasted, and is in no file').waitFor({ state: 'detached' });
	});

	test('blinks at a rate, and matches the width of what has another shape', async () => {
		await compare('harbor.png', 'wide.PNG');
		await shown(1024, 1536);
		await page().getByText('Different dimensions').waitFor();
		await mode('Overlay').click();
		await mode('Blink').click();
		await mode('Blink: 1 per Second').click();
		const shares = () =>
			page()
				.locator('.pane')
				.evaluateAll((panes) => panes.map((pane) => getComputedStyle(pane).opacity).join());
		const seen = new Set<string>();
		await until(async () => seen.add(await shares()).size === 2, 'both images');
		assert.deepEqual([...seen].sort(), ['0,1', '1,0']);
		await mode('Blink: 2 per Second').click();
		await mode('Blink: 3 per Second').click();
		await page().getByRole('slider', { name: 'Opacity of wide.PNG' }).waitFor();
		await mode('Match Width').click();
		await laidOut();
		const [square, wide] = [await box(image('left')), await box(image('right'))];
		assert.deepEqual([square.x, square.y, square.width], [wide.x, wide.y, wide.width]);
		await workbench.screenshot('compare-width');
	});

	test('comes back after a reload of the window and after another tab, as it was left', async () => {
		await compare('wide.PNG', 'harbor.png');
		await shown(1536, 1024);
		await slider().press('Home');
		await slider().press('PageUp');
		await stage().press('1');
		await laidOut();
		const before = await box(image('left'));
		const restored = async () => {
			await shown(1536, 1024);
			await laidOut();
			assert.equal(await position(), 10);
			assert.equal(await page().locator('output').innerText(), '100 %');
			assert.deepEqual(await box(image('left')), before);
		};
		await workbench.reloadWindow();
		await workbench.activeTab('wide.PNG ↔ harbor.png').waitFor();
		await restored();

		await workbench.openFile('README.md');
		await workbench.page.keyboard.press('ControlOrMeta+PageUp');
		await workbench.activeTab('wide.PNG ↔ harbor.png').waitFor();
		await restored();

		// The same images again: it is the panel that is there already.
		await workbench.openFile('README.md');
		await compare('wide.PNG', 'harbor.png');
		assert.equal(await workbench.page.locator('.tab', { hasText: 'wide.PNG ↔' }).count(), 1);
		await restored();
	});

	test('follows its files: changed, gone, back again, and not to be decoded', async () => {
		const bytes = await readFile(file('wide.PNG'));
		await compare('harbor.png', 'wide.PNG');
		await shown(1024, 1536);
		await writeFile(file('wide.PNG'), await draw('a mountain', '1024x1536'));
		await shown(1024, 1024);
		await page().getByText('1024 × 1536').waitFor();

		await rm(file('wide.PNG'));
		const problem = pane('right').locator('.problem');
		await problem.getByText('“wide.PNG” was moved, renamed or deleted').waitFor();
		await image('left').waitFor();
		assert.equal(await image('right').count(), 0);
		assert.equal(await mode('Slider').isDisabled(), true);
		await workbench.screenshot('compare-gone');

		await writeFile(file('wide.PNG'), bytes);
		await shown(1024, 1536);
		assert.equal(await slider().count(), 1, 'the mode is the one from before');

		await workbench.runCommand('View: Close All Editors');
		await compare('broken.png', 'harbor.png');
		const damaged = pane('left').locator('.problem');
		await damaged.getByText('“broken.png” cannot be shown').waitFor();
		await workbench.screenshot('compare-damaged');
		await workbench.runCommand('Easel: Show Log');
		await workbench.page.getByText('broken.png could not be decoded').first().waitFor();
		await workbench.runCommand('View: Toggle Panel Visibility');
	});

	test('file names are text, and long ones keep their end', async () => {
		await compare(hostileName, longName);
		await shown(1024, 1024);
		const names = page().locator('.name');
		assert.equal(await names.first().locator('.whole').textContent(), hostileName);
		assert.equal(await names.first().locator('img').count(), 0);
		assert.equal(await names.last().getAttribute('title'), longName);
		const [name, tail] = [await box(names.last()), await box(names.last().locator('.tail'))];
		assert.equal(await names.last().locator('.tail').innerText(), 'ation-12.png');
		assert.ok(tail.x + tail.width <= name.x + name.width + 0.5, 'the end is not cut off');
		await workbench.screenshot('compare-names');
	});

	test('fits into a narrow panel', async () => {
		await compare('logo.png', 'harbor-night.png');
		await shown(512, 1024);
		await stage().press('Home');
		await workbench.runCommand('View: Close Primary Side Bar');
		const size = workbench.page.viewportSize();
		assert.ok(size);
		try {
			await workbench.page.setViewportSize({ width: 368, height: 640 });
			await waitFor(stage(), (element) => element.clientWidth <= 320);
			for (const selector of ['html', '.toolbar', '.stage']) {
				const over = await page()
					.locator(selector)
					.evaluate((element) => element.scrollWidth - element.clientWidth);
				assert.ok(over <= 0, `${selector} is ${String(over)} px too wide`);
			}
			await workbench.screenshot('compare-narrow');
		} finally {
			await workbench.page.setViewportSize(size);
		}
	});
});

/** Waits until something is true of an element, which may be made anew meanwhile. */
async function waitFor<T>(
	locator: Locator,
	condition: (element: Element, argument: T) => boolean,
	argument?: T,
): Promise<void> {
	const deadline = Date.now() + 30_000;
	while (!(await locator.evaluate(condition as never, argument))) {
		assert.ok(Date.now() < deadline, `${locator.toString()} does not become as expected`);
		await locator.page().waitForFunction(() => true, undefined, { polling: 'raf' });
	}
}
