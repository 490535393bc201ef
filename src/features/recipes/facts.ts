import type { GalleryImage } from '../../jobs/gallery.js';
import { placeWords } from '../../images/marks/words.js';
import { messages } from '../../messages.js';
import type { Fact } from '../../recipes/foreign.js';
import type { Provenance } from '../../recipes/provenance.js';
import type { Recipe } from '../../recipes/recipe.js';
import { recipeMessages } from '../messages.js';

/** One source's account of how an image was made. All texts are those of strangers. */
export interface Section {
	/** Name of the source. */
	readonly title: string;
	readonly prompt: string | undefined;
	readonly facts: readonly Fact[];
}

/** An image of the gallery, and whether the file in its place has other bytes now. */
type MadeImage = Pick<GalleryImage, 'prompt' | 'size' | 'quality' | 'background' | 'savedAt'> & {
	readonly isChanged: boolean;
};

/**
 * Lists all accounts of how an image was made, the surest first. That of the gallery counts where
 * Easel has written nothing, and comes last where the file has changed since.
 *
 * @param made the image of the gallery that the file is, or that lay where it lies
 */
export function sectionsOf(provenance: Provenance, made: MadeImage | undefined): Section[] {
	const { recipe, foreign, isNewer, isDamaged, isSigned } = provenance;
	const notes = factsOf(
		[recipeMessages.signed, isSigned ? recipeMessages.signedDetail : undefined],
		[recipeMessages.recipe, isNewer ? recipeMessages.newerRecipe : undefined],
		[recipeMessages.damage, isDamaged ? recipeMessages.damaged : undefined],
	);
	const ofFile = { title: recipeMessages.file, prompt: undefined, facts: notes };
	const ofGallery = recipe === undefined && made !== undefined ? [sectionOfGallery(made)] : [];
	const ofOthers = foreign.map(({ source: title, facts }) => ({ title, prompt: undefined, facts }));
	return [
		...(notes.length === 0 ? [] : [ofFile]),
		...(recipe === undefined ? [] : [sectionOf(recipe, provenance)]),
		...(made?.isChanged === true ? [...ofOthers, ...ofGallery] : [...ofGallery, ...ofOthers]),
	];
}

/** Returns all of it, as text for the clipboard. */
export function formatFacts(sections: readonly Section[]): string {
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
	const { style, round } = recipe;
	const beside = isOfOther ? recipeMessages.besideOtherImage : recipeMessages.besideImage;
	return {
		title: recipeMessages.madeBy(recipe.easel),
		prompt: recipe.prompt,
		facts: factsOf(
			[recipeMessages.sentPrompt, recipe.effectivePrompt],
			[recipeMessages.revisedPrompt, recipe.revisedPrompt],
			[recipeMessages.model, recipe.model],
			[recipeMessages.size, recipe.size.replace('x', ' × ')],
			[recipeMessages.quality, recipe.quality],
			[recipeMessages.background, recipe.background],
			[recipeMessages.made, timeWords(recipe.createdAt)],
			[recipeMessages.madeFrom, namesOf(recipe.parents)],
			[recipeMessages.marks, recipe.marks && marksText(recipe.marks)],
			[recipeMessages.rest, recipe.keptRest && messages.restored(recipe.keptRest)],
			[recipeMessages.references, namesOf(recipe.references)],
			[recipeMessages.exportedFrom, recipe.exportedFrom && namesOf([recipe.exportedFrom])],
			[recipeMessages.styleGuide, style && recipeMessages.styleGuideFile(style.path, style.sha256)],
			[recipeMessages.round, round && String(round.number)],
			[recipeMessages.request, recipe.requestId],
			[recipeMessages.written, where === 'inImage' ? recipeMessages.inImage : beside],
		),
	};
}

function sectionOfGallery({ prompt, size, savedAt, isChanged, ...made }: MadeImage): Section {
	return {
		title: recipeMessages.gallery,
		prompt,
		facts: factsOf(
			[recipeMessages.size, size.replace('x', ' × ')],
			[recipeMessages.quality, made.quality],
			[recipeMessages.background, made.background],
			[recipeMessages.saved, timeWords(savedAt)],
			[recipeMessages.file, isChanged ? recipeMessages.changedFile : undefined],
		),
	};
}

function factsOf(...all: readonly (readonly [name: string, text: string | undefined])[]): Fact[] {
	return all.flatMap(([name, text]) => (text === undefined ? [] : [{ name, text }]));
}

function namesOf(used: Recipe['parents']): string | undefined {
	const names = used.map(({ path, sha256 }) => path ?? recipeMessages.hash(sha256));
	return names.length === 0 ? undefined : names.join(', ');
}

function marksText(marks: NonNullable<Recipe['marks']>): string {
	const words = marks.map((mark, index) =>
		[`${String(index + 1)} (${placeWords(mark)})`, mark.note.trim()].filter(Boolean).join(': '),
	);
	return words.join('; ');
}

function timeWords(time: string): string {
	return new Date(time).toLocaleString('en-US');
}
