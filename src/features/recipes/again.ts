import type * as vscode from 'vscode';
import { runCommand } from '../../editor/commands.js';
import { notify, runDetached } from '../../editor/messages.js';
import { ensureReady } from '../../editor/service.js';
import { besideImage } from '../../generation/draft.js';
import type { Draft } from '../../generation/draft.js';
import { sizeLike } from '../../generation/imageRecipes.js';
import { runRequestCommand } from '../../generation/requestCommands.js';
import type { Services } from '../../generation/services.js';
import type { Recipe } from '../../recipes/recipe.js';
import { recipeMessages } from '../messages.js';
import { findUsed } from './usedImages.js';

/**
 * "Reuse Prompt": asks as the first try has asked, with the prompt filled in; nothing is sent before
 * that. What the gallery knows is asked for with everything that it knows.
 *
 * @param known whether the gallery knows the image
 * @param prompt that of another program, where Easel has written no recipe
 */
export async function reusePrompt(
	image: vscode.Uri,
	{ known, recipe, prompt }: { known: boolean; recipe: Recipe | undefined; prompt: string },
	deps: Services,
): Promise<void> {
	if (known) {
		await runCommand('easel.regenerateImage', image);
	} else if (await ensureReady(deps.keys)) {
		const draft: Draft =
			recipe === undefined
				? {
						...besideImage(image),
						operation: 'generate',
						choices: {
							prompt,
							size: await sizeLike(image),
							quality: 'unset',
							count: 1,
							references: [],
						},
					}
				: await draftOfRecipe(image, recipe, deps);
		await runRequestCommand('change', draft.operation, draft);
	}
}

/** Returns the request as it was, as far as its images are found; no edit without the edited one. */
async function draftOfRecipe(image: vscode.Uri, recipe: Recipe, deps: Services): Promise<Draft> {
	const { operation, prompt, size, quality = 'unset', parents, references, style } = recipe;
	// The style of now comes with its own images.
	const own = references.slice(0, Math.max(0, references.length - (style?.references ?? 0)));
	const found = await findUsed(image, [...parents, ...own], deps.history);
	const missing = found.filter(({ uri }) => uri === undefined).length;
	if (missing > 0) {
		runDetached(notify('warning', recipeMessages.sourcesNotFound(missing)));
	}
	const uris = found.flatMap(({ uri }) => uri ?? []);
	return {
		...besideImage(image),
		operation: operation === 'edit' && found[0]?.uri !== undefined ? 'edit' : 'generate',
		choices: { prompt, size, quality, count: 1, references: uris },
		regeneratedFrom: image,
	};
}
