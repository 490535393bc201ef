import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { animatedWebp, type Frame } from '../e2e/animation';
import { waitForNotes } from '../e2e/notes';
import { StudioPage } from '../e2e/studioPage';
import { Workbench } from '../e2e/workbench';
import { drawPicture } from '../service/picture';
import { startImageService, type ImageService } from '../service/server';
import { repository } from './cache';
import { copySample } from './sample';
import { until } from './until';

const apiKey = 'test-key';
/** Percent: letters stay sharp. */
const quality = 60;
const movingQuality = 40;
const size = { width: 880, height: 560 };

/** Takes every picture of the guide, in the light theme, and writes them to `docs/pictures/`. */
export async function takeGuidePictures(): Promise<void> {
	// Small ones have no grain, which no picture of a picture needs.
	const service = await startImageService({ key: apiKey, pictures: 'small' });
	const sample = await copySample();
	let workbench: Workbench | undefined;
	try {
		await writeSamples(sample.folder);
		workbench = await Workbench.open({
			folder: sample.folder,
			settings: {
				'easel.service.address': service.address,
				'easel.service.retry': 'never',
				'editor.minimap.enabled': false,
				'breadcrumbs.enabled': false,
				'workbench.activityBar.location': 'hidden',
				'workbench.editor.editorActionsLocation': 'hidden',
				'editor.wordWrap': 'on',
			},
			env: { EASEL_API_KEY: apiKey },
		});
		await workbench.page.setViewportSize(size);
		await new Pictures(workbench, service).takeAll();
	} finally {
		await workbench?.close();
		await service.close();
		sample.remove();
	}
}

/** A page with room for a picture, and a folder of images for the contact sheet. */
async function writeSamples(folder: string): Promise<void> {
	await writeFile(
		join(folder, 'docs/quay.md'),
		'# The quay\n\nTwelve berths, open all year.\n\n\n\n## Tides\n\n',
	);
	await mkdir(join(folder, 'art'));
	const scenes = ['sea', 'forest', 'city', 'hills', 'boat', 'pine', 'tower', 'coast'];
	for (const scene of scenes) {
		const order = { prompt: `${scene} of the harbor`, size: '1024x1024', references: [] };
		const picture = await drawPicture({ ...order, quality: undefined, small: true });
		await writeFile(join(folder, 'art', `${scene}.png`), picture);
	}
}

class Pictures {
	readonly #studio: StudioPage;

	constructor(
		private readonly workbench: Workbench,
		private readonly service: ImageService,
	) {
		this.#studio = new StudioPage(workbench);
	}

	async takeAll(): Promise<void> {
		await mkdir(folder, { recursive: true });
		const scenes = {
			generate: () => this.#generate(),
			promptEditor: () => this.#promptEditor(),
			edit: () => this.#edit(),
			export: () => this.#export(),
			howMade: () => this.#howMade(),
			missing: () => this.#missing(),
			studio: () => this.#studioAndFailure(),
			contactSheet: () => this.#contactSheet(),
		};
		const failed: string[] = [];
		for (const [name, take] of Object.entries(scenes)) {
			try {
				await take();
			} catch (error) {
				const shot = await this.workbench.screenshot(`guide-${name}`);
				failed.push(`${name}: ${String(error)}\n${shot}`);
			}
			this.service.releaseHeld();
			await this.#clean();
			await this.workbench.runCommand('View: Close All Editors');
		}
		if (failed.length > 0) {
			throw new Error(failed.join('\n'));
		}
	}

	/** From a prompt at the cursor to the picture in the preview, while the author writes on. */
	async #generate(): Promise<void> {
		const { workbench } = this;
		const { keyboard } = workbench.page;
		const frames: Frame[] = [];
		const frame = async (durationMs: number) => {
			frames.push({ png: await this.#shot(), durationMs });
		};
		/** Types a text in pieces of some letters, and takes a picture after each. */
		const typed = async (text: string, type: (piece: string) => Promise<void>) => {
			for (const piece of text.match(/.{1,7}/g) ?? []) {
				await type(piece);
				await frame(180);
			}
		};

		await this.#open('docs/quay.md');
		await workbench.runCommand('Markdown: Open Preview to the Side');
		await workbench.webview().getByText('Tides').waitFor();
		await workbench.runCommand('View: Focus First Editor Group');
		await workbench.goToLine(5);
		await frame(1200);
		await workbench.runCommand('Easel: Generate Image');
		await workbench.waitForQuickInput('Describe the image');
		await frame(500);
		await typed('a small harbor by the sea at dawn, flat illustration', (piece) =>
			keyboard.insertText(piece),
		);
		await frame(1500);
		this.service.faults.add({ hold: true, times: 1 });
		await workbench.acceptQuickInput();
		await this.service.waitUntil(() => this.service.requests.at(-1)?.held === true);
		await waitForNotes(workbench, /Image/);
		await this.#clean();
		await frame(900);
		await workbench.goToLine(9);
		await typed('The gate opens two hours before high water.', (piece) =>
			keyboard.insertText(piece),
		);
		await frame(700);
		this.service.releaseHeld();
		const preview = workbench.webview().locator('img[src*="small-harbor"]');
		await preview.evaluate((shown: HTMLImageElement) => shown.decode());
		await this.#clean();
		await frame(4000);
		const file = await animatedWebp(frames, movingQuality);
		await writeFile(join(folder, 'generate.webp'), file);
		await keyboard.press('ControlOrMeta+S');
	}

	async #promptEditor(): Promise<void> {
		const { workbench } = this;
		await this.#open('docs/architecture.md');
		await workbench.goToLine(3);
		await workbench.writePrompt();
		await workbench.waitForText('Image Prompt');
		await workbench.page.keyboard.insertText(
			[
				'A cutaway view of a small harbor at dusk, seen from a boat that comes in.',
				'',
				'- To the left a white lighthouse, to the right a pier with a sensor in a metal box.',
				'- Lettering: "Low tide 04:12" on the board at the pier.',
				'- Colors: #1f2430, #e8b04a, #7fb4c9',
			].join('\n'),
		);
		await workbench.codeLens('References: none').waitFor();
		await this.#take('prompt-editor', { height: 200 });
		await workbench.page.keyboard.press('ControlOrMeta+W');
	}

	async #edit(): Promise<void> {
		const { workbench } = this;
		const [name = ''] = (await readdir(join(workbench.folder, 'images'))).filter((each) =>
			each.startsWith('small'),
		);
		await this.#open(`images/${name}`);
		await workbench.webview().locator('body.ready img').waitFor();
		await workbench.runCommand('Easel: Edit with Prompt');
		await workbench.waitForQuickInput('Edit with Prompt');
		await workbench.typeInQuickInput('the same sea at night, in moonlight');
		await workbench.waitForItems(/Edit · [^]*→/);
		await workbench.acceptQuickInput();
		await workbench.clickNotificationButton('Compare');
		const slider = workbench.webview().getByRole('slider', { name: 'Slider between' });
		await slider.waitFor();
		for (const index of [0, 1]) {
			const shown = workbench.webview().locator('img').nth(index);
			await shown.evaluate((picture: HTMLImageElement) => picture.decode());
		}
		await this.#clean();
		await this.#take('compare');
		// An open draft would be named in each picture that follows.
		await workbench.webview().getByRole('button', { name: 'Keep Both' }).click();
	}

	async #export(): Promise<void> {
		const { workbench } = this;
		await this.#open('art/sea.png');
		await workbench.webview().locator('body.ready img').waitFor();
		await workbench.runCommand('Easel: Export…');
		await workbench.page.mouse.move(0, 0);
		await workbench.waitForItems(/Small PNG[^]*\d kB/);
		await workbench.page.locator('.workbench-hover').first().waitFor({ state: 'hidden' });
		await this.#take('export', { height: 230 });
	}

	async #howMade(): Promise<void> {
		const { workbench } = this;
		const edited = (await readdir(join(workbench.folder, 'images'))).find((each) =>
			each.includes('night'),
		);
		await this.#open(`images/${edited ?? ''}`);
		await workbench.webview().locator('body.ready img').waitFor();
		await workbench.runCommand('Easel: How Was This Image Made?');
		await workbench.waitForItems(/std-image-2/);
		await this.#take('how-made', { height: 320 });
	}

	async #missing(): Promise<void> {
		const { workbench } = this;
		await this.#open('docs/architecture.md');
		await workbench.runCommand('Easel: Generate Missing Images');
		await workbench.waitForQuickInput('Missing Images');
		await workbench.waitForItems(/tide/);
		await this.#take('missing', { height: 180 });
	}

	async #studioAndFailure(): Promise<void> {
		const { workbench } = this;
		const studio = this.#studio;
		await workbench.page.setViewportSize({ width: 1100, height: 860 });
		await studio.open();
		await studio.setCount(4);
		await studio.compose('a poster of the city at night, calm and blue', 4);
		await studio.waitForImages('3a', '3b', '3c', '3d');
		await studio.image('3b').hover();
		await studio.image('3b').getByRole('button', { name: 'Edit 3b' }).click();
		await studio.edited().waitFor();
		await studio.compose('the same city, in green');
		await studio.waitForImages('4a');
		await this.#thumbnails();
		await this.#take('studio');

		this.service.faults.add({ status: 504, message: 'The upstream timed out.', times: 1 });
		await studio.compose('a lighthouse at dusk');
		const failure = studio.root.locator('.tile').filter({ hasText: 'upstream' }).first();
		await failure.waitFor();
		await this.#thumbnails();
		await this.#take('failure', { height: 480 });
		await failure.click();
		await studio.button('Dismiss').click();
	}

	async #contactSheet(): Promise<void> {
		const { workbench } = this;
		await workbench.page.setViewportSize(size);
		await workbench.runCommand('View: Show Explorer');
		await workbench.contextMenu(workbench.explorerRow('art'), 'Show Contact Sheet…');
		const open = this.#studio.root.locator('.tile .picture:not(:has(img, .none))');
		await this.#studio.root.locator('.tile img').nth(7).waitFor();
		await workbench.runCommand('View: Close Primary Side Bar');
		await until(async () => (await open.count()) === 0, 'the pictures');
		await this.#take('contact-sheet');
	}

	async #thumbnails(): Promise<void> {
		const missing = this.#studio.root
			.locator('.tile.image')
			.filter({ hasNot: this.workbench.page.locator('img') });
		await until(async () => (await missing.count()) === 0, 'the thumbnails');
		await this.workbench.page.mouse.move(0, 0);
	}

	/** Opens a file by way of the explorer, which is not in the pictures. */
	async #open(file: string): Promise<void> {
		await this.workbench.runCommand('View: Show Explorer');
		await this.workbench.openFile(file);
		await this.workbench.runCommand('View: Close Primary Side Bar');
		// A hover over the quick input would cover its buttons.
		await this.workbench.page.mouse.move(0, 0);
	}

	/** Removes what is in the way of a picture. */
	async #clean(): Promise<void> {
		const { page } = this.workbench;
		const toasts = page.locator('.notification-toast');
		await until(async () => {
			// One with progress cannot be cleared, but hides.
			await page.keyboard.press('Escape');
			return !(await toasts.first().isVisible());
		}, 'the notifications to hide');
		await page.mouse.move(0, 0);
	}

	#shot(): Promise<Buffer> {
		return this.workbench.page.screenshot();
	}

	/** @param of how much of the window's height is shown, in pixels; all of it without */
	async #take(name: string, of: { readonly height?: number } = {}): Promise<void> {
		const shot = await loadImage(await this.#shot());
		const canvas = createCanvas(shot.width, of.height ?? shot.height);
		canvas.getContext('2d').drawImage(shot, 0, 0);
		await writeFile(join(folder, `${name}.webp`), await canvas.encode('webp', quality));
	}
}

const folder = join(repository, 'docs/pictures');
