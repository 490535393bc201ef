import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { until } from '../host/until.js';
import { closeHarbor, openHarbor, service, workbench } from './harbor.js';

const place = 'docs/architecture.md';
/** A prompt of 600 characters in several lines. */
const lines = [
	'A cutaway view of a small harbor at dusk, seen from a boat that is just coming in: to the left a lighthouse of white boards, to the right the pier with a water-level sensor in a metal box.',
	'',
	'Style: flat illustration, thick outlines, no gradients, colors #1f2430, #e8b04a and #7fb4c9 alone.',
	'Lettering: "Low tide 04:12" on the board at the pier, "HARBOR" in capitals above the door.',
	'',
	'- The sensor is what one looks at first; a thin dashed line goes from it to a server in the lighthouse.',
	'- Three people stand at the rail and look at one tablet, with 1 or 2 gulls above them. Nobody is cut by the edge.',
];
const prompt = lines.join('\n').padEnd(600, '!');

suite('A prompt that is written in an editor', () => {
	setup(async () => {
		await openHarbor({
			latencyMs: 900,
			settings: {
				// In the browser it would be on for all files, so that closing asked nothing anyway.
				'files.autoSave': 'off',
				'files.autoSaveWorkspaceFilesOnly': true,
				'editor.codeLens': false,
			},
		});
		await workbench.openFile(place);
		await workbench.editorText().click();
		await workbench.page.keyboard.press('ControlOrMeta+End');
		await workbench.page.keyboard.type('\nHere:\n\n');
		await workbench.page.keyboard.press('ControlOrMeta+S');
		await workbench.waitForFileText(place, 'Here:');
	});

	teardown(closeHarbor);

	function tab(): Locator {
		return workbench.activeTab('Image Prompt');
	}

	const lens = (text: string) => workbench.codeLens(text);

	/** The texts of the drafts that lie on the disk. */
	async function drafts(): Promise<string[]> {
		const root = path.join(workbench.editor.globalStorage, 'easel.easel/prompts');
		const names = await readdir(root).catch((): string[] => []);
		return Promise.all(
			names.map((name) => readFile(path.join(root, name, 'Image Prompt'), 'utf8')),
		);
	}

	/** Waits until one draft lies on the disk, with this text. */
	async function waitForDraft(text: string): Promise<void> {
		const isThere = async () => JSON.stringify(await drafts()) === JSON.stringify([text]);
		await until(isThere, `the draft “${text}”`).catch(async (error: unknown) => {
			throw new Error(`There are ${JSON.stringify(await drafts())}.`, { cause: error });
		});
	}

	/** Leads from the quick input to the editor, with what was typed there. */
	async function writeInEditor(begun: string): Promise<void> {
		await workbench.runCommand('Easel: Generate Image');
		await workbench.waitForQuickInput('Describe the image');
		await workbench.typeInQuickInput(begun);
		await workbench.clickQuickInputButton('Write in Editor');
		await tab().waitFor();
		await lens('1024 × 1024').waitFor();
	}

	/** Closes it with the keyboard, right behind the last letter. */
	async function closeAtOnce(lastWord: string): Promise<void> {
		await workbench.page.keyboard.type(lastWord);
		await workbench.page.keyboard.press('ControlOrMeta+W');
		await tab().waitFor({ state: 'hidden' });
		assert.equal(await workbench.page.locator('.monaco-dialog-box').count(), 0);
	}

	async function continueFromQuickInput(beginning: string): Promise<void> {
		await workbench.openFile(place);
		await workbench.runCommand('Easel: Generate Image');
		await workbench.waitForQuickInput('Describe the image');
		await workbench.pickItem(beginning);
		await tab().waitFor();
		await lens('for architecture.md').waitFor();
	}

	/** The fields of the last request. */
	function sent(): Record<string, unknown> {
		const fields = service.requests.at(-1)?.fields ?? [];
		return Object.fromEntries(fields.map(({ name, value }) => [name, value]));
	}

	async function waitForLink(): Promise<string> {
		await workbench.waitForImage();
		await workbench.waitForText('architecture.md');
		await workbench.page.keyboard.press('ControlOrMeta+S');
		return workbench.waitForFileText(place, '](../images/');
	}

	test('is closed without a question, is there again, and its image goes where the command was given', async () => {
		const { keyboard } = workbench.page;
		await writeInEditor(prompt.slice(0, 40));
		await keyboard.insertText(prompt.slice(40, 590));
		await lens('for architecture.md').waitFor();
		await closeAtOnce(prompt.slice(590));
		await waitForDraft(prompt);

		await continueFromQuickInput(prompt.slice(0, 20));
		await workbench.page.getByText('Lettering:').waitFor();
		await workbench.clickCodeLens('1024 × 1024', workbench.quickInputWith('Size'));
		await workbench.pickItem('1536 × 1024');
		await lens('1536 × 1024').waitFor();
		await workbench.clickCodeLens('Quality: Auto', workbench.quickInputWith('Quality'));
		await workbench.pickItem('for previews');
		await lens('Quality: Low').waitFor();

		await workbench.reloadWindow();
		await lens('1536 × 1024').waitFor();
		assert.equal(service.requests.length, 0);
		await workbench.page.getByText('Lettering:').click();
		await keyboard.press('ControlOrMeta+Enter');
		const text = await waitForLink();
		assert.deepEqual(
			[sent()['prompt'], sent()['size'], sent()['quality']],
			[prompt, '1536x1024', 'low'],
		);
		assert.match(text, /\nHere:\n\n!\[[^\]]+\]\(\.\.\/images\/[^)]+\.png\)/);
		await tab().waitFor({ state: 'hidden' });
		assert.deepEqual(await drafts(), []);
		assert.equal(service.requests.length, 1);
	});

	test('outlives its window and a killed extension host, without which it is saved all the same', async () => {
		await writeInEditor('A fox');
		await workbench.editor.killExtensionHost();
		await workbench.page.keyboard.type(' at the pier');
		await workbench.editorText().getByText('A fox at the pier').waitFor();
		await closeAtOnce(' at night');
		// VS Code may miss saving it while the extension host goes; it keeps it then, and saves it with
		// the next letter.
		await continueFromQuickInput('A fox');
		await workbench.editorText().getByText('A fox at the pier at night').waitFor();
		await closeAtOnce('.');
		await waitForDraft('A fox at the pier at night.');
		await workbench.editor.reload();
		await continueFromQuickInput('A fox at the pier at night.');
		await workbench.page.keyboard.type(' In the rain.');
		const whole = 'A fox at the pier at night. In the rain.';
		await waitForDraft(whole);
		await workbench.editor.closeWindow();
		await workbench.editor.openWindow();
		await continueFromQuickInput(whole);
		assert.equal(service.requests.length, 0);
	});

	test('is not sent while it is empty, and a refusal leads back to it', async () => {
		const { keyboard } = workbench.page;
		await workbench.writePrompt();
		await tab().waitFor();
		await lens('Generate (Ctrl+Enter)').waitFor();
		await keyboard.press('ControlOrMeta+Enter');
		await workbench.waitForNotification('The prompt is empty');
		await workbench.screenshot('write-prompt-empty');
		await workbench.dismissEverything();

		service.faults.add({ status: 400, message: 'The prompt is too long.', times: 1 });
		await workbench.page.locator('.editor-instance .view-lines').first().click();
		await keyboard.insertText(prompt);
		await workbench.page.locator('.editor-actions [aria-label^="Generate Image"]').click();
		await workbench.waitForNotification('The prompt is too long');
		await workbench.clickNotificationButton('Change Request…');
		await tab().waitFor();
		await workbench.page.getByText('Lettering:').waitFor();
		await waitForDraft(prompt);
		await keyboard.press('ControlOrMeta+Enter');
		assert.match(await waitForLink(), /\nHere:\n\n!\[/);
		assert.equal(sent()['prompt'], prompt);
		assert.equal(service.requests.length, 2);
	});

	test('begins with selected lines, a last prompt or an instruction, each as it is', async () => {
		const { keyboard } = workbench.page;
		const write = async () => {
			// Its hover would stand above the button, until the user types.
			await workbench.typeInQuickInput(await workbench.quickInputText());
			await workbench.clickQuickInputButton('Write in Editor');
			await workbench.waitForText('Image Prompt');
		};
		await keyboard.press('ControlOrMeta+Home');
		for (let line = 0; line < 4; line++) await keyboard.press('Shift+ArrowDown');
		await workbench.runCommand('Easel: Generate Image');
		await workbench.waitForQuickInput('Describe the image');
		await write();
		const [selected] = await drafts();
		assert.match(selected!, /^# Architecture\n\nHarbor has three parts/);
		await keyboard.press('ControlOrMeta+Enter');
		await waitForLink();
		assert.equal(sent()['prompt'], selected);
		const [image] = await readdir(path.join(workbench.folder, 'images'));

		await workbench.dismissEverything();
		await workbench.runCommand('Easel: Generate Image');
		await workbench.waitForQuickInput('Describe the image');
		await workbench.typeInQuickInput('');
		await workbench.clickItemButton('# Architecture', 'Write in Editor');
		await workbench.waitForText('Image Prompt');
		assert.deepEqual(await drafts(), [selected]);
		await workbench.runCommand('View: Close All Editors');

		await workbench.openFile(`images/${image!}`);
		await workbench.runCommand('Easel: Edit with Prompt…');
		await workbench.waitForQuickInput('Describe the change');
		await workbench.typeInQuickInput('make it night');
		await write();
		await lens(`References: ${image!.slice(0, 20)}`).waitFor();
		await lens('Quality: ignored with reference images').waitFor();
		await workbench.screenshot('write-prompt-edit');
		await keyboard.type(', with stars');
		await keyboard.press('ControlOrMeta+Enter');
		await workbench.waitForImage();
		assert.equal(service.requests.at(-1)?.endpoint, 'edits');
		assert.equal(sent()['prompt'], 'make it night, with stars');
		assert.deepEqual(await drafts(), [selected]);
	});
});
