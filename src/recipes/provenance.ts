import { openRegular } from '../files/boundedRead.js';
import { sha256Of } from '../images/hash.js';
import { inspectImage, maxImageBytes } from '../images/inspect.js';
import { readBeside } from './beside.js';
import { isSigned, readChunks } from './chunks.js';
import { foreignTexts, type ForeignTexts } from './foreign.js';
import { ourTexts, recipeIn } from './ours.js';
import type { Recipe } from './recipe.js';
import { readTexts } from './textChunks.js';

/** Account of how an image was made, from a PNG and from the file beside it. */
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
	/** True if the PNG ends early or has parts that cannot be read. */
	readonly isDamaged: boolean;
}

/**
 * Reads how an image was made. Nothing in the file is believed to be short or true.
 *
 * @param image absolute path of a PNG
 * @throws {PngError} where it is no PNG, or one with too much in it; {@link UnfitFileError} where it
 *   is no regular file or too large; the system's error
 */
export async function readProvenance(image: string): Promise<Provenance> {
	const handle = await openRegular(image, { maxBytes: maxImageBytes });
	try {
		const chunks = await readChunks(handle);
		const texts = await readTexts(handle, chunks);
		const ours = new Set(ourTexts(texts));
		const inside = recipeIn(texts);
		const beside = inside === undefined ? await readBeside(image) : undefined;
		const recipe = inside ?? beside;
		return {
			recipe: recipe === 'newer' ? undefined : recipe,
			where: recipe === undefined ? undefined : inside ? 'inImage' : 'besideImage',
			isOfOther: typeof beside === 'object' && (await isOfOther(beside, image)),
			isNewer: recipe === 'newer',
			foreign: foreignTexts(texts.filter((text) => !ours.has(text))),
			isSigned: isSigned(chunks),
			isDamaged: !chunks.isWhole || texts.some(({ text }) => text === undefined),
		};
	} finally {
		await handle.close();
	}
}

/**
 * Reads how an image that is no PNG was made: Easel writes that beside it alone.
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
