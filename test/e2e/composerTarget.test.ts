import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { copySample } from '../host/sample.js';
import { until } from '../host/until.js';
import { drawPicture } from '../service/picture.js';
import { startImageService, type ImageService } from '../service/server.js';
import { StudioPage } from './studioPage.js';
import { themes, Workbench } from './workbench.js';

const key = 'e2e-target-key-2b7f';

/** The composer, its button and its request agree on the image that is edited. */
suite('The target of the composer', () => {
	let sample: Awaited<ReturnType<typeof copySample>>;
	let service: ImageService;
	let workbench: Workbench;
	let studio: StudioPage;
	let pasted: Buffer;

	suiteSetup(async () => {
		service = await startImageService({ key, latencyMs: 200 });
		sample = await copySample();
		pasted = await drawPicture({ prompt: 'pasted', size: '1024x1024', references: [] });
		workbench = await Workbench.open({
			folder: sample.folder,
			settings: { 'easel.service.address': service.address, 'easel.service.concurrency': 4 },
			env: { EASEL_API_KEY: key },
		});
		studio = new StudioPage(workbench);
		await workbench.page.setViewportSize({ width: 1600, height: 1000 });
		await studio.open();
		for (let image = 1; image <= 2; image++) {
			service.faults.add({ prompt: 'a settings page', bytes: 400_000 + image, times: 1 });
		}
		await studio.compose('a settings page', 2);
		await studio.waitForImages('1a', '1b');
		await studio.setCount(1);
	});

	suiteTeardown(async () => {
		await workbench?.close();
		await service?.close();
		sample?.remove();
	});

	setup(async () => {
		await workbench.dismissEverything();
		await studio.open();
	});

	/** The text that says that another image than the one in view is edited. */
	const mismatch = () => studio.root.locator('#not-viewed');

	function sha256(bytes: Buffer): string {
		return createHash('sha256').update(bytes).digest('hex');
	}

	async function fileOf(label: string): Promise<string> {
		const tile = studio.tile(label);
		await until(async () => (await tile.getAttribute('title')) !== null, `the name of ${label}`);
		return path.join(sample.folder, 'images', (await tile.getAttribute('title'))!);
	}

	async function hashOf(label: string): Promise<string> {
		return sha256(await readFile(await fileOf(label)));
	}

	/** Opens an image large. */
	async function view(label: string): Promise<void> {
		await studio.image(label).click();
		await studio.root.getByRole('heading', { name: new RegExp(`^${label}\\b`) }).waitFor();
	}

	async function untilLabel(words: string): Promise<void> {
		await until(async () => (await studio.send().innerText()) === words, `the button ${words}`);
	}

	async function chips(): Promise<string[]> {
		const all = studio.root.locator('easel-references .reference');
		const names = await all.evaluateAll((found) =>
			found.map((chip) => chip.getAttribute('aria-label') ?? ''),
		);
		return names.map((name) => name.replace(/,.*/, ''));
	}

	async function untilChips(...expected: readonly string[]): Promise<void> {
		await until(
			async () => JSON.stringify(await chips()) === JSON.stringify(expected),
			`the chips ${expected.join(', ')}`,
		);
	}

	async function waitForFocus(target: Locator): Promise<void> {
		await until(
			() => target.evaluate((element) => element.matches(':focus')),
			`the focus on ${target.toString()}`,
		);
	}

	/** Presses Ctrl+Enter and checks which images the service gets, with one request. */
	async function send(made: string, ...hashes: readonly string[]): Promise<void> {
		const before = service.requests.length;
		await studio.prompt().press('Control+Enter');
		const request = await service.waitForRequest(before + 1, 'received');
		assert.equal(request.endpoint, hashes.length === 0 ? 'generations' : 'edits');
		assert.deepEqual(
			request.references.map((reference) => reference.sha256),
			hashes,
		);
		await studio.untilAccepted();
		await studio.waitForImages(made);
		assert.equal(service.requests.length, before + 1, 'one request');
	}

	test('what is attached goes with its message, and Arrow Up brings it back', async () => {
		const target = await hashOf('1b');
		await studio.image('1b').getByRole('button', { name: 'Edit 1b' }).click();
		await untilChips('Editing: 1b');
		await studio.paste('image.png', pasted);
		await untilChips('Editing: 1b', '1 of 1: image.png');
		await studio.prompt().fill('darker');
		await send('2a', target, sha256(pasted));
		await untilChips();
		await untilLabel('Generate');
		await workbench.screenshot('composer-target-sent');

		await studio.prompt().press('ArrowUp');
		await untilChips('Editing: 1b', '1 of 1: image.png');
		assert.equal(await studio.prompt().inputValue(), 'darker');
		await workbench.screenshot('composer-target-recalled');
		await studio.prompt().press('ArrowUp');
		await untilChips();
		await studio.prompt().press('ArrowDown');
		await untilChips('Editing: 1b', '1 of 1: image.png');
		await studio.prompt().press('Escape');
		await untilChips();
		assert.equal(await studio.prompt().inputValue(), '');
		await studio.prompt().press('ArrowUp');
		await untilChips('Editing: 1b', '1 of 1: image.png');
		await send('3a', target, sha256(pasted));

		await studio.prompt().fill('a lighthouse');
		await send('4a');
	});

	test('an image that is open large is the one that is edited', async () => {
		await view('2a');
		await untilLabel('Edit 2a');
		assert.equal(await studio.prompt().getAttribute('placeholder'), 'Describe the change…');
		await workbench.screenshot('composer-target-viewed');
		// By hand to another one: the target goes with the view.
		await studio.button('Next Image').click();
		await untilLabel('Edit 1a');
		await studio.button('Previous Image').click();
		await untilLabel('Edit 2a');
		assert.equal(await mismatch().count(), 0);
		await studio.button('Back').click();
		await untilLabel('Generate');

		const target = await hashOf('2a');
		await view('2a');
		await untilLabel('Edit 2a');
		await studio.prompt().fill('with rounder corners');
		await send('5a', target);
		await untilChips();
		await untilLabel('Generate');
	});

	test('what is written while an image is open stays about that image', async () => {
		const target = await hashOf('2a');
		await view('2a');
		await studio.prompt().fill('bluer');
		await studio.button('Back').click();
		await studio.image('2a').waitFor();
		await untilLabel('Edit 2a');
		await send('6a', target);
	});

	test('where another image is edited than the one in view, it is said, and can be switched', async () => {
		const [first, second] = [await hashOf('1b'), await hashOf('2a')];
		await studio.image('1b').getByRole('button', { name: 'Edit 1b' }).click();
		await untilChips('Editing: 1b');
		await view('2a');
		await mismatch().getByText('Editing 1b, not 2a', { exact: true }).waitFor();
		await untilLabel('Edit 1b');
		await studio.prompt().fill('as the button says');
		await send('7a', first);

		await studio.image('1b').getByRole('button', { name: 'Edit 1b' }).click();
		await untilChips('Editing: 1b');
		await view('2a');
		await studio.prompt().fill('with a shadow');
		await lookAt();
		const change = studio.button('Edit 2a');
		await studio.tabTo(change, 'Shift+Tab');
		await workbench.page.keyboard.press('Enter');
		await untilLabel('Edit 2a');
		await untilChips('Editing: 2a');
		await waitForFocus(studio.prompt());
		assert.equal(await mismatch().count(), 0);
		assert.equal(await studio.prompt().inputValue(), 'with a shadow');
		await send('8a', second);
	});

	test('a reference image that is gone is left out of what comes back, and that is said', async () => {
		const target = await hashOf('1a');
		await studio.image('8a').getByRole('button', { name: 'Edit 8a' }).click();
		await untilChips('Editing: 8a');
		const file = await fileOf('8a');
		const name = path.basename(file);
		await studio.prompt().fill('lighter');
		await send('9a', sha256(await readFile(file)));
		await rm(file);
		await studio.prompt().press('ArrowUp');
		await studio.root
			.locator('.notices')
			.getByText(`${name} was removed; it is not sent.`)
			.waitFor();
		await untilChips();
		await untilLabel('Generate');
		assert.equal(await studio.prompt().inputValue(), 'lighter');
		// With another image in view, the same prompt is about that one.
		await studio.prompt().fill('');
		await view('1a');
		await studio.prompt().press('ArrowUp');
		await until(async () => (await studio.prompt().inputValue()) === 'lighter', 'the prompt');
		await untilLabel('Edit 1a');
		await send('10a', target);
	});

	/** Takes pictures of it, wide and narrow, in every theme; axe-core finds nothing in them. */
	async function lookAt(): Promise<void> {
		const usual = workbench.page.viewportSize()!;
		try {
			for (const width of [1280, 350]) {
				await studio.setPanelWidth(width);
				for (const theme of themes) {
					await workbench.setTheme(theme);
					assert.ok(await studio.button('Edit 2a').isVisible());
					assert.deepEqual(await studio.violations(), [], theme);
					await workbench.screenshot(`composer-target-${String(width)}-${theme}`);
				}
			}
		} finally {
			await workbench.setTheme('light');
			await workbench.page.setViewportSize(usual);
			await workbench.runCommand('View: Show Explorer');
			await studio.open();
		}
	}
});
