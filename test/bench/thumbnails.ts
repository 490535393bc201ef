// Costs of a thumbnail: ours beside WebAssembly that decodes a whole picture at once. Each way has a
// process of its own and makes the same few.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Thumbnails } from '../../src/images/thumbnails/thumbnails.js';
import { drawPicture } from '../service/picture.js';
import { bundleWorker } from '../unit/images/thumbnails/bundle.js';
import { runApart, Watch } from './apart.js';
import type { Run } from './bench.js';
import { installBeside } from './packages.js';

/** Images that are made in one run; so many make up for what is loaded with the first. */
const copies = 4;

type Figures = Awaited<ReturnType<Watch['end']>>;

export async function measure({ rounds, scratch, record }: Run): Promise<void> {
	const images = path.join(scratch, 'images');
	await mkdir(images);
	const picture = await drawPicture({
		...{ prompt: 'a harbor at night', size: '2048x2048', references: [] },
	});
	for (let copy = 0; copy < copies; copy++) {
		await writeFile(path.join(images, String(copy)), picture);
	}
	await bundleWorker(path.join(scratch, 'thumbnails.js'));
	const packages = await installBeside(scratch, ['@jsquash/png@3.1.1', '@jsquash/resize@2.1.1']);
	const wasm = path.join(packages, 'wasm.mjs');
	await writeFile(wasm, inWasm);
	for (let round = 0; round < rounds; round++) {
		await rm(path.join(scratch, 'reused'), { recursive: true, force: true });
		const ours = runApart<Figures>(__filename, [scratch]);
		const beside = runApart<Figures>(wasm, [images]);
		record('2048Wasm', ours.ms / copies, beside.ms / copies);
		record('memory', ours.memoryMiB, beside.memoryMiB);
	}
}

const inWasm = `
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import decode, { init as initPng } from '@jsquash/png/decode.js';
import resize, { initResize } from '@jsquash/resize';
const require = createRequire(${JSON.stringify(__filename)});
const { Watch } = require(${JSON.stringify(path.join(__dirname, 'apart.ts'))});
const { default: encode, init: initEncode } = await import(pathToFileURL(require.resolve('@jsquash/webp/encode.js')));
const wasm = (file) => WebAssembly.compile(readFileSync(file));
globalThis.ImageData = class { constructor(data, width, height) { Object.assign(this, { data, width, height }); } };
const folder = process.argv[2];
const watch = new Watch();
const here = path.join(import.meta.dirname, 'node_modules/@jsquash');
await initPng(await wasm(path.join(here, 'png/codec/pkg/squoosh_png_bg.wasm')));
await initResize(await wasm(path.join(here, 'resize/lib/resize/pkg/squoosh_resize_bg.wasm')));
await initEncode(await wasm(require.resolve('@jsquash/webp/codec/enc/webp_enc.wasm')));
for (const name of readdirSync(folder)) {
	const bytes = readFileSync(path.join(folder, name));
	const image = await decode(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
	const scale = 256 / Math.max(image.width, image.height);
	const small = await resize(image, { width: Math.round(image.width * scale), height: Math.round(image.height * scale), method: 'triangle' });
	await encode(small, { quality: 80, method: 2 });
	watch.look();
}
process.stdout.write(JSON.stringify(await watch.end()));
`;

async function make(scratch: string): Promise<Figures> {
	const folder = path.join(scratch, 'images');
	const files = (await readdir(folder)).map((file) => path.join(folder, file));
	const thumbnails = new Thumbnails({
		folder: path.join(scratch, 'reused'),
		script: path.join(scratch, 'thumbnails.js'),
	});
	try {
		const watch = new Watch();
		for (const file of files) {
			await readFile((await thumbnails.get({ path: file })).file);
		}
		return await watch.end();
	} finally {
		await thumbnails.dispose();
	}
}

if (require.main === module) {
	const [, , scratch = ''] = process.argv;
	void make(scratch).then((figures) => process.stdout.write(JSON.stringify(figures)));
}
