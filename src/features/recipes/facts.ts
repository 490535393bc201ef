import type { Fact } from '../../recipes/foreign.js';
import type { Provenance } from '../../recipes/provenance.js';
import type { Recipe } from '../../recipes/recipe.js';
import type { GalleryImage } from '../../jobs/gallery.js';
import { recipeMessages } from '../messages.js';

/** What one of several says about how an image was made. All texts are those of strangers. */
export interface Section {
	/** Who says it. */
	readonly title: string;
	readonly prompt: string | undefined;
	readonly facts: readonly Fact[];
}

/** An image of the gallery, and whether the file in its place has other bytes now. */
type MadeImage = Pick<GalleryImage, 'prompt' | 'size' | 'quality' | 'savedAt'> & {
	readonly isChanged: boolean;
};

/**
 * What is known of how an image was made, the surest first: what the file is like, what Easel has
 * written, what its own gallery remembers where nothing is written, and what other programs have
 * written. What the gallery remembers of a file that has changed since comes last.
 *
 * @param made the image of the gallery that the file is, or that lay where it lies
 */
export function sectionsOf(provenance: Provenance, made: MadeImage | undefined): Section[] {
	const { recipe, foreign, isNewer, isDamaged, isSigned } = provenance;
	const notes = [
		...(isSigned ? [{ name: recipeMessages.signed, text: recipeMessages.signedDetail }] : []),
		...(isNewer
			? [
					{
						name: recipeMessages.recipe,
						text: recipeMessages.newerRecipe,
					},
				]
			: []),
		...(isDamaged ? [{ name: recipeMessages.damage, text: recipeMessages.damaged }] : []),
	];
	const ofGallery = recipe === undefined && made !== undefined ? [sectionOfGallery(made)] : [];
	const ofOthers = foreign.map(({ source, prompt, facts }) => ({ title: source, prompt, facts }));
	return [
		...(notes.length === 0
			? []
			: [{ title: recipeMessages.file, prompt: undefined, facts: notes }]),
		...(recipe === undefined ? [] : [sectionOf(recipe, provenance)]),
		...(made?.isChanged === true ? [...ofOthers, ...ofGallery] : [...ofGallery, ...ofOthers]),
	];
}

/** All of it, as text for the clipboard. */
export function textOf(sections: readonly Section[]): string {
	return sections
		.map(({ title, prompt, facts }) =>
			[
				title,
				...(prompt === undefined ? [] : [recipeMessages.promptLine(prompt)]),
				...facts.map(({ name, text }) => `${name}: ${text}`),
			].join('\n'),
		)
		.join('\n\n');
}

function sectionOf(recipe: Recipe, { where, isOfOther }: Provenance): Section {
	const { effectivePrompt, revisedPrompt, model, size, quality, style, round, requestId } = recipe;
	const beside = isOfOther ? recipeMessages.besideOtherImage : recipeMessages.besideImage;
	return {
		title: recipeMessages.madeBy(recipe.easel),
		prompt: recipe.prompt,
		facts: [
			...optional(recipeMessages.sentPrompt, effectivePrompt),
			...optional(recipeMessages.revisedPrompt, revisedPrompt),
			...optional(recipeMessages.model, model),
			...optional(recipeMessages.size, size),
			...optional(recipeMessages.quality, quality),
			...optional(recipeMessages.made, new Date(recipe.createdAt).toLocaleString('en-US')),
			...usedFacts(recipe),
			...optional(
				recipeMessages.styleGuide,
				style && recipeMessages.styleGuideFile(style.path, style.sha256),
			),
			...optional(recipeMessages.round, round && String(round.number)),
			...optional(recipeMessages.request, requestId),
			...optional(recipeMessages.written, where === 'inImage' ? recipeMessages.inImage : beside),
		],
	};
}

function usedFacts({ parents, references }: Recipe): Fact[] {
	const names = (used: Recipe['parents']) =>
		used.map(({ path, sha256 }) => path ?? recipeMessages.hash(sha256));
	return [
		...optional(
			recipeMessages.madeFrom,
			parents.length === 0 ? undefined : names(parents).join(', '),
		),
		...optional(
			recipeMessages.references,
			references.length === 0 ? undefined : names(references).join(', '),
		),
	];
}

function sectionOfGallery({ prompt, size, quality, savedAt, isChanged }: MadeImage): Section {
	return {
		title: recipeMessages.gallery,
		prompt,
		facts: [
			...optional(recipeMessages.size, size),
			...optional(recipeMessages.quality, quality),
			...optional(recipeMessages.saved, new Date(savedAt).toLocaleString('en-US')),
			...optional(recipeMessages.file, isChanged ? recipeMessages.changedFile : undefined),
		],
	};
}

function optional(name: string, text: string | undefined): Fact[] {
	return text === undefined ? [] : [{ name, text }];
}
