import assert from 'node:assert/strict';
import { startImageService, type ImageService } from '../service/server.js';
import { Jobs, savedImages } from './jobs';
import { Workbench } from './workbench.js';

const key = 'e2e-left-window-key-6d07';

/** In a browser, the extension host goes on for 5 minutes and more, and nobody can see what it says. */
suite('An image whose window has crashed', () => {
	let service: ImageService;
	let workbench: Workbench;

	setup(async () => {
		service = await startImageService({ key, latencyMs: 300 });
		workbench = await Workbench.open({
			settings: { 'easel.service.address': service.address },
			env: { EASEL_API_KEY: key },
		});
	});

	teardown(async () => {
		await workbench?.close();
		await service?.close();
	});

	/** Asks for an image in a document, and has the service hold it. */
	async function askAndHold(prompt: string): Promise<void> {
		await workbench.openFile('README.md');
		service.faults.add({ hold: true, times: 1 });
		await workbench.generate(prompt);
		await service.waitForRequest(1, 'held');
	}

	/** The image and its link are there, once, and nothing was sent twice. */
	async function assertDelivered(prompt: string, image: string): Promise<void> {
		const text = await workbench.waitForFileText('README.md', `![${prompt}](`);
		assert.equal(text.split(`![${prompt}](`).length, 2, text);
		assert.deepEqual(await savedImages(workbench), [image]);
		assert.equal(service.requests.length, 1);
		assert.equal(service.imagesMade, 1);
	}

	test('is followed by the next one, although the extension host of the first goes on', async () => {
		await askAndHold('left behind');
		const before = await workbench.editor.extensionHostPid();
		await workbench.editor.crashWindow();
		await workbench.editor.openWindow();
		await workbench.waitForProgress(/left behind.*\d:\d\d/);
		assert.notEqual(await workbench.editor.extensionHostPid(), before);
		// A window that crashed may not have noted what it had open.
		await workbench.openFile('README.md');
		service.releaseHeld();
		await workbench.waitForNotification('Added images/left-behind.png');
		await workbench.runCommand('File: Save All');
		await assertDelivered('left behind', 'left-behind.png');
	});

	test('is told by the next one where it came or failed meanwhile', async () => {
		await askAndHold('into the dark');
		service.faults.add({ status: 400, message: 'Not this one.', hold: true, times: 1 });
		await workbench.generate('a stormy night');
		await service.waitForRequest(2, 'held');
		await workbench.editor.crashWindow();
		service.releaseHeld();
		// The extension host that was left behind saves it, and has no window to write the link in.
		await workbench.waitForFile('images/into-dark.png');
		const jobs = new Jobs(workbench);
		await jobs.waitFor(
			(all) => all.some(({ state }) => state.state === 'failed'),
			'the failure of the other one',
		);
		await workbench.editor.openWindow();
		await workbench.waitForNotification(/400: Not this one\. You were not charged/);
		await workbench.waitForNotification('Saved images/into-dark.png');
		await jobs.waitFor(
			(all) => all.length === 1 && all[0]?.state.notified === true,
			'both to be told, of which the failure stays',
		);
		await workbench.clickNotificationButton('Insert');
		await workbench.editorText().getByText('into the dark').waitFor();
		await workbench.runCommand('File: Save All');
		const text = await workbench.waitForFileText('README.md', '![into the dark](');
		assert.equal(text.split('![into the dark](').length, 2, text);
		assert.deepEqual(await savedImages(workbench), ['into-dark.png']);
		assert.equal(service.requests.length, 2);
	});

	test('stays with the next one where the first comes back, which then says so', async () => {
		await askAndHold('two tabs');
		const { page, editor } = workbench;
		const session = await page.context().newCDPSession(page);
		await session.send('Debugger.enable');
		await session.send('Debugger.pause');
		// Pages of one context may share the process that stands still now.
		const context = await page.context().browser()!.newContext();
		context.setDefaultTimeout(60_000);
		const other = await context.newPage();
		await other.goto(editor.url!);
		const status = other.locator('.statusbar-item[id$="easel.running"]');
		await status.filter({ hasText: /Image \d:\d\d/ }).waitFor();

		await session.send('Debugger.disable');
		await workbench.waitForNotification('took over the images of this one');
		await workbench.screenshot('left-window');
		await workbench.generate('one more');
		await workbench.waitForNotification('Nothing was sent.');
		await workbench.screenshot('left-window-refused');
		await other
			.locator('.explorer-folders-view .monaco-list-row', { hasText: 'README.md' })
			.dblclick();
		await other.locator('.tab.active', { hasText: 'README.md' }).waitFor();
		service.releaseHeld();
		await other
			.locator('.notification-toast')
			.filter({ hasText: 'Added images/two-tabs.png' })
			.waitFor();
		await other.locator('.monaco-editor .view-lines').click();
		await other.keyboard.press('ControlOrMeta+S');
		await assertDelivered('two tabs', 'two-tabs.png');
		await context.close();

		// Under the refusal, as under what was said at first.
		const refusal = await workbench.openListedNotification('Nothing was sent.');
		const loaded = page.waitForEvent('load');
		await refusal.getByRole('button', { name: 'Reload Window' }).click();
		await loaded;
		await workbench.generate('one more');
		await service.waitForRequest(2, 'ended');
		await workbench.waitForImage('images/one-more.png');
	});
});
