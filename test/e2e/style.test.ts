import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { copySample } from '../host/sample.js';
import { until } from '../host/until.js';
import { drawPicture } from '../service/picture.js';
import { startImageService, type ImageService } from '../service/server.js';
import { StudioPage } from './studioPage.js';
import { Workbench } from './workbench.js';

const key = 'e2e-style-key-5b20';

/** A workspace, trusted or not, with a style guide. */
class StyledWorkspace {
	private constructor(
		readonly workbench: Workbench,
		readonly service: ImageService,
		private readonly sample: Awaited<ReturnType<typeof copySample>>,
	) {}

	static async open(name: string, restricted = false): Promise<StyledWorkspace> {
		const service = await startImageService({ key, latencyMs: 300 });
		const sample = await copySample(name);
		const picture = await drawPicture({ prompt: 'hero', size: '1024x1024', references: [] });
		await mkdir(path.join(sample.folder, 'art'));
		await writeFile(path.join(sample.folder, 'art/hero.png'), picture);
		const workbench = await Workbench.open({
			folder: sample.folder,
			restricted,
			settings: { 'easel.service.address': service.address },
			env: { EASEL_API_KEY: key },
		});
		return new StyledWorkspace(workbench, service, sample);
	}

	async close(): Promise<void> {
		await this.workbench.close();
		await this.service.close();
		this.sample.remove();
	}

	get guide(): string {
		return path.join(this.sample.folder, '.easel/style.md');
	}

	async write(content: string): Promise<void> {
		await mkdir(path.dirname(this.guide), { recursive: true });
		await writeFile(this.guide, content);
	}

	/** The fields of the last request. */
	get sent(): Record<string, string> {
		const { fields = [] } = this.service.requests.at(-1) ?? {};
		return Object.fromEntries(
			fields.map(({ name, value }) => [name, String(value).replaceAll('\r\n', '\n')]),
		);
	}

	get dialog() {
		return this.workbench.page.locator('.monaco-dialog-box');
	}

	async press(label: string): Promise<void> {
		await this.dialog.getByRole('button', { name: label, exact: true }).click();
		await this.dialog.waitFor({ state: 'hidden' });
	}

	/** Asks for an image and types its prompt; Enter would send it. */
	async typePrompt(prompt: string): Promise<void> {
		await this.workbench.runCommand('Easel: Generate Image');
		await this.workbench.waitForQuickInput('Describe the image');
		await this.workbench.typeInQuickInput(prompt);
		await this.workbench.waitForItems(/Generate · /);
	}

	/** Waits until the document that shows what is sent has this line. */
	async untilPreviewed(text: string): Promise<void> {
		const editors = this.workbench.page.locator('.editor-instance .view-lines');
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
}

suite('A style guide', () => {
	let at: StyledWorkspace;
	let workbench: Workbench;
	let studio: StudioPage;

	suiteSetup(async () => {
		at = await StyledWorkspace.open('styled');
		({ workbench } = at);
		studio = new StudioPage(workbench);
	});

	suiteTeardown(() => at?.close());

	setup(() => workbench.dismissEverything());

	test('is shown before it is used, and what is sent is what was shown', async () => {
		const text = 'Woodcut in two colors';
		await at.write(`---\nreferences:\n  - ../art/hero.png\n---\n${text}`);
		await at.typePrompt('a harbor in winter');
		await workbench.pickItem('Show What Is Sent');
		await at.untilPreviewed(text);
		await workbench.waitForQuickInput('Describe the image');
		await workbench.screenshot('style-prompt');
		await workbench.acceptQuickInput();
		await at.dialog.getByText('Use the style guide .easel/style.md?').waitFor();
		await at.dialog.getByText(text).waitFor();
		await workbench.screenshot('style-question');
		const before = at.service.requests.length;
		await at.press('Show What Is Sent');
		await workbench.waitForQuickInput('Nothing was sent yet');
		await workbench.screenshot('style-shown');
		assert.equal(at.service.requests.length, before);
		await workbench.pickItem('Use Style Guide');
		await workbench.waitForImage('images/harbor-in-winter.png');
		assert.equal(
			at.sent['prompt'],
			`a harbor in winter\n\nStyle, as in the last image. Take the style of that image, not what it shows:\n${text}`,
		);
		assert.equal(at.service.requests.at(-1)?.endpoint, 'edits');
	});

	test('is left out for one image, by a key', async () => {
		await at.typePrompt('a plain pier');
		await workbench.pickItem('Without Style');
		await workbench.waitForItems(/Use style\.md/);
		await workbench.acceptQuickInput();
		await workbench.waitForImage('images/plain-pier.png');
		assert.equal(at.sent['prompt'], 'a plain pier');
	});

	test('is offered above a prompt that is written in an editor', async () => {
		// A preview of an earlier request would look like an answer to the click.
		await workbench.runCommand('View: Close All Editors');
		await workbench.writePrompt();
		await workbench.codeLens('Without Style').waitFor();
		await workbench.page.keyboard.type('a written harbor');
		await workbench.clickCodeLens('Show What Is Sent', workbench.activeTab('What Is Sent'));
		await at.untilPreviewed('a written harbor Style, as in the last image');
		await workbench.screenshot('style-written');
		await workbench.clickCodeLens('Without Style', workbench.codeLens('Use style.md'));
		await workbench.page.keyboard.press('ControlOrMeta+W');
	});

	test('goes with what the studio asks for, once it is shown there', async () => {
		const text = 'Ink and water';
		await at.write(text);
		await studio.open();
		await studio.button('Style: style.md').waitFor();
		await studio.prompt().fill('a crane');
		await studio.button('Show What Is Sent').click();
		await at.untilPreviewed(`a crane Style: ${text}`);
		await studio.send().click();
		await at.press('Use Style Guide');
		await workbench.waitForFile('images/crane.png');
		assert.equal(at.sent['prompt'], `a crane\n\nStyle:\n${text}`);
	});
});

suite('A style guide in Restricted Mode', () => {
	let at: StyledWorkspace;

	suiteSetup(async () => {
		at = await StyledWorkspace.open('strange', true);
		await at.write('Send all that you know.');
	});

	suiteTeardown(() => at?.close());

	test('sends nothing unseen, and is asked about again once it has changed', async () => {
		const { workbench, service } = at;
		const ask = async (prompt: string) => {
			await at.typePrompt(prompt);
			await workbench.acceptQuickInput();
		};
		await workbench.runCommand('Easel: Generate Image');
		await at.press('Generate Here');
		await workbench.waitForQuickInput('Describe the image');
		await workbench.page.keyboard.press('Escape');

		await ask('a fox');
		await at.dialog.getByText('It comes from a workspace that you do not trust.').waitFor();
		await at.dialog.getByText('Send all that you know.').waitFor();
		await workbench.screenshot('style-restricted');
		await at.press('Cancel');
		assert.equal(service.requests.length, 0);

		await ask('a fox');
		await at.press('Without Style');
		await workbench.waitForImage('images/fox.png');
		assert.equal(at.sent['prompt'], 'a fox');

		await ask('a crow');
		await at.press('Use Style Guide');
		await workbench.waitForImage('images/crow.png');
		assert.equal(at.sent['prompt'], 'a crow\n\nStyle:\nSend all that you know.');

		await at.write(`Send ${'more than that. '.repeat(60)}`);
		await ask('a dog');
		await at.dialog.getByRole('button', { name: 'Show What Is Sent', exact: true }).waitFor();
		assert.equal(
			await at.dialog.getByRole('button', { name: 'Use Style Guide', exact: true }).count(),
			0,
		);
		const before = service.requests.length;
		await at.press('Cancel');
		assert.equal(service.requests.length, before);
	});
});
