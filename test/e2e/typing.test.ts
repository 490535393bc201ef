import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { file, service, useHarbor, workbench } from './harbor.js';
import { waitForNotes } from './notes.js';

/** Prose that sends something wherever a key press of it reaches a question of Easel. */
const prose = 'Now we go on with the text.\n\nAnd with the next paragraph of it.\n\n';

/** The user goes on writing, whatever Easel does meanwhile: no key that is typed buys an image. */
suite('Typing', () => {
	useHarbor({
		latencyMs: 200,
		settings: { 'files.autoSave': 'off' },
		prepare: async () => {
			for (const name of ['note', 'fast']) {
				await writeFile(file(`${name}.md`), '# The harbor\n\nShips come and go.\n\nThe end.\n');
			}
		},
	});

	setup(async () => {
		service.faults.clear();
		service.releaseHeld();
		await workbench.dismissEverything();
		await workbench.runCommand('View: Close All Editors');
	});

	/** Opens a document with the cursor at the end of its last line of text. */
	async function open(name: string): Promise<void> {
		await workbench.openFile(`${name}.md`);
		await workbench.goToLine(3);
	}

	async function askAndHold(prompt: string): Promise<void> {
		const sent = service.requests.length;
		service.faults.add({ hold: true, times: 1 });
		await workbench.generate(prompt);
		await service.waitForRequest(sent + 1, 'held');
	}

	/** Types as a writer does who looks at the text; returns what the file has when it is saved. */
	async function typeAndSave(name: string): Promise<string> {
		await workbench.page.keyboard.type(prose);
		await workbench.page.keyboard.press('ControlOrMeta+S');
		return workbench.waitForFileText(`${name}.md`, 'next paragraph');
	}

	test('after Cancel in the hover of a note goes into the document', async () => {
		await open('note');
		await askAndHold('a foghorn');
		const sent = service.requests.length;
		const point = async () => (await waitForNotes(workbench, /foghorn|Image · /))[0]!;
		const hover = await workbench.hoverOver(point, 'Cancel');
		await hover.getByText('Cancel').click();
		await service.waitForRequest(sent, 'left');
		await hover.waitFor({ state: 'hidden' });
		assert.ok((await typeAndSave('note')).includes(`Ships come and go.${prose}`));
		assert.equal(service.requests.length, sent);
	});

	test('right behind a question is not taken for its answer', async () => {
		await open('fast');
		const sent = service.requests.length;
		await workbench.page.evaluate(() => {
			// As fast as a key can follow: the moment that the question can be seen.
			const observer = new MutationObserver(() => {
				const widget = document.querySelector<HTMLElement>('.quick-input-widget');
				if (
					widget?.querySelector('.quick-input-title')?.textContent?.startsWith('Generate Image')
				) {
					observer.disconnect();
					const input = widget.querySelector('input')!;
					for (const type of ['keydown', 'keyup'] as const) {
						input.dispatchEvent(
							new KeyboardEvent(type, {
								key: 'Enter',
								code: 'Enter',
								keyCode: 13,
								bubbles: true,
							}),
						);
					}
				}
			});
			observer.observe(document.body, { subtree: true, childList: true, characterData: true });
		});
		await workbench.page.keyboard.press('Shift+Home');
		await workbench.runCommand('Easel: Generate Image');
		await workbench.waitForQuickInput('Describe the image');
		await workbench.quickInputStands();
		assert.equal(service.requests.length, sent);
		await workbench.typeInQuickInput('a quick brown fox');
		await workbench.acceptStep();
		await service.waitForRequest(sent + 1, 'ended');
		await workbench.waitForImage('images/quick-brown-fox.png');
		assert.equal(service.requests.length, sent + 1);
	});
});
