import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inspectImage } from '../../src/images/inspect.js';
import { startImageService, type ImageService } from '../service/server.js';
import { assertNoSecrets } from './secrets.js';
import { Workbench, type Theme } from './workbench.js';

const key = 'e2e-key-8c1f02d7';
const otherKey = 'e2e-other-key-77ab';
const poorKey = 'e2e-poor-key-5d31';

/** The editor shows no more than three new notifications within 800 ms; real images take longer. */
const latencyMs = 900;

suite('Generate Image', () => {
	let service: ImageService;
	let workbench: Workbench;

	suiteSetup(async () => {
		service = await startImageService({
			latencyMs,
			keys: [{ key }, { key: otherKey }, { key: poorKey, quota: 'insufficient' }],
		});
		workbench = await Workbench.open();
	});

	suiteTeardown(async () => {
		await workbench?.close();
		await service?.close();
	});

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

	async function setKey(value: string): Promise<void> {
		await workbench.waitForQuickInput('Set API Key');
		await workbench.typeInQuickInput(value);
		await workbench.acceptQuickInput();
	}

	test('goes to the set-up first where there is none, and carries on with what was wanted', async () => {
		await workbench.runCommand('Easel: Generate Image');
		await workbench.waitForQuickInput('Set Up Image Service');
		await workbench.typeInQuickInput('http://images.example.com');
		await workbench.acceptQuickInput();
		await workbench.page.getByText('unencrypted').waitFor();
		await workbench.screenshot('setup-address-refused');
		await workbench.typeInQuickInput(`${service.address}/v1/`);
		await workbench.acceptQuickInput();
		await workbench.page.getByText('It is kept in').waitFor();
		await workbench.goBack();
		await workbench.page.getByText('without a path').waitFor();
		await workbench.acceptQuickInput();
		await workbench.page.getByText('It is kept in').waitFor();
		await workbench.typeInQuickInput('a key with spaces');
		await workbench.acceptQuickInput();
		await workbench.page.getByText('no spaces').waitFor();
		await workbench.typeInQuickInput(` ${key} `);
		await workbench.screenshot('setup-key');
		await workbench.acceptQuickInput();

		await workbench.waitForQuickInput('Describe the image');
		await workbench.typeInQuickInput('a lighthouse at dusk, flat illustration');
		await workbench.screenshot('prompt');
		await workbench.acceptQuickInput();
		await workbench.waitForQuickInput('Size of');
		await workbench.screenshot('size');
		await workbench.acceptQuickInput();
		const text = await workbench.waitForImage();
		assert.match(text, /images\/a-lighthouse-at-dusk-flat-illustration\.png \(1024 × 1024\)/);
		await workbench.screenshot('saved');
		const saved = await image('a-lighthouse-at-dusk-flat-illustration.png');
		assert.deepEqual([saved.width, saved.height], [1024, 1024]);

		await workbench.clickNotificationButton('Open');
		await workbench.activeTab('a-lighthouse-at-dusk-flat-illustration.png').waitFor();
		await workbench.webview().locator('img').waitFor();
		await workbench.screenshot('opened');
		assert.equal(service.imagesMade, 1);
	});

	test('tells the real dimensions, numbers a name that is taken, and writes nothing over', async () => {
		const before = await readFile(path.join(workbench.folder, 'images', (await images())[0] ?? ''));
		service.faults.add({ dimensions: '800x600' });
		await workbench.generate('a lighthouse at dusk, flat illustration');
		const text = await workbench.waitForImage();
		assert.match(text, /flat-illustration-1\.png \(800 × 600\)/);
		const after = await readFile(path.join(workbench.folder, 'images', (await images())[1] ?? ''));
		assert.ok(before.equals(after) || (await images()).length === 2);
		const first = await image('a-lighthouse-at-dusk-flat-illustration.png');
		assert.deepEqual([first.width, first.height], [1024, 1024]);
	});

	test('names files in any script', async () => {
		await workbench.generate('夜晚的灯塔');
		assert.match(await workbench.waitForImage(), /images\/夜晚的灯塔\.png/);
		assert.equal((await image('夜晚的灯塔.png')).format, 'png');
	});

	test('fills in the selected text, and copies a reference that fits the document', async () => {
		await workbench.openFile('docs/architecture.md');
		await workbench.editorText().click();
		await workbench.page.keyboard.press('ControlOrMeta+Home');
		await workbench.page.keyboard.press('Shift+End');
		await workbench.runCommand('Easel: Generate Image');
		await workbench.waitForQuickInput('Describe the image');
		const first = (
			await readFile(path.join(workbench.folder, 'docs/architecture.md'), 'utf8')
		).split('\n')[0];
		assert.equal(await workbench.quickInputText(), first);
		await workbench.typeInQuickInput('parts and arrows');
		await workbench.acceptQuickInput();
		await workbench.waitForQuickInput('Size of');
		service.faults.add({ hold: true, times: 1 });
		await workbench.acceptQuickInput();
		await service.waitUntil(() => service.requests.some(({ held }) => held));
		// Nobody can write into a document that is closed.
		await workbench.runCommand('View: Close All Editors');
		service.releaseHeld();
		await workbench.waitForImage();
		await workbench.clickNotificationButton('Copy Image Link');
		await workbench.statusBarItem('image link is copied').waitFor();
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

	test('401: says it in the words of the service, and a new key carries on', async () => {
		await workbench.runCommand('Easel: Set API Key');
		await setKey('e2e-wrong-key');
		await workbench.generate('with a wrong key');
		const text = await workbench.waitForNotification('401');
		assert.match(text, /answered with 401: .+\. No image was made\./);
		await workbench.screenshot('error-401');
		await workbench.clickNotificationButton('Set API Key');
		await setKey(key);
		assert.match(await workbench.waitForImage(), /with-a-wrong-key\.png/);
	});

	test('402: offers another key, which carries on', async () => {
		await workbench.runCommand('Easel: Set API Key');
		await setKey(poorKey);
		await workbench.generate('without quota');
		await workbench.waitForNotification('402');
		await workbench.screenshot('error-402');
		await workbench.clickNotificationButton('Use Another Key');
		await setKey(otherKey);
		assert.match(await workbench.waitForImage(), /without-quota\.png/);
	});

	test('429 passes by itself: the wait is counted down, then the image is there', async () => {
		const before = service.requests.length;
		service.faults.add({ status: 429, times: 1 });
		await workbench.generate('after a busy moment');
		await workbench.waitForNotification(/the service is busy \(429\); next attempt in \d s/);
		await workbench.screenshot('waiting-429');
		assert.match(await workbench.waitForImage(), /after-a-busy-moment\.png/);
		assert.equal(service.requests.length, before + 2);
	});

	test('429 while the service makes another image: the next attempt follows when that one is done', async () => {
		const before = service.requests.length;
		service.faults.add(
			{ hold: true, prompt: 'the one', times: 1 },
			{ status: 429, prompt: 'the other', times: 1 },
		);
		await workbench.generate('the one at the service');
		await service.waitUntil(() => service.requests.at(-1)?.held === true);
		await workbench.generate('the other one');
		await workbench.waitForNotification(
			/“the other one”.*the service is busy \(429\); next attempt when another image is done/,
		);
		await workbench.screenshot('waiting-for-room');
		assert.equal(service.requests.length, before + 2);
		service.releaseHeld();
		await workbench.waitForImage('images/the-one-at-the-service.png');
		await workbench.waitForImage('images/the-other-one.png');
		assert.equal(service.requests.length, before + 3);
	});

	test('cancel works at once while waiting for the image, and says what it may cost', async () => {
		const before = await images();
		service.faults.add({ hold: true });
		await workbench.generate('never mind');
		await service.waitUntil(() => service.requests.at(-1)?.held === true);
		await workbench.waitForNotification(/\d:\d\d · usually/);
		await workbench.statusBarItem('1 image').waitFor();
		await workbench.screenshot('waiting');
		await workbench.clickNotificationButton('Cancel');
		await workbench.waitForNotification('Stopped waiting; the service may still charge for it.');
		await service.waitForRequest(service.requests.length, 'left');
		await workbench.statusBarItem('1 image').waitFor({ state: 'hidden' });
		assert.deepEqual(await images(), before);
	});

	test('cancel works at once during the wait before the next attempt', async () => {
		service.faults.add({ status: 429, retryAfter: 60 });
		const before = service.requests.length;
		await workbench.generate('too busy');
		await workbench.waitForNotification(/next attempt in \d+ s/);
		await workbench.clickNotificationButton('Cancel');
		await workbench.statusBarItem('No image was made').waitFor();
		assert.equal(service.requests.length, before + 1);
	});

	test('a broken body is told, nothing is saved, and sending again is named for what it is', async () => {
		const before = await images();
		service.faults.add({ answer: 'broken-base64', times: 1 });
		await workbench.generate('broken on the way');
		const text = await workbench.waitForNotification('is damaged');
		assert.match(text, /probably charged/);
		await workbench.screenshot('error-broken');
		assert.deepEqual(await images(), before);
		await workbench.clickNotificationButton('Send Again (May Be Charged Twice)');
		assert.match(await workbench.waitForImage(), /broken-on-the-way\.png/);
	});

	test('several images are requests of their own, each with its own end', async () => {
		service.faults.add({ status: 400, times: 1, message: 'Refused by the rules.' });
		const before = service.requests.length;
		await workbench.runCommand('Easel: Generate Image');
		await workbench.waitForQuickInput('Describe the image');
		await workbench.typeInQuickInput('three at once');
		await workbench.clickQuickInputButton('Options');
		await workbench.waitForQuickInput('Options');
		await workbench.pickItem('Number of Images');
		await workbench.waitForQuickInput('Number of Images');
		await workbench.pickItem('3 requests');
		await workbench.waitForQuickInput('Options');
		await workbench.pickItem('Quality');
		await workbench.waitForQuickInput('Quality');
		await workbench.pickItem('Low');
		await workbench.waitForQuickInput('Options');
		await workbench.screenshot('options');
		await workbench.pickItem('Done');
		await workbench.waitForQuickInput('Describe the image');
		assert.equal(await workbench.quickInputText(), 'three at once');
		await workbench.acceptQuickInput();
		await workbench.waitForQuickInput('Size of');
		await workbench.pickItem('1536x1024');
		await workbench.waitForFile('images/three-at-once.png');
		await workbench.waitForFile('images/three-at-once-1.png');
		await workbench.waitForNotification(
			/3 images: 2 saved, 1 failed\. .*400: Refused by the rules\. No image was made/,
		);
		await workbench.screenshot('several');
		assert.equal(service.requests.length, before + 3);
		for (const request of service.requests.slice(before)) {
			const sent = Object.fromEntries(request.fields.map(({ name, value }) => [name, value]));
			assert.equal(sent['n'], 1);
			assert.equal(sent['quality'], 'low');
			assert.equal(sent['size'], '1536x1024');
		}
		assert.ok(service.mostAtOnce <= 2, 'no more at a time than the setting says');
		assert.deepEqual((await images()).filter((name) => name.startsWith('three')).sort(), [
			'three-at-once-1.png',
			'three-at-once.png',
		]);
	});

	test('what was typed is taken by Enter, however quickly it comes, not a prompt of before', async () => {
		for (const typed of ['three', 'three at', 'once', 't', 'three at onc']) {
			await workbench.runCommand('Easel: Generate Image');
			await workbench.waitForQuickInput('Describe the image');
			await workbench.page.keyboard.insertText(typed);
			await workbench.page.keyboard.press('Enter');
			await workbench.waitForQuickInput(`Size of “${typed}”`);
			await workbench.page.keyboard.press('Escape');
		}
	});

	test('the last prompts are at hand, and reference images of the workspace make it an edit', async () => {
		await workbench.runCommand('Easel: Generate Image');
		await workbench.waitForQuickInput('Describe the image');
		await workbench.typeInQuickInput('');
		const items = await workbench.quickPickItems();
		assert.ok(
			items.some((item) => item.includes('three at once')),
			items.join('\n'),
		);
		await workbench.screenshot('recent-prompts');
		await workbench.typeInQuickInput('the same as night scenes');
		await workbench.clickQuickInputButton('Options');
		await workbench.waitForQuickInput('Options');
		await workbench.pickItem('Reference Images');
		await workbench.waitForQuickInput('Reference Images');
		await workbench.pickItem('夜晚的灯塔.png');
		await workbench.pickItem('parts-and-arrows.png');
		await workbench.screenshot('references');
		await workbench.acceptQuickInput();
		await workbench.waitForQuickInput('Options');
		await workbench.goBack();
		await workbench.waitForQuickInput('Describe the image');
		await workbench.acceptQuickInput();
		await workbench.waitForQuickInput('Size of');
		await workbench.acceptQuickInput();
		assert.match(await workbench.waitForImage(), /the-same-as-night-scenes\.png/);
		const request = service.requests.at(-1);
		assert.equal(request?.endpoint, 'edits');
		assert.deepEqual(request.references.map((file) => [file.field, file.fileName]).sort(), [
			['image[]', 'parts-and-arrows.png'],
			['image[]', '夜晚的灯塔.png'],
		]);
	});

	test('a reference that is no image is named before anything is sent', async () => {
		await writeFile(path.join(workbench.folder, 'fake.png'), 'just text');
		await workbench.explorerRow('fake.png').waitFor();
		const before = service.requests.length;
		await workbench.runCommand('Easel: Generate Image');
		await workbench.waitForQuickInput('Describe the image');
		await workbench.typeInQuickInput('like the fake');
		await workbench.clickQuickInputButton('Options');
		await workbench.pickItem('Reference Images');
		await workbench.waitForQuickInput('Reference Images');
		await workbench.pickItem('fake.png');
		await workbench.acceptQuickInput();
		await workbench.waitForQuickInput('Options');
		await workbench.pickItem('Done');
		await workbench.waitForQuickInput('Describe the image');
		await workbench.acceptQuickInput();
		await workbench.waitForQuickInput('Size of');
		await workbench.acceptQuickInput();
		await workbench.waitForNotification(/fake\.png.*Nothing was sent/);
		assert.equal(service.requests.length, before);
	});

	for (const theme of ['light', 'dark', 'highContrast', 'highContrastLight'] satisfies Theme[]) {
		test(`can be looked at, ${theme}`, async () => {
			await workbench.setTheme(theme);
			await workbench.runCommand('Easel: Generate Image');
			await workbench.waitForQuickInput('Describe the image');
			await workbench.typeInQuickInput(`a harbour in the style of ${theme}`);
			await workbench.screenshot(`theme-${theme}-prompt`);
			await workbench.acceptQuickInput();
			await workbench.waitForQuickInput('Size of');
			await workbench.screenshot(`theme-${theme}-size`);
			service.faults.add({ hold: true, times: 1 });
			await workbench.acceptQuickInput();
			await workbench.waitForNotification(/\d:\d\d · usually/);
			await workbench.screenshot(`theme-${theme}-waiting`);
			await service.waitUntil(() => service.requests.at(-1)?.held === true);
			service.releaseHeld();
			await workbench.waitForImage();
			await workbench.screenshot(`theme-${theme}-saved`);
		});
	}

	test('leaves neither a key nor base64 in logs, storage and workspace', async () => {
		await workbench.runCommand('Easel: Show Log');
		await workbench.page.getByText('attempt 1: POST').first().waitFor();
		await workbench.screenshot('log');
		const searched = await assertNoSecrets(
			[workbench.editor.logsDir, workbench.editor.dataDir, workbench.folder],
			[key, otherKey, poorKey, 'e2e-wrong-key'],
		);
		assert.ok(searched > 20, `${String(searched)} files`);
		const jobs = path.join(workbench.editor.globalStorage, 'easel.easel/jobs');
		const files = await readdir(jobs, { recursive: true });
		assert.ok(files.some((name) => name.endsWith('state.json')));
		assert.ok(!files.some((name) => path.basename(name) === 'image'), 'delivered bytes are gone');
	});
});

suite('Generate Image, with the settings of the user', () => {
	let service: ImageService;
	let workbench: Workbench;

	suiteSetup(async () => {
		service = await startImageService({ key, latencyMs });
		workbench = await Workbench.open({
			settings: {
				'easel.service.address': service.address,
				'easel.service.retry': 'never',
				'easel.output.folder': 'pictures',
				'easel.output.fileName': '${date} ${promptSlug}',
			},
			env: { EASEL_API_KEY: key },
		});
	});

	suiteTeardown(async () => {
		await workbench?.close();
		await service?.close();
	});

	setup(async () => {
		service.faults.clear();
		await workbench.dismissEverything();
	});

	test('5xx ends, where nothing is repeated by itself, with Try Again', async () => {
		service.faults.add({ status: 503, times: 1, message: 'It is down [here](command:x).' });
		await workbench.generate('after an outage');
		const text = await workbench.waitForNotification('503');
		assert.match(text, /It is down .*An image may have been made and charged/);
		assert.equal(await workbench.notificationLinks(), 0, 'foreign text must not become a link');
		await workbench.screenshot('error-503');
		await workbench.clickNotificationButton('Try Again');
		const saved = await workbench.waitForImage();
		assert.match(saved, /pictures\/\d{4}-\d\d-\d\d-after-an-outage\.png/);
	});

	test('a service that cannot be reached is named, and nothing was sent', async () => {
		const { address } = service;
		await service.close();
		await workbench.generate('nobody is there');
		const text = await workbench.waitForNotification('Nothing was sent');
		assert.ok(text.includes(new URL(address).host), text);
		await workbench.screenshot('error-unreachable');
		service = await startImageService({
			key,
			latencyMs,
			port: Number(new URL(address).port),
		});
		await workbench.clickNotificationButton('Try Again');
		assert.match(await workbench.waitForImage(), /nobody-is-there\.png/);
	});

	test('what could not be saved is refused before anything is sent', async () => {
		const pictures = path.join(workbench.folder, 'pictures');
		await rm(pictures, { recursive: true, force: true });
		await writeFile(pictures, 'a file in the place of the folder');
		const before = service.requests.length;
		await workbench.generate('for nowhere');
		const text = await workbench.waitForNotification('pictures cannot be a folder');
		assert.match(text, /a file of that name stands in the way\. Nothing was sent\./);
		assert.equal(service.requests.length, before);
		await rm(pictures);
		await mkdir(pictures);
		await workbench.dismissEverything();
	});

	test('an image that cannot be saved stays safe and can be saved elsewhere', async () => {
		const pictures = path.join(workbench.folder, 'pictures');
		await rm(pictures, { recursive: true });
		service.faults.add({ hold: true, times: 1 });
		await workbench.generate('kept in storage');
		await service.waitUntil(() => service.requests.some(({ held }) => held));
		await writeFile(pictures, 'a file in the place of the folder');
		service.releaseHeld();
		const text = await workbench.waitForNotification('pictures cannot be a folder');
		assert.match(text, /a file of that name stands in the way\. .*keeps it until it is saved/);
		await workbench.screenshot('error-not-saved');
		await workbench.clickNotificationButton('Save As…');
		await workbench.waitForQuickInput('Save Image As');
		await workbench.waitForQuickInputText('kept-in-storage.png');
		await workbench.typeInQuickInput(path.join(workbench.folder, 'rescued.png'));
		await workbench.acceptQuickInput();
		await workbench.waitForImage('rescued.png');
		assert.equal((await inspectImage(path.join(workbench.folder, 'rescued.png'))).format, 'png');
	});
});
