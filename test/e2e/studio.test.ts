import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { copySample } from '../host/sample.js';
import { until } from '../host/until.js';
import { startImageService, type ImageService } from '../service/server.js';
import { draw } from './drawings.js';
import { file, service, studio, useHarbor, workbench } from './harbor.js';
import { StudioPage } from './studioPage.js';
import { Workbench } from './workbench.js';

const key = 'e2e-studio-key-5c1d';
const hostile = '<img src=x onerror="document.title=1"> <b>bold</b>';

suite('Image Studio', () => {
	useHarbor({
		latencyMs: 900,
		settings: { 'easel.service.concurrency': 4 },
		prepare: async () => {
			await mkdir(file('art'));
			await writeFile(file('art', 'sketch.png'), await draw('a sketch'));
			await writeFile(file('art', 'notes.png'), 'no image');
			await writeFile(file('note.md'), '# Note\n\n');
		},
	});

	async function readLog(): Promise<string> {
		const names = await readdir(workbench.editor.logsDir, { recursive: true });
		const logs = names.filter((name) => path.basename(name) === 'Easel.log');
		const texts = logs.map((name) => readFile(path.join(workbench.editor.logsDir, name), 'utf8'));
		return (await Promise.all(texts)).join('\n');
	}

	setup(async () => {
		service.faults.clear();
		await workbench.dismissEverything();
		await workbench.runCommand('View: Close All Editors');
	});

	// --- What is on the screen

	function page(): FrameLocator {
		return workbench.webview();
	}

	function button(name: string | RegExp): Locator {
		return page().getByRole('button', { name, exact: typeof name === 'string' });
	}

	function prompt(): Locator {
		return page().getByRole('textbox', { name: 'Prompt', exact: true });
	}

	/** The images that are there, newest first; those whose name for screen readers has the text. */
	function images(text = ''): Locator {
		const all = page().locator('.tile.image');
		return text === '' ? all : all.and(page().locator(`[aria-label*=${JSON.stringify(text)}]`));
	}

	/** The tiles of requests that run or have failed. */
	function jobs(state: 'running' | 'failed'): Locator {
		return page().locator(`.tile.job.${state}`);
	}

	function reference(name: string): Locator {
		return page().getByRole('listitem').filter({ hasText: name }).first();
	}

	/** Waits until so many requests are held at the service. */
	async function waitForHeld(count: number): Promise<void> {
		await service.waitUntil(() => service.requests.filter(({ held }) => held).length === count);
	}

	// --- The tests

	test('is there again after a reload in the middle, with its draft, its cards and its images', async () => {
		await studio.open();
		const before = service.requests.length;
		service.faults.add({ hold: true, times: 1 });
		await studio.compose('a tower through a reload');
		await waitForHeld(1);
		await prompt().fill('a draft that is not sent yet');
		await workbench.reloadWindow();
		await workbench.activeTab('Image Studio').waitFor();
		await jobs('running').waitFor();
		assert.equal(await prompt().inputValue(), 'a draft that is not sent yet');
		service.releaseHeld();
		await images('a tower through a reload').waitFor();
		assert.equal(service.requests.length, before + 1, 'nothing is bought twice');
	});

	test('takes images that are dropped from the explorer, and refuses what is none', async () => {
		await studio.open();
		await page().getByRole('combobox', { name: 'Quality' }).waitFor();
		await workbench.expandFolder('art');
		for (const name of ['sketch.png', 'notes.png']) {
			await workbench.dragWithShift(workbench.explorerRow(name), prompt());
		}
		await reference('sketch.png').waitFor();
		await page()
			.getByText(/"notes\.png" is not/)
			.waitFor();
		await workbench.screenshot('studio-references');
		// The service ignores it with reference images.
		const choice = (name: string) => page().locator('easel-compose').getByLabel(name);
		await choice('Size').waitFor();
		assert.equal(await choice('Quality').count(), 0);
		await button('Edit sketch.png').click();
		await page()
			.getByRole('group', { name: /^Editing: sketch\.png/ })
			.waitFor();
		await button('Make a New Image Instead').waitFor();
		await studio.compose('make it a photo');
		await images('make it a photo').waitFor();
		assert.equal(service.requests.at(-1)?.endpoint, 'edits');
		assert.ok((await readdir(file('art'))).some((name) => /^sketch-.*\.png$/.test(name)));
		await reference('sketch.png').waitFor({ state: 'hidden' });
	});

	test('can be moved to a window of its own', async () => {
		await studio.open();
		await prompt().fill('a draft that moves');
		const opened = workbench.page.context().waitForEvent('page');
		await workbench.runCommand('View: Move Editor into New Window');
		const window = await opened;
		const moved = window
			.frameLocator('iframe.webview.ready')
			.frameLocator('#active-frame')
			.getByRole('textbox', { name: 'Prompt', exact: true });
		await moved.waitFor();
		assert.equal(await moved.inputValue(), 'a draft that moves');
		await window.close();
	});

	test('cancels at once, and says what it may cost', async () => {
		await studio.open();
		service.faults.add({ hold: true, times: 1 });
		await studio.compose('never mind');
		await waitForHeld(1);
		await jobs('running').hover();
		await button(/^Cancel \d+a$/).click();
		await jobs('running').waitFor({ state: 'detached' });
		await workbench.waitForNotification(/You may still be charged\./);
		service.releaseHeld();
	});

	test('shows the words of others as text, and refuses what is no message', async () => {
		await studio.open();
		service.faults.add({ status: 400, message: hostile, times: 1 });
		await studio.compose(hostile);
		await page().getByText(`400: ${hostile}`).first().waitFor();
		await studio.compose(`${hostile} again`);
		await images(hostile).waitFor();
		assert.equal(await page().locator('b, img[src=x]').count(), 0);

		const outer = workbench.page.frameLocator('iframe.webview.ready').locator('#active-frame');
		await outer.evaluate((frame) => {
			const report = (frame.ownerDocument.defaultView as unknown as Record<string, unknown>)[
				'__vscode_post_message__'
			] as (channel: string, data: unknown) => void;
			for (const request of [
				{ type: 'image', id: '../../etc/passwd', action: 'open' },
				{ type: 'search', query: { text: 'hostile'.repeat(1_000_000), among: 'all' } },
				{ type: 'generate', prompt: 5 },
				{ type: 'dropReferences', uris: ['file:///etc/passwd'] },
			]) {
				report('onmessage', { message: { kind: 'request', id: crypto.randomUUID(), request } });
			}
		});
		await until(async () => {
			const log = await readLog();
			return (
				log.match(/rejected a message of its page/g)?.length === 3 &&
				log.includes('“passwd” is outside this workspace')
			);
		}, 'the log');
		assert.doesNotMatch(await readLog(), /hostilehostile|etc\/passwd/);
	});

	test('says that it is disconnected where the extension is gone', async () => {
		await studio.open();
		await page()
			.locator('body')
			.evaluate(() => window.postMessage({ kind: 'closed' }, '*'));
		await button('Add Reference…').click();
		await page().getByText('Easel is no longer connected to this page').waitFor();
		await workbench.screenshot('studio-closed');
	});
});

suite('Image Studio, in a workspace of several folders', () => {
	let folder: Awaited<ReturnType<typeof copySample>>;
	let added: Awaited<ReturnType<typeof copySample>>;
	let service: ImageService;
	let workbench: Workbench;

	suiteSetup(async () => {
		service = await startImageService({ key });
		folder = await copySample('harbor');
		added = await copySample('quay');
		const workspace = path.join(path.dirname(folder.folder), 'places.code-workspace');
		await writeFile(workspace, JSON.stringify({ folders: [{ path: folder.folder }] }));
		workbench = await Workbench.open({
			folder: workspace,
			settings: { 'easel.service.address': service.address },
			env: { EASEL_API_KEY: key },
		});
	});

	suiteTeardown(async () => {
		await workbench?.close();
		await service?.close();
		folder?.remove();
		added?.remove();
	});

	test('shows the images of a folder that is added to it, and keeps what is being written', async () => {
		const studio = new StudioPage(workbench);
		await studio.open();
		await studio.compose('a quay in fog');
		await studio.waitForImages('1a');
		const images = (of: typeof folder) => path.join(of.folder, 'images');
		await mkdir(images(added), { recursive: true });
		await rename(
			path.join(images(folder), 'quay-in-fog.png'),
			path.join(images(added), 'quay-in-fog.png'),
		);
		await studio.prompt().fill('a harbor, half written');

		await workbench.runCommand('Workspaces: Add Folder to Workspace...');
		await workbench.waitForQuickInput('Add Folder to Workspace');
		await workbench.waitForQuickInputText(path.dirname(folder.folder));
		await workbench.typeInQuickInput(`${added.folder}/`);
		await until(
			async () => (await workbench.quickPickItems()).some((item) => item.startsWith('docs')),
			'what lies in the folder',
		);
		await workbench.acceptQuickInput();
		await workbench.explorerRow('quay').waitFor();

		await studio.image('1a').dblclick();
		const picture = studio.root.locator('easel-image-detail .view img:not(.thumbnail)').first();
		await picture.waitFor();
		await until(
			() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth === 1024),
			'the image itself',
		);
		await workbench.screenshot('studio-added-folder');
		await studio.button('Back').click();
		assert.equal(await studio.prompt().inputValue(), 'a harbor, half written');
	});
});

suite('Image Studio, before the service is set up', () => {
	useHarbor({ isNew: true });

	test('says what is missing, and how to mend it', async () => {
		await workbench.runCommand('Easel: Open Image Studio');
		const page = workbench.webview();
		await page.getByRole('button', { name: 'Set Up Image Service' }).waitFor();
		await page.getByRole('textbox', { name: 'Prompt', exact: true }).fill('a harbor');
		await workbench.screenshot('studio-setup');
		await page.getByRole('button', { name: 'Set Up Image Service' }).click();
		await workbench.waitForQuickInput('https://images.example.com');
		await workbench.typeInQuickInput('http://127.0.0.1:9');
		await workbench.acceptQuickInput();
		await workbench.pickItem('Standard image service');
		await workbench.waitForQuickInput('key');
		await workbench.typeInQuickInput('a-key');
		await workbench.acceptQuickInput();
		// No service answers there.
		const dialog = workbench.page.locator('.monaco-dialog-box');
		await dialog.getByRole('button', { name: 'Use Anyway', exact: true }).click();
		await page.getByRole('button', { name: 'Set Up Image Service' }).waitFor({ state: 'hidden' });
		assert.equal(
			await page
				.getByRole('button', { name: 'Generate', exact: true })
				.getAttribute('aria-disabled'),
			'false',
		);
	});
});
