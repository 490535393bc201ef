// Costs of exports beside sharp, which is native. Each way has a process of its own.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { exportImage } from '../../src/images/exports/exportImage.js';
import { drawPicture } from '../service/picture.js';
import { bundleWorker } from '../unit/images/thumbnails/bundle.js';
import { runApart, Watch } from './apart.js';
import type { Run } from './bench.js';
import { installBeside } from './packages.js';

type Figures = Awaited<ReturnType<Watch['end']>>;

const exports = {
	page: { format: 'webp', width: 1200, quality: 80 },
	icon: { format: 'png', width: 256, height: 256, fit: 'cover', palette: true },
} as const;

type Task = keyof typeof exports;

export async function measure({ rounds, scratch, record }: Run): Promise<void> {
	const order = { prompt: 'a harbor at night', size: '1536x1024', references: [] } as const;
	await writeFile(path.join(scratch, 'small.png'), await drawPicture(order));
	await bundleWorker(path.join(scratch, 'thumbnails.js'));
	const packages = await installBeside(scratch, ['sharp@0.35.5']);
	const sharp = path.join(packages, 'sharp.mjs');
	await writeFile(sharp, inSharp);
	for (let round = 0; round < rounds; round++) {
		for (const task of ['page', 'icon'] as const) {
			const ours = runApart<Figures>(__filename, [scratch, task]);
			const beside = runApart<Figures>(sharp, [path.join(scratch, 'small.png'), task]);
			record(task, ours.ms, beside.ms);
			record(`${task}Memory`, ours.memoryMiB, beside.memoryMiB);
		}
	}
}

const inSharp = `
import { createRequire } from 'node:module';
import sharp from 'sharp';
const require = createRequire(${JSON.stringify(__filename)});
const { Watch } = require(${JSON.stringify(path.join(__dirname, 'apart.ts'))});
const [, , file, task] = process.argv;
const watch = new Watch();
await (task === 'page'
	? sharp(file).resize({ width: 1200 }).webp({ quality: 80 })
	: sharp(file).resize({ width: 256, height: 256, fit: 'cover' }).png({ palette: true })
).toBuffer();
process.stdout.write(JSON.stringify(await watch.end()));
`;

async function make(scratch: string, task: Task): Promise<Figures> {
	const script = path.join(scratch, 'thumbnails.js');
	const watch = new Watch();
	await exportImage(path.join(scratch, 'small.png'), exports[task], script);
	return watch.end();
}

if (require.main === module) {
	const [, , scratch = '', task = 'page'] = process.argv;
	void make(scratch, task as Task).then((figures) => process.stdout.write(JSON.stringify(figures)));
}
