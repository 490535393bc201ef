import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { until } from '../host/until.js';
import { file, service, useHarbor, workbench } from './harbor.js';
import { waitForNotes } from './notes.js';

const strange = 'Ünï (1) [a] #1 100% 中文';

/** The folders of images of documents, their links, and the places of these. */
suite('Places of images in documents', () => {
	useHarbor({
		latencyMs: 900,
		settings: {
			'easel.output.folder': `Bilder ${strange}`,
			'easel.output.fileName': `${strange} \${promptSlug}`,
			'markdown.validate.enabled': true,
		},
		prepare: async () => {
			await write(`${strange}/${strange} [b].md`, 'A harbor.\n\n');
			await write(`${strange}/validated.md`, '');
			await write('deleted.md', 'Keep this.\n\nNot this: x');
		},
	});

	setup(async () => {
		service.faults.clear();
		await workbench.dismissEverything();
		await workbench.runCommand('View: Close All Editors');
	});

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
		await waitForNotes(workbench);
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
});
