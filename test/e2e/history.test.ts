import assert from 'node:assert/strict';
import { cp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { copySample } from '../host/sample.js';
import { startImageService, type ImageService } from '../service/server.js';
import { StudioPage } from './studioPage.js';
import { Workbench } from './workbench.js';

const key = 'e2e-history-key-7d20';

/** What a team makes on one machine, as it is seen on another one that has only the files. */
suite('Image History in a fresh clone', () => {
	let sample: Awaited<ReturnType<typeof copySample>>;
	let clone: Awaited<ReturnType<typeof copySample>>;
	let service: ImageService;
	let workbench: Workbench;
	let studio: StudioPage;

	suiteSetup(async () => {
		service = await startImageService({ key, latencyMs: 300 });
		[sample, clone] = [await copySample(), await copySample('clone')];
		await makeImages();
		await rm(clone.folder, { recursive: true });
		await cp(sample.folder, clone.folder, { recursive: true });
		// A profile of its own: nothing of the other machine is there but the files.
		workbench = await open(clone.folder);
		studio = new StudioPage(workbench);
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

	/** Two drafts, and an edit of the second one, by somebody else. */
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

	/** The studio has the focus in its search then, and all images. */
	async function openHistory(): Promise<void> {
		await workbench.runCommand('Easel: Show Image History');
		await workbench.activeTab('Image Studio').waitFor();
		await studio.untilFocused(studio.search(), 'the search');
		await studio.waitForImages('1a', '1b', '2a');
	}

	/** Chooses something of the menu of an image. */
	async function choose(label: string, item: string): Promise<void> {
		await studio.image(label).click({ button: 'right' });
		await studio.root.getByRole('menuitem', { name: item, exact: true }).click();
	}

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

	test('shows all images, with what they come from', async () => {
		await openHistory();
		await workbench.screenshot('history-list');
		await studio.button('More about Round 2').click();
		await studio.root.getByRole('menuitem', { name: 'Show Source Image' }).click();
		await studio.untilFocused(studio.image('1b'), 'the image that it was made from');
	});

	test('is searched by words, and Enter leads to the image', async () => {
		await openHistory();
		await workbench.page.keyboard.type('NIGHT make');
		await workbench.page.keyboard.press('Enter');
		await studio.untilFocused(studio.image('2a'), 'the image');
		await studio.untilFound('2a');
		await studio.root.getByText('1 of 3 images').waitFor();
		await workbench.screenshot('history-studio');
		await workbench.page.keyboard.press('Enter');
		const chain = studio.root.getByRole('list', { name: 'Comes from' });
		await chain.getByRole('button', { name: '1b' }).waitFor();
		await workbench.screenshot('history-studio-image');
	});

	test('shows all of them again, whatever was looked at', async () => {
		await studio.open();
		await studio.search().fill('night');
		await studio.untilFound('2a');
		await studio.image('2a').click();
		await studio.root.getByRole('list', { name: 'Comes from' }).waitFor();
		await openHistory();
		assert.equal(await studio.search().inputValue(), '');
	});

	test('says so where no image has the words', async () => {
		await openHistory();
		await workbench.page.keyboard.type('a lighthouse');
		await studio.root.getByText('No images found for “a lighthouse”').waitFor();
		await workbench.page.keyboard.press('Enter');
		await studio.untilFocused(studio.search(), 'the search');
		await workbench.page.keyboard.press('Escape');
		await studio.waitForImages('1a', '1b', '2a');
	});

	test('opens an image, inserts one, and copies a prompt', async () => {
		await openHistory();
		await choose('2a', 'Open File');
		const files = await readdir(inClone('images'));
		const night = files.find((name) => /night/.test(name));
		assert.ok(night !== undefined, files.join());
		await workbench.activeTab(night).waitFor();
		await workbench.runCommand('View: Close All Editors');

		await writeFile(inClone('note.md'), '# Note\n\n');
		await workbench.openFile(inClone('note.md'));
		await workbench.goToLine(3);
		await openHistory();
		await choose('2a', 'Insert at Cursor');
		await workbench.editorText().getByText(night).first().waitFor();
		await workbench.runCommand('File: Revert File');

		await openHistory();
		await choose('2a', 'Copy Prompt');
		await workbench.statusBarItem('prompt copied').waitFor();
	});

	test('shows what is starred alone, where that is wanted', async () => {
		await openHistory();
		await studio.image('1b').hover();
		await studio.image('1b').getByRole('button', { name: 'Star 1b' }).click();
		await studio.button('Star 1b').and(studio.root.locator('[aria-pressed=true]')).waitFor();
		await studio.filter(/^Starred/).check();
		await studio.untilFound('1b');
		await workbench.screenshot('history-kept');
		await openHistory();
	});

	test('has no filter for an older style, because there is no style guide', async () => {
		await openHistory();
		assert.equal(await studio.filter('Older Style').count(), 0);
	});

	test('follows what comes and goes while the studio is open', async () => {
		await studio.open();
		await studio.waitForImages('1a', '1b', '2a');
		const files = await readdir(inClone('images'));
		const night = files.find((name) => /night/.test(name))!;
		await rename(inClone('images', night), path.join(sample.folder, night));
		await studio.image('2a').waitFor({ state: 'detached' });
		await rename(path.join(sample.folder, night), inClone('images', night));
		await studio.waitForImages('2a');
	});
});
