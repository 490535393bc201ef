import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { copySample } from '../host/sample.js';
import { startImageService, type ImageService } from '../service/server.js';
import { Workbench } from './workbench.js';

const key = 'e2e-documents-key-0d42';

suite('Documents', () => {
	let sample: Awaited<ReturnType<typeof copySample>>;
	let service: ImageService;
	let workbench: Workbench;

	suiteSetup(async () => {
		service = await startImageService({ key, latencyMs: 900 });
		sample = await copySample();
		await write('guide/Büro (1) 中文.md', '# The harbor\n\nShips come and go.\n\n');
		// Before the workbench opens: its quick open would miss what comes while it looks.
		await write('closed.md', 'Here: ');
		await write('insert.md', '');
		await write(
			'twice.md',
			'# Places\n\nOne place,\nby the sea.\n\n- An item\n- Another one\n\nMore.\n',
		);
		await write('typed.md', '');
		workbench = await Workbench.open({
			folder: sample.folder,
			settings: {
				'easel.service.address': service.address,
				'markdown.validate.enabled': true,
			},
			env: { EASEL_API_KEY: key },
		});
	});

	suiteTeardown(async () => {
		await workbench?.close();
		await service?.close();
		sample?.remove();
	});

	setup(async () => {
		service.faults.clear();
		await workbench.dismissEverything();
		await workbench.runCommand('View: Close All Editors');
	});

	function file(...names: string[]): string {
		return path.join(sample.folder, ...names);
	}

	async function write(name: string, text: string): Promise<void> {
		await mkdir(path.dirname(file(name)), { recursive: true });
		await writeFile(file(name), text);
	}

	/** Puts the cursor to the end of the document in front, and waits until it is there. */
	async function goToEnd(place: string): Promise<void> {
		await workbench.editorText().click();
		await workbench.page.keyboard.press('ControlOrMeta+End');
		await workbench.statusBarItem(place).waitFor();
	}

	test('get the image where the command was given, and the preview shows it', async () => {
		await workbench.openFile('guide/Büro (1) 中文.md');
		await goToEnd('Ln 5, Col 1');
		service.faults.add({ hold: true, times: 1 });
		await workbench.generate('a sailing ship');
		await service.waitForRequest(1, 'held');
		// The user goes on, above the place.
		await workbench.editorText().click();
		await workbench.page.keyboard.press('ControlOrMeta+Home');
		await workbench.page.keyboard.press('End');
		await workbench.page.keyboard.type(' of Easel');
		service.releaseHeld();
		await workbench.waitForImage();
		await workbench.page.keyboard.press('ControlOrMeta+S');
		assert.equal(
			await workbench.waitForFileText('guide/Büro (1) 中文.md', '![a sailing ship]'),
			'# The harbor of Easel\n\nShips come and go.\n\n![a sailing ship](../images/sailing-ship.png)',
		);
		assert.equal(await workbench.previewedWidth(), 1024);
		await workbench.screenshot('documents-preview');
	});

	test('that were closed meanwhile get it by the button', async () => {
		await workbench.openFile('closed.md');
		await goToEnd('Ln 1, Col 7');
		service.faults.add({ hold: true, times: 1 });
		await workbench.generate('a closed book');
		await service.waitUntil(() => service.requests.some(({ held }) => held));
		await workbench.runCommand('View: Close All Editors');
		await workbench.reloadWindow();
		await workbench.waitForProgress('“a closed book”');
		service.releaseHeld();
		await workbench.waitForImage();
		await workbench.clickNotificationButton('Insert');
		await workbench.editorText().getByText('a closed book').waitFor();
		await workbench.page.keyboard.press('ControlOrMeta+S');
		await workbench.waitForFileText(
			'closed.md',
			'Here:\n\n![a closed book](images/closed-book.png)',
		);
	});

	test('take one of the latest images', async () => {
		await workbench.openFile('insert.md');
		await workbench.runCommand('Easel: Insert Generated Image…');
		await workbench.waitForQuickInput('Select an image to insert');
		assert.match((await workbench.quickPickItems())[0] ?? '', /a closed book[^]*1024 × 1024/);
		await workbench.screenshot('documents-insert');
		await workbench.pickItem('a sailing ship');
		await workbench.editorText().getByText('a sailing ship').waitFor();
		await workbench.page.keyboard.press('ControlOrMeta+S');
		await workbench.waitForFileText('insert.md', '![a sailing ship](images/sailing-ship.png)');
	});

	test('offer the latest images where a path is typed', async () => {
		await workbench.openFile('typed.md');
		await goToEnd('Ln 1, Col 1');
		await workbench.page.keyboard.type('![x](');
		await workbench.page.keyboard.press('Control+Space');
		const suggestions = workbench.page.locator('.suggest-widget.visible');
		await suggestions.getByText('images/sailing-ship.png').first().waitFor();
		await workbench.screenshot('documents-completion');
		await workbench.page.keyboard.press('Escape');
		await workbench.runCommand('File: Revert File');
	});
});
