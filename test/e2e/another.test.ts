import assert from 'node:assert/strict';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { until } from '../host/until.js';
import { referencePng } from '../unit/service/support.js';
import { file, service, useHarbor, workbench } from './harbor.js';
import { waitForBytes } from './workbench.js';

/** Another try of an image, and what becomes of it, as a writer goes about it. */
suite('Regenerate', () => {
	useHarbor({
		latencyMs: 300,
		prepare: async () => {
			await mkdir(file('images'));
			await writeFile(file('page.md'), '# A page\n\n');
			await writeFile(file('foreign.png'), await referencePng());
			await mkdir(file('empty'));
			await mkdir(file('copies'));
		},
	});

	suiteSetup(async () => {
		await workbench.openFile('page.md');
		await workbench.generate('a harbor at dusk with two sailing boats and a lighthouse');
		await workbench.waitForImage();
		await workbench.page.keyboard.press('ControlOrMeta+S');
		// Else the editors are closed before that is done, and the link is gone with them.
		await workbench.waitForFileText('page.md', 'images/');
		await workbench.expandFolder('images');
		await row(first).waitFor();
	});

	setup(async () => {
		await workbench.dismissEverything();
		await workbench.runCommand('View: Close All Editors');
	});

	const images = async () => (await readdir(file('images'))).sort();
	const row = (name: string) => workbench.explorerRow(name);
	const first = 'harbor-at-dusk-with-two-sailing-boats.png';
	const second = 'harbor-at-dusk-with-two-sailing-boats-1.png';

	/** A button of the bar above the two images. */
	const decision = (name: string): Locator =>
		workbench.webview().getByRole('button', { name, exact: true });

	/** Agrees to the size as it stands, and to the prompt: other words make another picture here. */
	async function agree(more: string): Promise<void> {
		await workbench.waitForQuickInput('Describe the image');
		assert.match(await workbench.quickInputText(), /^a harbor at dusk with two/);
		await workbench.typeInQuickInput(`a harbor at dusk, ${more}`);
		await workbench.acceptQuickInput();
	}

	async function untilImages(...names: string[]): Promise<void> {
		await until(async () => (await images()).join() === names.join(), names.join());
	}

	test('asks, then shows both, and a discarded image comes back', async () => {
		const before = await readFile(file('images', first));
		await workbench.contextMenu(row(first), 'Regenerate…');
		await agree('with more light');
		await workbench.clickNotificationButton('Compare');
		await decision('Delete New').waitFor();
		const title = await workbench.page.locator('.tab.active').innerText();
		const [left, right] = title.trim().split(' ↔ ');
		assert.notEqual(left, right);
		await untilImages(second, first);
		await workbench.screenshot('another-compare');
		await decision('Delete New').click();
		await untilImages(first);
		await workbench.waitForNotification('was discarded.');
		await decision('Delete New').waitFor({ state: 'hidden' });
		await workbench.screenshot('another-discarded');
		await workbench.clickNotificationButton('Undo');
		await untilImages(second, first);
		assert.ok(before.equals(await readFile(file('images', first))));
	});

	test('is offered for images that Easel has made, and for no others', async () => {
		const items = (name: string) => workbench.contextMenuItems(row(name));
		const isOffered = async (name: string) => (await items(name)).includes('Regenerate…');
		await until(async () => !(await isOffered('foreign.png')), 'the images to be known');
		const ofForeign = await items('foreign.png');
		assert.ok(ofForeign.includes('Edit with Prompt…'), ofForeign.join());
		assert.ok(await isOffered(first));
		await copyFile(file('images', first), file('copies', 'copy.png'));
		await workbench.expandFolder('copies');
		await until(() => isOffered('copy.png'), 'the copy to be known');
		const ofEmpty = await workbench.contextMenuItems(workbench.explorerRow('empty'));
		assert.ok(!ofEmpty.includes('Easel'), ofEmpty.join());
	});

	test('is decided about after a reload, too, and both can stay', async () => {
		await workbench.runCommand('Easel: Compare Images…');
		await workbench.waitForQuickInput('Select the image on the left');
		await workbench.pickItem(second);
		await workbench.waitForQuickInput('Select the image on the right');
		await workbench.pickItem(first);
		await workbench.webview().getByText('New ↔ Original').waitFor();
		await workbench.reloadWindow();
		await decision('Keep Both').click();
		await decision('Keep Both').waitFor({ state: 'hidden' });
		assert.deepEqual(await images(), [second, first]);
	});

	test('leaves the keyboard to the user, and is replaced where it is compared', async () => {
		const link = workbench.editorText().locator('.view-line', { hasText: 'images/' });
		// The image that was put back comes in front at last.
		await until(async () => {
			await workbench.openFile('page.md');
			// The hover of a tab would be in front of the first line as long as the pointer rests there.
			await workbench.page.mouse.move(640, 500);
			return link.click({ timeout: 5000 }).then(
				() => true,
				() => false,
			);
		}, 'the document in front');
		await workbench.contextMenu(link, 'Regenerate…');
		const before = service.requests.length;
		service.faults.add({ hold: true, times: 1 });
		await agree('in the rain');
		await service.waitForRequest(before + 1, 'held');
		await workbench.page.keyboard.press('ControlOrMeta+End');
		await workbench.page.keyboard.type('Before it came, ');
		service.releaseHeld();
		await workbench.waitForImage('images/');
		await workbench.page.keyboard.type('and after it.');
		await workbench.editorText().getByText('Before it came, and after it.').waitFor();
		await workbench.page.keyboard.press('ControlOrMeta+S');
		await workbench.waitForFileText('page.md', 'Before it came, and after it.');
		await workbench.clickNotificationButton('Compare');
		await decision('Use New').waitFor();
		await workbench.screenshot('another-compared');
		const made = await readFile(file('images', first.replace('.png', '-2.png')));
		await decision('Use New').click();
		await waitForBytes(file('images', first), made);
		await decision('Use New').waitFor({ state: 'hidden' });
		await workbench.waitForNotification('Replaced');
		// The text is in front again, with the keyboard.
		await workbench.page.keyboard.press('ControlOrMeta+End');
		await workbench.page.keyboard.type(' Chosen.');
		await workbench.editorText().getByText('and after it. Chosen.').waitFor();
		await workbench.screenshot('another-replaced');
	});
});
