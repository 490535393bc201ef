import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { copySample } from '../host/sample.js';
import { until } from '../host/until.js';
import { startImageService, type ImageService } from '../service/server.js';
import { waitForNotes } from './notes.js';
import { waitForBytes, Workbench } from './workbench.js';

const key = 'e2e-writer-key-71aa';

/** A prompt of 600 characters. */
const prompt = [
	'# The tide table',
	'',
	'A harbor at low tide, seen from the pier: a water-level sensor in a metal box, a thin dashed line to a server in a lighthouse of white boards, and a tablet that shows ten values.',
	'',
	'Style: flat illustration, thick outlines, no gradients, colors #1f2430, #e8b04a and #7fb4c9 alone.',
	'',
	'- The sensor is what one looks at first, the tablet comes second, and everything else stays in the background.',
	'- Three people stand at the rail; 1 or 2 gulls above them.',
]
	.join('\n')
	.padEnd(600, ' Nobody is cut by the edge.');

const page = `# Tide tables

The sensor sends ten values.

Nobody counts them.
`;

/** From a thought to the right picture in the text, without looking away. */
suite('A writer', () => {
	let sample: Awaited<ReturnType<typeof copySample>>;
	let service: ImageService;
	let workbench: Workbench;

	suiteSetup(async () => {
		service = await startImageService({ key, latencyMs: 300 });
		sample = await copySample();
		await writeFile(file('page.md'), page);
		workbench = await Workbench.open({
			folder: sample.folder,
			settings: { 'easel.service.address': service.address },
			env: { EASEL_API_KEY: key },
		});
	});

	suiteTeardown(async () => {
		await workbench?.close();
		await service?.close();
		sample?.remove();
	});

	const file = (...names: string[]) => path.join(sample.folder, ...names);
	const images = () => readdir(file('images')).catch((): string[] => []);
	const decision = (name: string) => workbench.webview().getByRole('button', { name, exact: true });

	/** The images that the preview shows, by the last part of their addresses; each was decoded. */
	async function previewed(): Promise<string[]> {
		await workbench.runCommand('Markdown: Open Preview');
		const shown = workbench.webview().locator('img');
		await shown.first().waitFor();
		const decoded = () =>
			shown.evaluateAll((all) =>
				(all as HTMLImageElement[]).every(({ naturalWidth }) => naturalWidth > 0),
			);
		await until(decoded, 'the images of the preview');
		const sources = await shown.evaluateAll((all) =>
			(all as HTMLImageElement[]).map(({ src }) => src.replace(/\?.*$/, '').split('/').at(-1)!),
		);
		// A link that was torn, or glued to a word, would be text.
		assert.doesNotMatch(await workbench.webview().locator('body').innerText(), /!\[|\]\(/);
		return sources;
	}

	test('gets the picture of a long prompt where it belongs, and replaces it by a better one', async () => {
		const { keyboard } = workbench.page;
		service.faults.add({ hold: true, times: 1 });

		// The thought.
		await workbench.openFile('page.md');
		await workbench.goToLine(3);
		await workbench.runCommand('Easel: Generate Image');
		await workbench.waitForQuickInput('Describe the image');
		// As long as nothing is typed, VS Code's tooltip covers the buttons.
		await workbench.typeInQuickInput(prompt.slice(0, 12));
		await workbench.clickQuickInputButton('Write in Editor');
		await workbench.waitForText('Image Prompt');
		await keyboard.insertText(prompt.slice(12));
		await workbench.page.getByText('References: none').waitFor();
		await workbench.screenshot('writer-prompt');
		await keyboard.press('ControlOrMeta+Enter');

		// The minute: typing goes on above and below, and the window is reloaded.
		await workbench.waitForText('page.md');
		await waitForNotes(workbench, /^The sensor sends ten values\. \| Image · 0:\d\d/);
		await workbench.goToLine(1);
		await keyboard.type(' of the harbor\n\nTyped above.');
		await workbench.goToLine(7);
		await keyboard.type(' Typed below.');
		await workbench.runCommand('File: Save');
		await workbench.waitForFileText('page.md', 'Typed below.');
		await workbench.reloadWindow();
		await waitForNotes(workbench, /^The sensor sends ten values\. \| Image · 0:\d\d/);
		await workbench.goToLine(7);
		await keyboard.type(' And after the reload.');
		await workbench.screenshot('writer-minute');
		service.releaseHeld();

		// The picture.
		await workbench.waitForImage('images/');
		await workbench.screenshot('writer-inserted');
		await waitForNotes(workbench);
		await workbench.runCommand('File: Save');
		const written = await workbench.waitForFileText('page.md', '![');
		const [name, ...others] = await images();
		assert.ok(name !== undefined && name.length <= 44, name);
		assert.deepEqual(others, []);
		const link = `![The tide table](images/${name})`;
		assert.equal(
			written,
			[
				'# Tide tables of the harbor',
				'Typed above.',
				'The sensor sends ten values.',
				link,
				'Nobody counts them. Typed below. And after the reload.\n',
			].join('\n\n'),
		);
		const first = await readFile(file('images', name));
		const field = service.requests[0]!.fields.find((one) => one.name === 'prompt');
		assert.equal(field?.value, prompt);

		// The page with it.
		assert.deepEqual(await previewed(), [name]);
		await workbench.screenshot('writer-preview');
		await workbench.runCommand('View: Close Editor');

		// Another try, which takes its place; and back.
		await workbench.expandFolder('images');
		await workbench.contextMenu(workbench.explorerRow(name), 'Regenerate…');
		await workbench.waitForText('Image Prompt');
		await workbench.page.getByText('Three people').click();
		// Of the same words the stand-in draws the same picture.
		await keyboard.press('ControlOrMeta+End');
		await keyboard.type(' In the rain.');
		await keyboard.press('ControlOrMeta+Enter');
		await workbench.clickNotificationButton('Compare');
		await decision('Use New').waitFor();
		const second = (await images()).find((one) => one !== name);
		assert.ok(second !== undefined);
		const better = await readFile(file('images', second));
		await workbench.screenshot('writer-another');
		await decision('Use New').click();
		await workbench.waitForNotification('Replaced');
		assert.ok(better.equals(await readFile(file('images', name))));
		assert.deepEqual(await images(), [name]);
		await workbench.clickNotificationButton('Undo');
		await until(async () => (await images()).length === 2, 'both images');
		await waitForBytes(file('images', name), first);
		assert.equal(await readFile(file('page.md'), 'utf8'), written);
		assert.equal(service.requests.length, 2);
	}).timeout(6 * 60_000);
});
