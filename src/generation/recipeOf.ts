import type { GenerationRequest, Reference } from '../jobs/request.js';
import type { StateNamed } from '../jobs/state.js';
import { relativePath, type Recipe, type UsedImage } from '../recipes/recipe.js';
import { beginningOf } from '../images/shorten.js';

/** What a recipe says besides what the request and its answer say. */
export interface RecipeFacts {
	/** Easel's own version. */
	readonly easel: string;
	/** The folder that the image goes to, as a URI; by default that of the request. */
	readonly folder?: string;
}

/**
 * How an image was made, as data that goes wherever the image goes: of what lies outside the
 * workspace folder, of the service's address and of the key there is nothing in it.
 */
export function recipeOf(
	request: GenerationRequest,
	{
		result,
		attempts,
		changedAt,
	}: Pick<StateNamed<'received'>, 'result' | 'attempts' | 'changedAt'>,
	{ easel, folder = request.target.folder }: RecipeFacts,
): Recipe {
	const { id, operation, prompt, effectivePrompt = prompt, model, size, quality } = request;
	const { references, round, style } = request;
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
		...(effectivePrompt === prompt ? {} : { effectivePrompt }),
		...(revisedPrompt === undefined || revisedPrompt === effectivePrompt ? {} : { revisedPrompt }),
		model: beginningOf(model, maxNameLength),
		size,
		...(quality === undefined ? {} : { quality }),
		parents: used.slice(0, parents),
		references: used.slice(parents),
		...(style === undefined ? {} : { style: { ...style, references: style.references.length } }),
		...(round === undefined ? {} : { round }),
		...(requestId === undefined ? {} : { requestId: beginningOf(requestId, maxNameLength) }),
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
	return { sha256, ...(path === undefined ? {} : { path }) };
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
