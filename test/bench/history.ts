// What it costs to find out how 10,000 images of a folder were made: the first time, and when an index
// remembers it. Each time with a worker that has just started, as where a window opens.
import { mkdirSync, openSync, closeSync, ftruncateSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import esbuild from 'esbuild';
import { DocumentReader } from '../../src/documents/reading/reader.js';
import { search } from '../../src/documents/reading/search.js';
import { recipeChunks } from '../../src/recipes/ours.js';
import { RecipeReader } from '../../src/recipes/reading/recipeReader.js';
import type { Recipe } from '../../src/recipes/recipe.js';
import { pngChunk } from '../unit/images/thumbnails/pictures.js';
import { roundOf } from '../unit/jobs/support.js';
import { Watch } from './apart.js';
import type { Run } from './bench.js';

const images = 10_000;
/** Every fourth file belongs to another program, in pieces of 8 kB. */
const ours = (images * 3) / 4;

export async function measure({ rounds, scratch, record }: Run): Promise<void> {
	const [documents, recipes] = await Promise.all(
		['documents', 'recipes'].map((room) => bundleWorker(room, scratch)),
	);
	const folder = path.join(scratch, 'images');
	for (let index = 0; index < images; index++) {
		writeImage(folder, index);
	}
	const index = path.join(scratch, 'recipes.jsonl');
	// The first round fills the cache of the file system.
	for (let round = 0; round <= rounds; round++) {
		rmSync(index, { force: true });
		const first = await find(folder, documents!, recipes!, index);
		const again = await find(folder, documents!, recipes!, index);
		if (round > 0) {
			record('first', first.ms);
			record('firstBlock', first.maxBlockMs);
			record('again', again.ms, first.ms);
			record('againBlock', again.maxBlockMs);
		}
	}
}

async function bundleWorker(room: string, scratch: string): Promise<string> {
	const outfile = path.join(scratch, `${room}.js`);
	await esbuild.build({
		entryPoints: [path.resolve(__dirname, `../../src/${room}/reading/worker.ts`)],
		bundle: true,
		minify: true,
		platform: 'node',
		outfile,
		logLevel: 'warning',
	});
	return outfile;
}

async function find(folder: string, documents: string, script: string, index: string) {
	const watch = new Watch();
	const documentReader = new DocumentReader(documents);
	const root = { path: folder, workspaceFolder: folder, exclude: {} };
	const files: string[] = [];
	const extensions = ['png', 'jpg', 'jpeg', 'webp'];
	for await (const step of search([root], (order) =>
		documentReader.read('find', { ...order, extensions, respectGitignore: false }),
	)) {
		files.push(...step.files);
	}
	await documentReader.dispose();
	const reader = new RecipeReader({ script, index });
	let found = 0;
	for await (const some of reader.read(files)) {
		found += some.length;
	}
	await reader.dispose();
	const figures = await watch.end();
	if (files.length !== images || found !== ours) {
		throw new Error(`${String(found)} of ${String(files.length)} images have a recipe.`);
	}
	return figures;
}

/** A PNG of 2 MB whose picture is a hole in the file: sound for readers that do not decode it. */
function writeImage(folder: string, index: number): void {
	const place = path.join(folder, `part-${String(index % 100)}`);
	mkdirSync(place, { recursive: true });
	const header = Buffer.alloc(13);
	header.writeUInt32BE(1024, 0);
	header.writeUInt32BE(1024, 4);
	header.set([8, 2], 8);
	const isOurs = index % 4 !== 0;
	const signature = Buffer.from('89504e470d0a1a0a', 'hex');
	const head = [
		signature,
		pngChunk('IHDR', header),
		...(isOurs ? [recipeChunks(recipeOf(index), true)] : []),
	];
	const file = openSync(path.join(place, `image-${String(index)}.png`), 'w');
	let at = writeSync(file, Buffer.concat(head));
	const piece = isOurs ? pictureBytes : 8192;
	for (let left = pictureBytes; left > 0; left -= piece) {
		const start = Buffer.alloc(8, 'xxxxIDAT');
		start.writeUInt32BE(piece);
		writeSync(file, start, 0, 8, at);
		at += 12 + piece;
	}
	const end = pngChunk('IEND', Buffer.alloc(0));
	writeSync(file, end, 0, end.length, at);
	ftruncateSync(file, at + end.length);
	closeSync(file);
}

const pictureBytes = 2 * 1024 * 1024;

function recipeOf(index: number): Recipe {
	const prompt = `image number ${String(index)}, flat illustration of a harbor with a lighthouse. `;
	return {
		version: 1,
		easel: '1.0.0',
		id: crypto.randomUUID(),
		createdAt: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
		operation: 'generate',
		prompt: prompt.repeat(4),
		model: 'std-image-2',
		size: '1024x1024',
		parents: [],
		references: [],
		round: roundOf({ number: index + 1 }),
	};
}
