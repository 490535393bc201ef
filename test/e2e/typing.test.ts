import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { copySample } from '../host/sample.js';
import { startImageService, type ImageService } from '../service/server.js';
import { waitForNotes } from './notes.js';
import { StudioPage } from './studioPage.js';
import { Workbench } from './workbench.js';

const key = 'e2e-typing-key-60ab';

/** Prose that sends something wherever a key press of it reaches a question of Easel. */
const prose = 'Now we go on with the text.\n\nAnd with the next paragraph of it.\n\n';

/** The user goes on writing, whatever Easel does meanwhile: no key that is typed buys an image. */
suite('Typing', () => {
	let sample: Awaited<ReturnType<typeof copySample>>;
	let service: ImageService;
	let workbench: Workbench;
	let studio: StudioPage;

	suiteSetup(async () => {
		service = await startImageService({ key, latencyMs: 200 });
		sample = await copySample();
		for (const name of ['hover', 'note', 'arrival', 'progress', 'lens', 'fast']) {
			await writeFile(file(name), '# The harbor\n\nShips come and go.\n\nThe end.\n');
		}
		workbench = await Workbench.open({
			folder: sample.folder,
			settings: { 'easel.service.address': service.address, 'files.autoSave': 'off' },
			env: { EASEL_API_KEY: key },
		});
		studio = new StudioPage(workbench);
	});

	suiteTeardown(async () => {
		await workbench?.close();
		await service?.close();
		sample?.remove();
	});

	setup(async () => {
		service.faults.clear();
		service.releaseHeld();
		await workbench.dismissEverything();
		await workbench.runCommand('View: Close All Editors');
	});

	function file(name: string): string {
		return path.join(sample.folder, `${name}.md`);
	}

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

	test('after an edit from a hover goes into the document', async () => {
		await open('hover');
		await workbench.generate('a lantern');
		await workbench.waitForImage('images/lantern.png');
		await workbench.dismissEverything();
		await workbench.goToLine(1);
		const hover = await workbench.hoverOver('images/lantern', 'Edit with Prompt');
		const sent = service.requests.length;
		await hover.getByText('Edit with Prompt').click();
		await workbench.waitForQuickInput('Describe the change');
		await workbench.typeInQuickInput('brighter');
		await workbench.waitForItems(/1\s+image/);
		service.faults.add({ hold: true, times: 1 });
		await workbench.acceptQuickInput();
		await service.waitForRequest(sent + 1, 'held');
		await hover.waitFor({ state: 'hidden' });
		const text = await typeAndSave('hover');
		assert.ok(text.includes(`# The harbor${prose}`), text);
		service.releaseHeld();
		await workbench.waitForImage();
		assert.equal(service.requests.length, sent + 1);
	});

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

	test('after Cancel in the hover of the status bar goes into the document', async () => {
		await open('progress');
		await askAndHold('a buoy');
		const sent = service.requests.length;
		await workbench.cancelImage('a buoy');
		await service.waitForRequest(sent, 'left');
		assert.ok((await typeAndSave('progress')).includes(`Ships come and go.${prose}`));
		assert.equal(service.requests.length, sent);
	});

	test('while an image arrives leaves its alt text as it is', async () => {
		await open('arrival');
		await askAndHold('a lamp on a mast');
		service.releaseHeld();
		await workbench.waitForImage('images/lamp-on-mast.png');
		await workbench.editorText().getByText('lamp-on-mast').waitFor();
		const text = await typeAndSave('arrival');
		assert.ok(text.includes('![a lamp on a mast](images/lamp-on-mast.png)'), text);
		assert.ok(text.includes(prose), text);
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
		void studio;
	});
});
