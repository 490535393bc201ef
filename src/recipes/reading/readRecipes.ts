import { lstatSync, type Stats } from 'node:fs';
import { sha256Of } from '../../images/hash.js';
import { inspectImage, maxImageBytes } from '../../images/inspect.js';
import { openRegular } from '../../files/boundedRead.js';
import { besideName, readBeside } from '../beside.js';
import { readPacketFile, recipeInPacket } from '../packets.js';
import { readProvenance } from '../provenance.js';
import type { Recipe } from '../recipe.js';
import { readPngHead } from './head.js';
import type { FoundRecipe, ListedRecipe, RecipeAnswer } from './orders.js';
import type { Noted, RecipeIndex } from './recipeIndex.js';

/** In milliseconds: the caller learns in between how far it is. */
const maxStepMs = 50;
/** In UTF-16 code units: what comes over to the other thread takes time there. */
const maxTextLength = 512 * 1024;

/**
 * Reads how images were made, for about 50 ms. What is no regular file, cannot be read or says
 * nothing is left out; whatever program has written the files.
 *
 * @param files absolute paths of images, by their names
 */
export async function readRecipes(
	files: readonly string[],
	index: RecipeIndex | undefined,
): Promise<RecipeAnswer> {
	const startedAt = performance.now();
	const found: FoundRecipe[] = [];
	let done = 0;
	let text = 0;
	for (const file of files) {
		const one = await foundAt(file, index);
		if (one !== undefined) {
			found.push({ file, ...one });
			text += one.recipe.prompt.length;
		}
		done += 1;
		if (performance.now() - startedAt > maxStepMs || text > maxTextLength) {
			break;
		}
	}
	index?.flush();
	return { done, found, hashes: new Map() };
}

/**
 * Hashes files for about 50 ms, or the first of them. What is no regular file or cannot be read is left
 * out.
 *
 * @param files as in {@link readRecipes}, which was asked for them before
 */
export async function hashFiles(
	files: readonly string[],
	index: RecipeIndex | undefined,
): Promise<RecipeAnswer> {
	const startedAt = performance.now();
	const hashes = new Map<string, string>();
	let done = 0;
	for (const file of files) {
		const mark = marksOf(file)?.mark;
		if (mark !== undefined) {
			const sha256 = index?.hashOf(file, mark) ?? (await hashed(file));
			if (sha256 !== undefined) {
				hashes.set(file, sha256);
				index?.noteHash(file, mark, sha256);
			}
		}
		done += 1;
		if (performance.now() - startedAt > maxStepMs) {
			break;
		}
	}
	index?.flush();
	return { done, found: [], hashes };
}

async function hashed(file: string): Promise<string | undefined> {
	try {
		return await sha256Of(file, maxImageBytes);
	} catch {
		return undefined;
	}
}

async function foundAt(file: string, index: RecipeIndex | undefined): Promise<Noted> {
	const marks = marksOf(file);
	if (marks === undefined) {
		return undefined;
	}
	const { image, beside, mark } = marks;
	const noted = index?.noted(file, mark) ?? 'none';
	if (noted !== 'none') {
		return noted.found;
	}
	try {
		const found = await read(file, image, beside !== undefined);
		index?.note(file, mark, found);
		return found;
	} catch {
		// It has gone, is no image, or cannot be read now; that may be otherwise the next time.
		return undefined;
	}
}

/** Returns the file there, and a text that changes with it; `undefined` for no image. */
function marksOf(
	file: string,
): { image: Stats; beside: Stats | undefined; mark: string } | undefined {
	const image = regular(file);
	if (image === undefined) {
		return undefined;
	}
	const beside = regular(besideName(file));
	const mark = `${markOf(image)} ${beside === undefined ? '' : markOf(beside)}`;
	return { image, beside, mark };
}

/** Another one where the file is another. */
function markOf({ size, mtimeMs, ctimeMs }: Stats): string {
	return [size, mtimeMs, ctimeMs].join(' ');
}

/** `undefined` for what is none, a link included. */
function regular(file: string): Stats | undefined {
	try {
		const found = lstatSync(file, { throwIfNoEntry: false });
		return found?.isFile() === true ? found : undefined;
	} catch {
		return undefined;
	}
}

async function read(file: string, { size }: Stats, hasBeside: boolean): Promise<Noted> {
	const head = readPngHead(file);
	const bytes = size;
	if (head === undefined) {
		const recipe = usable(
			(await readPacketRecipe(file)) ?? (hasBeside ? await readBeside(file) : undefined),
		);
		return recipe && { ...(await dimensionsOf(file)), bytes, recipe };
	}
	const { width, height } = head;
	const recipe =
		head.recipe === 'otherwise'
			? usable((await readProvenance(file)).recipe)
			: usable(head.recipe ?? (hasBeside ? await readBeside(file) : undefined));
	return recipe && { width, height, bytes, recipe };
}

/** Reads the recipe in a JPEG or WebP. */
async function readPacketRecipe(file: string): Promise<Recipe | 'newer' | undefined> {
	const handle = await openRegular(file, { maxBytes: maxImageBytes, followLinks: false });
	try {
		const packets = await readPacketFile(handle);
		return packets && recipeInPacket(packets).recipe;
	} finally {
		await handle.close();
	}
}

async function dimensionsOf(file: string): Promise<{ width: number; height: number }> {
	const { width, height } = await inspectImage(file);
	return { width, height };
}

function usable(recipe: Recipe | 'newer' | undefined): ListedRecipe | undefined {
	if (recipe === undefined || recipe === 'newer') {
		return undefined;
	}
	const { id, createdAt, operation, prompt, size, quality, background } = recipe;
	const { parents, references, marks, keptRest, style, round } = recipe;
	return {
		...{ id, createdAt, operation, prompt, size, parents, references },
		...(quality === undefined ? {} : { quality }),
		...(background === undefined ? {} : { background }),
		...(marks === undefined ? {} : { marks }),
		...(keptRest === undefined ? {} : { keptRest }),
		...(style === undefined ? {} : { style }),
		...(round === undefined ? {} : { round }),
	};
}
