import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { until } from '../host/until.js';
import { drawPicture } from '../service/picture.js';
import { service, studio, useHarbor, workbench } from './harbor.js';
import { themes } from './workbench.js';

/** The composer, its button and its request agree on the image that is edited. */
suite('The target of the composer', () => {
	let pasted: Buffer;

	useHarbor({
		latencyMs: 200,
		settings: { 'easel.service.concurrency': 4 },
		prepare: async () => {
			pasted = await drawPicture({ prompt: 'pasted', size: '1024x1024', references: [] });
		},
	});

	suiteSetup(async () => {
		await workbench.page.setViewportSize({ width: 1600, height: 1000 });
		await studio.open();
		for (let image = 1; image <= 2; image++) {
			service.faults.add({ prompt: 'a settings page', bytes: 400_000 + image, times: 1 });
		}
		await studio.compose('a settings page', 2);
		await studio.waitForImages('1a', '1b');
		await studio.setCount(1);
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
		return path.join(workbench.folder, 'images', (await tile.getAttribute('title'))!);
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

	test('where another image is edited than the one in view, it is said, and can be switched', async () => {
		const [first, second] = [await hashOf('1b'), await hashOf('2a')];
		await studio.image('1b').getByRole('button', { name: 'Edit 1b' }).click();
		await untilChips('Editing: 1b');
		await view('2a');
		await mismatch().getByText('Editing 1b, not 2a', { exact: true }).waitFor();
		await untilLabel('Edit 1b');
		await studio.prompt().fill('as the button says');
		await send('5a', first);

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
		await send('6a', second);
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
