import { mkdir, readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { repository, say } from '../host/cache';
import { chooseHost, type ColorScheme, type Editor, type OpenOptions } from '../host/host';
import { packageExtension } from '../host/package';
import { listProcesses } from '../host/processes';
import { copySample } from '../host/sample';
import { until } from '../host/until';

/** The themes in which every surface is checked. */
export const themes = ['light', 'highContrast'] as const;
export type Theme = 'light' | 'dark' | 'highContrast';

/** Folder of the pictures and logs of tests that open a workbench. */
export const resultsFolder = join(
	repository,
	process.env['EASEL_TEST_RESULTS'] ?? 'test-results/e2e',
);

/** The workbenches that are open now, so that a failing test can be shown. */
export const openWorkbenches = new Set<Workbench>();

const isImage = /\.(?:png|jpe?g|gif|webp|svg)$/i;

/** The workbench as a user works with it: by the keyboard, the mouse and what is on the screen. */
export class Workbench {
	/**
	 * Opens a fresh copy of the sample documentation with the packaged extension installed.
	 *
	 * @param options settings and environment; `folder` instead of the copy.
	 */
	static async open(options: Partial<OpenOptions> = {}): Promise<Workbench> {
		const vsix = options.vsix ?? process.env['EASEL_TEST_VSIX'] ?? (await packageExtension());
		const sample = options.folder === undefined ? await copySample() : undefined;
		const folder = options.folder ?? sample!.folder;
		try {
			const editor = await chooseHost().open({ ...options, folder, vsix });
			return new Workbench(editor, folder, () => sample?.remove());
		} catch (error) {
			sample?.remove();
			throw error;
		}
	}

	private constructor(
		readonly editor: Editor,
		/** The open folder, absolute. */
		readonly folder: string,
		private readonly removeFolder: () => void,
	) {
		openWorkbenches.add(this);
	}

	get page(): Page {
		return this.editor.page;
	}

	async close(): Promise<void> {
		openWorkbenches.delete(this);
		await this.editor.close();
		this.removeFolder();
	}

	/**
	 * Reloads the window with VS Code's own command. A reload of the page, which comes as a surprise
	 * to the workbench, leaves it no time to note down which editors are open.
	 */
	async reloadWindow(): Promise<void> {
		const loaded = this.page.waitForEvent('load', { timeout: 120_000 });
		await this.chooseCommand('Developer: Reload Window');
		await loaded;
		await this.page.locator('.explorer-folders-view .monaco-list-row').first().waitFor();
	}

	// --- Commands and quick inputs

	/**
	 * Runs a command from the palette by its full title, for example `Easel: Generate Image`; the
	 * ellipsis of one that asks may be left out.
	 */
	async runCommand(title: string): Promise<void> {
		await this.chooseCommand(title);
		// What the command shows next uses the same widget: wait until the palette has let go of it.
		await this.page.waitForFunction(() => {
			const input = document.querySelector<HTMLInputElement>(
				'.quick-input-widget input[type=text]',
			);
			return !input?.offsetParent || !input.value.startsWith('>');
		});
	}

	private async chooseCommand(title: string): Promise<void> {
		// An editor that opens late takes the focus, and the palette goes: open it again then.
		for (const deadline = Date.now() + 60_000; ;) {
			await this.findCommand(title);
			if (await succeeds(this.command(title).click({ timeout: 5000 }))) return;
			if (Date.now() > deadline) throw new Error(`“${title}” could not be chosen.`);
		}
	}

	/** Opens the palette and waits until it offers the command, without running it. */
	async findCommand(title: string): Promise<void> {
		// The palette lists what there is when it opens. While extensions are still being read, it has
		// to be opened again.
		for (const deadline = Date.now() + 60_000; ;) {
			await this.page.keyboard.press('F1');
			const typed = await succeeds(this.input.fill(`>${title}`, { timeout: 5000 }));
			if (typed && (await this.appears(this.command(title), 2000))) return;
			if (Date.now() > deadline) throw new Error(`The palette does not offer “${title}”.`);
			await this.page.keyboard.press('Escape');
			await this.takeFocusBack();
		}
	}

	/**
	 * From a frame to the window around it, as a click on its edge does. A frame that VS Code is about
	 * to replace by another one can have the focus, and then every key is lost.
	 */
	private async takeFocusBack(): Promise<void> {
		await this.page.evaluate(() => {
			const { activeElement } = document;
			if (activeElement instanceof HTMLIFrameElement) activeElement.blur();
		});
	}

	/** The title of the open quick input; empty if it has none. */
	async quickInputTitle(): Promise<string> {
		await this.quickInput.waitFor();
		return (await this.quickInput.locator('.quick-input-title').textContent()) ?? '';
	}

	/** Waits for the quick input whose title or placeholder contains the text. */
	async waitForQuickInput(text: string): Promise<void> {
		await this.quickInputWith(text).waitFor();
	}

	/** The title or field of the quick input whose title or placeholder contains the text. */
	quickInputWith(text: string): Locator {
		const title = this.quickInput.locator('.quick-input-title', { hasText: text });
		return title.or(this.quickInput.getByPlaceholder(text)).first();
	}

	/** Replaces the text of the open quick input. */
	async typeInQuickInput(text: string): Promise<void> {
		await this.input.fill(text);
	}

	/** Presses Enter in the open quick input. */
	async acceptQuickInput(): Promise<void> {
		await this.quickInputStands();
		await this.input.press('Enter');
	}

	/** Waits until the quick input has been seen for a moment: no user answers it sooner, and it takes no answer then. */
	async quickInputStands(): Promise<void> {
		await this.page.waitForFunction((seenMs) => {
			const widget = document.querySelector<HTMLElement>('.quick-input-widget');
			const input = widget?.querySelector<HTMLInputElement>('input');
			if (!widget?.offsetParent || !input) return false;
			const title = widget.querySelector('.quick-input-title')?.textContent ?? '';
			const step = `${title} ${input.placeholder} ${input.type}`;
			const seen = window as { quickInputSeen?: { step: string; at: number } | undefined };
			if (seen.quickInputSeen?.step !== step) {
				seen.quickInputSeen = { step, at: performance.now() };
			}
			const stands = performance.now() - seen.quickInputSeen.at > seenMs;
			// Another one of the same words may follow.
			if (stands) seen.quickInputSeen = undefined;
			return stands;
		}, 400);
	}

	/** Presses Enter and waits until the next step stands there, or the quick input is gone. */
	async acceptStep(): Promise<void> {
		const before = await this.page.evaluate(describeQuickInput);
		const describe = describeQuickInput.toString();
		for (let attempt = 0; attempt < 10; attempt++) {
			await this.acceptQuickInput();
			const changed = this.page.waitForFunction(
				`(${describe})() !== ${JSON.stringify(before)}`,
				undefined,
				{ timeout: 3000 },
			);
			// Enter is refused while the input is still working on what was typed.
			if (await succeeds(changed)) return;
		}
		throw new Error(`Enter does not leave this step: ${before}`);
	}

	/** The rows that the open quick pick offers, label and description together. */
	async quickPickItems(): Promise<string[]> {
		await this.quickInput.locator('.monaco-list-row').first().waitFor();
		return this.quickInput.locator('.monaco-list-row').allInnerTexts();
	}

	/** The labels of the rows whose box is checked. */
	checkedItems(): Promise<string[]> {
		return this.quickInput
			.locator('.monaco-list-row:has(.monaco-checkbox.checked) .label-name')
			.allInnerTexts();
	}

	/** Picks the first row that contains the text. */
	async pickItem(text: string): Promise<void> {
		await this.row(text).waitFor();
		await this.quickInputStands();
		// The hover of another row would lie over this one.
		await this.page.mouse.move(0, 0);
		await this.row(text).click();
	}

	/** Presses a button of the row that contains the text, by the button's tooltip. */
	async clickItemButton(text: string, label: string): Promise<void> {
		// The button is seen as long as the pointer is on the row, which the list may draw anew: between
		// press and release too, and then the click is lost.
		const selector = `.action-label[aria-label^="${label}"]`;
		const button = this.row(text).locator(selector);
		for (const deadline = Date.now() + 60_000; ;) {
			await this.row(text).hover();
			const heard = await this.hear('click', selector);
			if ((await succeeds(button.click({ timeout: 3000 }))) && (await heard()).inside) return;
			if (Date.now() > deadline) throw new Error(`“${label}” at “${text}” could not be pressed.`);
			await this.page.mouse.move(0, 0);
		}
	}

	/** Waits until the rows, joined by line ends, are so. */
	async waitForItems(pattern: RegExp): Promise<void> {
		await this.page.waitForFunction(
			([source, selector]) =>
				new RegExp(source!).test(
					[...document.querySelectorAll<HTMLElement>(selector!)]
						.map((row) => row.innerText)
						.join('\n'),
				),
			[pattern.source, '.quick-input-widget .monaco-list-row'],
		);
	}

	/** Goes to the step before, with the button in the title bar. */
	async goBack(): Promise<void> {
		await this.quickInput.locator('.quick-input-left-action-bar .action-label').first().click();
	}

	/** The text that stands in the open quick input. */
	quickInputText(): Promise<string> {
		return this.input.inputValue();
	}

	/** Waits until the quick input's text contains this, as a dialog that fills itself in does. */
	async waitForQuickInputText(text: string): Promise<void> {
		await this.page.waitForFunction((expected) => {
			const input = document.querySelector<HTMLInputElement>(
				'.quick-input-widget input[type=text]',
			);
			return input?.value.includes(expected);
		}, text);
	}

	/** Presses a button in the title bar of the quick input, by the beginning of its tooltip. */
	async clickQuickInputButton(label: string): Promise<void> {
		// A hover that is shown where the mouse rests may lie over the button.
		await this.page.mouse.move(0, 0);
		await this.quickInput
			.locator(`.quick-input-titlebar .action-label[aria-label^="${label}"]`)
			.click();
	}

	// --- Notifications

	/** The notification of images in progress whose prompt begins with the text. */
	progress(prompt: string): Locator {
		return this.page.locator('.notification-toast:has(.monaco-button:text-is("Cancel"))', {
			hasText: `“${prompt}`,
		});
	}

	/** The progress notification of a batch whose text, with its prompt's first words, is like this. */
	batchProgress(text: RegExp): Locator {
		return this.progress('').filter({ hasText: text });
	}

	/** The texts of the notifications on the screen, without those of images in progress. */
	notifications(): Promise<string[]> {
		return this.toasts.locator('.notification-list-item-message').allInnerTexts();
	}

	/** Waits for a notification and returns its text. */
	async waitForNotification(text: string | RegExp, timeoutMs?: number): Promise<string> {
		const toast = this.toasts.filter({ hasText: text }).first();
		await toast.waitFor({ timeout: timeoutMs });
		return toast.locator('.notification-list-item-message').innerText();
	}

	/**
	 * Waits for the notification that one image is saved, in the document too, and
	 * returns the text.
	 *
	 * @param file how its path begins
	 */
	async waitForImage(file = '', timeoutMs?: number): Promise<string> {
		const path = file.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
		return this.waitForNotification(
			new RegExp(`(Saved|Added|New draft of \\S+ is ready:) ${path}`),
			timeoutMs,
		);
	}

	/** Waits for an error notification and returns its text. */
	async waitForError(timeoutMs?: number): Promise<string> {
		const toast = this.toasts.filter({ has: this.page.locator('.codicon-error') }).first();
		await toast.waitFor({ timeout: timeoutMs });
		return toast.locator('.notification-list-item-message').innerText();
	}

	/**
	 * Opens the list of all notifications, and returns one of them with its buttons. There it stays;
	 * on the screen it goes after 10 s, a warning after 12 s and an error without buttons after 15 s.
	 */
	async openListedNotification(text: string | RegExp): Promise<Locator> {
		await this.runCommand('Notifications: Show Notifications');
		const item = this.listedNotification(text);
		await item.hover();
		return item;
	}

	/**
	 * Presses a notification's button by its exact text: on the screen, or, where it has gone from
	 * there by itself while the machine was busy, in the list of all notifications. A click that the
	 * workbench has lost, while it drew the notification anew, is made again.
	 */
	async clickNotificationButton(text: string): Promise<void> {
		const [toast, button] = [this.toastWith(text), this.notificationButton(text)];
		const message = toast.locator('.notification-list-item-message');
		const words = await message.innerText({ timeout: 5000 }).catch(() => undefined);
		while (words !== undefined && (await succeeds(button.click({ timeout: 5000 })))) {
			const same = this.toasts.filter({ hasText: words }).first();
			if (await succeeds(same.waitFor({ state: 'hidden', timeout: 5000 }))) return;
			say(`    “${text}” is clicked again: its notification is still there`);
		}
		await this.runCommand('Notifications: Show Notifications');
		const list = this.page.locator('.notifications-center');
		await list.getByRole('button', { name: text, exact: true }).first().click();
		// As long as it is open, nothing new appears on the screen.
		const hide = list.getByRole('button', { name: 'Hide Notifications' });
		if (await this.appears(hide, 250)) await hide.click();
	}

	/** A notification's button, by its exact text. */
	notificationButton(text: string): Locator {
		return this.toastWith(text).getByRole('button', { name: text, exact: true }).first();
	}

	private toastWith(button: string): Locator {
		const has = this.page.getByRole('button', { name: button, exact: true });
		return this.toasts.filter({ has }).first();
	}

	/** Asks for several images of one prompt. */
	async generateSeveral(prompt: string, count: number): Promise<void> {
		await this.runCommand('Easel: Generate Image');
		await this.waitForQuickInput('Describe the image');
		await this.typeInQuickInput(prompt);
		await this.pickItem('Number of Images');
		await this.waitForQuickInput('Number of Images');
		await this.pickItem(`${String(count)} requests`);
		await this.waitForQuickInput('Describe the image');
		await this.waitForItems(new RegExp(`· ${String(count)} images`));
		await this.acceptQuickInput();
	}

	/** Number of links the notifications on the screen contain. */
	notificationLinks(): Promise<number> {
		return this.toasts.locator('.notification-list-item-message a').count();
	}

	/** Closes what is open of quick inputs and notifications. */
	async dismissEverything(): Promise<void> {
		while (await this.quickInput.isVisible()) {
			await this.page.keyboard.press('Escape');
		}
		await this.runCommand('Notifications: Clear All Notifications');
		await this.toasts.first().waitFor({ state: 'hidden' });
	}

	/** Asks for an image by palette, prompt and Enter. */
	async generate(prompt: string): Promise<void> {
		await this.runCommand('Easel: Generate Image');
		await this.waitForQuickInput('Describe the image');
		await this.typeInQuickInput(prompt);
		await this.acceptQuickInput();
	}

	/** Goes on with a prompt in an editor. */
	async writePrompt(): Promise<void> {
		await this.runCommand('Easel: Generate Image');
		await this.waitForQuickInput('Describe the image');
		await this.clickQuickInputButton('Write in Editor');
	}

	/** Answers the questions of the set-up, which are open, with the service and its key. */
	async setUp(address: string, key: string): Promise<void> {
		await this.waitForQuickInput('https://images.example.com');
		await this.typeInQuickInput(address);
		await this.acceptQuickInput();
		await this.pickItem('Standard image service');
		await this.page.getByText('It is stored in').waitFor();
		await this.typeInQuickInput(key);
		await this.acceptQuickInput();
	}

	/** The status bar item of the images in progress. */
	imagesInProgress(): Locator {
		return this.page.locator('.statusbar-item[id$="easel.running"]');
	}

	/** Waits until the status bar has no image in progress any more. */
	async untilNoneRuns(): Promise<void> {
		await this.imagesInProgress()
			.filter({ hasText: /running|[Ii]mages? / })
			.waitFor({ state: 'hidden' });
	}

	/** Waits until the status bar says this of what runs and waits. */
	async waitForStatus(words: string): Promise<void> {
		await this.imagesInProgress().filter({ hasText: words }).waitFor();
	}

	/** The hover of that item, which lists the images. */
	async #progressHover(): Promise<Locator> {
		const hover = this.page.locator('.monaco-hover:visible', { hasText: 'Click to decide' });
		await until(async () => {
			const box = await this.imagesInProgress().boundingBox();
			if (box === null || (await hover.count()) > 0) {
				return box !== null;
			}
			await this.page.mouse.move(700, 500);
			await this.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 3 });
			return this.appears(hover, 2000);
		}, 'the images in progress');
		return hover;
	}

	/** Waits until the progress of an image has these words: `“a prompt” 1024 × 1024 · 0:12 · usually`. */
	async waitForProgress(text: string | RegExp): Promise<string> {
		const pattern =
			typeof text === 'string' ? new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')) : text;
		let found: string | undefined;
		await until(
			async () => {
				const hover = await this.#progressHover();
				const paragraphs = await hover
					.locator('p')
					.allInnerTexts()
					.catch((): string[] => []);
				let prompt = '';
				found = undefined;
				for (const paragraph of paragraphs.slice(1)) {
					const isWords = /^(?:automatic size|\d+ × \d+) · /.test(paragraph);
					const words = `“${prompt}” ${paragraph}`;
					if (isWords && pattern.test(words)) {
						found = words;
					} else if (!isWords && paragraph !== 'Cancel') {
						prompt = paragraph;
					}
				}
				return found !== undefined;
			},
			`progress with ${String(text)}`,
		);
		return found!;
	}

	/** Cancels the image whose prompt, or whose progress in a notification, contains the text. */
	async cancelImage(text: string): Promise<void> {
		const inToast = this.page
			.locator('.notification-toast')
			.filter({ hasText: text })
			.getByRole('button', { name: 'Cancel', exact: true });
		if (await inToast.isVisible()) {
			await inToast.click();
			return;
		}
		const prompt = text.replace(/[“”]/g, '');
		const hover = await this.#progressHover();
		await hover
			.locator(`xpath=.//p[contains(., "${prompt}")]/following-sibling::p[a][1]/a`)
			.first()
			.click();
	}

	// --- Processes

	/** The ids of the worker processes that this editor has started. */
	workers(): number[] {
		const extensions = join(this.editor.dataDir, '../extensions/easel.easel-');
		return listProcesses()
			.filter(({ command }) => command.includes(extensions) && command.includes('worker.js'))
			.map(({ pid }) => pid);
	}

	// --- Files

	/** The text area of the editor in front. */
	editorText(): Locator {
		return this.page.locator('.editor-instance .view-lines').first();
	}

	/**
	 * Points at something in the editor until its hover is there.
	 *
	 * @param at a text, or what finds the point
	 */
	async hoverOver(
		at: string | (() => Promise<{ x: number; y: number }>),
		words: string,
	): Promise<Locator> {
		const hover = this.page.locator('.monaco-hover:visible', { hasText: words });
		const centerOf = async (text: string) => {
			const box = await this.editorText().getByText(text).first().boundingBox();
			return box && { x: box.x + box.width / 2, y: box.y + box.height / 2 };
		};
		await until(async () => {
			// A line that is drawn anew has no place for a moment.
			const point = typeof at === 'string' ? await centerOf(at) : await at();
			if (point === null) {
				return false;
			}
			await this.page.mouse.move(700, 600);
			await this.page.mouse.move(point.x, point.y, { steps: 3 });
			return hover.waitFor({ timeout: 3000 }).then(
				() => true,
				() => false,
			);
		}, 'the hover');
		return hover;
	}

	/** Waits until the file exists in the open folder. */
	async waitForFile(path: string): Promise<void> {
		await this.waitForFileText(path, '');
	}

	/**
	 * Waits until the file exists in the open folder and contains the text.
	 *
	 * @returns all of its text. Who reads the file again may find it empty: in a browser,
	 * VS Code also saves by itself, a second after a change.
	 */
	async waitForFileText(path: string, text: string): Promise<string> {
		const file = join(this.folder, path);
		const read = () => readFile(file, 'utf8').catch(() => undefined);
		// It is written piece by piece, and counts as changed until all of it is there.
		const changed = this.page.locator(`.tab.dirty[data-resource-name="${basename(path)}"]`);
		let all: string | undefined;
		await until(async () => {
			if (!(await read())?.includes(text) || (await changed.count().catch(() => 0)) > 0) {
				return false;
			}
			all = await read();
			return all?.includes(text) ?? false;
		}, `${path} to contain “${text}”`);
		return all ?? '';
	}

	/** Opens a file of the folder through the quick open, and waits for its tab. */
	async openFile(path: string): Promise<void> {
		const name = path.split('/').at(-1)!;
		const timeout = 10_000;
		const open = async () => {
			await this.page.keyboard.press('ControlOrMeta+P');
			await this.input.fill(path, { timeout });
			const gone = this.input.waitFor({ state: 'hidden', timeout }).then(() => {
				throw new Error('Something else has taken the focus.');
			});
			const found = this.row(name).and(this.page.locator('.focused')).waitFor({ timeout });
			await Promise.race([found, gone]);
			await this.page.keyboard.press('Enter');
			await this.activeTab(name).waitFor({ timeout });
			if (!isImage.test(name)) await this.waitForText(name, '.focused');
		};
		// An editor that opens late takes the focus here as well, or the key.
		for (const deadline = Date.now() + 60_000; !(await succeeds(open()));) {
			if (Date.now() > deadline) throw new Error(`“${path}” could not be opened.`);
			await this.page.keyboard.press('Escape');
			await this.takeFocusBack();
		}
		// The explorer follows and moves its rows; a click in the meantime would hit another.
		await this.explorerRow(name).first().waitFor();
	}

	/**
	 * Clicks a text in the editor in front until the cursor is on its line: an editor that has just
	 * opened may lose a click.
	 */
	async clickText(text: string): Promise<void> {
		const target = this.editorText().getByText(text).first();
		await until(async () => {
			// A line that is drawn anew is none for a moment.
			const line = await target
				.evaluate(lineNumberOf, undefined, { timeout: 5000 })
				.catch(() => undefined);
			if (line === undefined || !(await succeeds(target.click({ timeout: 5000 })))) {
				return false;
			}
			return this.appears(this.statusBarItem(`Ln ${line}, `), 2000);
		}, `the cursor on “${text}”`);
	}

	/** Puts the cursor of the editor in front to the end of a line, counted from 1. */
	async goToLine(line: number): Promise<void> {
		const { keyboard } = this.page;
		await until(
			async () => {
				// A click would hit the margin where a long line has scrolled the text.
				await this.page
					.locator('.editor-group-container.active .monaco-editor')
					.locator('.native-edit-context, textarea.inputarea')
					.first()
					.focus();
				await keyboard.press('ControlOrMeta+Home');
				for (let at = 1; at < line; at++) {
					await keyboard.press('ArrowDown');
				}
				await keyboard.press('End');
				// What has closed just before may take the keyboard once more.
				return this.appears(this.statusBarItem(new RegExp(`Ln ${String(line)}, `)), 2000);
			},
			`the cursor on line ${String(line)}`,
		);
	}

	/** The tab in front, if it shows the file of this name. */
	activeTab(name: string): Locator {
		return this.page.locator('.tabs-container .tab.active', { hasText: name });
	}

	/**
	 * Waits until the text of the tab in front is there. The tab itself comes up to a second earlier;
	 * what is typed or commanded in between goes to no document.
	 *
	 * @param name as of {@link activeTab}
	 * @param state a selector of what the editor must be as well
	 */
	async waitForText(name: string, state = ''): Promise<void> {
		const tab = this.page.locator('.editor-group-container.active .tab.active', { hasText: name });
		const lines = this.page.locator(
			`.editor-group-container.active .monaco-editor[data-uri]${state}:has(.view-line)`,
		);
		const isThere = async () => {
			const file = await tab.getAttribute('data-resource-name', { timeout: 5000 });
			const shown = await lines.evaluateAll((all) =>
				all.map((one) => decodeURIComponent(one.getAttribute('data-uri') ?? '')),
			);
			return shown.some((uri) => uri.endsWith(`/${String(file)}`));
		};
		await until(() => isThere().catch(() => false), `the text of “${name}”`);
	}

	/** A row of the explorer, by its exact name. */
	explorerRow(name: string): Locator {
		return this.page
			.locator('.explorer-folders-view .monaco-list-row')
			.filter({ has: this.page.getByText(name, { exact: true }) });
	}

	/**
	 * Opens a folder of the explorer. Where it was opened already, as the explorer does for the file
	 * in front, it stays so; the explorer forgets that for a file that is closed soon after.
	 */
	async expandFolder(name: string): Promise<void> {
		const row = this.explorerRow(name);
		const expanded = row.and(this.page.locator('[aria-expanded="true"]'));
		await row.waitFor();
		for (const deadline = Date.now() + 60_000; !(await this.appears(expanded, 250));) {
			if (Date.now() > deadline) throw new Error(`The folder “${name}” cannot be opened.`);
			await row.click();
			// It has to be read.
			await this.appears(expanded, 5000);
		}
	}

	/** A code lens above a line of the editor, by its text: a link, or words that do nothing. */
	codeLens(text: string): Locator {
		return this.page.locator('.codelens-decoration a, .codelens-decoration span', {
			hasText: text,
		});
	}

	/**
	 * Clicks what stands above a line, until the click has done what it should: the editor draws all of
	 * it anew whenever something in it changes, and a click in that moment is lost.
	 */
	async clickCodeLens(text: string, done: Locator): Promise<void> {
		for (const deadline = Date.now() + 60_000; ;) {
			await this.codeLens(text).click();
			if (await this.appears(done, 5000)) return;
			if (Date.now() > deadline) throw new Error(`A click on “${text}” does nothing.`);
		}
	}

	/** Opens the code actions at the cursor, with the keyboard, and returns the one of this title. */
	async openCodeActions(title: string): Promise<Locator> {
		// Each editor has one; of those that are beside each other only the one in front shows it.
		await this.page.locator('.lightBulbWidget:visible').waitFor();
		const action = this.page.locator('.action-widget').getByText(title);
		// While the editor still looks for others, it closes the list again.
		for (const deadline = Date.now() + 60_000; Date.now() < deadline;) {
			await this.page.keyboard.press('ControlOrMeta+.');
			if (await this.appears(action, 2000)) return action;
			await this.page.keyboard.press('Escape');
		}
		throw new Error(`The editor does not offer “${title}”.`);
	}

	/** The items of the context menu of a row, tab or any other place. */
	async contextMenuItems(target: Locator): Promise<string[]> {
		const items = this.page.locator('.monaco-menu .action-item');
		for (const deadline = Date.now() + 60_000; Date.now() < deadline;) {
			await target.click({ button: 'right' });
			const isShown = await this.appears(items.first(), 5000);
			await (isShown && this.openSubmenu());
			const texts = isShown ? await items.allInnerTexts() : [];
			// An editor that opened late may have closed it meanwhile.
			const isThere = await items.first().isVisible();
			// One for the submenu, one for the menu.
			while (await items.first().isVisible()) await this.page.keyboard.press('Escape');
			// Behind the name are its keys, and behind that of a submenu all that it has.
			if (isThere && texts.length > 0) return texts.map((text) => text.trim().split('\n')[0]!);
		}
		throw new Error('The context menu does not stay.');
	}

	/** Opens what a context menu has of Easel, where it has that. */
	private async openSubmenu(): Promise<void> {
		const item = this.page.locator('.monaco-menu .action-item', { hasText: /^Easel/ }).first();
		// An editor that opens late closes the menu.
		if ((await item.isVisible()) && (await succeeds(item.hover({ timeout: 5000 })))) {
			await this.appears(this.page.locator('.monaco-submenu .action-item').first(), 5000);
		}
	}

	private isInSubmenu(entry: Locator): Promise<boolean> {
		return succeeds(
			entry.evaluate((element) => {
				if (element.closest('.monaco-submenu') === null) throw new Error('in the menu itself');
			}),
		);
	}

	/** Chooses an item of the context menu of a row, tab or any other place, or of what it has of Easel. */
	async contextMenu(target: Locator, item: string): Promise<void> {
		const menu = this.page.locator('.monaco-menu').first();
		const entry = menu.locator('.action-item:not(.submenu-item)', { hasText: item }).last();
		for (const deadline = Date.now() + 60_000; Date.now() < deadline;) {
			const box = await entry.boundingBox({ timeout: 250 }).catch(() => null);
			if (box) {
				await this.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
				if (await this.isInSubmenu(entry)) {
					// What the pointer is on is focused; a fresh submenu ignores the pointer's button.
					await this.page.keyboard.press('Enter');
					if (await succeeds(menu.waitFor({ state: 'hidden', timeout: 2000 }))) return;
				} else if (await this.pressInMenu()) return;
				continue;
			}
			// It is not there yet, or an editor that opened late has closed it. An open menu keeps
			// clicks from everything below.
			if (!(await menu.isVisible())) await target.click({ button: 'right' });
			if (await this.appears(menu, 5000)) await this.openSubmenu();
			if (!(await succeeds(entry.waitFor({ timeout: 5000 })))) {
				await this.page.keyboard.press('Escape');
			}
		}
		throw new Error(`The context menu did not take “${item}”.`);
	}

	/**
	 * Presses where the pointer is, and returns whether a menu has taken that. A fresh one ignores
	 * the release of the button for a moment, so that the right click that opened it chooses nothing,
	 * and one that something else closes meanwhile takes nothing: neither looks different.
	 */
	private async pressInMenu(): Promise<boolean> {
		const heard = await this.hear('mouseup', '.monaco-menu');
		await this.page.mouse.down();
		await this.page.mouse.up();
		// The item that takes the release keeps it from everything around it.
		const { inside, around } = await heard();
		return inside && !around;
	}

	/**
	 * Listens to the next event of this kind.
	 *
	 * @returns a function that says whether it was inside of an element like this, and whether it
	 * went on to what is around
	 */
	private async hear(
		kind: 'click' | 'mouseup',
		selector: string,
	): Promise<() => Promise<{ inside: boolean; around: boolean }>> {
		const handle = await this.page.evaluateHandle(
			([kind, selector]) => {
				const heard = { inside: false, around: false };
				window.addEventListener(
					kind!,
					(event) => {
						heard.inside = event
							.composedPath()
							.some((each) => each instanceof Element && each.matches(selector!));
					},
					{ capture: true, once: true },
				);
				window.addEventListener(
					kind!,
					() => {
						heard.around = true;
					},
					{ once: true },
				);
				return heard;
			},
			[kind, selector],
		);
		return () => handle.jsonValue();
	}

	/** Drags something with Shift, so that the target takes the drop. */
	async dragWithShift(from: Locator, to: Locator): Promise<void> {
		const { mouse, keyboard } = this.page;
		const start = await centerOf(from);
		const end = await centerOf(to);
		await mouse.move(start.x, start.y);
		await mouse.down();
		await mouse.move(start.x + 10, start.y + 5, { steps: 3 });
		await keyboard.down('Shift');
		await mouse.move(end.x, end.y, { steps: 8 });
		await mouse.up();
		await keyboard.up('Shift');
	}

	// --- Everything else on the screen

	/** An item of the status bar that contains the text. */
	statusBarItem(text: string | RegExp): Locator {
		return this.page.locator('.statusbar-item', { hasText: text });
	}

	/** The content of the webview in front. */
	webview() {
		return this.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
	}

	/** Opens the Markdown preview; returns the width of its first image, in pixels of the file. */
	async previewedWidth(): Promise<number> {
		await this.runCommand('Markdown: Open Preview');
		return this.webview()
			.locator('img')
			.first()
			.evaluate(async (shown: HTMLImageElement) => {
				await shown.decode();
				return shown.naturalWidth;
			});
	}

	/** Has the workbench and the page in front wear a color theme; what is open stays open. */
	async setTheme(theme: Theme): Promise<void> {
		const { scheme, className, page } = themeNames[theme];
		await this.editor.preferColors(scheme);
		await this.page.locator(`.monaco-workbench.${className}`).waitFor();
		if ((await this.page.locator('iframe.webview.ready:visible').count()) > 0) {
			await this.webview().locator(`body${page}`).waitFor();
		}
	}

	/** The questions, answers and open editors on the screen, a line each, for the log. */
	async onScreen(): Promise<string[]> {
		const places = {
			notification: '.notification-list-item',
			'quick input': '.quick-input-widget',
			dialog: '.monaco-dialog-box',
			menu: '.monaco-menu',
			tab: '.tab',
			selected: '.monaco-list-row.selected',
			status: '.statusbar-item',
		};
		const lines: string[] = [];
		for (const [name, selector] of Object.entries(places)) {
			const shown = this.page.locator(selector).filter({ visible: true });
			for (const text of await shown.allInnerTexts()) {
				const words = text.replace(/\s+/g, ' ').trim().slice(0, 300);
				if (words) lines.push(`${name}: ${words}`);
			}
		}
		return lines;
	}

	/** Saves a picture of the window and returns its path. */
	async screenshot(name: string, folder = resultsFolder): Promise<string> {
		await mkdir(folder, { recursive: true });
		const path = join(folder, `${name.replace(/[^\w.-]+/g, '-')}.png`);
		await this.page.screenshot({ path });
		return path;
	}

	private appears(locator: Locator, timeout: number): Promise<boolean> {
		return succeeds(locator.waitFor({ timeout }));
	}

	get quickInput(): Locator {
		return this.page.locator('.quick-input-widget:visible');
	}

	private get input(): Locator {
		return this.quickInput.locator('input[type=text], input[type=password]');
	}

	// By its whole title: the palette may put a longer one that contains it first.
	private command(title: string): Locator {
		const [label, asking] = [title, `${title}…`].map((one) =>
			this.page.getByText(one, { exact: true }),
		) as [Locator, Locator];
		return this.quickInput
			.locator('.monaco-list-row')
			.filter({ has: label.or(asking) })
			.first();
	}

	private row(text: string): Locator {
		return this.quickInput.locator('.monaco-list-row', { hasText: text }).first();
	}

	private listedNotification(text: string | RegExp): Locator {
		return this.page
			.locator('.notifications-center .notification-list-item', { hasText: text })
			.first();
	}

	/** The notification on the screen that contains the text. */
	toast(text: string | RegExp): Locator {
		return this.toasts.filter({ hasText: text }).first();
	}

	/** The notifications on the screen, without those of images in progress. */
	private get toasts(): Locator {
		return this.page.locator(
			'.notification-toast:not(:has(.monaco-button:text-is("Cancel")):has-text("“"))',
		);
	}
}

/** Waits until so many files below the folder, which may not exist yet, have such a name. */
export async function waitForFiles(folder: string, name: RegExp, count: number): Promise<void> {
	const names = () => readdir(folder, { recursive: true }).catch((): string[] => []);
	await until(
		async () => (await names()).filter((each) => name.test(each)).length >= count,
		`${String(count)} files like ${String(name)}`,
	);
}

/** Waits until the file has exactly these bytes; while images are exchanged, none has its name. */
export async function waitForBytes(file: string, bytes: Buffer): Promise<void> {
	await until(
		async () => {
			const found = await readFile(file).catch(() => undefined);
			return found?.equals(bytes) ?? false;
		},
		`${basename(file)} to have the right bytes`,
	);
}

const themeNames: Readonly<
	Record<Theme, { scheme: ColorScheme; className: string; page: string }>
> = {
	light: {
		scheme: { dark: false, highContrast: false },
		className: 'vs',
		page: '.vscode-light',
	},
	dark: {
		scheme: { dark: true, highContrast: false },
		className: 'vs-dark',
		page: '.vscode-dark',
	},
	highContrast: {
		scheme: { dark: true, highContrast: true },
		className: 'hc-black',
		page: '.vscode-high-contrast',
	},
};

async function centerOf(locator: Locator): Promise<{ x: number; y: number }> {
	const box = await locator.boundingBox();
	if (!box) throw new Error(`${locator.toString()} is not on the screen.`);
	return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

function succeeds(attempt: Promise<unknown>): Promise<boolean> {
	return attempt.then(
		() => true,
		() => false,
	);
}

// Runs in the page: the number beside a text of an editor; a wrapped line has it beside its first row.
function lineNumberOf(text: Element): string {
	const bottom = text.getBoundingClientRect().bottom;
	const numbers = [...text.closest('.monaco-editor')!.querySelectorAll('.line-numbers')]
		.map((number) => ({ top: number.getBoundingClientRect().top, words: number.textContent }))
		.filter(({ top, words }) => top < bottom && words !== '')
		.sort((one, other) => other.top - one.top);
	return numbers[0]!.words;
}

// Runs in the page: describes a step of a quick input, different from the next one.
function describeQuickInput(): string {
	const widget = document.querySelector<HTMLElement>('.quick-input-widget');
	const input = widget?.querySelector<HTMLInputElement>('input[type=text]');
	if (!widget?.offsetParent || !input) return 'hidden';
	const title = widget.querySelector('.quick-input-title')?.textContent;
	return JSON.stringify([title, input.placeholder, input.value]);
}
