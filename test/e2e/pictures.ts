import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import type { Page } from 'playwright-core';
import { until } from '../host/until.js';
import { resultsFolder, type Workbench } from './workbench.js';

/** Folder of the pictures of the walkthrough; `npm run pictures` takes them from there. */
export const picturesFolder = join(resultsFolder, 'walkthrough');

/** Quality of WebP, from 0 to 100. Letters stay sharp, and all pictures together take some 125 kB. */
const quality = 37;

/** The walkthrough shows that many pixels of a picture as one of CSS. */
const density = 1.25;

interface Part {
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly height: number;
}

export interface PictureOptions {
	/** CSS selector of the part of the window that the picture shows. */
	readonly of: string;
	/** The size that the window has meanwhile, in CSS pixels; it stays as it is without it. */
	readonly window?: { readonly width: number; readonly height: number };
}

/**
 * Takes a picture for the walkthrough. What is shown as it is gets the pixels that the walkthrough
 * expects; a whole window is shown smaller than it is.
 */
export async function takePicture(
	workbench: Workbench,
	name: string,
	{ of, window }: PictureOptions,
): Promise<void> {
	const { page } = workbench;
	const usual = page.viewportSize();
	const session = await page.context().newCDPSession(page);
	try {
		// What the pointer is on would speak up in the picture.
		await page.mouse.move(0, 0);
		await page.locator('.monaco-hover:visible').first().waitFor({ state: 'hidden' });
		if (window !== undefined) {
			await page.setViewportSize(window);
			await pageFits(workbench, window.width);
		}
		const clip = { ...(await partOf(page, of)), scale: window === undefined ? density : 1 };
		// Playwright's own takes no scale.
		const { data } = await session.send('Page.captureScreenshot', { format: 'png', clip });
		const shot = await loadImage(Buffer.from(data, 'base64'));
		const canvas = createCanvas(shot.width, shot.height);
		canvas.getContext('2d').drawImage(shot, 0, 0);
		await mkdir(picturesFolder, { recursive: true });
		await writeFile(join(picturesFolder, `${name}.webp`), await canvas.encode('webp', quality));
	} finally {
		await session.detach();
		if (window !== undefined && usual !== null) {
			await page.setViewportSize(usual);
		}
	}
}

/** Waits until the page in front knows of the size of the window, too: it learns that last. */
async function pageFits(workbench: Workbench, width: number): Promise<void> {
	const html = workbench.webview().locator('html');
	await until(
		() => html.evaluate((page, most) => page.clientWidth < most, width),
		'the page to fit into the window',
	);
}

/** The place of an element once the workbench has laid itself out, which takes it some frames. */
async function partOf(page: Page, selector: string): Promise<Part> {
	const element = page.locator(selector);
	for (let before: string | undefined; ;) {
		const box = await element.boundingBox();
		const now = JSON.stringify(box);
		if (box !== null && now === before) {
			return box;
		}
		before = now;
		await page.evaluate(
			() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
		);
	}
}
