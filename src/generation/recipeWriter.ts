import { stat, writeFile } from 'node:fs/promises';
import { exists } from '../files/exists.js';
import { sha256Of } from '../images/hash.js';
import type { Recipes } from '../jobs/deliver.js';
import type { JobEntry } from '../jobs/jobFolder.js';
import type { StateNamed } from '../jobs/state.js';
import { besideName, besideText } from '../recipes/beside.js';
import { writeWithRecipe } from '../recipes/rewrite.js';
import { recipeOf } from './recipeOf.js';

/**
 * Keeps how an image was made where its request says: a PNG gets a copy with its recipe; what is no
 * PNG, or is signed, has it in a file beside it, because that can be done to any image.
 *
 * @param easel its version
 */
export function recipeWriter(easel: string): Recipes {
	const writtenFor = (
		{ request }: JobEntry,
		received: StateNamed<'received'>,
		folder = request.target.folder,
	) => recipeOf(request, received, { easel, folder });
	return {
		suffix: besideName(''),
		async embed(entry, received, copy, folder) {
			const { provenance = 'none' } = entry.request;
			if (provenance === 'none') {
				return {};
			}
			const { result } = received;
			if (provenance === 'besideImage' || result.format !== 'png') {
				return { kept: { where: 'besideImage' } };
			}
			if (!(await exists(copy))) {
				const end = await writeWithRecipe(result.file, copy, writtenFor(entry, received, folder));
				if (end === 'signed') {
					return { kept: { where: 'besideImage', isSigned: true } };
				}
			}
			const [sha256, { size: bytes }] = await Promise.all([sha256Of(copy), stat(copy)]);
			return { result: { ...result, file: copy, bytes, sha256 }, kept: { where: 'inImage' } };
		},
		async writeApart(entry, received, file, folder) {
			const text = besideText(writtenFor(entry, received, folder), received.result.sha256);
			// Not for its owner alone: it may become the file in the workspace.
			await writeFile(file, text, { flush: true });
		},
	};
}
