import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { copySample } from '../host/sample.js';
import { until } from '../host/until.js';
import { drawPicture } from '../service/picture.js';
import { startImageService, type ImageService } from '../service/server.js';
import { Workbench } from './workbench.js';

const key = 'e2e-places-key-77b1';
const strange = 'Ünï (1) [a] #1 100% 中文';

/** The folders of images of documents, their links, and the places of these. */
suite('Places of images in documents', () => {
	let sample: Awaited<ReturnType<typeof copySample>>;
	let service: ImageService;
	let workbench: Workbench;

	suiteSetup(async () => {
		service = await startImageService({ key, latencyMs: 900 });
		sample = await copySample();
		// Before the workbench opens: its quick open would miss what comes while it looks.
		await write(`${strange}/${strange} [b].md`, 'A harbor.\n\n');
		await write(`${strange}/validated.md`, '');
		await write('docs/api/api.md', '# Harbor\n\n');
		await write('docs/manual/manual.md', '# Harbor\n\n');
		await write('docs/letters/letters.md', '# Harbor\n\n');
		await write('dragged.md', '');
		await write(
			'picture.png',
			await drawPicture({ prompt: 'a picture', size: '1024x1024', references: [] }),
		);
		await write('deleted.md', 'Keep this.\n\nNot this: x');
		await write(
			'many/missing.md',
			Array.from({ length: 6 }, (_, index) => `![Ship ${index}](s-${index}.png)`).join('\n\n'),
		);
		workbench = await Workbench.open({
			folder: sample.folder,
			settings: {
				'easel.service.address': service.address,
				'easel.output.folder': `Bilder ${strange}`,
				'easel.output.fileName': `${strange} \${promptSlug}`,
				'markdown.validate.enabled': true,
				// The examples of the editor's own documentation.
				'markdown.copyFiles.destination': {
					'/docs/api/**/*': 'images/',
					'/docs/manual/**/*': '${documentWorkspaceFolder}/images/${documentBaseName}/',
					'/docs/letters/**/*': 'images/${documentBaseName/(.).*/$1/}/',
				},
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

	async function write(name: string, text: string | Buffer): Promise<void> {
		await mkdir(path.dirname(file(name)), { recursive: true });
		await writeFile(file(name), text);
	}

	async function goToEnd(place: string): Promise<void> {
		await workbench.editorText().click();
		await workbench.page.keyboard.press('ControlOrMeta+End');
		await workbench.statusBarItem(place).waitFor();
	}

	test('with special characters are shown by the preview and pass the link validation', async () => {
		await workbench.openFile(`${strange}/${strange} [b].md`);
		await goToEnd('Ln 3, Col 1');
		await workbench.generate('a [sailing] ship');
		await workbench.waitForImage();
		await workbench.page.keyboard.press('ControlOrMeta+S');
		const document = `${strange}/${strange} [b].md`;
		const written = await workbench.waitForFileText(document, 'sailing-ship.png');

		// The validation may give up a document that changes while it looks; this one stays as it is.
		await write(`${strange}/validated.md`, `${written}\n\n[broken](gone.md)\n`);
		await workbench.openFile(`${strange}/validated.md`);
		await workbench.runCommand('Problems: Focus on Problems View');
		const problems = workbench.page.locator('.markers-panel .monaco-list-row .marker-message-line');
		await problems.filter({ hasText: '/gone.md' }).waitFor();
		await workbench.screenshot('places-validation');
		assert.equal(await problems.count(), 1, (await problems.allInnerTexts()).join('\n'));
		await workbench.runCommand('View: Toggle Panel Visibility');

		const [image] = await readdir(file(`Bilder ${strange}`));
		assert.match(image ?? '', /^Ünï-1-a-1-100-中文-sailing-ship\.png$/);
		await workbench.openFile(document);
		assert.equal(await workbench.previewedWidth(), 1024);
		await workbench.screenshot('places-preview');
	});

	for (const [folder, image, reference] of [
		['letters', 'docs/letters/images/l', 'images/l'],
	] as const) {
		test(`follow the editor's own setting, docs/${folder}`, async () => {
			await workbench.openFile(`docs/${folder}/${folder}.md`);
			await goToEnd('Ln 3, Col 1');
			await workbench.generate(`a tower of ${folder}`);
			await workbench.waitForImage();
			await workbench.page.keyboard.press('ControlOrMeta+S');
			const written = await workbench.waitForFileText(
				`docs/${folder}/${folder}.md`,
				`![a tower of ${folder}](`,
			);
			const [name = ''] = await readdir(file(image));
			const path = /\(<?(.*?)>?\)\s*$/.exec(written)?.[1] ?? '';
			assert.equal(decodeURIComponent(path).replaceAll('\\', ''), `${reference}/${name}`);
			assert.equal(await workbench.previewedWidth(), 1024);
		});
	}

	test('that were deleted are asked for, and undo takes back the reference alone', async () => {
		await workbench.openFile('deleted.md');
		await goToEnd('Ln 3, Col 12');
		await workbench.page.keyboard.press('ArrowLeft');
		await workbench.statusBarItem('Ln 3, Col 11').waitFor();
		service.faults.add({ hold: true, times: 1 });
		await workbench.generate('a lost place');
		await service.waitUntil(() => service.requests.some(({ held }) => held));
		await goToEnd('Ln 3, Col 12');
		await workbench.page.keyboard.press('Shift+Home');
		await workbench.page.keyboard.press('Backspace');
		await workbench.statusBarItem('Ln 3, Col 1').waitFor();
		service.releaseHeld();
		await workbench.waitForNotification(/Saved .* Its place in the document was deleted/);
		await workbench.screenshot('places-deleted');
		const made = (await readdir(file(`Bilder ${strange}`))).find((name) => /lost/.test(name));
		assert.ok(made);
		await workbench.page.keyboard.press('ControlOrMeta+Home');
		await workbench.clickNotificationButton('Insert at Cursor');
		await workbench.editorText().getByText('a lost place').waitFor();
		await workbench.page.keyboard.press('Escape');
		await workbench.page.keyboard.press('ControlOrMeta+Z');
		await workbench.editorText().getByText('a lost place').waitFor({ state: 'hidden' });
		await workbench.page.keyboard.press('ControlOrMeta+S');
		await until(
			async () => (await readFile(file('deleted.md'), 'utf8')) === 'Keep this.\n\n',
			'the reference to be taken back',
		);
		assert.ok((await readdir(file(`Bilder ${strange}`))).includes(made), 'the file was paid for');
	});

	test('can be dragged from the explorer into a document as always', async () => {
		await workbench.openFile('dragged.md');
		await workbench.editorText().click();
		await workbench.explorerRow('picture.png').waitFor();
		await workbench.dragWithShift(workbench.explorerRow('picture.png'), workbench.editorText());
		await workbench.editorText().getByText('](picture.png)').waitFor();
		await workbench.runCommand('File: Revert File');
	});

	test('of missing images keep what was done when the rest is cancelled', async () => {
		const before = service.requests.length;
		// Two are made, two are under way, two wait for their turn.
		service.faults.add({ hold: true, prompt: 'Ship', times: 4 });
		await workbench.contextMenu(workbench.explorerRow('many'), 'Generate Missing Images…');
		await workbench.waitForQuickInput('Select images to generate');
		assert.equal((await workbench.quickPickItems()).length, 6);
		await workbench.acceptQuickInput();
		await service.waitUntil(() => service.requests.length - before === 2);
		await service.waitUntil(() => service.requests.slice(before).every(({ held }) => held));
		service.releaseHeld();
		const progress = workbench.batchProgress(/and 5 other prompts: 2 saved/);
		await progress.waitFor();
		await service.waitUntil(() => service.requests.length - before === 4);
		await progress.getByRole('button', { name: 'Cancel', exact: true }).click();
		await workbench.waitForNotification('2 of 6 images saved, 4 cancelled');
		await workbench.screenshot('places-cancelled');
		assert.equal(service.requests.length - before, 4, 'what waited was never sent');
		const made = (await readdir(file('many'))).flatMap(
			(name) => /s-(\d)\.png/.exec(name)?.[1] ?? [],
		);
		assert.equal(made.length, 2);
		assert.match(await readFile(file('many/missing.md'), 'utf8'), /^!\[Ship 0\]\(s-0\.png\)\n/);
		service.releaseHeld();
		await workbench.dismissEverything();
		await workbench.contextMenu(workbench.explorerRow('many'), 'Generate Missing Images…');
		await workbench.waitForQuickInput('Select images to generate');
		const items = (await workbench.quickPickItems()).join('\n');
		const rest = ['0', '1', '2', '3', '4', '5'].filter((index) => !made.includes(index));
		assert.deepEqual(
			items.match(/Ship \d/g),
			rest.map((index) => `Ship ${index}`),
		);
		await workbench.dismissEverything();
	});
});
