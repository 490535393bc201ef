import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inspectImage } from '../../src/images/inspect.js';
import { waitForNotes } from '../e2e/notes.js';
import { assertNoSecrets } from '../e2e/secrets.js';
import { StudioPage } from '../e2e/studioPage.js';
import { waitForBytes, Workbench } from '../e2e/workbench.js';
import { repository } from '../host/cache.js';
import { hostile } from '../host/hostileSettings.js';
import { copySample } from '../host/sample.js';
import { startImageService, type ImageService } from '../service/server.js';

const key = 'smoke-key-52ce90';
const wrongKey = 'smoke-wrong-key-77';

/**
 * The packaged extension as one user meets it, in one workbench. Each test is a journey of its own:
 * it begins with nothing open. They share the folder, its images and the key.
 */
suite('Smoke', () => {
	let sample: Awaited<ReturnType<typeof copySample>>;
	let service: ImageService;
	let workbench: Workbench;
	let studio: StudioPage;

	suiteSetup(async () => {
		service = await startImageService({ key, latencyMs: 100 });
		sample = await copySample();
		await mkdir(file('.vscode'));
		await writeFile(file('.vscode/settings.json'), JSON.stringify(hostileSettings()));
		await writeFile(file('ships.md'), '# Ships\n\nShips come and go.\n\nThe end.\n');
		await writeFile(
			file('missing.md'),
			'# Missing\n\n![A lighthouse at dusk](art/lighthouse.png)\n',
		);
		await writeFile(file('studio.md'), '# Studio\n\n');
		workbench = await Workbench.open({ folder: sample.folder, restricted: true });
		studio = new StudioPage(workbench);
	});

	suiteTeardown(async () => {
		await workbench?.close();
		await service?.close();
		sample?.remove();
	});

	setup(async () => {
		service.faults.clear();
		service.releaseHeld();
		await workbench.dismissEverything();
		await workbench.runCommand('View: Close All Editors');
	});

	test('Restricted Mode: no setting of the folder counts, and nothing is sent unasked', async () => {
		const dialog = workbench.page.locator('.monaco-dialog-box');
		const press = (label: string) =>
			dialog.getByRole('button', { name: label, exact: true }).click();
		await workbench.statusBarItem('Restricted Mode').waitFor();
		await workbench.runCommand('Easel: Generate Image');
		await dialog.getByText('Generate images in a workspace that you do not trust?').waitFor();
		await workbench.screenshot('restricted-mode');
		await press('Cancel');
		await dialog.waitFor({ state: 'hidden' });
		await workbench.runCommand('Easel: Generate Image');
		await press('Generate Here');
		// The folder names an address; it is asked for all the same.
		await workbench.waitForQuickInput('Set Up Image Service');
		assert.equal(await workbench.quickInputText(), '');
		await workbench.page.keyboard.press('Escape');
		assert.equal(service.requests.length, 0);

		await rm(file('.vscode'), { recursive: true });
		await workbench.runCommand('Workspaces: Manage Workspace Trust');
		await workbench.page.getByRole('button', { name: 'Trust', exact: true }).click();
		await workbench.statusBarItem('Restricted Mode').waitFor({ state: 'hidden' });
	});

	test('set-up: the image that was wanted follows', async () => {
		await workbench.runCommand('Easel: Generate Image');
		await workbench.setUp(service.address, key);
		await workbench.waitForQuickInput('Describe the image');
		await workbench.typeInQuickInput('a lighthouse at dusk');
		await workbench.acceptQuickInput();
		await workbench.waitForImage('images/lighthouse-at-dusk.png (1024 × 1024)');
		const { format, width } = await inspectImage(file('images/lighthouse-at-dusk.png'));
		assert.deepEqual([format, width], ['png', 1024]);
		assert.equal(service.requests.length, 1);
	});

	test('a link in a document: follows its place while one types, and the preview shows it', async () => {
		await workbench.openFile('ships.md');
		await workbench.goToLine(3);
		await askAndHold('a sailing ship');
		await waitForNotes(workbench, /^Ships come and go\. \| Image/);
		await workbench.goToLine(1);
		await workbench.page.keyboard.type(' of the harbor\n\nTyped above.');
		await waitForNotes(workbench, /^Ships come and go\. \| Image/);
		service.releaseHeld();
		await workbench.waitForImage('images/sailing-ship.png');
		await waitForNotes(workbench);
		await workbench.runCommand('File: Save');
		assert.match(
			await workbench.waitForFileText('ships.md', '!['),
			/^# Ships of the harbor\n\nTyped above\.\n\nShips come and go\.\s*!\[a sailing ship\]\(images\/sailing-ship\.png\)\n\nThe end\.\n$/,
		);
		await workbench.runCommand('Markdown: Open Preview');
		const picture = workbench.webview().locator('img');
		await picture.and(workbench.webview().locator('[src*="sailing-ship"]')).waitFor();
		await workbench.screenshot('preview');
	});

	test('an edit: beside the original, compared, used in its place, and undone', async () => {
		const original = file('images/lighthouse-at-dusk.png');
		const before = await readFile(original);
		await workbench.expandFolder('images');
		await workbench.contextMenu(
			workbench.explorerRow('lighthouse-at-dusk.png'),
			'Edit with Prompt',
		);
		await workbench.waitForQuickInput('Describe the change');
		await workbench.typeInQuickInput('in the snow');
		await workbench.waitForItems(/1\s+image/);
		await workbench.acceptQuickInput();
		await workbench.waitForImage('images/lighthouse-at-dusk-in-snow.png');
		const after = await readFile(file('images/lighthouse-at-dusk-in-snow.png'));
		assert.equal(service.requests.at(-1)?.endpoint, 'edits');
		assert.ok(before.equals(await readFile(original)), 'the original is as it was');

		await workbench.clickNotificationButton('Compare');
		await workbench.activeTab('↔').waitFor();
		await workbench.webview().getByRole('slider').first().waitFor();
		await workbench.screenshot('compare');
		await workbench.webview().getByRole('button', { name: 'Use New', exact: true }).click();
		await workbench.activeTab('↔').waitFor({ state: 'hidden' });
		await waitForBytes(original, after);
		await workbench.waitForNotification('Replaced lighthouse-at-dusk.png');
		await workbench.clickNotificationButton('Undo');
		await waitForBytes(original, before);
	});

	test('a missing image: generated from its alt text, where the document expects it', async () => {
		await workbench.openFile('missing.md');
		await workbench.clickText('A lighthouse at dusk');
		const action = await workbench.openCodeActions('Generate Missing Image…');
		await action.click();
		await workbench.waitForQuickInput('Describe lighthouse.png');
		assert.equal(await workbench.quickInputText(), 'A lighthouse at dusk');
		await workbench.acceptQuickInput();
		await workbench.waitForImage('art/lighthouse.png');
		assert.match(await readFile(file('missing.md'), 'utf8'), /^# Missing\n\n!\[A lighthouse/);
	});

	test('the studio by pointer: compose, watch, choose, insert; axe finds nothing', async () => {
		await workbench.openFile('studio.md');
		await workbench.goToLine(3);
		await studio.open();
		service.faults.add({ hold: true, times: 2 });
		await studio.compose('a harbor at dawn', 2);
		await service.waitUntil(() => service.requests.filter(({ held }) => held).length === 2);
		await studio.root.locator('.tile.job.running').nth(1).waitFor();
		assert.deepEqual(await studio.violations(), []);
		service.releaseHeld();
		await studio.root.locator('.tile.job.running').first().waitFor({ state: 'detached' });
		const images = studio.root.locator('.tile.image[aria-label*="a harbor at dawn"]');
		await images.nth(1).waitFor();
		assert.deepEqual(await studio.violations(), []);
		await workbench.setTheme('dark');
		await workbench.screenshot('studio-dark');
		await workbench.setTheme('light');
		await workbench.screenshot('studio-light');
		await images.first().dblclick();
		await studio.button('Insert at Cursor').click();
		await workbench.editorText().getByText('a harbor at dawn').waitFor();
		await workbench.runCommand('File: Save All Files');
		await workbench.waitForFileText('studio.md', '![a harbor at dawn](images/harbor-at-dawn');
	});

	test('the status bar: the images in progress lead to the studio', async () => {
		await askAndHold('a harbor that is waited for');
		await workbench.imagesInProgress().click();
		await workbench.waitForQuickInput('Images in Progress');
		await workbench.waitForItems(/Cancel “a harbor that is waited for”/);
		await workbench.pickItem('Open Image Studio');
		await workbench.activeTab('Image Studio').waitFor();
		await studio.root.locator('.tile.job.running').waitFor();
		service.releaseHeld();
		await workbench.waitForFile('images/harbor-that-is-waited-for.png');
		await workbench.untilNoneRuns();
	});

	test('cancel: at once, with what it may cost', async () => {
		await askAndHold('never mind');
		await workbench.cancelImage('never mind');
		await workbench.waitForNotification('You may still be charged.');
		await service.waitForRequest(service.requests.length, 'left');
		await workbench.untilNoneRuns();
		assert.ok(!(await readdir(file('images'))).includes('never-mind.png'));
	});

	test('401: a wrong key is refused where it is typed; later, a new key carries on', async () => {
		await workbench.runCommand('Easel: Set Up Image Service');
		await workbench.pickItem('Change API Key…');
		await giveKey(wrongKey);
		await workbench.page.getByText('does not accept this key').waitFor();
		await workbench.screenshot('setup-wrong-key');
		await workbench.page.keyboard.press('Escape');
		service.faults.add({ status: 401, times: 1 });
		await workbench.generate('with a wrong key');
		const text = await workbench.waitForNotification('401');
		assert.match(text, /answered with 401: .+\. You were not charged\./);
		await workbench.screenshot('error-401');
		await workbench.clickNotificationButton('Set API Key');
		await giveKey(key);
		await workbench.waitForImage('images/with-wrong-key.png');
	});

	test('a killed worker: reported, and nothing is sent again without a click', async () => {
		await askAndHold('a killed worker');
		const sent = service.requests.length;
		process.kill(workbench.workers()[0]!, 'SIGKILL');
		await workbench.waitForNotification('was interrupted');
		await workbench.screenshot('killed-worker');
		assert.equal(service.requests.length, sent);
		await workbench.clickNotificationButton('Retry (May Be Charged Twice)');
		await workbench.waitForImage('images/killed-worker.png');
		assert.equal(service.requests.length, sent + 1);
	});

	test('a reload while an image is under way: delivered, once', async () => {
		await askAndHold('a long way');
		const sent = service.requests.length;
		await workbench.editor.reload();
		await workbench.waitForProgress(/a long way.*\d:\d\d/);
		service.releaseHeld();
		await workbench.waitForImage('images/long-way.png');
		assert.equal(service.requests.length, sent);
		const saved = (await readdir(file('images'))).filter((name) => name.startsWith('long-way'));
		assert.deepEqual(saved, ['long-way.png']);
	});

	test('the package: what a user needs and nothing else, no sources, tests or maps', async () => {
		const extensions = path.join(workbench.editor.dataDir, '../extensions');
		const own = (await readdir(extensions)).filter((name) => name.startsWith('easel.easel-'));
		assert.equal(own.length, 1);
		const root = path.join(extensions, own[0] ?? '');
		const files = (await readdir(root, { recursive: true, withFileTypes: true }))
			.filter((entry) => entry.isFile())
			.map((entry) => path.posix.join(path.relative(root, entry.parentPath), entry.name));
		assert.deepEqual(
			files.filter((file) => !file.startsWith('dist/')).sort(),
			[
				'.vsixmanifest',
				'LICENSE.txt',
				'changelog.md',
				...(await filesIn('docs')),
				...(await filesIn('docs/pictures')),
				'media/check.schema.json',
				'media/compare-dark.svg',
				'media/compare-light.svg',
				'media/icon.png',
				'media/prompt/grammar.json',
				'media/prompt/language.json',
				'media/skills/easel-images/SKILL.md',
				'media/studio-dark.svg',
				'media/studio-light.svg',
				'media/studio.svg',
				...['compare', 'edit', 'generate', 'insert', 'setUp'].flatMap((step) =>
					['dark', 'light'].map((theme) => `media/walkthrough/${step}-${theme}.webp`),
				),
				'package.json',
				'readme.md',
			].sort(),
		);
		for (const bundle of [
			'extension',
			'main',
			'agentSocket',
			'mcp',
			'worker',
			'check',
			'thumbnails',
			'shortCall',
		]) {
			assert.ok(files.includes(`dist/${bundle}.js`), bundle);
		}
		for (const file of files.filter((name) => name.startsWith('dist/'))) {
			assert.match(file, /^dist\/\w+(\.js(\.LEGAL\.txt)?|\.LEGAL\.txt|\.wasm)$/);
		}
		// What is compiled from C comes with its licenses, and nothing else is.
		assert.deepEqual(files.filter((file) => file.endsWith('.wasm')).sort(), [
			'dist/mozjpeg_dec.wasm',
			'dist/mozjpeg_enc.wasm',
			'dist/squoosh_oxipng_bg.wasm',
			'dist/squoosh_resize_bg.wasm',
			'dist/webp_dec.wasm',
			'dist/webp_enc.wasm',
		]);
		const licenses = await readFile(path.join(root, 'dist/libraries.LEGAL.txt'), 'utf8');
		assert.match(licenses, /Apache License[^]+libjpeg-turbo[^]+Google Inc/);
		// Those of libraries of libraries too.
		assert.match(licenses, /^--- \S+\/entities\/LICENSE$[^]+^--- zod\/LICENSE$/m);
		for (const [name, longest] of [
			['extension', 13_000],
			['mcp', 320_000],
			['main', 1_000_000],
		] as const) {
			const bundle = await readFile(path.join(root, `dist/${name}.js`), 'utf8');
			assert.ok(!bundle.includes('sourceMappingURL'), name);
			assert.ok(bundle.length < longest, `${name}: ${String(bundle.length)} characters`);
		}
		// VS Code shows no picture of a package on the extension's page.
		const readme = await readFile(path.join(root, 'readme.md'), 'utf8');
		assert.match(readme, /^# Easel\n[^]+\n## Quick start\n/);
		assert.ok(!readme.replace(/`[^`\n]*`/g, '').includes('!['));
		const { size } = await stat(process.env['EASEL_TEST_VSIX'] ?? '');
		// The codecs are 560 kB of it, `undici` is 95 kB.
		assert.ok(size < 1_800_000, `${String(size)} bytes`);
	});

	test('secrets: neither a key nor base64 in logs, storage or workspace', async () => {
		await workbench.runCommand('Easel: Show Log');
		await workbench.page.getByText('attempt 1: POST').first().waitFor();
		const searched = await assertNoSecrets(
			[workbench.editor.logsDir, workbench.editor.dataDir, workbench.folder],
			[key, wrongKey],
		);
		assert.ok(searched > 20, `${searched} files`);
	});

	function file(...names: string[]): string {
		return path.join(sample.folder, ...names);
	}

	/** Asks for an image that the service holds until `releaseHeld`. */
	async function askAndHold(prompt: string): Promise<void> {
		const sent = service.requests.length;
		service.faults.add({ hold: true, times: 1 });
		await workbench.generate(prompt);
		await service.waitForRequest(sent + 1, 'held');
	}

	async function giveKey(value: string): Promise<void> {
		await workbench.page.getByText('It is stored in').waitFor();
		await workbench.typeInQuickInput(value);
		await workbench.acceptQuickInput();
	}
});

/** Settings of a folder that would redirect the user's requests to itself. */
function hostileSettings(): Record<string, unknown> {
	const settings = Object.entries(hostile).map(([name, value]) => [`easel.${name}`, value]);
	return Object.fromEntries(settings) as Record<string, unknown>;
}

/** The files of a folder of the repository, without its subfolders. */
async function filesIn(folder: string): Promise<string[]> {
	const entries = await readdir(path.join(repository, folder), { withFileTypes: true });
	return entries.filter((entry) => entry.isFile()).map(({ name }) => `${folder}/${name}`);
}
