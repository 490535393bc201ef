import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { until } from '../host/until';
import { file, service, useHarbor, workbench } from './harbor.js';
import { notesIn, waitForNotes as waitForNotesIn } from './notes.js';

suite('While an image is made, its place in the document', () => {
	useHarbor({
		latencyMs: 300,
		settings: { 'easel.service.concurrency': 8 },
		prepare: async () => {
			for (const name of ['deleted', 'cancelled', 'keyboard', 'reloaded', 'several']) {
				await writeFile(
					file(`${name}.md`),
					'# The harbor\n\nShips come and go.\n\nNobody counts them.\n',
				);
			}
		},
	});

	setup(async () => {
		service.faults.clear();
		await workbench.dismissEverything();
		await workbench.runCommand('View: Close All Editors');
	});

	teardown(() => {
		service.releaseHeld();
	});

	/** Opens a document and puts the cursor to the end of a line, counted from 1. */
	async function open(name: string, line: number): Promise<void> {
		await workbench.openFile(`${name}.md`);
		await workbench.goToLine(line);
	}

	/** Asks for an image at the cursor, and has the service hold it. */
	async function askAndHold(prompt: string): Promise<void> {
		const asked = service.requests.length;
		service.faults.add({ hold: true, times: 1 });
		await workbench.generate(prompt);
		await service.waitForRequest(asked + 1, 'held');
	}

	const notes = () => notesIn(workbench);
	const waitForNotes = (...patterns: readonly RegExp[]) => waitForNotesIn(workbench, ...patterns);

	/** Points at the note until its hover is there. */
	async function hoverOver(pattern: RegExp) {
		const hover = workbench.page.locator('.monaco-hover:visible', { hasText: 'Cancel' });
		await until(async () => {
			const [note] = await waitForNotes(pattern);
			// A pointer that rests brings none.
			await workbench.page.mouse.move(700, 600);
			await workbench.page.mouse.move(note!.x, note!.y, { steps: 3 });
			return hover.waitFor({ timeout: 3000 }).then(
				() => true,
				() => false,
			);
		}, 'the hover');
		return hover;
	}

	/** The text that was saved, once it contains this. */
	async function saveAndRead(name: string, text: string): Promise<string> {
		await workbench.runCommand('File: Save');
		return workbench.waitForFileText(`${name}.md`, text);
	}

	test('shows the prompt in a hover, and cancels from there', async () => {
		await open('cancelled', 3);
		await askAndHold('a harbor [at](command:workbench.action.quit) dawn');
		const hover = await hoverOver(/^Ships come and go\. \| Image/);
		// The words of the note change from second to second; the hover stays under the pointer.
		for (let second = 0; second < 2; second++) {
			const [now] = await notes();
			await until(async () => (await notes())[0]?.text !== now?.text, 'another second');
		}
		assert.ok(await hover.isVisible());
		await workbench.screenshot('in-the-document-hover');
		const words = (await hover.innerText()).replaceAll(/\s+/g, ' ');
		assert.match(words, /a harbor \[at\]\(command:workbench\.action\.quit\) dawn/);
		assert.match(words, /1024 × 1024 · \d:\d\d/);
		assert.deepEqual(await hover.locator('a').allInnerTexts(), ['Cancel']);
		await hover.getByText('Cancel', { exact: true }).click();
		await workbench.waitForNotification('You may still be charged.');
		await waitForNotes();
		await service.waitForRequest(service.requests.length, 'left');
	});

	test('shows to the keyboard the same as to the pointer', async () => {
		await open('keyboard', 3);
		await askAndHold('a quay');
		await waitForNotes(/^Ships come and go\. \| Image/);
		const { keyboard } = workbench.page;
		await keyboard.press('ControlOrMeta+K');
		await keyboard.press('ControlOrMeta+I');
		await workbench.page.locator('.monaco-hover:visible', { hasText: 'a quay' }).waitFor();
	});

	test('shows it again after a reload, since it was sent, and the image goes there', async () => {
		await open('reloaded', 3);
		await askAndHold('a lighthouse');
		const { startedAt } = service.requests.at(-1)!;
		await workbench.goToLine(1);
		await workbench.page.keyboard.type(' of Easel\n\nTyped above, and not saved.');
		await waitForNotes(/^Ships come and go\. \| Image · \d:(0[5-9]|[1-5]\d)/);
		const atLeast = Date.now() - startedAt;
		await workbench.reloadWindow();
		const [note] = await waitForNotes(/^Ships come and go\. \| Image · \d:\d\d/);
		const [, minutes, seconds] = /(\d):(\d\d)/.exec(note!.text)!;
		const reported = 1000 * (60 * Number(minutes) + Number(seconds));
		const atMost = Date.now() - startedAt;
		assert.ok(reported > atLeast - 2000 && reported < atMost + 2000, note!.text);
		await workbench.screenshot('in-the-document-reloaded');
		await workbench.goToLine(7);
		await workbench.page.keyboard.type(' Indeed.');
		service.releaseHeld();
		await workbench.waitForImage();
		await waitForNotes();
		assert.match(
			await saveAndRead('reloaded', '![a'),
			/not saved\.\n\nShips come and go\.\s*!\[a lighthouse\]\(images\/lighthouse.*\)\s*Nobody counts them\. Indeed\./,
		);
	});

	test('counts several, in every editor that shows it, until each is there', async () => {
		await open('several', 3);
		service.faults.add({ hold: true, times: 3 });
		await workbench.generateSeveral('two fishing boats', 2);
		await waitForNotes(/^Ships come and go\. \| 2 images · \d:\d\d/);
		await workbench.goToLine(5);
		await workbench.generate('a crane');
		const both = [
			/^Ships come and go\. \| 2 images · \d:\d\d/,
			/^Nobody counts them\. \| Image · \d:\d\d/,
		];
		await waitForNotes(...both);
		await workbench.page.keyboard.press('ControlOrMeta+\\');
		await waitForNotes(...both, ...both);
		await workbench.screenshot('in-the-document-several');
		// One may be on its way still.
		await service.waitUntil(() => service.requests.filter(({ held }) => held).length === 3);
		service.releaseHeld('a crane');
		await waitForNotes(both[0]!, both[0]!);
		service.releaseHeld();
		await waitForNotes();
	});
});

/** The contrast of two colors: 1 for equal ones, 21 for black and white (WCAG 2.2). */
