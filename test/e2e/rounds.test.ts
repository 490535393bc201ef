import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { loadImage } from '@napi-rs/canvas';
import type { Locator } from 'playwright-core';
import { until } from '../host/until.js';
import { service, studio, useHarbor, workbench } from './harbor.js';

suite('The studio in rounds', () => {
	useHarbor({
		latencyMs: 300,
		settings: { 'easel.service.concurrency': 4 },
	});

	suiteSetup(async () => {
		await workbench.page.setViewportSize({ width: 1600, height: 1000 });
	});

	setup(() => {
		service.faults.clear();
		service.releaseHeld();
	});

	// --- What the tests share

	function type(text: string): Promise<void> {
		return workbench.page.keyboard.type(text);
	}

	function press(name: string): Promise<void> {
		return workbench.page.keyboard.press(name);
	}

	function folder(): string {
		return path.join(workbench.folder, 'images');
	}

	/** The images on the disk. */
	async function files(): Promise<string[]> {
		const names = await readdir(folder()).catch((): string[] => []);
		return names.filter((name) => name.endsWith('.png'));
	}

	async function hashOf(name: string): Promise<string> {
		return createHash('sha256')
			.update(await readFile(path.join(folder(), name)))
			.digest('hex');
	}

	/** Has each of the next images come out different, which those of one prompt otherwise are not. */
	function drawDifferently(prompt: string, count: number): void {
		for (let image = 1; image <= count; image++) {
			service.faults.add({ prompt, bytes: 400_000 + image, times: 1 });
		}
	}

	/** The file of an image, as its tile says it. */
	async function fileOf(label: string): Promise<string> {
		const tile = studio.image(label);
		await until(async () => (await tile.getAttribute('title')) !== null, `the name of ${label}`);
		return (await tile.getAttribute('title'))!;
	}

	/** The files of some images by their labels; no two of them hold the same. */
	async function filesOf(labels: readonly string[]): Promise<Map<string, string>> {
		const found = new Map<string, string>();
		for (const label of labels) {
			found.set(label, await fileOf(label));
		}
		const hashes = await Promise.all([...found.values()].map(hashOf));
		assert.equal(new Set(hashes).size, labels.length, 'no image can be taken for another');
		return found;
	}

	/** The label and the file that the composer says it edits. */
	async function namedByComposer(): Promise<readonly [label: string, file: string]> {
		const words = await studio.edited().getAttribute('aria-label');
		const [, label, file] = /^Editing: (\S+), (.+?\.png), /.exec(words ?? '') ?? [];
		assert.ok(label !== undefined && file !== undefined, words ?? 'nothing is edited');
		return [label, file];
	}

	/**
	 * Sends what has been written, and checks that the service got the image which the composer had
	 * named, and no other.
	 *
	 * @param made label of the image that is to come of it
	 */
	async function sendEdit(send: () => Promise<void>, edited: string, made: string): Promise<void> {
		const [label, file] = await namedByComposer();
		assert.equal(label, edited);
		assert.equal(await studio.send().innerText(), `Edit ${edited}`);
		const before = service.requests.length;
		await send();
		const request = await service.waitForRequest(before + 1, 'received');
		assert.equal(request.endpoint, 'edits');
		assert.deepEqual(
			request.references.map(({ sha256 }) => sha256),
			[await hashOf(file)],
			`${edited} is what was sent`,
		);
		await studio.untilAccepted();
		await studio.waitForImages(made);
		assert.equal(service.requests.length, before + 1);
	}

	/** Checks that a brief stands on the disk which says what is true of its image. */
	async function checkBrief(image: string, steps: readonly string[]): Promise<void> {
		const name = image.replace(/\.png$/, '.brief.md');
		await workbench.waitForFile(`images/${name}`);
		const text = await readFile(path.join(folder(), name), 'utf8');
		assert.ok(text.includes(`](${encodeURI(image)})`), text);
		let at = -1;
		for (const step of steps) {
			const next = text.indexOf(step, at + 1);
			assert.ok(next > at, `${step} stands behind the others in ${text}`);
			at = next;
		}
		assert.match(text, /Text and numbers in the picture are placeholders/);
		const picture = await loadImage(path.join(folder(), image));
		assert.ok(text.includes('Requested in 1024 × 1024 pixels.'), text);
		assert.ok(text.includes(`${String(picture.width)} × ${String(picture.height)} pixels`), text);
	}

	// --- The tests

	test('makes four drafts with the keyboard alone, stars, edits, branches and names one, and writes its brief', async () => {
		await studio.open();
		drawDifferently('a sign-in page', 4);
		await studio.tabTo(studio.prompt());
		await type('a sign-in page');
		// Of a choice the chosen one is reached.
		await studio.tabTo(studio.number(1));
		for (let more = 1; more < 4; more++) await press('ArrowRight');
		assert.ok(await studio.number(4).isChecked());
		await studio.tabTo(studio.send());
		await press('Enter');
		await studio.untilAccepted();
		await studio.waitForImages('1a', '1b', '1c', '1d');
		const drafts = await filesOf(['1a', '1b', '1c', '1d']);
		const compare = studio.round('Round 1').getByRole('button', { name: 'Compare 4' });
		await studio.tabTo(compare, 'Shift+Tab');
		await press('Enter');
		await studio.root.locator('easel-gallery-comparison').getByText('1b').first().waitFor();
		await press('2');
		await studio.root.getByRole('button', { name: 'Star 1b', pressed: true }).first().waitFor();
		await press('Escape');
		await waitForFocus(studio.image('1a'));
		await press('ArrowRight');
		await waitForFocus(studio.image('1b'));
		await press('e');
		await edits('1b');
		assert.equal((await namedByComposer())[1], drafts.get('1b'));
		await type('make it dark');
		await sendEdit(() => press('Control+Enter'), '1b', '2a');

		await studio.tabTo(studio.image('2a'), 'Shift+Tab');
		await press('e');
		await edits('2a');
		await type('add a logo');
		await sendEdit(() => press('Control+Enter'), '2a', '3a');

		await studio.tabTo(studio.image('3a'), 'Shift+Tab');
		await press('ArrowRight');
		await waitForFocus(studio.image('2a'));
		await press('e');
		await edits('2a');
		await type('take the links away');
		await sendEdit(() => press('Control+Enter'), '2a', '4a');
		const made = await filesOf(['2a', '3a', '4a']);

		await studio.tabTo(studio.image('4a'), 'Shift+Tab');
		await press('Enter');
		await studio.tabTo(studio.root.getByRole('textbox', { name: 'Title' }));
		await type('The dark one');
		await press('Enter');
		await studio.tabTo(studio.button('Write Brief…'));
		await press('Enter');
		await workbench.waitForQuickInput('Write Brief');
		await type('The sign-in of the web app');
		await workbench.acceptStep();
		await workbench.waitForItems(/1b/);
		await workbench.acceptStep();
		await workbench.waitForNotification('The brief was saved as');
		await checkBrief(made.get('4a')!, [
			'# The dark one',
			'The sign-in of the web app',
			'a sign-in page',
			'make it dark',
			'take the links away',
		]);
		await workbench.dismissEverything();
		assert.equal(service.requests.length, 7, 'nothing was bought that was not asked for');
	});

	for (const [what, interrupt] of [
		['a reload', () => workbench.reloadWindow()],
		[
			'the end of the extension host',
			async () => {
				await workbench.editor.killExtensionHost();
				await workbench.reloadWindow();
			},
		],
	] as const) {
		test(`${what} in the middle of a round of four leaves every image in its place, once`, async () => {
			const prompt = `through ${what}`;
			await studio.open();
			await backToAll();
			const [requests, made, before] = [service.requests.length, service.imagesMade, await files()];
			const number = String((await newestRound()) + 1);
			const labels = ['a', 'b', 'c', 'd'].map((letter) => `${number}${letter}`);
			drawDifferently(prompt, 4);
			service.faults.add({ prompt, hold: true, times: 2 });
			await studio.compose(prompt, 4);
			await until(async () => (await files()).length === before.length + 2, 'two of the four');
			const boxes = studio.round(`Round ${number}`).locator('.tile.image');
			await boxes.locator('.label').nth(1).waitFor();
			const there = await boxes.locator('.label').allTextContents();
			const first = await filesOf(there);
			await interrupt();
			await workbench.activeTab('Image Studio').waitFor();
			for (const label of labels) {
				await studio.tile(label).waitFor();
			}
			assert.equal(await studio.round(`Round ${number}`).locator('.tile').count(), 4);
			assert.deepEqual(await filesOf(there), first, 'what was there is where it was');
			service.releaseHeld();
			await studio.waitForImages(...labels);
			const all = await filesOf(labels);
			assert.equal(new Set(all.values()).size, 4);
			const tiles = await studio.round(`Round ${number}`).locator('.tile .label').allTextContents();
			assert.deepEqual(tiles.sort(), labels, 'each of them once');
			assert.equal((await files()).length, before.length + 4);
			assert.equal(service.requests.length, requests + 4);
			assert.equal(service.imagesMade, made + 4);
			await workbench.dismissEverything();
		});
	}

	for (const width of [350, 1280]) {
		test(`nothing moves when images arrive or fail, ${String(width)} px wide`, async () => {
			const usual = workbench.page.viewportSize()!;
			try {
				await studio.open();
				await studio.setPanelWidth(width);
				await backToAll();
				const number = String((await newestRound()) + 1);
				const labels = ['a', 'b', 'c', 'd'].map((letter) => `${number}${letter}`);
				const prompt = `still at ${String(width)}`;
				service.faults.add({ prompt, hold: true, times: 4 });
				await studio.compose(prompt, 4);
				await waitForHeld(4);
				for (const label of labels) {
					await studio.tile(label).waitFor();
				}
				await workbench.screenshot(`rounds-still-${String(width)}-running`);
				const recording = await recordPlaces();
				service.releaseHeld();
				await studio.waitForImages(...labels);
				await workbench.screenshot(`rounds-still-${String(width)}-arrived`);
				assertStill(await recording());
			} finally {
				await workbench.page.setViewportSize(usual);
				await workbench.runCommand('View: Show Explorer');
			}
		});

		test(`equal failures are reported once, and push no picture away, ${String(width)} px wide`, async () => {
			const usual = workbench.page.viewportSize()!;
			try {
				await studio.open();
				await studio.setPanelWidth(width);
				await backToAll();
				const number = String((await newestRound()) + 1);
				const prompt = `refused at ${String(width)}`;
				const message = 'The service does not draw ships.';
				const round = studio.round(`Round ${number}`);
				const words = round.locator('.words').filter({ hasText: message });
				service.faults.add({ prompt, hold: true, status: 400, message, times: 2 });
				service.faults.add({ prompt, hold: true, times: 2 });
				await studio.compose(prompt, 4);
				await waitForHeld(4);
				await round.locator('.tile').nth(3).waitFor();
				const recording = await recordPlaces();
				service.releaseHeld();
				await round.locator('.tile.image').nth(1).waitFor();
				await words.first().waitFor();
				await until(async () => (await round.locator('.running').count()) === 0, 'the end');
				await workbench.screenshot(`rounds-failed-${String(width)}`);
				assertStill(await recording());
				assert.equal(await words.count(), 1, 'it is reported once');
				assert.equal(await round.getByText(/^2 Failed$/).count(), 1, 'with their number');
				const dismiss = studio.button('Dismiss All');
				const again = round.getByRole('button', { name: /^Retry All( 2)?$/ });
				assert.equal(await again.count(), 1);

				service.faults.add({ prompt, hold: true, status: 400, message, times: 2 });
				const requests = service.requests.length;
				await again.click();
				await waitForHeld(2);
				await round.locator('.tile.running').nth(1).waitFor();
				assert.equal(service.requests.length, requests + 2);
				service.releaseHeld();
				await again.waitFor();
				await dismiss.click();
				await words.first().waitFor({ state: 'detached' });
				assert.equal(await round.locator('.tile.image').count(), 2);
			} finally {
				await workbench.page.setViewportSize(usual);
				await workbench.runCommand('View: Show Explorer');
			}
		});
	}

	// --- What is on the screen

	async function edits(label: string): Promise<void> {
		await studio.root.getByRole('group', { name: new RegExp(`^Editing: ${label}, `) }).waitFor();
		await waitForFocus(studio.prompt());
	}

	function waitForFocus(target: Locator): Promise<void> {
		return until(
			() => target.evaluate((element) => element.matches(':focus')),
			`the focus on ${target.toString()}`,
		);
	}

	function waitForHeld(count: number): Promise<void> {
		return service.waitUntil(() => service.requests.filter(({ held }) => held).length === count);
	}

	/** Leaves the image or the comparison that stands in the place of the rounds. */
	async function backToAll(): Promise<void> {
		const back = studio.button('Back');
		if (await back.isVisible()) {
			await back.click();
		}
		const empty = studio.root.getByText('Images that you make in this workspace appear here');
		await studio.slots().or(empty).first().waitFor();
	}

	/** The number of the round on top. */
	async function newestRound(): Promise<number> {
		const lines = await studio.root.getByRole('rowheader').allInnerTexts();
		return Number(/Round (\d+)/.exec(lines[0] ?? '')?.[1] ?? 0);
	}

	/** Notes where everything stands, in every frame until the returned function is called. */
	async function recordPlaces(): Promise<() => Promise<Record<string, string[]>>> {
		const html = studio.root.locator('html');
		// What compiles the tests calls it for each function that has a name.
		await html.evaluate('globalThis.__name = (named) => named');
		await html.evaluate((page) => {
			const places: Record<string, string[]> = {};
			const all = (root: ParentNode): Element[] =>
				[...root.querySelectorAll('*')].flatMap((element) => [
					...(element.matches('.tile, .round > .header, easel-compose, easel-search-bar')
						? [element]
						: []),
					...(element.shadowRoot === null ? [] : all(element.shadowRoot)),
				]);
			const nameOf = (element: Element) =>
				element.getAttribute('data-cell') ??
				(element.parentElement?.matches('.round') === true
					? `line ${element.parentElement.getAttribute('data-round') ?? ''}`
					: element.localName);
			const state = { places, isOver: false, last: new Set<string>() };
			(globalThis as unknown as { recorded: typeof state }).recorded = state;
			const note = () => {
				state.last.clear();
				for (const element of all(page)) {
					const { x, y, width, height } = element.getBoundingClientRect();
					const place = [x, y, width, height].map((side) => side.toFixed(2)).join(' ');
					const name = nameOf(element);
					const noted = (places[name] ??= []);
					if (noted.at(-1) !== place) noted.push(place);
					if (!element.matches('.job:not(.running)')) state.last.add(name);
				}
				if (!state.isOver) requestAnimationFrame(note);
			};
			note();
		});
		return () =>
			html.evaluate(() => {
				const { recorded } = globalThis as unknown as {
					recorded: { places: Record<string, string[]>; isOver: boolean; last: Set<string> };
				};
				recorded.isOver = true;
				// What has failed may stand for others as well, in the room of all of them.
				return Object.fromEntries(
					Object.entries(recorded.places).filter(([name]) => recorded.last.has(name)),
				);
			});
	}

	function assertStill(places: Record<string, string[]>): void {
		assert.ok(Object.keys(places).length > 4, 'there is something to be seen');
		const moved = Object.entries(places).filter(([, noted]) => noted.length > 1);
		assert.deepEqual(moved, [], 'nothing has moved');
	}
});
