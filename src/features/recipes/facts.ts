import type { Fact } from '../../recipes/foreign.js';
import type { Provenance } from '../../recipes/provenance.js';
import type { Recipe } from '../../recipes/recipe.js';
import type { GalleryImage } from '../../jobs/gallery.js';

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
		...(isSigned
			? [{ name: 'Signed credential', text: 'Is in the file; not verified by Easel' }]
			: []),
		...(isNewer
			? [
					{
						name: 'Recipe',
						text: 'Was written by a later version of Easel; update Easel to read it',
					},
				]
			: []),
		...(isDamaged ? [{ name: 'Damage', text: 'Parts of the file cannot be read' }] : []),
	];
	const ofGallery = recipe === undefined && made !== undefined ? [sectionOfGallery(made)] : [];
	const ofOthers = foreign.map(({ source, prompt, facts }) => ({ title: source, prompt, facts }));
	return [
		...(notes.length === 0 ? [] : [{ title: 'File', prompt: undefined, facts: notes }]),
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
				...(prompt === undefined ? [] : [`Prompt: ${prompt}`]),
				...facts.map(({ name, text }) => `${name}: ${text}`),
			].join('\n'),
		)
		.join('\n\n');
}

function sectionOf(recipe: Recipe, { where, isOfOther }: Provenance): Section {
	const { effectivePrompt, revisedPrompt, model, size, quality, style, round, requestId } = recipe;
	const beside = isOfOther
		? 'Beside the image, which has changed since, or is another one'
		: 'Beside the image';
	return {
		title: `Easel ${recipe.easel}`,
		prompt: recipe.prompt,
		facts: [
			...optional('Sent prompt', effectivePrompt),
			...optional('Revised prompt', revisedPrompt),
			...optional('Model', model),
			...optional('Size', size),
			...optional('Quality', quality),
			...optional('Made', new Date(recipe.createdAt).toLocaleString('en-US')),
			...usedFacts(recipe),
			...optional('Style guide', style && `${style.path}, hash ${style.sha256.slice(0, 8)}…`),
			...optional('Round', round && String(round.number)),
			...optional('Request', requestId),
			...optional('Written', where === 'inImage' ? 'In the image' : beside),
		],
	};
}

function usedFacts({ parents, references }: Recipe): Fact[] {
	const names = (used: Recipe['parents']) =>
		used.map(({ path, sha256 }) => path ?? `an image with the hash ${sha256.slice(0, 8)}…`);
	return [
		...optional('Made from', parents.length === 0 ? undefined : names(parents).join(', ')),
		...optional('References', references.length === 0 ? undefined : names(references).join(', ')),
	];
}

function sectionOfGallery({ prompt, size, quality, savedAt, isChanged }: MadeImage): Section {
	return {
		title: 'Gallery of Easel on this machine',
		prompt,
		facts: [
			...optional('Size', size),
			...optional('Quality', quality),
			...optional('Saved', new Date(savedAt).toLocaleString('en-US')),
			...optional('File', isChanged ? 'Has changed since, or is another one' : undefined),
		],
	};
}

function optional(name: string, text: string | undefined): Fact[] {
	return text === undefined ? [] : [{ name, text }];
}
