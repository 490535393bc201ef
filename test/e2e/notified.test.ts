import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { startImageService, type ImageService } from '../service/server.js';
import { Workbench } from './workbench.js';

const key = 'e2e-notified-key-3b60';

suite('Notifications', () => {
	let service: ImageService;
	let workbench: Workbench;

	suiteSetup(async () => {
		service = await startImageService({ key, latencyMs: 900 });
		workbench = await Workbench.open({
			settings: {
				'easel.service.address': service.address,
				'easel.service.concurrency': 1,
				'easel.service.retry': 'ask',
			},
			env: { EASEL_API_KEY: key },
		});
		// Its documents have missing images of their own.
		await rm(path.join(workbench.folder, 'docs'), { recursive: true });
	});

	suiteTeardown(async () => {
		await workbench?.close();
		await service?.close();
	});

	setup(async () => {
		service.faults.clear();
		await workbench.dismissEverything();
	});

	/** The texts of all notifications, those that the screen had no room for too. */
	async function allNotifications(): Promise<string[]> {
		await workbench.runCommand('Notifications: Show Notifications');
		const rows = workbench.page.locator('.notifications-center .notification-list-item-message');
		await rows.first().waitFor();
		return rows.allInnerTexts();
	}

	for (const [status, button] of [[401, 'Set API Key']] as const) {
		test(`of 50 images that one ${String(status)} concerns is one message, after one request`, async () => {
			const before = service.requests.length;
			service.faults.add({ status });
			const references = Array.from(
				{ length: 50 },
				(_, index) => `![A pier, number ${String(index)}](${String(status)}/${String(index)}.png)`,
			);
			await mkdir(path.join(workbench.folder, 'piers'), { recursive: true });
			await writeFile(path.join(workbench.folder, 'piers/all.md'), references.join('\n\n'));
			await workbench.runCommand('Easel: Generate Missing Images…');
			await workbench.waitForQuickInput('Select images to generate');
			await workbench.waitForItems(/A pier, number 0/);
			assert.equal((await workbench.checkedItems()).length > 0, true);
			await workbench.acceptQuickInput();
			await workbench.waitForNotification(
				new RegExp(
					`50 images failed\\. .* answered with ${String(status)}: .*You were not charged`,
				),
			);
			await workbench.notificationButton(button).waitFor();
			await workbench.screenshot(`notified-50-times-${String(status)}`);
			assert.equal((await allNotifications()).length, 1);
			assert.equal(service.requests.length, before + 1);
		});
	}

	test('of four images that were asked for at once is one message, each cause once', async () => {
		const before = service.requests.length;
		service.faults.add({ status: 400, message: 'Not these.', times: 2 });
		service.faults.add({ status: 403, message: 'Nor this one.', times: 1 });
		await workbench.generateSeveral('four boats', 4);
		const text = await workbench.waitForNotification(/1 of 4 images saved, 3 failed/);
		assert.match(
			text,
			/failed\. 2 of them: .* answered with 400: Not these\. You were not charged\. “four boats”: .* 403: Nor this one\./,
		);
		// The first image of a user comes with a notice about its recipe, once.
		const reportedOnce = await workbench.waitForNotification(
			/The prompt is saved inside the image/,
		);
		await workbench.screenshot('notified-four');
		assert.deepEqual((await workbench.notifications()).sort(), [text, reportedOnce].sort());
		await workbench.clickNotificationButton('Change Request…');
		await workbench.waitForQuickInput('Describe the image');
		await workbench.typeInQuickInput('three other boats');
		await workbench.waitForItems(/3 images/);
		await workbench.acceptQuickInput();
		await workbench.waitForNotification('3 images saved');
		await workbench.clickNotificationButton('Show');
		await workbench.activeTab('Image Studio').waitFor();
		await workbench.runCommand('View: Close All Editors');
		assert.equal(service.requests.length, before + 4 + 3);
	});

	test('of an image that is ready, or failed, is never shown beside its progress', async () => {
		await workbench.page.evaluate(watchNotifications);
		service.faults.add({ prompt: 'soon ready', hold: true, times: 1 });
		await workbench.generate('soon ready');
		await workbench.waitForProgress('“soon ready”');
		await service.waitUntil(() => service.requests.some(({ held }) => held));
		service.releaseHeld();
		await workbench.waitForImage('images/soon-ready.png');
		await workbench.dismissEverything();
		service.faults.add({ status: 400, message: 'Not this one.', times: 1 });
		await workbench.generate('refused at once');
		await workbench.waitForNotification('400: Not this one.');
		assert.deepEqual(await workbench.page.evaluate('seenTogether'), []);
	});

	test('of an image that failed does not stand beside its progress in a busy window either', async () => {
		await workbench.page.evaluate(watchNotifications);
		service.faults.add({ status: 400, message: 'Not this one.', times: 1 });
		await workbench.runCommand('Easel: Generate Image');
		await workbench.waitForQuickInput('Describe the image');
		await workbench.typeInQuickInput('refused meanwhile');
		await workbench.page.evaluate(beBusyAfterEnter);
		await workbench.acceptQuickInput();
		await workbench.waitForNotification('400: Not this one.');
		assert.deepEqual(await workbench.page.evaluate('seenTogether'), []);
	});

	suite('while the studio is open', () => {
		function page(): FrameLocator {
			return workbench.webview();
		}

		test('of a second question is that one alone, and its answer counts', async () => {
			const before = service.requests.length;
			service.faults.add({ status: 503, message: 'First.', times: 1 });
			service.faults.add({ status: 503, message: 'Second.', times: 1 });
			await workbench.openFile('README.md');
			await workbench.runCommand('Easel: Open Image Studio');
			await page().getByRole('textbox', { name: 'Prompt', exact: true }).fill('asked twice');
			await page().getByRole('button', { name: 'Generate', exact: true }).click();
			await page().getByText('First.').first().waitFor();
			await page().getByRole('button', { name: 'Decide…' }).click();
			await page().getByRole('button', { name: 'Retry (May Be Charged Twice)' }).click();
			await page().getByText('Second.').first().waitFor();
			assert.deepEqual(await workbench.notifications(), []);
			// The studio is hidden now, so the question comes as a notification.
			await workbench.runCommand('View: Close All Editors');
			await workbench.waitForNotification('Second.');
			await workbench.screenshot('notified-second-question');
			const isProgress = (text: string) => text.endsWith(': Needs your decision');
			const [question, ...others] = (await allNotifications()).filter((text) => !isProgress(text));
			assert.match(question ?? '', /“asked twice”: .*503: Second\./);
			assert.deepEqual(others, []);
			await workbench.page
				.locator('.notifications-center')
				.getByRole('button', { name: "Don't Send", exact: true })
				.click();
			await workbench.untilNoneRuns();
			assert.equal(service.requests.length, before + 2);
		});
	});
});

/** Notes, as long as the page stands, what shows an image's progress and its end at once. */
const watchNotifications = `
	globalThis.seenTogether = [];
	function look() {
		const toasts = [...document.querySelectorAll('.notification-toast')];
		const text = toasts.map((toast) => toast.innerText).join(' | ');
		if (text.includes('Generating') && /Saved|Added|answered with/.test(text)) {
			seenTogether.push(text);
		}
		requestAnimationFrame(look);
	}
	look();
`;

/** Keeps the window from everything for 2.5 s, as soon as it has said on that Enter was pressed. */
const beBusyAfterEnter = `
	addEventListener('keydown', () => {
		setTimeout(() => {
			for (const end = performance.now() + 2500; performance.now() < end;);
		}, 20);
	}, { capture: true, once: true });
`;
