import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inspectImage } from '../../src/images/inspect.js';
import { startImageService, type ImageService } from '../service/server.js';
import { waitForFiles, Workbench } from './workbench.js';

const key = 'e2e-recovery-key-2b90';

/**
 * Each test ends with the image delivered exactly once, or with a clear account of why there is
 * none; the service counts how often an image was made.
 */
suite('A paid image', () => {
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

	/** Asks for an image and holds it at the service until `releaseHeld`. */
	async function askAndHold(prompt: string): Promise<void> {
		service.faults.add({ hold: true, times: 1 });
		await workbench.generate(prompt);
		await service.waitUntil(() => service.requests.some((request) => request.held));
	}

	async function delivered(): Promise<string[]> {
		const folder = path.join(workbench.folder, 'images');
		const names = await readdir(folder).catch(() => []);
		for (const name of names) {
			assert.equal((await inspectImage(path.join(folder, name))).format, 'png');
		}
		return names;
	}

	/** The ids of the worker processes that this editor has started. */
	function workers(): number[] {
		const script = path.join(workbench.editor.dataDir, '../extensions/easel.easel-');
		return execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' })
			.split('\n')
			.filter((line) => line.includes(script) && line.includes('worker.js'))
			.map((line) => Number.parseInt(line, 10));
	}

	function assertMadeOnce(): void {
		assert.equal(service.requests.length, 1);
		assert.equal(service.imagesMade, 1);
	}

	test('is picked up again after the window was reloaded, with its progress', async () => {
		await askAndHold('through a reload');
		await workbench.editor.reload();
		await workbench.waitForNotification(/through a reload.*\d:\d\d · usually/);
		await workbench.screenshot('recovery-reloaded');
		service.releaseHeld();
		await workbench.waitForNotification('Image saved');
		assert.deepEqual(await delivered(), ['through-a-reload.png']);
		assertMadeOnce();
	});

	test('is picked up again after the extension host was killed', async () => {
		await askAndHold('through a crash');
		await workbench.editor.killExtensionHost();
		await workbench.editor.reload();
		await workbench.waitForNotification(/through a crash.*\d:\d\d/);
		service.releaseHeld();
		await workbench.waitForNotification('Image saved');
		assert.deepEqual(await delivered(), ['through-a-crash.png']);
		assertMadeOnce();
	});

	test('is delivered when the editor is opened again after the answer has come', async () => {
		await askAndHold('while closed');
		await workbench.editor.killExtensionHost();
		service.releaseHeld();
		await service.waitForRequest(1, 'ended');
		await workbench.editor.restart();
		await workbench.waitForNotification('Image saved');
		assert.deepEqual(await delivered(), ['while-closed.png']);
		assertMadeOnce();
	});

	test('can still be cancelled after a reload', async () => {
		await askAndHold('never mind');
		await workbench.editor.reload();
		await workbench.waitForNotification(/never mind.*\d:\d\d/);
		await workbench.clickNotificationButton('Cancel');
		await workbench.waitForNotification('the service may still charge');
		await service.waitForRequest(1, 'left');
		assert.deepEqual(await delivered(), []);
		assert.equal(service.requests.length, 1);
	});

	test('that is lost with its worker is told, and asked for again only by the user', async () => {
		await askAndHold('killed worker');
		const [worker] = workers();
		assert.ok(worker !== undefined, 'a worker process runs');
		process.kill(worker, 'SIGKILL');
		const text = await workbench.waitForNotification('was interrupted');
		assert.match(text, /It was sent \d:\d\d ago\. The service may have charged for it\./);
		await workbench.screenshot('recovery-interrupted');
		assert.equal(service.requests.length, 1, 'nothing was sent again by itself');
		await workbench.clickNotificationButton('Send Again (May Be Charged Twice)');
		await workbench.waitForNotification('Image saved');
		assert.equal(service.requests.length, 2);
		assert.deepEqual(workers(), []);
	});

	test('that could not be saved is offered again after a reload', async () => {
		const images = path.join(workbench.folder, 'images');
		await writeFile(images, 'a file in the place of the folder');
		await workbench.generate('kept for later');
		await workbench.waitForNotification('The image itself is safe');
		await workbench.editor.reload();
		await workbench.waitForNotification('The image itself is safe');
		await rm(images);
		await workbench.clickNotificationButton('Try Again');
		await workbench.waitForNotification('Image saved');
		assert.deepEqual(await delivered(), ['kept-for-later.png']);
		assertMadeOnce();
	});

	test('waits out a Retry-After of 60 s although the window was reloaded meanwhile', async () => {
		service.faults.add({ status: 429, retryAfter: 60, times: 1 });
		await workbench.generate('busy for a minute');
		await workbench.waitForNotification(/next attempt in \d+ s/);
		await workbench.editor.reload();
		await workbench.waitForNotification(/busy for a minute.*next attempt in \d+ s/);
		await workbench.waitForNotification('Image saved', 90_000);
		assert.deepEqual(await delivered(), ['busy-for-a-minute.png']);
		assert.equal(service.requests.length, 2);
		assert.equal(service.imagesMade, 1);
	});

	test('whose folder was deleted while it was made is saved all the same', async () => {
		await workbench.generate('first');
		await workbench.waitForNotification('Image saved');
		await askAndHold('second');
		await rm(path.join(workbench.folder, 'images'), { recursive: true });
		service.releaseHeld();
		await workbench.waitForNotification('second.png');
		assert.deepEqual(await delivered(), ['second.png']);
		assert.equal(service.imagesMade, 2);
	});

	test('is delivered by exactly one of two windows on one folder', async () => {
		await askAndHold('two windows');
		const other = await workbench.editor.page.context().newPage();
		await other.goto(workbench.editor.url ?? '');
		await other.locator('.explorer-folders-view .monaco-list-row').first().waitFor();
		service.releaseHeld();
		await workbench.waitForNotification('Image saved');
		assert.deepEqual(await delivered(), ['two-windows.png']);
		// The second window takes over when the first one is gone, and finds nothing left to do.
		await workbench.editor.reload();
		await workbench.findCommand('Easel: Generate Image');
		assert.deepEqual(await delivered(), ['two-windows.png']);
		assertMadeOnce();
	});

	test('of many that were queued is neither lost nor doubled by a reload', async () => {
		const count = 12;
		for (let index = 0; index < count / 4; index += 1) {
			await workbench.generateSeveral(`queued ${String(index)}`, 4);
		}
		const jobs = path.join(workbench.editor.globalStorage, 'easel.easel/jobs');
		await waitForFiles(jobs, /state\.json$/, count);
		await workbench.editor.reload();
		await waitForFiles(path.join(workbench.folder, 'images'), /\.png$/, count);
		assert.equal((await delivered()).length, count);
		assert.equal(service.imagesMade, count);
		assert.equal(service.requests.length, count);
		assert.ok(service.mostAtOnce <= 3, String(service.mostAtOnce));
	});
});
