import type { FileHandle } from 'node:fs/promises';
import { openRegular } from '../files/boundedRead.js';
import { sha256Of } from '../images/hash.js';
import { inspectImage, maxImageBytes } from '../images/inspect.js';
import { readBeside } from './beside.js';
import { isSigned, readChunks } from './chunks.js';
import { foreignTexts, type ForeignTexts } from './foreign.js';
import { ourTexts, recipeIn } from './ours.js';
import { readPacketFile, recipeInPacket } from './packets.js';
import type { Recipe } from './recipe.js';
import { readTexts } from './textChunks.js';
import { xmpKeyword } from './xmp.js';

/** Account of how an image was made, from itself and from the file beside it. */
export interface Provenance {
	/** Easel's own. */
	readonly recipe: Recipe | undefined;
	/** Place of that recipe. */
	readonly where: 'inImage' | 'besideImage' | undefined;
	/** True if the recipe beside the image was written for other bytes than those of the image. */
	readonly isOfOther: boolean;
	/** True if a later version of Easel has written one that this one cannot read. */
	readonly isNewer: boolean;
	readonly foreign: readonly ForeignTexts[];
	/** True if there is a signed credential. It is not verified. */
	readonly isSigned: boolean;
	/** True if a PNG ends early or has parts that cannot be read. */
	readonly isDamaged: boolean;
}

/**
 * Reads how an image was made. Nothing in the file is believed to be short or true.
 *
 * @param image absolute path
 * @throws {PngError} where it is no sound image, or a PNG with too much in it; {@link UnfitFileError} where it
 *   is no regular file or too large; the system's error
 */
export async function readProvenance(image: string): Promise<Provenance> {
	const handle = await openRegular(image, { maxBytes: maxImageBytes });
	try {
		const { inside, ...found } = (await readPacket(handle)) ?? (await readPng(handle));
		const beside = inside === undefined ? await readBeside(image) : undefined;
		const recipe = inside ?? beside;
		return {
			recipe: recipe === 'newer' ? undefined : recipe,
			where: recipe === undefined ? undefined : inside ? 'inImage' : 'besideImage',
			isOfOther: typeof beside === 'object' && (await isOfOther(beside, image)),
			isNewer: recipe === 'newer',
			...found,
		};
	} finally {
		await handle.close();
	}
}

type Inside = Pick<Provenance, 'foreign' | 'isSigned' | 'isDamaged'> & {
	readonly inside: Recipe | 'newer' | undefined;
};

/** @returns `undefined` for what is no sound JPEG or WebP */
async function readPacket(handle: FileHandle): Promise<Inside | undefined> {
	const file = await readPacketFile(handle);
	if (file === undefined) {
		return undefined;
	}
	const { recipe, isOurs } = recipeInPacket(file);
	const { text } = file.packet ?? {};
	const texts = isOurs ? [] : [{ keyword: xmpKeyword, text }];
	const foreign = foreignTexts(texts);
	return { inside: recipe, foreign, isSigned: file.isSigned, isDamaged: false };
}

async function readPng(handle: FileHandle): Promise<Inside> {
	const chunks = await readChunks(handle);
	const texts = await readTexts(handle, chunks);
	const ours = new Set(ourTexts(texts));
	return {
		inside: recipeIn(texts),
		foreign: foreignTexts(texts.filter((text) => !ours.has(text))),
		isSigned: isSigned(chunks),
		isDamaged: !chunks.isWhole || texts.some(({ text }) => text === undefined),
	};
}

/**
 * Reads how an image was made into which nothing can be written, such as a damaged JPEG.
 *
 * @param image absolute path
 * @throws {ImageError} where nothing lies beside it, and it is no image; the system's error
 */
export async function readProvenanceBeside(image: string): Promise<Provenance> {
	const beside = await readBeside(image);
	if (beside === undefined) {
		// What is no image does not just say nothing.
		await inspectImage(image);
	}
	return {
		recipe: beside === 'newer' ? undefined : beside,
		where: beside && 'besideImage',
		isOfOther: typeof beside === 'object' && (await isOfOther(beside, image)),
		isNewer: beside === 'newer',
		foreign: [],
		isSigned: false,
		isDamaged: false,
	};
}

async function isOfOther(recipe: Recipe, image: string): Promise<boolean> {
	return recipe.image !== undefined && recipe.image !== (await sha256Of(image, maxImageBytes));
}
