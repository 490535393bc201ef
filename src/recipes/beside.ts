import { isNotFound } from '../files/fsErrors.js';
import { openRegular, UnfitFileError } from '../files/boundedRead.js';
import { readAt } from './chunks.js';
import { parseRecipe, recipeJson, type Recipe } from './recipe.js';

/** In bytes; a longer file is no recipe. */
const maxRecipeBytes = 1024 * 1024;

/** The name of the file with the recipe of an image, in the folder of the image. */
export function besideName(image: string): string {
	return `${image}.json`;
}

/**
 * Returns the content of that file: a line for each field, always in the same order, so that a
 * difference in git shows what has changed.
 *
 * @param image SHA-256 of the image, hexadecimal: tells whether the file beside it is its own
 */
export function besideText(recipe: Recipe, image: string): string {
	return `${recipeJson({ ...recipe, image }, '\t')}\n`;
}

/**
 * Reads the recipe beside an image.
 *
 * @param image absolute
 * @returns `undefined` where there is none, or the file there is no recipe
 * @throws the system's error where it cannot be found out
 */
export async function readBeside(image: string): Promise<Recipe | 'newer' | undefined> {
	let handle;
	try {
		handle = await openRegular(besideName(image), { maxBytes: maxRecipeBytes });
	} catch (error) {
		if (isNotFound(error) || error instanceof UnfitFileError) {
			return undefined;
		}
		throw error;
	}
	try {
		const { size } = await handle.stat();
		const bytes = await readAt(handle, 0, Math.min(size, maxRecipeBytes));
		return parseRecipe(bytes.toString('utf8'));
	} finally {
		await handle.close();
	}
}
