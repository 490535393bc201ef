import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { drawPicture } from '../service/picture.js';
import { startImageService, type ImageService } from '../service/server.js';
import { copySample } from '../host/sample.js';
import { Workbench } from './workbench.js';

const key = 'e2e-menus-key-8e02';
/** The smallest picture of a kind that the image preview shows and no service takes. */
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

suite('Where Easel is found', () => {
	let service: ImageService;
	let sample: Awaited<ReturnType<typeof copySample>>;
	let workbench: Workbench;

	suiteSetup(async () => {
		service = await startImageService({ key });
		sample = await copySample();
		const images = path.join(sample.folder, 'pictures');
		await mkdir(images);
		const boat = await drawPicture({ prompt: 'a boat', size: '1024x1024', references: [] });
		await writeFile(path.join(images, 'boat.png'), boat);
		await writeFile(path.join(images, 'dot.gif'), gif);
		await writeFile(path.join(images, 'notes.qmd'), '# Notes\n');
		workbench = await Workbench.open({
			folder: sample.folder,
			settings: { 'easel.service.address': service.address },
			env: { EASEL_API_KEY: key },
		});
	});

	suiteTeardown(async () => {
		await workbench?.close();
		await service?.close();
		sample?.remove();
	});

	/** The labels of the buttons in the title of the editor in front. */
	function titleButtons(): Promise<string[]> {
		return workbench.page
			.locator('.editor-actions .action-label')
			.evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label') ?? ''));
	}

	async function openPicture(name: string): Promise<string[]> {
		await workbench.openFile(`pictures/${name}`);
		await workbench.webview().locator('img').waitFor();
		return titleButtons();
	}

	test('the studio and an edit stand in the title of a picture, and of no other editor', async () => {
		const ofPicture = await openPicture('boat.png');
		await workbench.screenshot('menus-preview-title');
		const ours = ['Edit with Prompt…', 'Open Image Studio'];
		assert.deepEqual(
			ours.filter((label) => ofPicture.includes(label)),
			ours,
		);
		const ofGif = await openPicture('dot.gif');
		assert.deepEqual(
			ours.filter((label) => ofGif.includes(label)),
			[],
		);
		await workbench.openFile('README.md');
		const ofDocument = await titleButtons();
		assert.deepEqual(
			ours.filter((label) => ofDocument.includes(label)),
			[],
		);
	});

	test('the preview of a picture offers to edit it by its own menu, where it can be edited', async () => {
		for (const [name, offered] of [
			['boat.png', true],
			['dot.gif', false],
		] as const) {
			await openPicture(name);
			const items = await workbench.contextMenuItems(workbench.webview().locator('img'));
			assert.equal(items.includes('Edit with Prompt…'), offered, name);
		}
	});

	test('the number of images in the status bar leads to the studio', async () => {
		await workbench.runCommand('View: Close All Editors');
		await workbench.page.locator('iframe.webview').waitFor({ state: 'detached' });
		service.faults.add({ hold: true, times: 1 });
		await workbench.generate('a harbor that is waited for');
		await workbench.statusBarItem(/1 image$/).click();
		await workbench.activeTab('Image Studio').waitFor();
		const field = workbench.webview().getByRole('textbox', { name: 'Prompt', exact: true });
		await field.fill('a quay');
		await workbench.webview().getByText('1 paid request').waitFor();
		await workbench.screenshot('menus-studio');
		await service.waitUntil(() => service.requests.some(({ held }) => held));
		assert.equal(service.releaseHeld(), 1);
		await workbench.waitForFile('images/a-harbor-that-is-waited-for.png');
		await workbench.runCommand('View: Close All Editors');
	});

	test('the title of the explorer has nothing of it', async () => {
		const { page } = workbench;
		await page.locator('.explorer-folders-view').hover();
		await page.locator('.composite.title [aria-label="Views and More Actions..."]').click();
		const items = page.locator('.monaco-menu .action-item');
		await items.first().waitFor();
		const texts = await items.allInnerTexts();
		await page.keyboard.press('Escape');
		assert.deepEqual(
			texts.filter((text) => /Easel|Studio|Image/.test(text)),
			[],
		);
	});

	test('missing images are looked for in every kind of document that is searched', async () => {
		for (const [name, offered] of [
			['notes.qmd', true],
			['boat.png', false],
		] as const) {
			await workbench.openFile(`pictures/${name}`);
			const items = await workbench.contextMenuItems(workbench.explorerRow(name));
			assert.equal(items.includes('Generate Missing Images…'), offered, name);
		}
	});

	test('File > New File makes an image for the workspace, and leaves the document in front alone', async () => {
		await workbench.openFile('README.md');
		const before = await readFile(path.join(workbench.folder, 'README.md'), 'utf8');
		await workbench.runCommand('Create: New File...');
		await workbench.waitForQuickInput('New File');
		const items = await workbench.quickPickItems();
		assert.ok(
			items.some((item) => /^Image from Prompt…\s*Easel/.test(item)),
			items.join('\n'),
		);
		await workbench.screenshot('menus-new-file');
		await workbench.pickItem('Image from Prompt…');
		await workbench.waitForQuickInput('Describe the image');
		await workbench.typeInQuickInput('a quiet harbor');
		await workbench.acceptStep();
		await workbench.acceptQuickInput();
		await workbench.waitForImage('images/a-quiet-harbor.png');
		await workbench.notificationButton('Copy Image Link').waitFor();
		await workbench.screenshot('menus-new-file-saved');
		assert.equal(await readFile(path.join(workbench.folder, 'README.md'), 'utf8'), before);
		assert.equal(await workbench.editorText().getByText('a-quiet-harbor').count(), 0);
	});

	test('the palette begins no line with Easel twice, and has no second way to begin an image', async () => {
		const titles = (await workbench.offeredCommands()).map((title) => title.split('\n')[0] ?? '');
		assert.ok(titles.includes('Easel: Get Started'));
		assert.ok(titles.includes('Easel: Generate Image…'));
		assert.ok(!titles.some((title) => /Easel.*Easel|Image from Prompt/.test(title)), titles.join());
	});
});
