import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { service, useHarbor, workbench } from './harbor.js';
import type { Theme } from './workbench.js';

suite('The progress notification', () => {
	useHarbor({ latencyMs: 300 });

	setup(() => {
		service.faults.clear();
	});

	teardown(async () => {
		service.releaseHeld();
		await workbench.untilNoneRuns();
		await workbench.dismissEverything();
	});

	/** Makes the service hold the images of the next requests, and begins them. */
	async function beginHeld(prompt: string, count = 1): Promise<Locator> {
		const before = service.requests.length;
		service.faults.add({ hold: true, times: count });
		await (count === 1 ? workbench.generate(prompt) : workbench.generateSeveral(prompt, count));
		await service.waitUntil(
			() => service.requests.slice(before).filter(({ held }) => held).length === Math.min(count, 2),
		);
		return workbench.progress(prompt);
	}

	async function waitForText(shown: Locator, text: RegExp): Promise<void> {
		await shown.filter({ hasText: text }).waitFor();
	}

	test('says what one image waits for, leaves the keyboard to the writer, and goes with it', async () => {
		await workbench.openFile('README.md');
		const prompt = 'A lighthouse at dawn in flat colors, seen from the sea';
		const shown = await beginHeld(prompt.slice(0, 24));
		await waitForText(shown, /0:0[1-9] · waiting for the image · usually 2 to 3 minutes/);
		await workbench.page.keyboard.type('Typed meanwhile. ');
		await workbench.editorText().getByText('Typed meanwhile.').waitFor();
		for (const theme of ['light', 'dark', 'highContrast'] satisfies Theme[]) {
			await workbench.setTheme(theme);
			await workbench.screenshot(`progress-one-${theme}`);
		}
		await workbench.setTheme('light');
		service.releaseHeld();
		await workbench.waitForImage();
		await shown.waitFor({ state: 'hidden' });
	});

	test('counts a batch, and its Cancel ends what is left of it', async () => {
		service.faults.add({ status: 400, message: 'Not this one.', times: 1 });
		const before = service.requests.length;
		const shown = await beginHeld('a row of boats', 4);
		await waitForText(shown, /2 running · 2 queued · \d:\d\d · /);
		service.releaseHeld();
		await waitForText(shown, /1 saved · 1 failed · 2 running · \d:\d\d · waiting for the image/);
		for (const theme of ['light', 'dark', 'highContrast'] satisfies Theme[]) {
			await workbench.setTheme(theme);
			await workbench.screenshot(`progress-batch-${theme}`);
		}
		await workbench.setTheme('light');
		await shown.getByRole('button', { name: 'Cancel', exact: true }).click();
		await workbench.waitForNotification(
			/1 of 4 images saved, 1 failed, 2 cancelled\. .*You may still be charged/,
		);
		await shown.waitFor({ state: 'hidden' });
		await workbench.untilNoneRuns();
		assert.equal(service.requests.length, before + 4);
	});

	test('stays hidden once it is hidden, and is there again with its time after a reload', async () => {
		const shown = await beginHeld('a bridge over the fog');
		await waitForText(shown, /0:0[2-9]/);
		await workbench.page.keyboard.press('Escape');
		await shown.waitFor({ state: 'hidden' });
		// It is updated each second: the time goes on elsewhere.
		const status = workbench.imagesInProgress();
		const time = async () => (await status.innerText()).match(/\d:\d\d/)?.[0] ?? '';
		const hiddenAt = await time();
		await status.filter({ hasNotText: hiddenAt }).waitFor();
		await status.filter({ hasNotText: await time() }).waitFor();
		assert.equal(await shown.isVisible(), false);
		const elapsed = await time();
		await workbench.reloadWindow();
		await waitForText(shown, /\d:\d\d · waiting for the image/);
		const again = (await shown.innerText()).match(/\d:\d\d/)?.[0] ?? '';
		assert.ok(again >= elapsed, `${again} after ${elapsed}`);
		await workbench.screenshot('progress-after-reload');
		service.releaseHeld();
		await workbench.waitForImage('images/bridge-over-fog.png');
		await shown.waitFor({ state: 'hidden' });
	});
});
