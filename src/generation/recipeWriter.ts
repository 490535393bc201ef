import { stat, writeFile } from 'node:fs/promises';
import { exists } from '../files/exists.js';
import { sha256Of } from '../images/hash.js';
import type { Recipes } from '../jobs/deliver.js';
import type { StateNamed } from '../jobs/state.js';
import { besideName, besideText } from '../recipes/beside.js';
import { PngError } from '../recipes/chunks.js';
import { writeWithRecipe } from '../recipes/rewrite.js';
import { sentPromptOf, type GenerationRequest, type Reference } from '../jobs/request.js';
import { relativePath, type Recipe, type UsedImage } from '../recipes/recipe.js';
import { beginningOf } from '../images/shorten.js';

/**
 * Keeps how an image was made where its request says: in a copy, or in a file beside what is signed or
 * has no room for it.
 *
 * @param easel its version
 */
export function recipeWriter(easel: string): Recipes {
	return {
		suffix: besideName(''),
		async embed(entry, received, copy, folder) {
			const { provenance } = entry.request;
			if (provenance === 'none') {
				return {};
			}
			const { result } = received;
			if (provenance === 'besideImage') {
				return { kept: { where: 'besideImage' } };
			}
			if (!(await exists(copy))) {
				const recipe = recipeOf(entry.request, received, easel, folder);
				const end = await writeWithRecipe(result.file, copy, recipe).catch((error: unknown) => {
					if (error instanceof PngError && error.kind === 'notPng') {
						return 'noRoom';
					}
					throw error;
				});
				if (end !== 'written') {
					return { kept: { where: 'besideImage', ...(end === 'signed' && { isSigned: true }) } };
				}
			}
			const [sha256, { size: bytes }] = await Promise.all([sha256Of(copy), stat(copy)]);
			return { result: { ...result, file: copy, bytes, sha256 }, kept: { where: 'inImage' } };
		},
		async writeApart(entry, received, file, folder) {
			const recipe = recipeOf(entry.request, received, easel, folder);
			const text = besideText(recipe, received.result.sha256);
			// Not for its owner alone: it may become the file in the workspace.
			await writeFile(file, text, { flush: true });
		},
	};
}

/**
 * Returns the recipe of an image, which goes wherever the image goes: of what lies outside the
 * workspace folder, of the service's address and of the key there is nothing in it.
 *
 * @param easel its version
 * @param folder that the image goes to, as a URI
 */
export function recipeOf(
	request: GenerationRequest,
	{
		result,
		attempts,
		changedAt,
	}: Pick<StateNamed<'received'>, 'result' | 'attempts' | 'changedAt'>,
	easel: string,
	folder = request.target.folder,
): Recipe {
	const { id, operation, prompt, model, size } = request;
	const effectivePrompt = sentPromptOf(request);
	const { quality, background, references, round, style, marks } = request;
	const { requestId, revisedPrompt } = result;
	const root = request.target.root ?? request.workspaceFolder;
	const used = references.map((reference) => usedImage(reference, folder, root));
	const parents = operation === 'edit' ? 1 : 0;
	// The same whenever it is asked for: a state may be noted again.
	const startedAt = Date.parse(attempts.at(-1)?.startedAt ?? changedAt);
	return {
		version: 1,
		easel,
		id,
		createdAt: new Date(startedAt + result.elapsedMs).toISOString(),
		operation,
		prompt,
		effectivePrompt: effectivePrompt === prompt ? undefined : effectivePrompt,
		revisedPrompt: revisedPrompt === effectivePrompt ? undefined : revisedPrompt,
		model: beginningOf(model, maxNameLength),
		size,
		quality,
		background,
		parents: used.slice(0, parents),
		references: used.slice(parents),
		marks,
		style: style && { ...style, references: style.references.length },
		round,
		requestId: requestId && beginningOf(requestId, maxNameLength),
	};
}

/** In UTF-16 code units. */
const maxNameLength = 300;

function usedImage(
	{ source, sha256 }: Reference,
	folder: string,
	root: string | undefined,
): UsedImage {
	const [from, image, around] = [folder, source, root].map(partsOf);
	const path =
		from && image && around && from.place === image.place && from.place === around.place
			? relativePath(from.path, image.path, around.path)
			: undefined;
	return { sha256, path };
}

/** A URI as its file system and the path there; `undefined` where it is none. */
function partsOf(uri: string | undefined): { place: string; path: string } | undefined {
	try {
		const { protocol, host, pathname } = new URL(uri ?? '');
		return { place: `${protocol}//${host}`, path: decodeURIComponent(pathname) };
	} catch {
		return undefined;
	}
}
