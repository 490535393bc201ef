import assert from 'node:assert/strict';
import axe from 'axe-core';
import type { FrameLocator, Locator } from 'playwright-core';
import { until } from '../host/until.js';
import type { Workbench } from './workbench.js';

/** The page of the Image Studio, in front of a workbench, by what is on the screen. */
export class StudioPage {
	constructor(private readonly workbench: Workbench) {}

	/** The whole page. */
	get root(): FrameLocator {
		return this.workbench.webview();
	}

	async open(): Promise<void> {
		await this.workbench.runCommand('Easel: Open Image Studio');
		await this.workbench.activeTab('Image Studio').waitFor();
		await this.prompt().waitFor();
	}

	/** Opens the studio with the keyboard in its search. */
	async openSearch(): Promise<void> {
		await this.open();
		await this.findByKey();
	}

	async findByKey(): Promise<void> {
		await this.prompt().press('ControlOrMeta+F');
		await this.untilFocused(this.search(), 'the search');
	}

	/** A button by its name: the whole of it where it is a string. */
	button(name: string | RegExp): Locator {
		return this.root.getByRole('button', { name, exact: typeof name === 'string' });
	}

	// --- The composer

	prompt(): Locator {
		return this.root.getByRole('textbox', { name: 'Prompt', exact: true });
	}

	/** The button that sends, whatever it is called now. */
	send(): Locator {
		return this.root.locator('easel-compose button.send');
	}

	/** The choice of how many images are asked for. */
	number(count: number): Locator {
		return this.root
			.getByRole('group', { name: 'Number of images' })
			.getByRole('radio', { name: String(count), exact: true });
	}

	/** The chip of the image that is edited. */
	edited(): Locator {
		return this.root.locator('easel-references').getByRole('group', { name: /^Editing: / });
	}

	/** Writes a request and sends it; returns when the extension has taken it. */
	async compose(text: string, count = 1): Promise<void> {
		await this.prompt().fill(text);
		assert.equal(await this.prompt().inputValue(), text, 'the prompt is not in its field');
		await this.setCount(count);
		await this.send().click();
		await this.untilAccepted();
	}

	async setCount(count: number): Promise<void> {
		await this.number(count).check();
	}

	/** Pastes a file into the prompt, as the browser has it. */
	async paste(name: string, bytes: Buffer): Promise<void> {
		await this.prompt().evaluate(
			(field, [fileName = '', text = '']) => {
				const content = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
				const clipboardData = new DataTransfer();
				clipboardData.items.add(new File([content], fileName, { type: 'image/png' }));
				const options = { clipboardData, bubbles: true, composed: true };
				field.dispatchEvent(new ClipboardEvent('paste', options));
			},
			[name, bytes.toString('base64')],
		);
	}

	/** The prompt stays until the request has been taken. */
	async untilAccepted(): Promise<void> {
		await until(
			async () => (await this.prompt().inputValue()) === '',
			'the request to be taken, and the prompt to be empty',
		);
	}

	// --- The rounds

	/** A round with its line and its tiles. @param title for example `Round 3` */
	round(title: string): Locator {
		return this.root.getByRole('rowgroup', { name: new RegExp(`^${title}(?!\\d)`) });
	}

	/** Every place of the rounds that are on the screen: images, and what is to come or has failed. */
	slots(): Locator {
		return this.root.locator('.tile[data-cell]');
	}

	/** One of them. @param label for example `3a` */
	tile(label: string): Locator {
		return this.slots().filter({
			has: this.workbench.page.locator('.label', { hasText: new RegExp(`^${label}$`) }),
		});
	}

	/** One whose image is there. */
	image(label: string): Locator {
		return this.tile(label).and(this.root.locator('.image'));
	}

	/** The labels that stand on the screen, in order. */
	async labels(): Promise<string[]> {
		const words = await this.slots().locator('.label').allTextContents();
		return words.map((word) => word.trim()).sort();
	}

	async waitForImages(...labels: readonly string[]): Promise<void> {
		for (const label of labels) {
			await this.image(label).waitFor();
		}
	}

	// --- The search

	/** Its field, by its accessible name. */
	search(): Locator {
		return this.root.getByRole('textbox', { name: 'Search images' });
	}

	/** One of the filters beside it. */
	filter(name: string | RegExp): Locator {
		return this.root.getByRole('group', { name: 'Show' }).getByRole('radio', { name });
	}

	/** Waits until the images that are found are these. */
	async untilFound(...labels: readonly string[]): Promise<void> {
		let found: string[] = [];
		await until(
			async () => (found = await this.labels()).join() === [...labels].sort().join(),
			`the images ${labels.join()}`,
		).catch((error) => {
			throw new Error(`found: ${found.join()}`, { cause: error });
		});
	}

	// --- The keyboard

	async untilFocused(target: Locator, what: string): Promise<void> {
		await target.waitFor();
		await until(
			() => target.evaluate((element) => element.matches(':focus')),
			`the focus to be in ${what}`,
		);
	}

	/** Presses Tab until an element has the focus. */
	async tabTo(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
		await target.waitFor();
		const isFocused = () => target.evaluate((element) => element.matches(':focus'));
		for (let presses = 0; !(await isFocused()); presses++) {
			assert.ok(presses < 60, `${key} does not reach ${target.toString()}`);
			await this.workbench.page.keyboard.press(key);
		}
	}

	// --- The page as a whole

	/** The violations that axe-core finds in the page as it is now. */
	async violations(): Promise<string[]> {
		const html = await this.root.locator('html').elementHandle();
		const frame = await html?.ownerFrame();
		assert.ok(frame);
		await frame.evaluate(axe.source);
		return frame.evaluate(async () => {
			const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
			const found = await axe.run({
				runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
			});
			return found.violations.map(
				({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
			);
		});
	}

	/** Gives the panel a width, in CSS pixels: that of the window is changed for it. */
	async setPanelWidth(width: number): Promise<void> {
		const { page } = this.workbench;
		const explorer = page.locator('.explorer-folders-view');
		if (await explorer.isVisible()) {
			await this.workbench.runCommand('View: Close Primary Side Bar');
			await explorer.waitFor({ state: 'hidden' });
		}
		let seen: number | undefined;
		await until(
			async () => {
				const now = await this.root.locator('html').evaluate((html) => html.clientWidth);
				// The page hears of another window a moment later: what it says may still be of before.
				if (now !== width && now !== seen) {
					seen = now;
					const window = page.viewportSize()!;
					// What stands around the panel keeps its width.
					await page.setViewportSize({ ...window, width: window.width + width - now });
				}
				return now === width;
			},
			`the panel to be ${String(width)} px wide`,
		);
	}
}
