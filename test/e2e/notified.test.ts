import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { service, useHarbor, workbench } from './harbor.js';

suite('Notifications', () => {
	useHarbor({
		latencyMs: 900,
		settings: {
			'easel.service.concurrency': 1,
			'easel.service.retry': 'ask',
		},
	});

	suiteSetup(async () => {
		// Its documents have missing images of their own.
		await rm(path.join(workbench.folder, 'docs'), { recursive: true });
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

	test('of 50 images that one 401 concerns is one message, after one request', async () => {
		const before = service.requests.length;
		service.faults.add({ status: 401 });
		const references = Array.from(
			{ length: 50 },
			(_, index) => `![A pier, number ${String(index)}](401/${String(index)}.png)`,
		);
		await mkdir(path.join(workbench.folder, 'piers'), { recursive: true });
		await writeFile(path.join(workbench.folder, 'piers/all.md'), references.join('\n\n'));
		await workbench.runCommand('Easel: Generate Missing Images…');
		await workbench.waitForQuickInput('Select images to generate');
		await workbench.waitForItems(/A pier, number 0/);
		assert.equal((await workbench.checkedItems()).length > 0, true);
		await workbench.acceptQuickInput();
		await workbench.waitForNotification(
			/50 images failed\. .* answered with 401: .*You were not charged/,
		);
		await workbench.notificationButton('Set API Key').waitFor();
		await workbench.screenshot('notified-50-times-401');
		assert.equal((await allNotifications()).length, 1);
		assert.equal(service.requests.length, before + 1);
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
