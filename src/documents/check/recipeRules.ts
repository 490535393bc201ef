import path from 'node:path';
import { readProvenance } from '../../recipes/provenance.js';
import type { Recipe } from '../../recipes/recipe.js';
import { findTraces } from '../../recipes/traces.js';
import { isInside } from '../localPath.js';
import type { ImageFiles } from './imageFiles.js';
import { findingTexts } from './messages.js';
import type { CheckSettings, RuleId } from './rules.js';

/**
 * Applies the rules for how an image was made. Only what is proved is found: an image is Easel's where it
 * has marks of Easel in it, or where Easel has saved exactly these bytes on this machine.
 *
 * @param file absolute
 * @param root that it lies in
 */
export async function checkRecipe(
	file: string,
	destination: string,
	root: string,
	{ rules }: Pick<CheckSettings, 'rules'>,
	files: ImageFiles,
): Promise<(readonly [RuleId, string])[]> {
	try {
		const { recipe, isOfOther, isNewer } = await readProvenance(file);
		if (isNewer) {
			return [];
		}
		if (recipe === undefined || isOfOther) {
			const isOurs =
				rules.recipe !== 'off' &&
				((await findTraces(file)).inImage || (await files.isMade(file, root)));
			return isOurs ? [['recipe', findingTexts.recipe(destination)]] : [];
		}
		return rules.style !== 'off' && (await hasOtherStyle(recipe, file, root, files))
			? [['style', findingTexts.style(destination, recipe.style!.path)]]
			: [];
	} catch {
		// It is no image of Easel, or cannot be read.
		return [];
	}
}

/** Returns whether the style guide that a recipe names is another one now. */
async function hasOtherStyle(
	{ style }: Recipe,
	file: string,
	root: string,
	files: ImageFiles,
): Promise<boolean> {
	// Its path is from a workspace folder, which a repository does not name.
	for (let at = file; style !== undefined && at !== root && isInside(at, root);) {
		at = path.dirname(at);
		const guide = path.join(at, style.path);
		const now = isInside(guide, at) ? await files.styleIn(guide, at) : undefined;
		if (now !== undefined) {
			return now !== style.sha256;
		}
	}
	return false;
}
