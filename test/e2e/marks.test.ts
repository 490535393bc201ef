import assert from 'node:assert/strict';
import path from 'node:path';
import { until } from '../host/until.js';
import { service, studio, useHarbor, workbench } from './harbor.js';
import { resultsFolder, themes, type Theme } from './workbench.js';

const pictures = path.join(resultsFolder, 'marks');

/** Marks of what to change on an image. */
suite('Marks on an image', () => {
	useHarbor({ latencyMs: 300 });

	suiteSetup(async () => {
		await workbench.page.setViewportSize({ width: 1400, height: 900 });
		await studio.open();
		await studio.compose('a settings page');
		await studio.waitForImages('1a');
	});

	const press = (name: string) => workbench.page.keyboard.press(name);
	const type = (text: string) => workbench.page.keyboard.type(text);
	const picture = () => studio.root.locator('.stage img:not(.thumbnail)');
	const mark = (name: string | RegExp) =>
		studio.root.locator('easel-marks').getByRole('button', { name });
	const note = (number: number) =>
		studio.root.getByRole('textbox', { name: `Note of mark ${String(number)}`, exact: true });
	const chip = (count: string) => studio.root.locator('easel-compose').getByText(count);

	/** Sends the draft by Enter in the note of its only mark, and waits for the image of a label. */
	async function sendByEnter(label: string): Promise<void> {
		const before = service.requests.length;
		await press('Enter');
		await service.waitForRequest(before + 1);
		await chip('1 mark').waitFor({ state: 'detached' });
		await studio.waitForImages(label);
	}

	/** Opens an image large, with the focus on it. */
	async function open(label: string): Promise<void> {
		if (await studio.button('Back').isVisible()) {
			await studio.button('Back').click();
		}
		await studio.image(label).dblclick();
		await picture().first().waitFor();
		await studio.edited().waitFor();
	}

	/** Compares two images of the stream. */
	async function compare(first: string, second: string): Promise<void> {
		if (await studio.button('Back').isVisible()) {
			await studio.button('Back').click();
		}
		await studio.image(first).press('Space');
		await studio.image(second).click({ modifiers: ['ControlOrMeta'] });
		await studio.root.locator('.selection').getByRole('button', { name: 'Compare 2' }).click();
		await picture().nth(1).waitFor();
	}

	async function wear(theme: Theme | 'highContrastLight'): Promise<void> {
		if (theme === 'highContrastLight') {
			await workbench.editor.preferColors({ dark: false, highContrast: true });
			await studio.root.locator('body.vscode-high-contrast-light').waitFor();
		} else {
			await workbench.setTheme(theme);
		}
	}

	/** Drags over the image, from one point of it to others, in fractions; with a key in between. */
	async function dragOver(
		...steps: readonly (readonly [number, number] | 'Escape')[]
	): Promise<void> {
		const { mouse } = workbench.page;
		const box = (await picture().last().boundingBox())!;
		const at = ([x, y]: readonly [number, number]) =>
			[box.x + x * box.width, box.y + y * box.height] as const;
		for (const [index, step] of steps.entries()) {
			await (step === 'Escape' ? press(step) : mouse.move(...at(step), { steps: index ? 8 : 1 }));
			if (index === 0) {
				await mouse.down();
			}
		}
		await mouse.up();
	}

	const ring = Array.from({ length: 13 }, (_, step) => {
		const angle = (step / 12) * 2 * Math.PI;
		return [0.7 + 0.15 * Math.cos(angle), 0.6 + 0.2 * Math.sin(angle)] as const;
	});

	test('mark and send takes four presses: M, a drag, words, Enter', async () => {
		await open('1a');
		const before = service.requests.length;
		await press('m');
		await dragOver([0.1, 0.1], [0.4, 0.25]);
		await type('make this button the primary one');
		await chip('1 mark').waitFor();
		await workbench.screenshot('marks-one');
		await press('Enter');
		await service.waitForRequest(before + 1);
		await studio.waitForImages('2a');
		assert.match(
			String(service.requests.at(-1)?.fields.find(({ name }) => name === 'prompt')?.value),
			/make this button the primary one/,
		);
		await chip('1 mark').waitFor({ state: 'detached' });
		// They are shown later, on the image that was edited.
		await open('2a');
		const notes = studio.root.getByRole('list', { name: 'Marks', exact: true });
		await notes.getByText('make this button the primary one').waitFor();
		await studio.button('Show Marks').click();
		await studio.root.getByText('Marks of the edit, on 1a').waitFor();
		const name = 'Mark 1, top left, 30 by 15 percent: make this button the primary one';
		await studio.root.getByRole('img', { name, exact: true }).waitFor();
		await studio.root.getByRole('group', { name: /^Image settings-page\.png\./ }).waitFor();
		assert.deepEqual(await studio.violations(), []);
		await workbench.screenshot('marks-shown');
	});

	test('are drawn, moved, sized and undone with the pointer, and survive a reload', async () => {
		await open('1a');
		await studio.button('Mark').click();
		await dragOver([0.1, 0.1], [0.3, 0.2]);
		await type('make this blue');
		await studio.root.getByRole('radio', { name: 'Freehand' }).check({ force: true });
		await dragOver(...ring);
		await type('a tree here');
		await studio.root.getByRole('radio', { name: 'Arrow' }).check({ force: true });
		await dragOver([0.1, 0.9], [0.3, 0.7]);
		await dragOver([0.5, 0.1], [0.9, 0.3], 'Escape');
		await studio.root.getByRole('radio', { name: 'Select', checked: true }).waitFor();
		await studio.root.getByRole('radio', { name: 'Arrow' }).check({ force: true });
		await mark(/^Mark 1, top left, 20 by 10 percent: make this blue$/).waitFor();
		await mark(/^Mark 2, right, \d+ by \d+ percent: a tree here$/).waitFor();
		await mark(/^Mark 3, bottom left, 20 by 20 percent$/).waitFor();
		await chip('3 marks').waitFor();
		await workbench.screenshot('marks-three');
		await studio.button('Show What Is Sent').click();
		await workbench.activeTab('Image Studio').waitFor();
		await workbench.page.locator('.view-line', { hasText: 'make this blue' }).first().waitFor();
		await workbench.screenshot('marks-preview');
		await workbench.runCommand('View: Close Editors in Other Groups');
		await studio.root.getByRole('radio', { name: 'Arrow', checked: true }).waitFor();
		// A number takes hold of its mark whatever tool is used.
		await dragOver([0.1, 0.1], [0.5, 0.4]);
		await mark(/^Mark 1, middle, 20 by 10 percent/).waitFor();
		await dragOver([0.7, 0.5], [0.8, 0.6]);
		await mark(/^Mark 1, middle, 30 by 20 percent/).waitFor();
		// Its number has made room for the handle of that corner.
		await dragOver([0.5, 0.4], [0.4, 0.3]);
		await mark(/^Mark 1, middle, 40 by 30 percent/).waitFor();
		await studio.button('Undo').click();
		await studio.button('Undo').click();
		await mark(/^Mark 1, middle, 20 by 10 percent/).waitFor();
		await workbench.reloadWindow();
		await workbench.activeTab('Image Studio').waitFor();
		await chip('3 marks').waitFor();
		await studio.root.getByRole('img', { name: /^Mark 2, right, .*a tree here$/ }).waitFor();
		// They go with the image that they are on.
		await studio.button('Back').click();
		await open('2a');
		await studio.root.getByText('Editing 1a, not 2a', { exact: true }).waitFor();
		await studio.button('Edit 2a').click();
		await chip('3 marks').waitFor({ state: 'detached' });
		await studio.button('Back').click();
		await open('1a');
		await studio.button('Edit 1a').click();
		await chip('3 marks').click();
		await mark(/^Mark 3/).waitFor();
		await studio.button('Remove Marks').click();
		await mark(/^Mark/).first().waitFor({ state: 'detached' });
		await studio.button('Undo').and(studio.root.locator('.notice button')).click();
		await chip('3 marks').waitFor();
		await studio.button('Remove Marks').click();
	});

	test('are drawn with a pen and with a finger, too', async () => {
		await open('1a');
		await press('m');
		const inspector = await workbench.page.context().newCDPSession(workbench.page);
		const { x, y, width, height } = (await picture().boundingBox())!;
		const at = (fraction: number) => ({ x: x + fraction * width, y: y + fraction * height });
		const pen = { button: 'left', buttons: 1, clickCount: 1, pointerType: 'pen' } as const;
		await inspector.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...at(0.1), ...pen });
		for (const fraction of [0.2, 0.25, 0.3]) {
			await inspector.send('Input.dispatchMouseEvent', {
				...{ type: 'mouseMoved', ...at(fraction), ...pen },
			});
		}
		await inspector.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...at(0.3), ...pen });
		await mark(/^Mark 1, top left, 20 by 20 percent$/).waitFor();
		const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...fractions: number[]) =>
			inspector.send('Input.dispatchTouchEvent', { type, touchPoints: fractions.map(at) });
		await touch('touchStart', 0.6);
		for (const fraction of [0.7, 0.8, 0.9]) {
			await touch('touchMove', fraction);
		}
		await touch('touchEnd');
		await mark(/^Mark 2, bottom right, 30 by 30 percent$/).waitFor();
		await inspector.detach();
		await studio.button('Remove Marks').click();
		await mark(/^Mark/).first().waitFor({ state: 'detached' });
	});

	test('go the whole way with the keyboard alone', async () => {
		await open('1a');
		const { page } = workbench;
		const focused = (number: number) =>
			studio.untilFocused(mark(new RegExp(`^Mark ${String(number)},`)), `mark ${String(number)}`);
		await press('m');
		await studio.root.getByRole('radio', { name: 'Rectangle', checked: true }).waitFor();
		await press('Enter');
		await focused(1);
		for (const key of ['ArrowLeft', 'ArrowUp', 'Shift+ArrowRight', 'Shift+ArrowDown']) {
			for (let presses = 0; presses < 5; presses++) {
				await press(key);
			}
		}
		const first = /^Mark 1, \w+( \w+)?, (\d+) by (\d+) percent$/;
		const sized = await mark(first).getAttribute('aria-label');
		assert.match(sized ?? '', first);
		await press('Enter');
		await studio.untilFocused(note(1), 'its note');
		await type('make it blue');
		await press('Escape');
		await focused(1);
		await press('m');
		await press('Enter');
		await focused(2);
		await press('Shift+Tab');
		await focused(1);
		await press('Tab');
		await press('Delete');
		await mark(/^Mark 2/).waitFor({ state: 'detached' });
		await focused(1);
		await press('ControlOrMeta+z');
		await mark(/^Mark 2/).waitFor();
		await press('ControlOrMeta+Shift+z');
		await mark(/^Mark 2/).waitFor({ state: 'detached' });
		await focused(1);
		// Escape leaves the tool, then the marks, then the image.
		await press('Escape');
		await studio.root.getByRole('radio', { name: 'Select', checked: true }).waitFor();
		await press('Escape');
		await studio.root.getByRole('img', { name: `${sized!}: make it blue` }).waitFor();
		await studio.untilFocused(studio.root.locator('.stage'), 'the image');
		await press('m');
		await studio.tabTo(mark(/^Mark 1/));
		await press('Enter');
		await studio.untilFocused(note(1), 'its note');
		await sendByEnter('3a');
		// The prompt of the last message brings its marks back.
		await studio.untilFocused(studio.prompt(), 'the prompt');
		await press('ArrowUp');
		await chip('1 mark').waitFor();
		assert.equal(await studio.prompt().inputValue(), 'make it blue');
		await page.keyboard.press('Escape');
	});

	test('are drawn in a comparison, whichever way its images are looked at, and sent there', async () => {
		await compare('1a', '2a');
		await studio.button('Mark 2a').waitFor();
		await press('2');
		await press('m');
		await studio.root.getByRole('radio', { name: 'Rectangle', checked: true }).waitFor();
		await dragOver([0.1, 0.1], [0.4, 0.25]);
		await type('make it round');
		await chip('1 mark').waitFor();
		await mark(/^Mark 1, top left, 30 by 15 percent: make it round$/).waitFor();
		assert.deepEqual(await studio.violations(), []);
		await workbench.screenshot('marks-comparison');
		for (const [index, way] of ['Slider', 'Overlay', 'Difference'].entries()) {
			const at = await picture().last().boundingBox();
			await studio.button(way).click();
			await until(async () => {
				const now = await picture().last().boundingBox();
				return index > 0 || now?.x !== at?.x;
			}, 'the images to lie over each other');
			await dragOver([0.05, 0.6], [0.25, 0.8]);
			await mark(/^Mark 2, bottom left, 20 by 20 percent$/).waitFor();
			await workbench.screenshot(`marks-comparison-${way.toLowerCase()}`, pictures);
			// A digit is a word in a note, and stars an image elsewhere.
			await type(String(index));
			assert.equal(await note(2).inputValue(), String(index));
			await studio.button('Delete Mark 2').click();
			await mark(/^Mark 2/).waitFor({ state: 'detached' });
		}
		// The handle of the slider lies above the marks.
		await studio.button('Slider').click();
		const slider = studio.root.getByRole('slider', { name: /^Slider between/ });
		await slider.click();
		await studio.untilFocused(slider, 'the handle of the slider');
		await studio.button('Side by Side').click();
		await mark(/^Mark 1/).focus();
		await press('Enter');
		await studio.untilFocused(note(1), 'its note');
		await sendByEnter('4a');
	});

	test('begin on the new image of a comparison, in the studio', async () => {
		await workbench.runCommand('View: Close All Editors');
		await workbench.expandFolder('images');
		const [edited, fresh] = ['settings-page.png', 'settings-page-button-primary-one.png'].map(
			(name) => workbench.explorerRow(name),
		);
		await fresh!.waitFor();
		await edited!.click();
		// Its preview, once open, selects its row anew.
		await workbench.activeTab('settings-page.png').waitFor();
		await workbench.statusBarItem('1024x1024').waitFor();
		await fresh!.click({ modifiers: ['ControlOrMeta'] });
		await workbench.contextMenu(fresh!, 'Compare Images…');
		await workbench.activeTab('↔').waitFor();
		await workbench.webview().getByRole('button', { name: 'Mark New…' }).waitFor();
		await workbench.screenshot('marks-compare');
		await workbench
			.webview()
			.getByRole('group', { name: /^Images\./ })
			.press('m');
		await workbench.activeTab('Image Studio').waitFor();
		await workbench.runCommand('View: Close Editors in Other Groups');
		await studio.root.getByRole('button', { name: 'Mark', exact: true, pressed: true }).waitFor();
		await studio.root.getByRole('group', { name: /^Image settings-page-button/ }).waitFor();
		await studio.button('Mark').click();
	});

	test('are shown in every theme, in narrow panels and at double size', async () => {
		const usual = workbench.page.viewportSize()!;
		await studio.prompt().fill('');
		await open('1a');
		await press('m');
		await dragOver([0.1, 0.1], [0.4, 0.25]);
		await type('make this button the primary one, and let it stand at the right');
		await studio.root.getByRole('radio', { name: 'Freehand' }).check({ force: true });
		await dragOver(...ring);
		await type('a tree here');
		await studio.root.getByRole('radio', { name: 'Arrow' }).check({ force: true });
		await dragOver([0.1, 0.9], [0.3, 0.7]);
		await type('larger');
		try {
			for (const theme of [...themes, 'dark', 'highContrastLight'] as const) {
				await wear(theme);
				assert.deepEqual(await studio.violations(), [], theme);
				await workbench.screenshot(`marking-${theme}`, pictures);
				await mark(/^Mark 1/).focus();
				await workbench.screenshot(`marking-focus-${theme}`, pictures);
				await note(1).focus();
			}
			await compare('1a', '2a');
			await studio.button('Mark 1a').click();
			for (const theme of [...themes, 'dark', 'highContrastLight'] as const) {
				await wear(theme);
				await mark(/^Mark 1/).focus();
				assert.deepEqual(await studio.violations(), [], theme);
				await workbench.screenshot(`comparing-${theme}`, pictures);
			}
			await workbench.setTheme('light');
			for (const width of [350, 600]) {
				await studio.setPanelWidth(width);
				assert.deepEqual(await studio.violations(), [], String(width));
				await workbench.screenshot(`comparing-${String(width)}`, pictures);
			}
			await open('1a');
			await press('m');
			await mark(/^Mark 1/).focus();
			for (const width of [350, 600, 1280]) {
				await studio.setPanelWidth(width);
				assert.deepEqual(await studio.violations(), [], String(width));
				const top = await studio.root.locator('.mark-tools').evaluate((tools) => {
					const { right, height } = tools.getBoundingClientRect();
					return { isSeen: right <= innerWidth, height };
				});
				assert.ok(top.isSeen && top.height < 70, `${String(width)}: ${JSON.stringify(top)}`);
				await workbench.screenshot(`marking-${String(width)}`, pictures);
			}
			// The same as 200 % in a window of 1,280 by 800.
			await workbench.page.setViewportSize({ width: 640, height: 400 });
			await workbench.screenshot('marking-double', pictures);
			assert.deepEqual(await studio.violations(), []);
			const wide = await studio.root
				.locator('html')
				.evaluate((html) => html.scrollWidth - html.clientWidth);
			assert.ok(wide <= 0, `${String(wide)} px too wide`);
		} finally {
			await workbench.page.setViewportSize(usual);
		}
	});
});
