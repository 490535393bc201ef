import assert from 'node:assert/strict';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { until } from '../host/until.js';
import { service, useHarbor, workbench } from './harbor.js';
import { takePicture, type PictureOptions } from './pictures.js';
import { resultsFolder, themes, waitForFiles } from './workbench.js';

const key = 'e2e-walkthrough-key-41c7';
const prompt = 'a sailing boat at dusk, flat illustration';
const instruction = 'show the boat at night';
const image = 'sailing-boat-at-dusk-flat-illustration.png';
const place = 'README.md';
/** Not among the pictures of the walkthrough itself, which are for its pages. */
const looks = path.join(resultsFolder, 'themes');
const steps = ['setUp', 'generate', 'insert', 'edit', 'compare'] as const;

type StepId = (typeof steps)[number];

const quickInput: PictureOptions = { of: '.quick-input-widget' };
const editors: PictureOptions = { of: '.part.editor', window: { width: 760, height: 500 } };

/** The themes that the walkthrough has pictures for. */
const pictured = ['dark', 'light'] as const;

function succeeds(attempt: Promise<unknown>): Promise<boolean> {
	return attempt.then(
		() => true,
		() => false,
	);
}

suite('The walkthrough from a fresh profile', () => {
	useHarbor({ isNew: true, key });

	// The walkthrough shows pictures where it is wide enough.
	suiteSetup(() => workbench.runCommand('View: Close Primary Side Bar'));

	function step(id: StepId): Locator {
		return workbench.page.locator(`.getting-started-step[data-step-id="easel.easel#start#${id}"]`);
	}

	/** Comes to the walkthrough, if it is not in front, and opens a step of it. */
	async function openStep(id: StepId): Promise<void> {
		if (!(await step(id).isVisible())) {
			await workbench.runCommand('Easel: Get Started');
		}
		// The page may be built anew after it is there, and opens a step of its own choice then.
		await until(async () => {
			const isOpen = (await step(id).getAttribute('aria-expanded')) === 'true';
			if (!isOpen) {
				await succeeds(step(id).locator('.step-title').click({ timeout: 3000 }));
			}
			return isOpen;
		}, `the step ${id} to open`);
	}

	async function press(id: StepId, label: string): Promise<void> {
		const button = step(id).getByRole('button', { name: label, exact: true });
		await until(async () => {
			await openStep(id);
			return succeeds(button.click({ timeout: 3000 }));
		}, `“${label}” to be pressed`);
	}

	function isTicked(id: StepId): Promise<boolean> {
		return step(id).locator('.codicon.complete').isVisible();
	}

	/** Waits until the editor has ticked a step off. */
	async function waitForTick(id: StepId): Promise<void> {
		await openStep(id);
		await step(id).locator('.codicon.complete').waitFor();
	}

	/** Takes the pictures that the walkthrough has of a step, one in each of its themes. */
	async function picture(id: StepId, options: PictureOptions): Promise<void> {
		for (const theme of pictured) {
			await workbench.setTheme(theme);
			await takePicture(workbench, `${id}-${theme}`, options);
		}
	}

	/** Takes a picture of the window in each theme; what is shown must be seen in each of them. */
	async function look(name: string, shown: Locator): Promise<void> {
		for (const theme of themes) {
			await workbench.setTheme(theme);
			await shown.waitFor();
			await workbench.screenshot(`walkthrough-${name}-${theme}`, looks);
		}
	}

	test('it is opened by a command, and shows every step with its picture', async () => {
		await workbench.runCommand('Easel: Get Started');
		for (const id of steps) {
			await openStep(id);
			assert.equal(await isTicked(id), false, id);
			assert.doesNotMatch(await step(id).innerText(), /`|\*\*/);
			const shown = workbench.page.locator('.getting-started-media img');
			for (const theme of themes) {
				await workbench.setTheme(theme);
				await shown.waitFor();
				// Each theme has a picture of its own, or that of the nearest one.
				await workbench.page.waitForFunction(() => {
					const media = document.querySelector<HTMLImageElement>('.getting-started-media img');
					return media?.complete === true && media.naturalWidth > 0;
				});
				assert.ok(((await shown.getAttribute('alt')) ?? '').length > 20, `${id}, ${theme}`);
				await workbench.screenshot(`walkthrough-step-${id}-${theme}`, looks);
			}
		}
	});

	test('set up: the question for an address leads here, and the key ticks it off', async () => {
		await workbench.runCommand('View: Close All Editors');
		await workbench.runCommand('Easel: Generate Image');
		await workbench.waitForQuickInput('Set Up Image Service');
		await workbench.clickQuickInputButton('Get Started');
		await step('setUp').waitFor();
		assert.equal(service.requests.length, 0);

		await press('setUp', 'Set Up Image Service…');
		await workbench.waitForQuickInput('Set Up Image Service');
		await workbench.typeInQuickInput('https://images.example.com');
		await picture('setUp', quickInput);
		await workbench.typeInQuickInput(service.address);
		await workbench.acceptStep();
		await workbench.pickItem('Standard image service');
		assert.equal(await isTicked('setUp'), false);
		await workbench.waitForQuickInput('API key');
		await workbench.typeInQuickInput(key);
		await workbench.acceptQuickInput();
		await waitForTick('setUp');
	});

	test('generate: is ticked off when an image is there', async () => {
		await press('generate', 'Generate Image…');
		await workbench.waitForQuickInput('Describe the image');
		await workbench.typeInQuickInput(prompt);
		await workbench.waitForItems(/Generate · [^]*→/);
		await picture('generate', quickInput);
		assert.equal(await isTicked('generate'), false);
		await workbench.acceptQuickInput();
		await workbench.waitForImage(`images/${image}`);
		await waitForTick('generate');
		assert.equal(service.imagesMade, 1);
	});

	test('insert: is ticked off when the image link is in a document', async () => {
		await press('insert', 'Open a Document…');
		await workbench.typeInQuickInput(place);
		await workbench.waitForItems(/README\.md/);
		await workbench.acceptQuickInput();
		await workbench.waitForText(place);
		await workbench.dismissEverything();
		await workbench.editorText().click();
		await workbench.page.keyboard.press('ControlOrMeta+Home');
		await workbench.runCommand('Easel: Insert Generated Image');
		await workbench.waitForQuickInput('Select an image to insert');
		await workbench.acceptQuickInput();
		await workbench.editorText().getByText(`images/${image}`).waitFor();
		await workbench.page.keyboard.press('ControlOrMeta+S');
		await workbench.waitForFileText(place, image);
		await workbench.runCommand('Markdown: Open Preview to the Side');
		const preview = workbench.webview().locator(`img[src*="${image}"]`);
		await preview.evaluate((shown: HTMLImageElement) => shown.decode());
		await look('inserted', preview);
		await picture('insert', editors);
		await workbench.runCommand('View: Close All Editors');
		await waitForTick('insert');
	});

	test('edit: is ticked off when the edited image is there', async () => {
		await press('edit', 'Edit with Prompt…');
		await workbench.pickItem(image);
		await workbench.acceptStep();
		await workbench.waitForQuickInput('Edit with Prompt');
		await workbench.typeInQuickInput(instruction);
		await workbench.waitForItems(/Edit · [^]*→/);
		await picture('edit', quickInput);
		assert.equal(await isTicked('edit'), false);
		await workbench.acceptQuickInput();
		await waitForFiles(workbench.folder, /night.*\.png$/, 1);
		await waitForTick('edit');
		await workbench.dismissEverything();
	});

	test('compare: is ticked off when two images are compared, and then nothing is left', async () => {
		await press('compare', 'Compare Images…');
		await workbench.pickItem(image);
		await workbench.waitForQuickInput('Select the image on the right');
		await workbench.pickItem('night');
		const shown = workbench.webview().locator('img');
		for (const one of [shown.first(), shown.nth(1)]) {
			await one.evaluate((picture: HTMLImageElement) => picture.decode());
		}
		await look('compared', shown.first());
		await picture('compare', editors);
		await waitForTick('compare');
		for (const id of steps) {
			assert.equal(await isTicked(id), true, id);
		}
		await look('done', step('compare'));
	});
});
