import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { inspectImage } from '../../src/images/inspect.js';
import { service, useHarbor, workbench } from './harbor.js';

const key = 'e2e-key-8c1f02d7';

/** The editor shows no more than three new notifications within 800 ms; real images take longer. */
const latencyMs = 900;

suite('Generate Image', () => {
	useHarbor({ isNew: true, latencyMs, key });

	setup(async () => {
		service.faults.clear();
		await workbench.dismissEverything();
	});

	function images(): Promise<string[]> {
		return readdir(path.join(workbench.folder, 'images')).catch(() => []);
	}

	function image(name: string) {
		return inspectImage(path.join(workbench.folder, 'images', name));
	}

	test('goes to the set-up first where there is none, and carries on with what was wanted', async () => {
		await workbench.runCommand('Easel: Generate Image');
		await workbench.waitForQuickInput('Set Up Image Service');
		await workbench.typeInQuickInput('http://images.example.com');
		await workbench.acceptQuickInput();
		await workbench.page.getByText('unencrypted').waitFor();
		await workbench.screenshot('setup-address-refused');
		await workbench.typeInQuickInput(`${service.address}/v1/images/generations`);
		await workbench.acceptQuickInput();
		await workbench.pickItem('Standard image service');
		await workbench.page.getByText('It is stored in').waitFor();
		await workbench.goBack();
		await workbench.waitForQuickInput('The kind of image service');
		await workbench.page.keyboard.press('Escape');
		await workbench.page.getByText('as its documentation shows it').waitFor();
		await workbench.acceptQuickInput();
		await workbench.pickItem('Standard image service');
		await workbench.page.getByText('It is stored in').waitFor();
		await workbench.typeInQuickInput(service.address);
		await workbench.acceptQuickInput();
		await workbench.page.getByText('not an API key').waitFor();
		await workbench.typeInQuickInput('a key with spaces');
		await workbench.acceptQuickInput();
		await workbench.page.getByText('no spaces').waitFor();
		await workbench.typeInQuickInput(` ${key} `);
		await workbench.screenshot('setup-key');
		await workbench.acceptQuickInput();

		await workbench.waitForQuickInput('Describe the image');
		await workbench.typeInQuickInput('a lighthouse at dusk, flat illustration');
		await workbench.waitForItems(
			/Generate · 1024 × 1024 · 1 image\s*→ images\/lighthouse-at-dusk-flat-illustration\.png/,
		);
		await workbench.screenshot('prompt');
		await workbench.acceptQuickInput();
		const text = await workbench.waitForImage();
		assert.match(text, /images\/lighthouse-at-dusk-flat-illustration\.png \(1024 × 1024\)/);
		await workbench.screenshot('saved');
		const saved = await image('lighthouse-at-dusk-flat-illustration.png');
		assert.deepEqual([saved.width, saved.height], [1024, 1024]);

		await workbench.clickNotificationButton('Open File');
		await workbench.activeTab('lighthouse-at-dusk-flat-illustration.png').waitFor();
		await workbench.webview().locator('img').waitFor();
		await workbench.screenshot('opened');
		assert.equal(service.imagesMade, 1);
	});

	test('fills in the selected text, and copies a reference that fits the document', async () => {
		await workbench.openFile('docs/architecture.md');
		await workbench.editorText().click();
		await workbench.page.keyboard.press('ControlOrMeta+Home');
		await workbench.page.keyboard.press('Shift+End');
		await workbench.runCommand('Easel: Generate Image');
		await workbench.waitForQuickInput('Describe the image');
		assert.equal(await workbench.quickInputText(), 'Architecture');
		await workbench.typeInQuickInput('parts and arrows');
		service.faults.add({ hold: true, times: 1 });
		await workbench.acceptQuickInput();
		await service.waitUntil(() => service.requests.some(({ held }) => held));
		// No text can go into a document that is closed.
		await workbench.runCommand('View: Close All Editors');
		service.releaseHeld();
		await workbench.waitForImage();
		await workbench.clickNotificationButton('Copy Image Link');
		await workbench.statusBarItem('image link copied').waitFor();
		await workbench.openFile('docs/architecture.md');
		await workbench.editorText().click();
		await workbench.page.keyboard.press('ControlOrMeta+End');
		await workbench.page.keyboard.press('ControlOrMeta+V');
		await workbench.page.keyboard.press('ControlOrMeta+S');
		await workbench.waitForFileText(
			'docs/architecture.md',
			'![parts and arrows](../images/parts-and-arrows.png)',
		);
	});

	test('several images are requests of their own, each with its own end', async () => {
		service.faults.add({ status: 400, times: 1, message: 'Refused by the rules.' });
		const before = service.requests.length;
		await workbench.runCommand('Easel: Generate Image');
		await workbench.waitForQuickInput('Describe the image');
		await workbench.typeInQuickInput('three at once');
		await workbench.pickItem('Number of Images');
		await workbench.waitForQuickInput('Number of Images');
		await workbench.pickItem('3 requests');
		await workbench.waitForItems(/Generate · 1024 × 1024 · 3 images/);
		await workbench.pickItem('Quality');
		await workbench.waitForQuickInput('Quality');
		await workbench.pickItem('Low');
		await workbench.waitForItems(/3 images[^]*Low/);
		await workbench.pickItem('Size');
		await workbench.waitForQuickInput('Generate Image: Size');
		await workbench.pickItem('1536 × 1024');
		await workbench.waitForItems(/Generate · 1536 × 1024 · 3 images/);
		await workbench.screenshot('options');
		assert.equal(await workbench.quickInputText(), 'three at once');
		await workbench.acceptQuickInput();
		await workbench.waitForNotification(
			/2 of 3 images saved, 1 failed\. .*400: Refused by the rules\. You were not charged/,
		);
		await workbench.screenshot('several');
		assert.equal(service.requests.length, before + 3);
		for (const request of service.requests.slice(before)) {
			const sent = Object.fromEntries(request.fields.map(({ name, value }) => [name, value]));
			assert.equal(sent['n'], 1);
			assert.equal(sent['quality'], 'low');
			assert.equal(sent['size'], '1536x1024');
		}
		assert.ok(service.maxAtOnce <= 2, 'no more at a time than the setting says');
		// Whichever was refused, the others have the number of their place.
		const names = (await images()).filter((name) => name.startsWith('three'));
		assert.equal(names.length, 2);
		for (const name of names) {
			assert.match(name, /^three-at-once-[123]\.png$/);
		}
	});

	test('pasted lines open the prompt editor with all of them, and nothing is sent', async () => {
		const before = service.requests.length;
		await workbench.openFile('docs/architecture.md');
		await workbench.goToLine(1);
		await workbench.page.keyboard.press('ControlOrMeta+Home');
		for (let line = 0; line < 3; line += 1) {
			await workbench.page.keyboard.press('Shift+ArrowDown');
		}
		await workbench.page.keyboard.press('ControlOrMeta+C');
		await workbench.page.keyboard.press('ArrowLeft');
		await workbench.runCommand('Easel: Generate Image');
		await workbench.waitForQuickInput('Describe the image');
		await workbench.quickInputStands();
		await workbench.page.keyboard.insertText('In short: ');
		await workbench.page.keyboard.press('ControlOrMeta+V');
		await workbench.codeLens('Generate (Ctrl+Enter)').waitFor();
		const text = await readFile(path.join(workbench.folder, 'docs/architecture.md'), 'utf8');
		const lines = text
			.split('\n')
			.slice(0, 3)
			.filter((line) => line !== '');
		for (const line of [`In short: ${lines[0] ?? ''}`, ...lines.slice(1)]) {
			await workbench.editorText().getByText(line.slice(0, 40)).first().waitFor();
		}
		assert.equal(service.requests.length, before);
		await workbench.screenshot('pasted-lines');
		await workbench.runCommand('View: Close All Editors');
	});

	test('what was typed is taken by Enter, however quickly it comes, not a prompt of before', async () => {
		const before = service.requests.length;
		const sent: string[] = [];
		for (const typed of ['three', 'three at', 'once', 't', 'three at onc']) {
			await workbench.runCommand('Easel: Generate Image');
			await workbench.waitForQuickInput('Describe the image');
			// An Enter that comes before the question can be read is not for it.
			await workbench.quickInputStands();
			await workbench.page.keyboard.insertText(typed);
			await workbench.page.keyboard.press('Enter');
			await service.waitForRequest(before + sent.push(typed), 'ended');
			const { fields = [] } = service.requests.at(-1) ?? {};
			assert.equal(fields.find(({ name }) => name === 'prompt')?.value, typed);
		}
	});
});
