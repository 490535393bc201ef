import { parseRecipe, recipeJson, type Recipe } from './recipe.js';
import { fitText, textChunk, type TextChunk } from './textChunks.js';
import { isOurPacket, xmpKeyword, xmpPacket } from './xmp.js';

/** The keyword of the chunk with the recipe as JSON. */
export const recipeKeyword = 'Easel Recipe';

/**
 * The chunks that say how an image was made, one behind the other: for everybody the keywords of
 * the standard (PNG 3, part 11.3.3.2) and XMP, for us the recipe.
 *
 * @param withXmp whether there is none yet: "There should be no more than one" (XMP, part 3)
 */
export function recipeChunks(recipe: Recipe, withXmp: boolean): Buffer {
	const software = `${softwareName}${recipe.easel}`;
	return Buffer.concat([
		textChunk('Description', recipe.prompt),
		textChunk('Software', software),
		textChunk('Creation Time', creationTime(recipe)),
		...(withXmp ? [textChunk(xmpKeyword, xmpPacket(software, recipe.createdAt))] : []),
		textChunk(recipeKeyword, recipeJson(recipe)),
	]);
}

const softwareName = 'Easel ';

/**
 * As RFC 1123 writes it. PNG 3 prefers RFC 3339 and allows both; this one is what ExifTool and Qt
 * take for a time. XMP has the other.
 */
function creationTime({ createdAt }: Recipe): string {
	return new Date(createdAt).toUTCString();
}

/** The recipe among the texts of a PNG; the last one where several stand there. */
export function recipeIn(texts: readonly TextChunk[]): Recipe | 'newer' | undefined {
	const { text } = texts.findLast(({ keyword }) => keyword === recipeKeyword) ?? {};
	return text === undefined ? undefined : parseRecipe(text);
}

/**
 * Those of the texts that {@link recipeChunks} has made, whatever other programs have done to them:
 * written them in another kind of chunk, in another order, or damaged one of them. What others have
 * added stays.
 */
export function ourTexts(texts: readonly TextChunk[]): TextChunk[] {
	const recipes = texts.flatMap(({ keyword, text }) => {
		const recipe = keyword === recipeKeyword && text !== undefined ? parseRecipe(text) : undefined;
		return typeof recipe === 'object' ? [recipe] : [];
	});
	const isSoftware = (one: TextChunk | undefined) =>
		one?.keyword === 'Software' && one.text?.startsWith(softwareName) === true;
	return texts.filter((one, index) => {
		switch (one.keyword) {
			case recipeKeyword:
				return true;
			case 'Software':
				return isSoftware(one);
			case 'Description':
				return (
					isSoftware(texts[index + 1]) || recipes.some(({ prompt }) => one.text === fitText(prompt))
				);
			case 'Creation Time':
				return (
					isSoftware(texts[index - 1]) ||
					recipes.some((recipe) => one.text === creationTime(recipe))
				);
			case xmpKeyword:
				return one.text !== undefined && isOurPacket(one.text);
			default:
				return false;
		}
	});
}
