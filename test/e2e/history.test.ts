import assert from 'node:assert/strict';
import { cp, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { copySample } from '../host/sample.js';
import { startImageService, type ImageService } from '../service/server.js';
import { StudioPage } from './studioPage.js';
import { Workbench } from './workbench.js';

const key = 'e2e-history-key-7d20';

/** Images of a team as another machine shows them, which has only the files. */
suite('Image History in a fresh clone', () => {
	let sample: Awaited<ReturnType<typeof copySample>>;
	let clone: Awaited<ReturnType<typeof copySample>>;
	let service: ImageService;
	let workbench: Workbench;

	suiteSetup(async () => {
		service = await startImageService({ key, latencyMs: 300 });
		[sample, clone] = [await copySample(), await copySample('clone')];
		await makeImages();
		await rm(clone.folder, { recursive: true });
		await cp(sample.folder, clone.folder, { recursive: true });
		// A profile of its own: nothing of the other machine is there but the files.
		workbench = await open(clone.folder);
		await workbench.page.setViewportSize({ width: 1400, height: 900 });
	});

	suiteTeardown(async () => {
		await workbench?.close();
		await service?.close();
		sample?.remove();
		clone?.remove();
	});

	setup(async () => {
		await workbench.dismissEverything();
		await workbench.runCommand('View: Close All Editors');
	});

	function open(folder: string): Promise<Workbench> {
		return Workbench.open({
			folder,
			settings: {
				'easel.service.address': service.address,
				'easel.service.concurrency': 4,
			},
			env: { EASEL_API_KEY: key },
		});
	}

	/** Makes two drafts, and an edit of the second one, on another machine. */
	async function makeImages(): Promise<void> {
		const other = await open(sample.folder);
		try {
			const page = new StudioPage(other);
			await other.page.setViewportSize({ width: 1400, height: 900 });
			service.faults.add({ prompt: 'a fox in the snow', bytes: 400_001, times: 1 });
			await page.open();
			await page.compose('a fox in the snow', 2);
			await page.waitForImages('1a', '1b');
			await page.image('1b').click();
			await page.button('Edit').click();
			await page.edited().waitFor();
			await page.compose('make it night');
			await page.waitForImages('2a');
		} finally {
			await other.close();
		}
	}

	const inClone = (...names: string[]) => path.join(clone.folder, ...names);

	test('knows them in hover, insert, completion and regenerate before the studio was open', async () => {
		const [name = ''] = (await readdir(inClone('images'))).filter((one) => /fox.*\.png$/.test(one));
		await writeFile(inClone('team.md'), `![A fox](images/${name})\n\nHere: \n`);
		await workbench.openFile('team.md');
		const hover = await workbench.hoverOver(name, 'a fox in the snow');
		await hover.getByText('Edit with Prompt').waitFor();
		await workbench.screenshot('history-hover');
		await workbench.goToLine(3);
		await workbench.runCommand('Easel: Insert Generated Image');
		await workbench.waitForQuickInput('Select an image to insert');
		await workbench.waitForItems(/make it night[^]*a fox in the snow/);
		await workbench.page.keyboard.press('Escape');
		await workbench.goToLine(1);
		await workbench.clickText(name);
		await workbench.runCommand('Easel: Regenerate…');
		await workbench.waitForQuickInput('Describe the image');
		assert.equal(await workbench.quickInputText(), 'a fox in the snow');
		await workbench.page.keyboard.press('Escape');
	});
});
