import { notify } from '../editor/messages.js';
import type { Preferences } from '../editor/preferences.js';
import type { KeptRecipe } from '../jobs/state.js';
import { openSettings } from './report.js';
import { labels, messages } from './messages.js';

/**
 * Tells the first time on this machine that prompts stand in the files, and the first time that an
 * image is signed, why its recipe lies beside it.
 *
 * @param recipes of images that were just saved
 */
export async function notifyOfRecipes(
	recipes: readonly KeptRecipe[],
	preferences: Preferences,
): Promise<void> {
	const signed = recipes.some(({ isSigned }) => isSigned);
	const [first] = recipes;
	const notes = [
		...(signed && (await preferences.isFirst('signedImages')) ? [messages.signed] : []),
		...(first !== undefined && (await preferences.isFirst('recipes'))
			? [notesOf[first.where]]
			: []),
	];
	if (notes.length > 0) {
		await notify('info', notes.join(' '), [
			{ label: labels.ok, run: () => undefined },
			{ label: labels.change, run: () => openSettings('easel.output.provenance') },
		]);
	}
}

const notesOf: Record<KeptRecipe['where'], string> = {
	inImage: messages.promptInImage,
	besideImage: messages.promptBeside,
};
