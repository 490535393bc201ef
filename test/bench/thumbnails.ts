// What it costs to make thumbnails and to have them: `npm run bench`.
// Memory is that of a process that does nothing else, so each part runs in one of its own.
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { sha256Of } from '../../src/images/hash.js';
import { Thumbnails } from '../../src/images/thumbnails/thumbnails.js';
import { drawPicture } from '../service/picture.js';
import { seeded } from '../unit/images/random.js';
import { bundleWorker } from '../unit/images/thumbnails/bundle.js';
import { medianApart, type Figures } from './apart.js';

const images = 100;
const rounds = 5;
const mebibyte = 1024 * 1024;

/** `kept`: they were made before; `hashed`: so they were, but the hashes are not known. */
type Way = 'made' | 'kept' | 'hashed';

async function main(): Promise<void> {
	const [scratch, name, way] = process.argv.slice(2);
	if (scratch !== undefined && name !== undefined) {
		process.stdout.write(JSON.stringify(await measure(scratch, name, way as Way)));
		return;
	}
	const folder = await mkdtemp(path.join(tmpdir(), 'easel-bench-'));
	try {
		await makeImages(folder);
		await bundleWorker(path.join(folder, 'thumbnails.js'));
		process.stdout.write(`Thumbnails, median of ${String(rounds)} runs each\n`);
		const many = `${String(images)} of 1024 × 1024`;
		const runs: readonly (readonly [title: string, name: string, way: Way])[] = [
			[`${many}, made`, 'many', 'made'],
			[`${many}, kept`, 'many', 'kept'],
			['the same, hash not known', 'many', 'hashed'],
			['PNG of 2048 × 2048', '2048.png', 'made'],
			['PNG of 3840 × 2160', '4k.png', 'made'],
			['PNG of 2048 × 2048, noisy', 'noisy.png', 'made'],
			['JPEG of 4000 × 3000', 'photo.jpg', 'made'],
			['WebP of 2048 × 2048', 'photo.webp', 'made'],
		];
		for (const [title, ...args] of runs) {
			const { ms, longestBlockMs, memoryMiB } = medianApart(__filename, [folder, ...args], rounds);
			process.stdout.write(
				`${title.padEnd(26)} ${ms.toFixed(1).padStart(6)} ms each  longest block of the calling thread ${longestBlockMs.toFixed(1).padStart(4)} ms  memory +${memoryMiB.toFixed(0)} MiB\n`,
			);
		}
		const sizes = await sizesIn(path.join(folder, 'kept-many'));
		const bytes = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
		process.stdout.write(`A thumbnail has ${(bytes / 1000).toFixed(1)} kB.\n`);
	} finally {
		await rm(folder, { recursive: true });
	}
}

async function makeImages(folder: string): Promise<void> {
	await mkdir(path.join(folder, 'many'));
	const things = ['fox', 'harbor', 'city', 'forest', 'desk'];
	for (let index = 0; index < images; index++) {
		const prompt = `a ${things[index % things.length]!} in the style of number ${String(index)}`;
		const png = await drawPicture({ prompt, size: '1024x1024', references: [] });
		await writeFile(path.join(folder, 'many', `${String(index)}.png`), png);
	}
	const prompt = 'a harbor at night';
	const draw = (size: string) => drawPicture({ prompt, size, references: [] });
	await writeFile(path.join(folder, '2048.png'), await draw('2048x2048'));
	await writeFile(path.join(folder, '4k.png'), await draw('3840x2160'));
	// Photos have noise, which compresses badly.
	const photo = createCanvas(4000, 3000);
	const context = photo.getContext('2d');
	context.drawImage(await loadImage(await draw('4000x3000')), 0, 0);
	const pixels = context.getImageData(0, 0, 4000, 3000);
	const random = seeded(1);
	for (let at = 0; at < pixels.data.length; at++) {
		pixels.data[at]! += at % 4 === 3 ? 0 : Math.round((random() - 0.5) * 20);
	}
	context.putImageData(pixels, 0, 0);
	await writeFile(path.join(folder, 'photo.jpg'), await photo.encode('jpeg', 88));
	const part = createCanvas(2048, 2048);
	part.getContext('2d').drawImage(photo, 0, 0);
	await writeFile(path.join(folder, 'noisy.png'), await part.encode('png'));
	await writeFile(path.join(folder, 'photo.webp'), await part.encode('webp', 85));
}

/** Milliseconds are those for one image. */
async function measure(scratch: string, name: string, way: Way): Promise<Figures> {
	const source = path.join(scratch, name);
	const paths =
		name === 'many' ? (await readdir(source)).map((file) => path.join(source, file)) : [source];
	const sources = await Promise.all(
		paths.map(async (each) =>
			// The gallery knows the hashes of its images, and nobody knows those of other files.
			way === 'hashed' ? { path: each } : { path: each, sha256: await sha256Of(each) },
		),
	);
	const folder = path.join(scratch, `kept-${name}`);
	if (way === 'made') {
		await rm(folder, { recursive: true, force: true });
	}
	const thumbnails = new Thumbnails({ folder, script: path.join(scratch, 'thumbnails.js') });
	try {
		const before = process.memoryUsage.rss();
		let peak = before;
		const watching = setInterval(() => {
			peak = Math.max(peak, process.memoryUsage.rss());
		}, 2);
		const delays = monitorEventLoopDelay({ resolution: 1 });
		delays.enable();
		const startedAt = performance.now();
		await Promise.all(sources.map((each) => thumbnails.get(each)));
		const ms = (performance.now() - startedAt) / sources.length;
		await new Promise(setImmediate);
		delays.disable();
		clearInterval(watching);
		peak = Math.max(peak, process.memoryUsage.rss());
		return {
			ms,
			longestBlockMs: delays.max / 1e6,
			memoryMiB: (peak - before) / mebibyte,
		};
	} finally {
		await thumbnails.dispose();
	}
}

async function sizesIn(folder: string): Promise<number[]> {
	const files = await readdir(folder);
	return Promise.all(files.map(async (file) => (await stat(path.join(folder, file))).size));
}

void main();
