import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { inspectImage } from '../../src/images/inspect.js';
import { file, service, useHarbor, workbench } from './harbor.js';
import { waitForNotes } from './notes.js';

const key = 'e2e-hour-key-83fd';

/** One text, written while Easel makes its images: what is typed stands in it, and nothing else. */
suite("A writer's hour", () => {
	const written: string[] = [];

	useHarbor({
		...{ isNew: true, key, latencyMs: 200 },
		settings: { 'files.autoSave': 'off' },
		prepare: () => writeFile(file('hour.md'), '# The harbor\n\n'),
	});

	suiteSetup(() => countToasts());

	/** Types at the end of the text, and waits for it. */
	async function write(words: string): Promise<void> {
		const { keyboard } = workbench.page;
		await keyboard.press('ControlOrMeta+End');
		await keyboard.type(`${words}\n\n`);
		written.push(words);
		await workbench.editorText().getByText(words).waitFor();
	}

	/** The writer is away: every message has gone. */
	async function pause(): Promise<void> {
		await workbench.dismissEverything();
	}

	async function openQuestion(): Promise<void> {
		await workbench.page.keyboard.press('Shift+Alt+G');
		await workbench.waitForQuickInput('Describe the image');
	}

	/** Presses Enter, and looks at the text again once the question has gone. */
	async function send(): Promise<void> {
		await workbench.acceptQuickInput();
		await workbench.quickInput.waitFor({ state: 'hidden' });
	}

	async function answer(words: string, row: RegExp): Promise<void> {
		await workbench.typeInQuickInput(words);
		await workbench.waitForItems(row);
		await send();
	}

	/** Asks for an image and goes on writing before it is there. */
	async function ask(prompt: string, meanwhile: string): Promise<void> {
		const sent = service.requests.length;
		service.faults.add({ hold: true, times: 1 });
		await openQuestion();
		await answer(prompt, /Generate · [^]*→/);
		await service.waitForRequest(sent + 1, 'held');
		await write(meanwhile);
	}

	/** Notes the text of each notification that appears on the screen. */
	async function countToasts(): Promise<void> {
		await workbench.page.evaluate(() => {
			const toasts: string[] = [];
			Object.assign(window, { toasts });
			const seen = new WeakSet<Element>();
			new MutationObserver(() => {
				const messages = '.notifications-toasts .notification-list-item-message';
				for (const message of document.querySelectorAll(messages)) {
					const text = message.textContent;
					if (text && !seen.has(message)) {
						seen.add(message);
						toasts.push(text);
					}
				}
			}).observe(document.body, { childList: true, subtree: true });
		});
	}

	const toasts = () =>
		workbench.page.evaluate(() => (window as unknown as { toasts: string[] }).toasts);

	test('begins with the set-up, which ends in the first image', async () => {
		await workbench.openFile('hour.md');
		await write('The harbor lies in the west.');
		await workbench.page.keyboard.press('Shift+Alt+G');
		await workbench.setUp(service.address, key);
		await workbench.waitForQuickInput('Describe the image');
		await answer('a harbor from above', /Generate · [^]*→/);
		await write('Ships come in at dawn.');
		await workbench.waitForImage('images/harbor-from-above.png');
		await write('They leave at night.');
	});

	test('two images arrive while the text goes on', async () => {
		await ask('a pilot boat', 'A pilot meets them.');
		await ask('a tall crane', 'A crane unloads them.');
		await waitForNotes(workbench, /Image · /, /Image · /);
		service.releaseHeld();
		await workbench.waitForImage('images/tall-crane.png');
		await waitForNotes(workbench);
		await write('That takes a day.');
	});

	test('one of four drafts is chosen by the keyboard', async () => {
		await openQuestion();
		await workbench.typeInQuickInput('a red buoy');
		await workbench.clickQuickInputButton('Make 4 Drafts');
		await workbench.quickInput.waitFor({ state: 'hidden' });
		await write('A buoy shows the way.');
		await workbench.waitForNotification('4 drafts of “a red buoy” arrived.');
		await pause();
		await workbench.waitForStatus('1 new draft');
		// Only the choice waits, so it is what opens.
		await workbench.imagesInProgress().click();
		const page = workbench.webview();
		const drafts = page.getByRole('listbox', { name: 'Drafts' });
		await drafts.and(page.locator(':focus')).waitFor();
		await page.locator('img').nth(3).waitFor();
		await workbench.page.keyboard.press('ArrowRight');
		const selected = page.getByRole('option', { selected: true });
		await selected.getByText('2', { exact: true }).waitFor();
		await workbench.page.keyboard.press('Enter');
		await workbench.waitForNotification('is used. 3 other drafts were deleted.');
		await write('It is red.');
	});

	test('an image is edited from its hover, compared, and used', async () => {
		const before = await readFile(file('images/pilot-boat.png'));
		const hover = await workbench.hoverOver('images/pilot-boat', 'Edit with Prompt');
		await hover.getByText('Edit with Prompt').click();
		await workbench.waitForQuickInput('Describe the change');
		await answer('in the fog', /Edit · [^]*→/);
		await write('In fog it has a bell.');
		await workbench.waitForNotification('New draft of pilot-boat.png is ready');
		await pause();
		await waitForNotes(workbench, /pilot-boat.* \| New draft · Compare · Use New/);
		await workbench.screenshot('writersHour-new-draft');
		await workbench.runCommand('Easel: Show Images in Progress');
		await workbench.activeTab('↔').waitFor();
		await workbench.webview().getByRole('slider').first().waitFor();
		await workbench.webview().getByRole('button', { name: 'Use New', exact: true }).click();
		await workbench.waitForNotification('Replaced pilot-boat.png');
		await workbench.activeTab('hour.md').waitFor();
		await write('One hears it far away.');
		assert.ok(!before.equals(await readFile(file('images/pilot-boat.png'))));
	});

	test('a balance that is too low costs one click, and no word', async () => {
		service.faults.add({ status: 402, times: 1 });
		await openQuestion();
		await answer('a ship lantern', /Generate · [^]*→/);
		await write('Lanterns burn on deck.');
		await workbench.waitForNotification('402');
		await write('They burn all night.');
		await workbench.clickNotificationButton('Retry');
		await workbench.waitForImage('images/ship-lantern.png');
		await write('Then the sun rises.');
	});

	test('a missing image is made where the text expects it', async () => {
		const { keyboard } = workbench.page;
		await keyboard.press('ControlOrMeta+End');
		await keyboard.type('![A foghorn on a mole](images/foghorn.png)\n\n');
		await workbench.clickText('A foghorn on a mole');
		const action = await workbench.openCodeActions('Generate Missing Image…');
		await action.click();
		await workbench.waitForQuickInput('Describe foghorn.png');
		await send();
		await write('The foghorn is silent.');
		await workbench.waitForImage('images/foghorn.png');
		await write('The end.');
	});

	test('ends with the text as it was typed, and one notification for each result', async () => {
		await workbench.page.keyboard.press('ControlOrMeta+S');
		const text = await workbench.waitForFileText('hour.md', 'The end.');
		const lines = text.split('\n').filter((line) => line !== '');
		const links = lines.flatMap((line) => /!\[.*?\]\((.+?)\)/.exec(line)?.[1] ?? []);
		const prose = lines.map((line) => line.replace(/\s*!\[.*?\]\(.+?\)/, '')).filter(Boolean);
		assert.deepEqual(prose, ['# The harbor', ...written]);
		assert.equal(links.length, 6, text);
		for (const link of links) {
			assert.equal((await inspectImage(file(link))).format, 'png');
		}
		// Three, four drafts, an edit, one that was refused and then made, and one that was missing.
		assert.equal(service.requests.length, 11);

		const isOfProgress = /^“[^”]+”(?:$|:(?! The image service))|^Looking for references/;
		const shown = (await toasts()).filter((toast) => !isOfProgress.test(toast));
		console.log(shown.map((toast) => `      ${toast}`).join('\n'));
		const expected = [
			/^Connecting to http/,
			/^Added images\/harbor-from-above\.png/,
			/^The prompt is saved inside the image/,
			/^Added images\/(?:pilot-boat|tall-crane)\.png/,
			/^Added images\/(?:pilot-boat|tall-crane)\.png/,
			/^4 drafts of “a red buoy” arrived\.$/,
			/is used\. 3 other drafts were deleted\.$/,
			/^New draft of pilot-boat\.png is ready/,
			/^Replaced pilot-boat\.png/,
			/^“a ship lantern”: .* 402: /,
			/^Added images\/ship-lantern\.png/,
			/^Saved images\/foghorn\.png/,
		];
		assert.equal(shown.length, expected.length, shown.join('\n'));
		shown.forEach((toast, index) => assert.match(toast, expected[index]!));
	});
});
