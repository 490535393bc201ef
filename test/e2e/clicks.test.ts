import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { until } from '../host/until.js';
import { file, service, studio, useHarbor, workbench } from './harbor.js';
import { waitForNotes } from './notes.js';

/** The most frequent tasks, with the presses of keys and buttons that each takes; typing is not counted. */
suite('Presses', () => {
	let presses = 0;
	const rows: (readonly [job: string, before: number, now: number])[] = [];

	useHarbor({
		latencyMs: 200,
		settings: {
			'easel.words.provider': 'chat',
			'easel.words.model': 'words-1',
		},
		prepare: async () => {
			for (const name of ['one', 'drafts', 'discard', 'edit', 'later']) {
				await writeFile(file(`${name}.md`), '# The harbor\n\nShips come and go.\n\nThe end.\n');
			}
		},
	});

	suiteSetup(() => workbench.page.evaluate(noteToasts));

	suiteTeardown(() => {
		console.log(
			[
				'presses                            before  now',
				...rows.map(
					([job, before, now]) =>
						`${job.padEnd(36)}${String(before).padStart(5)}${String(now).padStart(5)}`,
				),
			]
				.join('\n')
				.replaceAll(/^/gm, '      '),
		);
	});

	const images = async () => (await readdir(file('images')).catch((): string[] => [])).sort();

	async function press(keys: string): Promise<void> {
		presses += 1;
		await workbench.page.keyboard.press(keys);
	}

	async function click(button: Locator): Promise<void> {
		presses += 1;
		await button.click();
	}

	async function ask(words: string): Promise<void> {
		await workbench.typeInQuickInput(words);
		await workbench.waitForItems(/(Generate|Edit) · [^]*→/);
	}

	async function enter(): Promise<void> {
		await workbench.quickInputStands();
		await press('Enter');
	}

	/** Runs a job from a document with the cursor behind its first paragraph. */
	async function job(
		name: string,
		document: string,
		before: number,
		most: number,
		task: () => Promise<void>,
	): Promise<void> {
		await workbench.dismissEverything();
		await workbench.openFile(`${document}.md`);
		await workbench.goToLine(3);
		presses = 0;
		await task();
		rows.push([name, before, presses]);
		assert.ok(presses <= most, `${name}: ${String(presses)}`);
	}

	/** Types, and waits for the text: no key goes anywhere else. */
	async function typeInText(words: string): Promise<void> {
		await workbench.page.keyboard.press('ControlOrMeta+End');
		await workbench.page.keyboard.type(words);
		await workbench.editorText().getByText(words).waitFor();
	}

	test('an image at the cursor', async () => {
		await job('image at the cursor', 'one', 2, 2, async () => {
			await press('Shift+Alt+G');
			await workbench.waitForQuickInput('Describe the image');
			await ask('a small pier');
			await workbench.screenshot('clicks-prompt');
			await enter();
			await workbench.waitForImage('images/small-pier.png');
		});
		await workbench.editorText().getByText('images/small-pier.png').waitFor();
		await typeInText('Written on.');
	});

	const linked = async () =>
		/images\/(red-buoy[\w-]*\.png)/.exec(await workbench.editorText().innerText())?.[1];

	test('one of four drafts in a document', async () => {
		let before: string | undefined;
		await job('one of four drafts in a document', 'drafts', 5, 4, async () => {
			await press('Shift+Alt+G');
			await workbench.waitForQuickInput('Describe the image');
			await ask('a red buoy');
			presses += 1;
			await workbench.clickQuickInputButton('Make 4 Drafts');
			await workbench.waitForNotification('4 drafts of “a red buoy” arrived.');
			await waitForNotes(workbench, /red-buoy.* \| 4 new drafts · Choose Draft/);
			before = await linked();
			await click(workbench.notificationButton('Choose…'));
			const drafts = workbench.webview().getByRole('listbox', { name: 'Drafts' });
			await drafts.and(workbench.webview().locator(':focus')).waitFor();
			await workbench.webview().locator('img').nth(3).waitFor();
			await workbench.screenshot('clicks-drafts');
			const chosen = await workbench.webview().locator('.cell .whole').nth(2).innerText();
			await press('3');
			await workbench.waitForNotification(`${chosen} is used. 3 other drafts were deleted.`);
			await until(
				async () => (await images()).filter((name) => name.startsWith('red-buoy')).length === 1,
				'one file',
			);
			await workbench.editorText().getByText(`images/${chosen}`).waitFor();
		});
		await typeInText('Written on.');
		await workbench.clickNotificationButton('Undo');
		await until(
			async () => (await images()).filter((name) => name.startsWith('red-buoy')).length === 4,
			'all drafts',
		);
		await until(async () => (await linked()) === before, 'the link to lead where it led');
		await workbench.runCommand('File: Save');
		const text = await workbench.waitForFileText('drafts.md', 'Written on.');
		assert.equal(text.match(/!\[/g)?.length, 1, text);
	});

	test('an image is regenerated and used', async () => {
		const before = await readFile(file('images/small-pier.png'));
		await workbench.openFile('one.md');
		await workbench.clickText('images/small-pier.png');
		await job('regenerate and use', 'one', 4, 3, async () => {
			await workbench.goToLine(5);
			// By a key of one's own, the palette or the menu: one press.
			presses += 1;
			await workbench.runCommand('Easel: Regenerate…');
			await workbench.waitForQuickInput('Describe the image');
			await ask('a small pier, with more light');
			await enter();
			await workbench.waitForNotification('New draft of small-pier.png is ready');
			await click(workbench.notificationButton('Use New'));
			await workbench.waitForNotification('Replaced small-pier.png');
		});
		assert.ok(!before.equals(await readFile(file('images/small-pier.png'))));
		await typeInText('Still here.');
	});

	test('an edit from the hover', async () => {
		await job('edit from the hover', 'edit', 4, 3, async () => {
			await workbench.generate('a lantern');
			await workbench.waitForImage('images/lantern.png');
			await workbench.dismissEverything();
			await workbench.goToLine(1);
			presses = 0;
			const hover = await workbench.hoverOver('images/lantern', 'Edit with Prompt');
			await click(hover.getByText('Edit with Prompt'));
			await workbench.waitForQuickInput('Describe the change');
			await ask('brighter');
			await enter();
			await workbench.waitForNotification('New draft of lantern.png is ready');
			await click(workbench.notificationButton('Use New'));
			await workbench.waitForNotification('Replaced lantern.png');
		});
		await typeInText('And on.');
	});

	test('the same when all messages have gone: an edit is used, an image discarded', async () => {
		await job('edit from the hover, later', 'later', 6, 3, async () => {
			await workbench.generate('a quay');
			await workbench.waitForImage('images/quay.png');
			await workbench.dismissEverything();
			await workbench.goToLine(1);
			presses = 0;
			const hover = await workbench.hoverOver('images/quay', 'Edit with Prompt');
			await click(hover.getByText('Edit with Prompt'));
			await workbench.waitForQuickInput('Describe the change');
			await ask('at dusk');
			await enter();
			await workbench.waitForNotification('New draft of quay.png is ready');
			await workbench.dismissEverything();
			const later = await workbench.hoverOver('images/quay', 'Use New');
			await workbench.screenshot('clicks-later');
			await click(later.getByText('Use New'));
			await workbench.waitForNotification('Replaced quay.png');
		});
		await job('discard, later', 'later', 4, 1, async () => {
			const hover = await workbench.hoverOver('images/quay', 'Discard');
			await click(hover.getByText('Discard', { exact: true }));
			await workbench.waitForNotification('quay.png was discarded.');
		});
		await workbench.editorText().getByText('quay').waitFor({ state: 'hidden' });
		assert.ok(!(await images()).includes('quay.png'));
		await workbench.clickNotificationButton('Undo');
		await workbench.editorText().getByText('images/quay.png').waitFor();
		assert.ok((await images()).includes('quay.png'));
	});

	test('images in the studio are compared and continued, and nine are thrown away', async () => {
		// Beside a document a round has room for two buttons less.
		await workbench.runCommand('View: Close All Editors');
		await studio.open();
		for (const words of ['a tug', 'a barge', 'a ferry']) {
			await studio.compose(words, 3);
		}
		await until(
			async () => (await images()).filter((name) => /tug|barge|ferry/.test(name)).length === 9,
			'nine images',
		);
		const tiles = studio.root.locator('easel-round-list [role="gridcell"].image');
		await tiles.nth(8).locator('img').waitFor();
		await workbench.dismissEverything();
		presses = 0;
		await click(studio.button('Compare 3').first());
		const comparison = studio.root.locator('easel-gallery-comparison');
		await comparison.locator('img:visible').nth(2).waitFor();
		await press('Shift+Digit2');
		await studio.untilFocused(studio.prompt(), 'the prompt');
		await workbench.page.keyboard.type('with a flag');
		const before = service.requests.length;
		await press('ControlOrMeta+Enter');
		await service.waitForRequest(before + 1);
		rows.push(['compare, keep and continue', 4, presses]);
		assert.ok(presses <= 3, String(presses));
		await until(async () => (await images()).some((name) => /with-flag/.test(name)), 'the edit');

		const round = studio.root.locator('.round').filter({ hasText: 'with a flag' });
		await round.locator('.tile.image img').waitFor();
		presses = 1;
		await tiles.nth(1).click({ modifiers: ['ControlOrMeta'] });
		presses += 1;
		await tiles.nth(9).click({ modifiers: ['Shift'] });
		await press('Delete');
		await until(
			async () => (await images()).filter((name) => /tug|barge|ferry/.test(name)).length === 1,
			'nine of them to be gone',
		);
		rows.push(['nine drafts thrown away', 4, presses]);
		assert.equal(presses, 3);
		await studio.button('Undo').click();
		await until(
			async () => (await images()).filter((name) => /tug|barge|ferry/.test(name)).length === 10,
			'all of them to be back',
		);
	});

	test('alt text of one image', async () => {
		await workbench.runCommand('View: Close All Editors');
		service.modelReplies.push('A pier that leads into calm water');
		await job('alt text of one image', 'one', 5, 3, async () => {
			const hover = await workbench.hoverOver('images/small-pier', 'Propose Alt Text');
			await click(hover.getByText('Propose Alt Text'));
			await workbench.waitForItems(/Propose Alt Text · /);
			await enter();
			await workbench.waitForItems(/A pier that leads into calm water/);
			await enter();
			await workbench.editorText().getByText('![A pier that leads into calm water]').waitFor();
		});
	});

	test('each result has one notification, once', async () => {
		const shown = await workbench.page.evaluate<string[]>('toasts');
		const results = shown.flatMap(
			(text) => /^(?:Added|Saved|\d|New|Repl).*?\.(?:png|$)/.exec(text) ?? [],
		);
		assert.deepEqual(results, [
			'Added images/small-pier.png',
			'4 drafts of “a red buoy” arrived.',
			...['New draft of small-pier.png', 'Replaced small-pier.png'],
			...['Added images/lantern.png', 'New draft of lantern.png', 'Replaced lantern.png'],
			...['Added images/quay.png', 'New draft of quay.png', 'Replaced quay.png'],
		]);
	});
});

/** Notes the text of each notification that appears on the screen. */
const noteToasts = `
	globalThis.toasts = [];
	const seen = new WeakSet();
	new MutationObserver(() => {
		const messages = '.notifications-toasts .notification-list-item-message';
		for (const message of document.querySelectorAll(messages)) {
			if (message.textContent && !seen.has(message)) {
				seen.add(message);
				toasts.push(message.textContent);
			}
		}
	}).observe(document.body, { childList: true, subtree: true });
`;
