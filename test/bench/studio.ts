// What the image studio costs with many images, in the real workbench, by turns with an empty gallery:
// from the command until the first images are on the screen, how many frames take long while the
// gallery scrolls and while a mark is drawn on an image, and the memory of the window.
import assert from 'node:assert/strict';
import { link, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { GalleryImage } from '../../src/jobs/gallery.js';
import { drawPicture } from '../service/picture.js';
import { Workbench } from '../e2e/workbench.js';
import type { Run } from './bench.js';
import { packaged } from './packaged.js';

const counts = [10, 500, 5_000];
/** Images with bytes of their own; each takes 1 to 3 MB of the disk. */
const different = 500;
/** A frame that takes longer is seen, in milliseconds. */
const longFrame = 50;

export async function measure({ rounds, record }: Run): Promise<void> {
	const workbench = await Workbench.open({ vsix: await packaged() });
	try {
		const storage = path.join(workbench.editor.globalStorage, 'easel.easel');
		const gallery = path.join(storage, 'gallery.jsonl');
		await mkdir(storage, { recursive: true });
		const folder = path.join(workbench.folder, 'images');
		const lines = await makeImages(folder, workbench.folder);
		// The first round compiles and fills caches.
		for (let round = 0; round <= rounds; round++) {
			await rm(gallery, { force: true });
			const empty = await open(workbench, 'Images that you make in this workspace');
			for (const count of counts) {
				await writeFile(gallery, lines.slice(-count).join(''));
				const full = await open(workbench, 'image number');
				const frames = await scroll(workbench);
				const marking = await drawMark(workbench);
				if (round > 0) {
					record(`new${String(count)}`, full.first, empty.first);
					record(`again${String(count)}`, full.again, empty.again);
					record(`frames${String(count)}`, frames.filter((ms) => ms > longFrame).length);
					record(`marking${String(count)}`, marking);
					record(`memory${String(count)}`, await memoryMiB(workbench), empty.memoryMiB);
				}
			}
		}
	} finally {
		await workbench.close();
	}
}

/**
 * Returns the lines of the gallery's file. Of the images that are in sight together each has bytes of its own, so
 * that no thumbnail serves two; far below the same files come again, to spare the disk.
 */
async function makeImages(folder: string, workspace: string): Promise<string[]> {
	await mkdir(folder, { recursive: true });
	const picture = await drawPicture({ prompt: 'a harbor', size: '1024x1024', references: [] });
	const lines: string[] = [];
	for (let index = 0; index < Math.max(...counts); index++) {
		const file = path.join(folder, `image-${String(index)}.png`);
		const same = index % different;
		if (index === same) {
			await writeFile(file, Buffer.concat([picture, Buffer.from([same % 256, same >> 8])]));
		} else {
			await link(path.join(folder, `image-${String(same)}.png`), file);
		}
		const line: GalleryImage = {
			id: crypto.randomUUID(),
			savedAt: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
			target: `file://${file}`,
			operation: 'generate',
			prompt: `image number ${String(index)}, flat illustration of a harbor with a lighthouse`,
			size: '1024x1024',
			references: [],
			referenceHashes: [],
			workspaceFolder: `file://${workspace}`,
			width: 1024,
			height: 1024,
			bytes: picture.length + 2,
			sha256: index.toString(16).padStart(64, '0'),
		};
		lines.push(`\n${JSON.stringify(line)}`);
	}
	return lines;
}

interface Opening {
	/** In a window that is new: the extension host, and everything else, still starts; in ms. */
	readonly first: number;
	/** In milliseconds. */
	readonly again: number;
	readonly memoryMiB: number;
}

async function open(workbench: Workbench, text: string): Promise<Opening> {
	await workbench.runCommand('View: Close All Editors');
	await workbench.reloadWindow();
	const first = await openingMs(workbench, text);
	await workbench.runCommand('View: Close All Editors');
	const again = await openingMs(workbench, text);
	return { first, again, memoryMiB: await memoryMiB(workbench) };
}

async function openingMs(workbench: Workbench, text: string): Promise<number> {
	await workbench.findCommand('Easel: Open Image Studio');
	const startedAt = performance.now();
	await workbench.acceptQuickInput();
	const shown = workbench.webview().getByText(text).first();
	// Waiting for it would look again after 20, 50, 100 and 500 ms.
	while (!(await shown.isVisible())) {
		assert.ok(performance.now() - startedAt < 60_000, text);
	}
	return performance.now() - startedAt;
}

/** Returns the memory that scripts of the window and its pages hold after garbage collection. */
async function memoryMiB({ page }: Workbench): Promise<number> {
	const inspector = await page.context().newCDPSession(page);
	await inspector.send('HeapProfiler.collectGarbage');
	const { usedSize } = await inspector.send('Runtime.getHeapUsage');
	await inspector.detach();
	return usedSize / 2 ** 20;
}

/**
 * Returns how much processor time the window takes for a move of the pointer while a long freehand mark
 * is drawn: of the worst ten, in milliseconds. What else the machine does has no part in it.
 */
async function drawMark(workbench: Workbench): Promise<number> {
	const page = workbench.webview();
	await page.locator('.tile.image:visible').nth(3).dblclick();
	const picture = page.locator('easel-image-detail .stage img:not(.thumbnail, .loading)');
	await picture.waitFor();
	await page.getByRole('button', { name: 'Mark', exact: true }).click();
	// The radio button itself is drawn as its label.
	await page.getByRole('radio', { name: 'Freehand' }).check({ force: true });
	const { x, y, width, height } = (await picture.boundingBox())!;
	const { mouse } = workbench.page;
	const moveTo = (turn: number) =>
		mouse.move(
			x + width * (0.5 + 0.4 * Math.cos(turn)),
			y + height * (0.5 + 0.4 * Math.sin(turn * 0.9)),
		);
	const inspector = await workbench.page.context().newCDPSession(workbench.page);
	await inspector.send('Performance.enable', { timeDomain: 'threadTicks' });
	const usedMs = async () => {
		const { metrics } = await inspector.send('Performance.getMetrics');
		return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN);
	};
	await moveTo(0);
	await mouse.down();
	let worst = 0;
	for (let ten = 0; ten < 60; ten++) {
		const before = await usedMs();
		for (let step = 1; step <= 10; step++) {
			await moveTo((10 * ten + step) / 20);
		}
		worst = Math.max(worst, ((await usedMs()) - before) / 10);
	}
	await mouse.up();
	await page.getByRole('button', { name: 'Delete Mark 1' }).click();
	await inspector.detach();
	return worst;
}

/** Returns how long each frame took, in milliseconds, while the wheel turns as by hand. */
async function scroll(workbench: Workbench): Promise<number[]> {
	return workbench
		.webview()
		.locator('easel-round-list')
		.evaluate(async (list) => {
			const view = list.ownerDocument.defaultView;
			const frames: number[] = [];
			let before = 0;
			for (let frame = 0; frame <= 300; frame++) {
				const now = await new Promise<number>((resolve) => view?.requestAnimationFrame(resolve));
				if (frame > 0) {
					frames.push(now - before);
				}
				before = now;
				list.scrollTop += 120;
			}
			return frames;
		});
}
