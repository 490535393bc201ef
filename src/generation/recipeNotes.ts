import { notify } from '../editor/messages.js';
import type { Preferences } from '../editor/preferences.js';
import type { KeptRecipe } from '../jobs/state.js';
import { openSettings } from './report.js';

/**
 * Tells the first time on this machine that prompts stand in the files, and the first time that an
 * image is signed, why its recipe lies beside it.
 *
 * @param recipes of images that were just saved
 */
export async function tellOfRecipes(
	recipes: readonly KeptRecipe[],
	preferences: Preferences,
): Promise<void> {
	const signed = recipes.some(({ isSigned }) => isSigned);
	const [first] = recipes;
	const notes = [
		...(signed && (await preferences.isFirst('signedImages')) ? [signedNote] : []),
		...(first !== undefined && (await preferences.isFirst('recipes'))
			? [notesOf[first.where]]
			: []),
	];
	if (notes.length > 0) {
		await notify('info', notes.join(' '), [
			{ label: 'Open Setting', run: () => openSettings('easel.output.provenance') },
		]);
	}
}

const signedNote =
	'The service has signed the image, and any change would break the signature. So how it was made lies in a file beside it.';

const notesOf: Record<KeptRecipe['where'], string> = {
	inImage:
		'Easel writes into each image how it was made. Whoever gets the file can read the prompt.',
	besideImage:
		'Easel writes how an image was made into a file beside it. Whoever gets that file can read the prompt.',
};
