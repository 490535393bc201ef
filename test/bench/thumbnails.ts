// What it costs to make a thumbnail: ours beside WebAssembly that decodes a whole picture at once, and
// beside sharp, a native module. Each way has a process of its own and makes the same few.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { Thumbnails } from '../../src/images/thumbnails/thumbnails.js';
import { drawPicture } from '../service/picture.js';
import { seeded } from '../unit/images/random.js';
import { bundleWorker } from '../unit/images/thumbnails/bundle.js';
import { runApart, Watch } from './apart.js';
import type { Run } from './bench.js';
import { installBeside } from './packages.js';

/** Images of each kind; so many make up for what is loaded with the first. */
const copies = 4;

type Figures = Awaited<ReturnType<Watch['end']>>;

export async function measure({ rounds, scratch, record }: Run): Promise<void> {
	await makeImages(scratch);
	await bundleWorker(path.join(scratch, 'thumbnails.js'));
	const packages = await installBeside(scratch, [
		'sharp@0.35.5',
		'@jsquash/png@3.1.1',
		'@jsquash/resize@2.1.1',
	]);
	const wasm = packages && (await writeScript(packages, 'wasm', inWasm));
	const sharp = packages && (await writeScript(packages, 'sharp', withSharp));
	for (let round = 0; round < rounds; round++) {
		for (const name of ['2048', '4k', 'noisy', 'jpeg', 'webp']) {
			const folder = path.join(scratch, name);
			await rm(path.join(scratch, 'reused'), { recursive: true, force: true });
			const ours = runApart<Figures>(__filename, [scratch, name]);
			const beside = (script: string | undefined) =>
				script === undefined ? undefined : runApart<Figures>(script, [folder]);
			const marks = {
				Wasm: name === 'jpeg' || name === 'webp' ? undefined : beside(wasm),
				Sharp: beside(sharp),
			};
			for (const [mark, figures] of Object.entries(marks)) {
				if (mark === 'Sharp' || figures !== undefined) {
					record(`${name}${mark}`, ours.ms / copies, figures && figures.ms / copies);
				}
			}
			if (name === '4k') {
				record('memory', ours.memoryMiB, marks.Wasm?.memoryMiB);
				record('block', ours.maxBlockMs);
				record(
					'reused',
					runApart<Figures>(__filename, [scratch, name]).ms / copies,
					ours.ms / copies,
				);
			}
		}
	}
}

async function writeScript(folder: string, name: string, text: string): Promise<string> {
	const script = path.join(folder, `${name}.mjs`);
	await writeFile(script, text);
	return script;
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

const withSharp = `
import path from 'node:path';
import sharp from 'sharp';
const require = createRequire(${JSON.stringify(__filename)});
const { Watch } = require(${JSON.stringify(path.join(__dirname, 'apart.ts'))});
const folder = process.argv[2];
const watch = new Watch();
for (const name of readdirSync(folder)) {
	await sharp(path.join(folder, name)).rotate().resize(256, 256, { fit: 'inside' }).webp({ quality: 80, effort: 2 }).toBuffer();
}
process.stdout.write(JSON.stringify(await watch.end()));
`;

async function makeImages(scratch: string): Promise<void> {
	const draw = (size: string) => drawPicture({ prompt: 'a harbor at night', size, references: [] });
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
	const part = createCanvas(2048, 2048);
	part.getContext('2d').drawImage(photo, 0, 0);
	const images = {
		2048: await draw('2048x2048'),
		'4k': await draw('3840x2160'),
		noisy: await part.encode('png'),
		jpeg: await photo.encode('jpeg', 88),
		webp: await part.encode('webp', 85),
	};
	for (const [name, bytes] of Object.entries(images)) {
		await mkdir(path.join(scratch, name));
		for (let copy = 0; copy < copies; copy++) {
			await writeFile(path.join(scratch, name, String(copy)), bytes);
		}
	}
}

async function make(scratch: string, name: string): Promise<Figures> {
	const folder = path.join(scratch, name);
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
	const [scratch = '', name = ''] = process.argv.slice(2);
	void make(scratch, name).then((figures) => process.stdout.write(JSON.stringify(figures)));
}
