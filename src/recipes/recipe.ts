import path from 'node:path';
import * as z from 'zod/mini';
import { keptRestSchema, marksSchema } from '../images/marks.js';
import { isSize, qualities, type Size } from '../service/sizes.js';

/** The version of the schema that this Easel writes. Readers refuse what they do not know. */
export const recipeVersion = 1;

/** In UTF-16 code units; of a longer one nothing is read or written. */
const maxTextLength = 200_000;
/** Number of images that a request can have; more is no recipe of ours. */
const maxImages = 64;

const text = z.string().check(z.maxLength(maxTextLength));
const shortText = z.string().check(z.maxLength(300));
const hash = z.string().check(z.regex(/^[\da-f]{64}$/));
/** Rounds of a workspace, and places in one: ours count on from those that files of strangers say. */
const maxRounds = 1_000_000;
/** From somewhere, with `/`. */
const way = z.string().check(z.maxLength(4096), z.refine(isRelative));

/** An image that was used, by what it is and by where it lay. */
const usedImageSchema = z.object({
	/** SHA-256 of the bytes that were sent, hexadecimal. */
	sha256: hash,
	/** From the folder of the image that was made, with `/`; missing for what lies elsewhere. */
	path: z.catch(z.optional(way), undefined),
});

/**
 * Recipe of an image. It goes wherever the image goes, so it never holds an absolute path, an
 * address, a key, or anything about an account. The order of the fields is that of the JSON.
 */
export const recipeSchema = z.object({
	version: z.literal(recipeVersion),
	/** Easel's own version. */
	easel: shortText,
	/** Our own, of the request: copies of an image have the same. */
	id: z.uuid(),
	/** Wall-clock time at which the image had arrived, ISO 8601. */
	createdAt: z.iso.datetime(),
	operation: z.enum(['generate', 'edit']),
	/** The prompt as the user has written it. */
	prompt: text,
	/** The sent prompt, where it differs. */
	effectivePrompt: z.optional(text),
	/** The prompt as the service has revised it. */
	revisedPrompt: z.optional(text),
	model: shortText,
	/** The one that was asked for; the file knows its own. */
	size: z.custom<Size>((value) => typeof value === 'string' && isSize(value)),
	quality: z.optional(z.enum(qualities)),
	/** The one that was asked for. */
	background: z.optional(z.literal('transparent')),
	/** The images that it was made from; together with `references` all that was sent, in order. */
	parents: z.array(usedImageSchema).check(z.maxLength(maxImages)),
	references: z.array(usedImageSchema).check(z.maxLength(maxImages)),
	/** Places on the first of the edited images that were to change, as fractions of it. */
	marks: z.catch(z.optional(marksSchema), undefined),
	/**
	 * Set where the image was made of the service's answer, its parent, and of what was edited, the first
	 * of `references`, outside of the marks.
	 */
	keptRest: z.catch(z.optional(keptRestSchema), undefined),
	/** The style guide that was applied. */
	style: z.catch(
		z.optional(
			z.object({
				/** From the workspace folder, with `/`. */
				path: way,
				/** SHA-256 of all that it applied, hexadecimal. */
				sha256: hash,
				/** Number of its images among `references`; they are the last ones. */
				references: z.int().check(z.gte(0), z.lte(maxImages)),
			}),
		),
		undefined,
	),
	/** The round that it was asked for in. */
	round: z.catch(
		z.optional(
			z.object({
				id: z.uuid(),
				number: z.int().check(z.gte(1), z.lte(maxRounds)),
				place: z.int().check(z.gte(0), z.lt(maxRounds)),
				/** Size of the batch, and its time, ISO 8601. */
				count: z.int().check(z.gte(1), z.lte(maxRounds)),
				askedAt: z.iso.datetime(),
			}),
		),
		undefined,
	),
	/** The service's own identifier of the request. */
	requestId: z.optional(shortText),
	/** The image of which this file is an export. */
	exportedFrom: z.catch(z.optional(usedImageSchema), undefined),
	/** SHA-256 of the image that it lies beside, hexadecimal; only in a file of its own. */
	image: z.optional(hash),
});

export type Recipe = z.infer<typeof recipeSchema>;
export type UsedImage = z.infer<typeof usedImageSchema>;

/**
 * The recipe as JSON, always in the same order.
 *
 * @param indent what a level is indented by; all stands in one line without it
 * @throws where it is no recipe, as where a path in it is absolute
 */
export function recipeJson(recipe: Recipe, indent?: string): string {
	const written = recipeSchema.parse(recipe);
	const used = ({ path: at, ...rest }: UsedImage) =>
		at === undefined ? rest : { ...rest, path: at };
	return JSON.stringify(
		{
			...written,
			parents: written.parents.map(used),
			references: written.references.map(used),
		},
		undefined,
		indent,
	);
}

/**
 * Reads what {@link recipeJson} has written, or another program under its name.
 *
 * @returns `newer` for a version that this Easel does not know, `undefined` for no recipe
 */
export function parseRecipe(json: string): Recipe | 'newer' | undefined {
	const content = parseJson(json);
	const parsed = recipeSchema.safeParse(content);
	if (parsed.success) {
		return parsed.data;
	}
	const { version } = (content ?? {}) as { readonly version?: unknown };
	return typeof version === 'number' && version > recipeVersion ? 'newer' : undefined;
}

/** Objects and arrays within one another; graphs of other programs have some ten of them. */
const maxLevels = 100;

/** @returns `undefined` where it is no JSON, or nested deeper than anybody writes how an image was made */
export function parseJson(json: string): unknown {
	if (isDeep(json)) {
		return undefined;
	}
	try {
		return JSON.parse(json) as unknown;
	} catch {
		return undefined;
	}
}

/** A parser keeps something for each open level: a mebibyte of brackets would hold the thread up. */
function isDeep(json: string): boolean {
	let levels = 0;
	for (let at = 0; at < json.length; at++) {
		const sign = json.charCodeAt(at);
		if (sign === signs.quote) {
			at = endOfText(json, at);
		} else if (sign === signs.endOfArray || sign === signs.endOfObject) {
			levels--;
		} else if (sign === signs.array || sign === signs.object) {
			levels++;
			if (levels > maxLevels) {
				return true;
			}
		}
	}
	return false;
}

/** Returns the end of a text of JSON that begins at the quote, or of all of it. */
function endOfText(json: string, quote: number): number {
	for (let at = quote + 1; at < json.length; at++) {
		const sign = json.charCodeAt(at);
		if (sign === signs.quote) {
			return at;
		}
		if (sign === signs.backslash) {
			at++;
		}
	}
	return json.length;
}

/** As numbers, because each place of a long text is looked at. */
const signs = {
	quote: '"'.charCodeAt(0),
	backslash: '\\'.charCodeAt(0),
	array: '['.charCodeAt(0),
	endOfArray: ']'.charCodeAt(0),
	object: '{'.charCodeAt(0),
	endOfObject: '}'.charCodeAt(0),
} as const;

/**
 * The way from the folder of an image to another file, as a recipe has it.
 *
 * @param folder of the image, absolute, with `/`
 * @param file absolute, with `/`
 * @param root the folder that both have to lie in, absolute, with `/`
 * @returns `undefined` where one of them lies elsewhere, as the way would tell what is around the root,
 * or is longer than a path can be
 */
export function relativePath(folder: string, file: string, root: string): string | undefined {
	if ([folder, file, root].some(({ length }) => length > maxPathLength)) {
		return undefined;
	}
	const isWithin = (target: string) => {
		const way = path.posix.relative(root, target);
		return way !== '..' && !way.startsWith('../') && !path.posix.isAbsolute(way);
	};
	const way = path.posix.relative(folder, file);
	return isWithin(folder) && isWithin(file) && isRelative(way) ? way : undefined;
}

/** In UTF-16 code units: that of Windows, the longest there is (Maximum Path Length Limitation). */
const maxPathLength = 32_767;

/** Returns whether it names a file from somewhere, on every system. */
function isRelative(way: string): boolean {
	return way !== '' && !/^[/\\]|^[a-z][a-z\d+.-]*:|\\|\0/i.test(way);
}
