import type * as vscode from 'vscode';
import { runCommand } from '../../editor/commands.js';
import { runDetached, notify } from '../../editor/messages.js';
import { ensureReady } from '../../editor/service.js';
import { besideImage, type Draft } from '../../generation/draft.js';
import { sizeLike } from '../../generation/imageRecipes.js';
import type { Services } from '../../generation/services.js';
import { runRequestCommand } from '../../generation/requestCommands.js';
import type { Recipe } from '../../recipes/recipe.js';
import { findUsed } from './usedImages.js';
import { recipeMessages } from '../messages.js';

type Deps = Pick<Services, 'gallery' | 'keys'>;

/**
 * "Generate Again…": asks as the first try has asked, with the prompt filled in; nothing is sent
 * before that. What the gallery knows is asked for with everything that it knows.
 *
 * @param known whether the gallery knows the image
 * @param prompt that of another program, where Easel has written no recipe
 */
export async function generateAgain(
	image: vscode.Uri,
	{ known, recipe, prompt }: { known: boolean; recipe: Recipe | undefined; prompt: string },
	deps: Deps,
): Promise<void> {
	if (known) {
		await runCommand('easel.regenerateImage', image);
	} else if (await ensureReady(deps.keys)) {
		const draft =
			recipe === undefined
				? await draftOfPrompt(image, prompt)
				: await draftOfRecipe(image, recipe, deps);
		await runRequestCommand('change', draft.operation, draft);
	}
}

/** The request as it was, as far as its images are found: without the one it changes it makes one. */
async function draftOfRecipe(image: vscode.Uri, recipe: Recipe, deps: Deps): Promise<Draft> {
	const { operation, prompt, size, quality = 'unset', parents, references, style } = recipe;
	// The style of now comes with its own images.
	const own = references.slice(
		0,
		references.length - Math.min(style?.references ?? 0, references.length),
	);
	const found = await findUsed(image, [...parents, ...own], deps.gallery);
	const missing = found.filter(({ uri }) => uri === undefined).length;
	if (missing > 0) {
		runDetached(notify('warning', recipeMessages.sourcesNotFound(missing)));
	}
	const isEdit = operation === 'edit' && found[0]?.uri !== undefined;
	return {
		...besideImage(image),
		operation: isEdit ? 'edit' : 'generate',
		choices: {
			prompt,
			size,
			quality,
			count: 1,
			references: found.flatMap(({ uri }) => uri ?? []),
		},
		regeneratedFrom: image,
	};
}

async function draftOfPrompt(image: vscode.Uri, prompt: string): Promise<Draft> {
	const size = await sizeLike(image);
	return {
		...besideImage(image),
		operation: 'generate',
		choices: { prompt, size, quality: 'unset', count: 1, references: [] },
	};
}
