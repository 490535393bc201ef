import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { copySample } from '../host/sample.js';
import { until } from '../host/until.js';
import { startImageService, type ImageService } from '../service/server.js';
import { drawPhoto } from './drawings.js';
import { Workbench } from './workbench.js';

const key = 'e2e-replace-key-8f02';

/** Replace Original and the Undo of its messages. */
suite('Replace Original', () => {
	let sample: Awaited<ReturnType<typeof copySample>>;
	let service: ImageService;
	let workbench: Workbench;

	suiteSetup(async () => {
		service = await startImageService({ key, latencyMs: 300 });
		sample = await copySample();
		await mkdir(file());
		// Before the workbench opens: its explorer would miss what comes while it starts.
		await writeFile(file('poster.jpg'), drawPhoto());
		await writeFile(
			path.join(sample.folder, 'posters.md'),
			'# Pictures\n\n![One](pictures/poster.jpg)\n',
		);
		workbench = await Workbench.open({
			folder: sample.folder,
			settings: { 'easel.service.address': service.address },
			env: { EASEL_API_KEY: key },
		});
		await workbench.expandFolder('pictures');
		await workbench.explorerRow('poster.jpg').waitFor();
	});

	suiteTeardown(async () => {
		await workbench?.close();
		await service?.close();
		sample?.remove();
	});

	setup(async () => {
		await workbench.dismissEverything();
		await workbench.runCommand('View: Close All Editors');
	});

	function file(...names: string[]): string {
		return path.join(sample.folder, 'pictures', ...names);
	}

	/** Waits until the folder has exactly these bytes under these names; others do not matter. */
	async function waitFor(expected: Readonly<Record<string, Buffer | undefined>>): Promise<void> {
		for (const [name, bytes] of Object.entries(expected)) {
			await until(
				async () => {
					const now = await readFile(file(name)).catch(() => undefined);
					return bytes === undefined ? now === undefined : now?.equals(bytes) === true;
				},
				`${name} to be ${bytes === undefined ? 'gone' : 'what it should be'}`,
			);
		}
	}

	/** Has an image made of another one, and returns its bytes. */
	async function edit(name: string, prompt: string, made: string): Promise<Buffer> {
		await workbench.contextMenu(workbench.explorerRow(name), 'Edit with Prompt');
		await workbench.waitForQuickInput('Describe the change');
		await workbench.typeInQuickInput(prompt);
		await workbench.waitForItems(/1\s+image/);
		await workbench.acceptQuickInput();
		// Earlier ones may still be on the screen.
		await workbench.waitForImage(`pictures/${made}`);
		return readFile(file(made));
	}

	async function replace(name: string, renamed = false): Promise<void> {
		await workbench.clickNotificationButton('Use New');
		if (renamed) {
			await workbench.clickNotificationButton('Rename and Update References');
		}
		await workbench.waitForNotification(`Replaced ${name} `);
	}

	test('a second time: the first Undo changes nothing and says so, the second works', async () => {
		const first = await readFile(file('poster.jpg'));
		const second = await edit('poster.jpg', 'in ink', 'poster-in-ink.png');
		await replace('poster.jpg', true);
		await waitFor({ 'poster.png': second, 'poster.jpg': undefined });
		// The same words give the same name again, for another image.
		const third = await edit('poster.png', 'in ink', 'poster-in-ink.png');
		assert.ok(!third.equals(second));
		await replace('poster.png');
		await waitFor({ 'poster.png': third, 'poster-in-ink.png': undefined });

		const stale = await workbench.openListedNotification(/Replaced poster\.jpg/);
		await stale.getByRole('button', { name: 'Undo', exact: true }).click();
		await workbench.waitForListedNotification('poster.png has changed since');
		await workbench.screenshot('replace-stale');
		await waitFor({ 'poster.png': third, 'poster.jpg': undefined });
		const fresh = await workbench.openListedNotification(/Replaced poster\.png/);
		await fresh.getByRole('button', { name: 'Undo', exact: true }).click();
		await waitFor({ 'poster.png': second, 'poster-in-ink.png': third, 'poster.jpg': undefined });

		// What the first replacement took away can be had all the same.
		const offer = await workbench.openListedNotification('poster.png has changed since');
		await offer.getByRole('button', { name: 'Save the Original As…', exact: true }).click();
		await workbench.waitForQuickInput('Save the Original As');
		await workbench.waitForQuickInputText('poster.jpg');
		await workbench.acceptStep();
		await waitFor({ 'poster.jpg': first, 'poster.png': second });
	});
});
