import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { PngError } from '../../../src/recipes/chunks.js';
import { recipeJson } from '../../../src/recipes/recipe.js';
import { readProvenance } from '../../../src/recipes/provenance.js';
import { writeWithoutRecipe, writeWithRecipe } from '../../../src/recipes/rewrite.js';
import { pngChunk } from '../../unit/images/thumbnails/pictures.js';
import { seeded } from '../../unit/images/random.js';
import { caBX, chunksOf, iTXt, picture, png, recipe, tEXt, zTXt } from '../../unit/recipes/pngs.js';
import { inCase, type Fuzz } from '../campaign';
import { below, mutated, withChecksums } from './mutate.js';

const mebibyte = 1024 * 1024;

/** Above the start, in bytes: a bomb of each kind, unpacked as far as it is, and what lies around. */
const maxMemory = 300 * mebibyte;

/** Mostly the disk is waited for, so several cases run side by side. */
const together = 6;

/** Time of one file, far above that of any, however busy the machine is. */
const maxMs = 10_000;

/**
 * Damages PNG files with all kinds of texts, bombs among them, and has them read, written anew, and
 * written anew without their recipe.
 * None fails in another way than it says, hangs or changes a picture, and memory is bounded.
 */
export const fuzzRecipes: Fuzz = async ({ cases, seed }) => {
	const folder = await mkdtemp(path.join(tmpdir(), 'easel-fuzz-'));
	const random = seeded(seed);
	const images = sources();
	const before = process.memoryUsage.rss();
	let peak = before;
	const counts = { read: 0, written: 0, signed: 0 };
	try {
		const next = async (index: number): Promise<void> => {
			const source = images[below(random, images.length)]!;
			const damaged = mutated(random, source, images[below(random, images.length)]!);
			const bytes = random() < 0.7 ? withChecksums(damaged) : damaged;
			const file = path.join(folder, `${String(index % together)}.png`);
			await writeFile(file, bytes);
			const caseStartedAt = performance.now();
			await inCase(seed, index, async () => {
				const found = await orRefusal(() => readProvenance(file));
				counts.read += found === undefined ? 0 : 1;
				// Reading takes most damage; writing is tried in a part of the cases.
				if (index % 4 === 0) {
					const end = await writeBack(file, bytes);
					counts.written += end === 'written' ? 1 : 0;
					counts.signed += end === 'signed' ? 1 : 0;
				}
				peak = Math.max(peak, process.memoryUsage.rss());
				assert.ok(peak - before < maxMemory, `${inMebibytes(peak - before)} MiB were taken.`);
				assert.ok(performance.now() - caseStartedAt < maxMs, 'It took too long.');
			});
		};
		for (let index = 0; index < cases; index += together) {
			const count = Math.min(together, cases - index);
			await Promise.all(Array.from({ length: count }, (_, place) => next(index + place)));
		}
	} finally {
		await rm(folder, { recursive: true });
	}
	return {
		cases,
		note: `${String(counts.read)} read, ${String(counts.written)} written, ${String(counts.signed)} signed, at most ${inMebibytes(peak - before)} MiB more`,
	};
};

/** Writes a recipe into a file, reads it and takes it away again; the picture must stay. */
async function writeBack(
	file: string,
	bytes: Buffer,
): Promise<'written' | 'signed' | 'noRoom' | undefined> {
	const copy = `${file}.copy`;
	const end = await orRefusal(() => writeWithRecipe(file, copy, recipe));
	if (end !== 'written') {
		return end;
	}
	const { recipe: found, isSigned } = await readProvenance(copy);
	assert.equal(isSigned, false);
	assert.equal(found && recipeJson(found), recipeJson(recipe));
	const bare = `${file}.bare`;
	assert.equal(await writeWithoutRecipe(copy, bare), 'written');
	assert.equal((await readProvenance(bare)).where, undefined);
	assert.deepEqual(await dataOf(bare), dataIn(bytes));
	return end;
}

async function dataOf(file: string): Promise<Buffer[]> {
	return dataIn(await readFile(file));
}

/** The chunks of the picture with their checksums, right or wrong, as far as the file goes. */
function dataIn(bytes: Buffer): Buffer[] {
	const found: Buffer[] = [];
	for (let at = 8; at + 12 <= bytes.length;) {
		const end = at + 12 + bytes.readUInt32BE(at);
		const type = bytes.toString('latin1', at + 4, at + 8);
		if (type === 'IDAT') {
			found.push(bytes.subarray(at, end));
		}
		if (type === 'IEND') {
			break;
		}
		at = end;
	}
	return found;
}

/** `undefined` where it fails as it says that it may. */
async function orRefusal<T>(read: () => Promise<T>): Promise<T | undefined> {
	try {
		return await read();
	} catch (error) {
		assert.ok(error instanceof PngError, String(error));
		return undefined;
	}
}

function inMebibytes(bytes: number): string {
	return String(Math.round(bytes / mebibyte));
}

/** Files with every kind of text, of every generator that is known. */
function sources(): readonly Buffer[] {
	const bomb = deflateSync(Buffer.alloc(64 * mebibyte));
	const packed = (head: string) => Buffer.concat([Buffer.from(head, 'latin1'), bomb]);
	const graph = { 1: { class_type: 'KSampler', inputs: { positive: ['2', 0], text: 'a fox' } } };
	const files = [
		png(),
		png(tEXt('parameters', 'a fox\nNegative prompt: ugly\nSteps: 20, Seed: 1')),
		png(tEXt('prompt', JSON.stringify(graph)), zTXt('workflow', '{"nodes":[]}')),
		png(tEXt('Software', 'NovelAI'), tEXt('Comment', '{"prompt":"a","uc":"b"}')),
		png(iTXt('invokeai_metadata', '{"positive_prompt":"a","model":{"name":"b"}}', true)),
		png(iTXt('XML:com.adobe.xmp', '<a xmp:CreatorTool="b"><dc:description>c</dc:description>')),
		png(iTXt('Easel Recipe', recipeJson(recipe)), tEXt('Software', 'Easel 1.2.3')),
		png(iTXt('Easel Recipe', recipeJson(recipe), true), tEXt('Description', recipe.prompt)),
		png(caBX, tEXt('Title', 'a')),
		png(pngChunk('zTXt', packed('Comment\0\0'))),
		png(pngChunk('iTXt', packed('Easel Recipe\0\x01\0\0\0'))),
		png(...Array.from({ length: 12 }, (_, index) => zTXt(`k${String(index)}`, 'text'))),
	];
	for (const file of files) {
		assert.ok(chunksOf(file).length > 3 && picture(file).length > 0);
	}
	return files;
}
