import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { Fault } from '../service/faults.js';
import { startImageService, type ImageService } from '../service/server.js';
import { savedImages } from './jobs.js';
import { Workbench, type Theme } from './workbench.js';

const key = 'e2e-progress-key-51c2';

suite('The progress notification', () => {
	let service: ImageService;
	let workbench: Workbench;

	suiteSetup(async () => {
		service = await startImageService({ key, latencyMs: 300 });
		workbench = await Workbench.open({
			settings: { 'easel.service.address': service.address },
			env: { EASEL_API_KEY: key },
		});
	});

	suiteTeardown(async () => {
		await workbench?.close();
		await service?.close();
	});

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

	const phases: readonly { phase: string; fault: Fault; words: RegExp }[] = [
		{ phase: 'it is sent', fault: { hold: 'request', times: 1 }, words: /\d:\d\d · / },
		{ phase: 'it is made', fault: { hold: true, times: 1 }, words: /waiting for the image/ },
		{ phase: 'it arrives', fault: { hold: 'body', times: 1 }, words: /receiving the image/ },
		{ phase: 'it waits to be retried', fault: { status: 429 }, words: /Retrying in \d+ s/ },
	];
	for (const { phase, fault, words } of phases) {
		test(`cancels an image while ${phase}`, async () => {
			const images = await savedImages(workbench);
			service.faults.add(fault);
			await workbench.generate(`never mind while ${phase}`);
			const shown = workbench.progress('never mind');
			await waitForText(shown, words);
			await shown.getByRole('button', { name: 'Cancel', exact: true }).click();
			await shown.waitFor({ state: 'hidden' });
			await workbench.untilNoneRuns();
			service.faults.clear();
			service.releaseHeld();
			assert.deepEqual(await savedImages(workbench), images);
		});
	}
});
