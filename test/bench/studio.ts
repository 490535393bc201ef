// What the image studio costs with many images: `npm run bench:studio`.
// In the real workbench, by turns with an empty gallery: from the command until the first images
// are on the screen, and how long frames take while the gallery scrolls.
import { link, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { GalleryImage } from '../../src/jobs/gallery.js';
import { drawPicture } from '../service/picture.js';
import { Workbench } from '../e2e/workbench.js';

const count = 5000;
/** Images with bytes of their own; each takes 1 to 3 MB of the disk. */
const different = 500;
const rounds = 5;

async function main(): Promise<void> {
	const workbench = await Workbench.open();
	try {
		const storage = path.join(workbench.editor.globalStorage, 'easel.easel');
		const folder = path.join(workbench.folder, 'images');
		await mkdir(storage, { recursive: true });
		const lines = await makeImages(folder, workbench.folder);
		const empty: Opening[] = [];
		const full: Opening[] = [];
		for (let round = 0; round <= rounds; round++) {
			await rm(path.join(storage, 'gallery.jsonl'), { force: true });
			const without = await measureOpening(workbench, 'Images that you make in this workspace');
			await writeFile(path.join(storage, 'gallery.jsonl'), lines);
			const withAll = await measureOpening(workbench, 'image number');
			// The first round compiles and fills caches.
			if (round > 0) {
				empty.push(without);
				full.push(withAll);
			}
		}
		const frames = await scroll(workbench);
		const long = frames.filter((ms) => ms > 50).length;
		process.stdout.write(
			[
				`${count.toLocaleString('en')} images in the gallery; median of ${String(rounds)} openings, from Enter in the palette to the first images on the screen`,
				describe('empty gallery', empty),
				describe(`${count.toLocaleString('en')} images`, full),
				`scrolling        ${String(frames.length)} frames, median ${median(frames).toFixed(0)} ms, at worst ${Math.max(...frames).toFixed(0)} ms, over 50 ms: ${String(long)}`,
				'',
			].join('\n'),
		);
	} finally {
		await workbench.close();
	}
}

/**
 * Returns the gallery's file. Of the images that are in sight together each has bytes of its own, so
 * that no thumbnail serves two; far below the same files come again, to spare the disk.
 */
async function makeImages(folder: string, workspace: string): Promise<string> {
	await mkdir(folder, { recursive: true });
	const picture = await drawPicture({ prompt: 'a harbor', size: '1024x1024', references: [] });
	const lines: string[] = [];
	for (let index = 0; index < count; index++) {
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
			workspaceFolder: `file://${workspace}`,
			width: 1024,
			height: 1024,
			bytes: picture.length + 2,
			sha256: index.toString(16).padStart(64, '0'),
		};
		lines.push(`\n${JSON.stringify(line)}`);
	}
	return lines.join('');
}

/** In milliseconds. */
interface Opening {
	/** In a window that is new: the extension host, and everything else, still starts. */
	readonly first: number;
	readonly again: number;
}

async function measureOpening(workbench: Workbench, text: string): Promise<Opening> {
	await workbench.runCommand('View: Close All Editors');
	await workbench.reloadWindow();
	const first = await openingMs(workbench, text);
	await workbench.runCommand('View: Close All Editors');
	return { first, again: await openingMs(workbench, text) };
}

async function openingMs(workbench: Workbench, text: string): Promise<number> {
	await workbench.findCommand('Easel: Open Image Studio');
	const startedAt = performance.now();
	await workbench.acceptQuickInput();
	await workbench.webview().getByText(text).first().waitFor();
	return performance.now() - startedAt;
}

function describe(name: string, openings: readonly Opening[]): string {
	const first = median(openings.map((opening) => opening.first));
	const again = median(openings.map((opening) => opening.again));
	return `${name.padEnd(16)} ${first.toFixed(0).padStart(5)} ms in a new window, ${again.toFixed(0).padStart(5)} ms again`;
}

/** Returns how long each frame took, in milliseconds, while a person would turn the wheel. */
async function scroll(workbench: Workbench): Promise<number[]> {
	return workbench
		.webview()
		.locator('html')
		.evaluate(async (html) => {
			const scroller = html.ownerDocument.scrollingElement ?? html;
			const view = html.ownerDocument.defaultView;
			const frames: number[] = [];
			let before = 0;
			for (let frame = 0; frame <= 300; frame++) {
				const now = await new Promise<number>((resolve) => view?.requestAnimationFrame(resolve));
				if (frame > 0) {
					frames.push(now - before);
				}
				before = now;
				scroller.scrollTop += 120;
			}
			return frames;
		});
}

function median(values: readonly number[]): number {
	return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

void main();
