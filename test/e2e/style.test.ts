import assert from 'node:assert/strict';
import { until } from '../host/until.js';
import { writeTree } from '../unit/documents/missing/tree.js';
import { draw } from './drawings.js';
import { file, service, studio, useHarbor, workbench } from './harbor.js';

const writeGuide = (content: string) => writeTree(file(), { '.easel/style.md': content });

/** The prompt of the last request. */
function promptSent(): string {
	const prompt = service.requests.at(-1)?.fields.find(({ name }) => name === 'prompt');
	return String(prompt?.value).replaceAll('\r\n', '\n');
}

const dialog = () => workbench.page.locator('.monaco-dialog-box');

async function press(label: string): Promise<void> {
	await dialog().getByRole('button', { name: label, exact: true }).click();
	await dialog().waitFor({ state: 'hidden' });
}

/** Asks for an image and types its prompt; Enter would send it. */
async function typePrompt(prompt: string): Promise<void> {
	await workbench.runCommand('Easel: Generate Image');
	await workbench.waitForQuickInput('Describe the image');
	await workbench.typeInQuickInput(prompt);
	await workbench.waitForItems(/Generate · /);
}

/** Waits until the document that shows what is sent has this line. */
async function untilPreviewed(text: string): Promise<void> {
	const editors = workbench.page.locator('.editor-instance .view-lines');
	const shown = async () => {
		// Lines are in no order there, and a long one takes several.
		const texts = await editors.evaluateAll((found) =>
			found.map((editor) =>
				[...editor.querySelectorAll('.view-line')]
					.map((line) => ({ top: line.getBoundingClientRect().top, text: line.textContent }))
					.sort((one, other) => one.top - other.top)
					.map((line) => line.text)
					.join(' ')
					.replace(/\s+/g, ' '),
			),
		);
		return texts.some(
			(one) => one.startsWith('This is what Easel would send') && one.includes(text),
		);
	};
	await until(shown, `the preview of “${text}”`);
}

suite('A style guide', () => {
	useHarbor({
		latencyMs: 300,
		prepare: async () => {
			await writeTree(file(), { 'art/hero.png': await draw('hero') });
			await writeGuide('---\nreferences:\n  - ../art/hero.png\n---\nWoodcut in two colors');
		},
	});

	setup(() => workbench.dismissEverything());

	test('is offered above a prompt that is written in an editor', async () => {
		// A preview of an earlier request would look like an answer to the click.
		await workbench.runCommand('View: Close All Editors');
		await workbench.writePrompt();
		await workbench.codeLens('Without Style').waitFor();
		await workbench.page.keyboard.type('a written harbor');
		await workbench.clickCodeLens('Show What Is Sent', workbench.activeTab('What Is Sent'));
		await untilPreviewed('a written harbor Style, as in the last image');
		await workbench.screenshot('style-written');
		await workbench.clickCodeLens('Without Style', workbench.codeLens('Use style.md'));
		await workbench.page.keyboard.press('ControlOrMeta+W');
	});

	test('goes with what the studio asks for, once it is shown there', async () => {
		const text = 'Ink and water';
		await writeGuide(text);
		await studio.open();
		await studio.button('Style: style.md').waitFor();
		await studio.prompt().fill('a crane');
		await studio.button('Show What Is Sent').click();
		await untilPreviewed(`a crane Style: ${text}`);
		await studio.send().click();
		await press('Use Style Guide');
		await workbench.waitForFile('images/crane.png');
		assert.equal(promptSent(), `a crane\n\nStyle:\n${text}`);
	});
});

suite('A style guide in Restricted Mode', () => {
	useHarbor({
		latencyMs: 300,
		restricted: true,
		prepare: () => writeGuide('Send all that you know.'),
	});

	test('sends nothing unseen, and is asked about again once it has changed', async () => {
		const ask = async (prompt: string) => {
			await typePrompt(prompt);
			await workbench.acceptQuickInput();
		};
		await workbench.runCommand('Easel: Generate Image');
		await press('Generate Here');
		await workbench.waitForQuickInput('Describe the image');
		await workbench.page.keyboard.press('Escape');

		await ask('a fox');
		await dialog().getByText('It comes from a workspace that you do not trust.').waitFor();
		await dialog().getByText('Send all that you know.').waitFor();
		await workbench.screenshot('style-restricted');
		await press('Cancel');
		assert.equal(service.requests.length, 0);

		await ask('a fox');
		await press('Without Style');
		await workbench.waitForImage('images/fox.png');
		assert.equal(promptSent(), 'a fox');

		await ask('a crow');
		await press('Use Style Guide');
		await workbench.waitForImage('images/crow.png');
		assert.equal(promptSent(), 'a crow\n\nStyle:\nSend all that you know.');

		await writeGuide(`Send ${'more than that. '.repeat(60)}`);
		await ask('a dog');
		await dialog().getByRole('button', { name: 'Show What Is Sent', exact: true }).waitFor();
		assert.equal(
			await dialog().getByRole('button', { name: 'Use Style Guide', exact: true }).count(),
			0,
		);
		const before = service.requests.length;
		await press('Cancel');
		assert.equal(service.requests.length, before);
	});
});
