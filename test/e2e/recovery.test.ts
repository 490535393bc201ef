import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { JobEntry } from '../../src/jobs/jobFolder.js';
import { until } from '../host/until.js';
import { closeHarbor, openHarbor, service, studio, workbench } from './harbor.js';
import { Jobs, savedImages } from './jobs';
import { Keys } from './keys';
import { waitForFiles } from './workbench.js';

const atOnce = 8;
const keys = new Keys({ four: ['easel.generateImage', { prompt: 'four', count: 4 }] });

/**
 * Each test ends with the image delivered exactly once, or with a clear account of why there is
 * none; the service counts how often an image was made.
 */
suite('A paid image', () => {
	setup(() =>
		openHarbor({
			latencyMs: 300,
			settings: { 'easel.service.concurrency': atOnce },
			keyBindings: keys.bindings,
		}),
	);

	teardown(closeHarbor);

	/** Asks for an image and holds it at the service until `releaseHeld`. */
	async function askAndHold(prompt: string): Promise<void> {
		service.faults.add({ hold: true, times: 1 });
		await workbench.generate(prompt);
		await service.waitUntil(() => service.requests.some((request) => request.held));
	}

	function assertMadeOnce(): void {
		assert.equal(service.requests.length, 1);
		assert.equal(service.imagesMade, 1);
	}

	test('is delivered by exactly one of two windows on one folder', async () => {
		await askAndHold('two windows');
		const other = await workbench.editor.page.context().newPage();
		await other.goto(workbench.editor.url ?? '');
		await other.locator('.explorer-folders-view .monaco-list-row').first().waitFor();
		service.releaseHeld();
		await workbench.waitForImage();
		assert.deepEqual(await savedImages(workbench), ['two-windows.png']);
		// The second window takes over when the first one is gone, and finds nothing left to do.
		await workbench.editor.reload();
		await workbench.findCommand('Easel: Generate Image');
		assert.deepEqual(await savedImages(workbench), ['two-windows.png']);
		assertMadeOnce();
	});

	test('of 52 that were queued is neither lost nor doubled by a reload', async () => {
		const count = 52;
		const jobs = new Jobs(workbench);
		await workbench.findCommand('Easel: Generate Image');
		await workbench.page.keyboard.press('Escape');
		service.faults.add({ hold: true, times: atOnce });
		for (let asked = 4; asked <= count; asked += 4) {
			await keys.press(workbench, 'four');
			await jobs.waitFor((all) => all.length === asked, `${String(asked)} jobs`);
		}
		await service.waitUntil(() => service.requests.filter(({ held }) => held).length === atOnce);
		const queued = (await jobs.entries()).filter(({ state }) => state.state === 'queued');
		assert.equal(queued.length, count - atOnce);
		await workbench.editor.reload();
		await workbench.waitForProgress('“four”');
		service.releaseHeld();
		await waitForFiles(path.join(workbench.folder, 'images'), /\.png$/, count);
		assert.equal(await jobs.waitForAllEnded(), count);
		assert.equal((await savedImages(workbench)).length, count);
		assert.equal(service.imagesMade, count);
		assert.equal(service.requests.length, count);
		assert.ok(service.maxAtOnce <= atOnce, String(service.maxAtOnce));
	});

	/** Asks for four more images than go out at once, and closes the window; returns those four. */
	async function leaveQueued(jobs: Jobs): Promise<JobEntry[]> {
		service.faults.add({ hold: true, times: atOnce });
		await workbench.findCommand('Easel: Generate Image');
		await workbench.page.keyboard.press('Escape');
		for (let asked = 4; asked <= atOnce + 4; asked += 4) {
			await keys.press(workbench, 'four');
			await jobs.waitFor((all) => all.length === asked, `${String(asked)} jobs`);
		}
		await service.waitUntil(() => service.requests.filter(({ held }) => held).length === atOnce);
		await workbench.editor.closeWindow();
		const queued = (await jobs.entries()).filter(({ state }) => state.state === 'queued');
		assert.equal(queued.length, 4);
		return queued;
	}

	/** Lets the images under way arrive, and forgets them: their notifications would hide the question. */
	async function forgetHeld(jobs: Jobs): Promise<void> {
		const isReceived = ({ state }: JobEntry) => state.state === 'received';
		service.releaseHeld();
		const ended = await jobs.waitFor(
			(all) => all.filter(isReceived).length === atOnce,
			'those under way',
		);
		for (const { folder } of ended.filter(isReceived)) {
			await rm(folder, { recursive: true });
		}
	}

	test('that was queued on another day is sent only after a question', async () => {
		const jobs = new Jobs(workbench);
		const [now, ...others] = await leaveQueued(jobs);
		for (const { folder } of others) {
			await setBack(path.join(folder, 'request.json'));
		}
		await forgetHeld(jobs);
		await workbench.editor.openWindow();
		const text = await workbench.waitForNotification('3 queued images were never sent');
		assert.match(text, /never sent \(window closed on .+\)\./);
		await workbench.screenshot('recovery-another-day');
		// A window that goes has closed no question.
		await workbench.editor.reload();
		const question = await workbench.openListedNotification('3 queued images were never sent');
		// The one of today did not have to wait for the answer.
		await jobs.waitFor(
			(all) => !all.some(({ folder }) => folder === now?.folder),
			'the one of today',
		);
		assert.equal(service.requests.length, atOnce + 1);
		await question.getByRole('button', { name: 'Send 3 Images', exact: true }).click();
		await jobs.waitForAllEnded();
		assert.equal(service.imagesMade, atOnce + 4);
		assert.equal((await savedImages(workbench)).length, 4);
	});

	test('is not asked about again where that question was closed, and is listed', async () => {
		const jobs = new Jobs(workbench);
		for (const { folder } of await leaveQueued(jobs)) {
			await setBack(path.join(folder, 'request.json'));
		}
		await forgetHeld(jobs);
		await workbench.editor.openWindow();
		const question = await workbench.openListedNotification('4 queued images were never sent');
		await question.getByRole('button', { name: 'Clear Notification' }).click();
		const isListed = ({ state }: JobEntry) => state.state === 'interrupted' && !!state.notified;
		await jobs.waitFor((all) => all.length === 4 && all.every(isListed), 'those that are listed');
		await workbench.editor.reload();
		await workbench.runCommand('Easel: Open Image Studio');
		for (let left = 4; left > 0; left -= 1) {
			await studio
				.button('Retry')
				.nth(left - 1)
				.click();
			await until(async () => (await studio.button('Retry').count()) < left, 'one to be sent');
		}
		await jobs.waitForAllEnded();
		assert.equal(service.imagesMade, atOnce + 4);
		assert.equal((await savedImages(workbench)).length, 4);
	});
});

/** Sets every time in the file back by a year. */
async function setBack(file: string): Promise<void> {
	const text = await readFile(file, 'utf8');
	const shifted = text.replace(/"(\d{4})(-\d\d-\d\dT[\d:.]+Z)"/g, (_, year: string, rest: string) =>
		JSON.stringify(String(Number(year) - 1) + rest),
	);
	await writeFile(file, shifted);
}
