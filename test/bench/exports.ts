// Costs of what is made of a picture here: exports beside sharp, which is native, and the rest that is
// kept around marks. Each way has a process of its own.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { exportImage } from '../../src/images/exports/exportImage.js';
import { keepRestInThread } from '../../src/images/keepRest/restThread.js';
import type { Mark } from '../../src/images/marks.js';
import type { Size } from '../../src/service/sizes.js';
import { drawPicture } from '../service/picture.js';
import { bundleWorker } from '../unit/images/thumbnails/bundle.js';
import { runApart, Watch } from './apart.js';
import type { Run } from './bench.js';
import { installBeside } from './packages.js';

type Figures = Awaited<ReturnType<Watch['end']>>;
type Task = 'page' | 'icon' | 'rest';

const exports = {
	page: { format: 'webp', width: 1200, quality: 80 },
	icon: { format: 'png', width: 256, height: 256, fit: 'cover', palette: true },
} as const;
const mark: Mark = {
	...{ shape: 'rectangle', note: 'a boat here' },
	...{ x: 0.3, y: 0.4, width: 0.2, height: 0.2 },
};

export async function measure({ rounds, scratch, record }: Run): Promise<void> {
	const draw = (size: Size) => drawPicture({ prompt: 'a harbor at night', size, references: [] });
	await writeFile(path.join(scratch, 'small.png'), await draw('1536x1024'));
	await writeFile(path.join(scratch, 'large.png'), await draw('3840x2160'));
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
		const { ms, memoryMiB } = runApart<Figures>(__filename, [scratch, 'rest']);
		record('rest', ms);
		record('restMemory', memoryMiB);
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
	if (task === 'rest') {
		const file = path.join(scratch, 'large.png');
		const order = { original: file, answer: file, marks: [mark] };
		const { type } = await keepRestInThread(
			{ ...order, file: path.join(scratch, 'kept.png') },
			script,
		);
		if (type !== 'restored') {
			throw new Error(`The rest of a picture in itself is ${type}.`);
		}
	} else {
		await exportImage(path.join(scratch, 'small.png'), exports[task], script);
	}
	return watch.end();
}

if (require.main === module) {
	const [, , scratch = '', task = 'page'] = process.argv;
	void make(scratch, task as Task).then((figures) => process.stdout.write(JSON.stringify(figures)));
}
