import type { Recipe } from '../recipe.js';

/** Part of a recipe that a list of thousands needs. */
export type ListedRecipe = Pick<
	Recipe,
	| 'id'
	| 'createdAt'
	| 'operation'
	| 'prompt'
	| 'size'
	| 'quality'
	| 'background'
	| 'parents'
	| 'references'
	| 'marks'
	| 'keptRest'
	| 'style'
	| 'round'
>;

/** An image that says how it was made. */
export interface FoundRecipe {
	/** Path of the image, absolute. */
	readonly file: string;
	/** In pixels. */
	readonly width: number;
	readonly height: number;
	/** Size of the file. */
	readonly bytes: number;
	readonly recipe: ListedRecipe;
}

/** Order to the worker. */
export type RecipeOrder =
	| {
			/** Reads the first of the files, as many as it gets through in a moment. */
			readonly type: 'read';
			/** Path of the index, absolute; `undefined` for none. */
			readonly index: string | undefined;
			/** Absolute. */
			readonly files: readonly string[];
	  }
	/** Hashes the first of the files, as many as it gets through in a moment. */
	| {
			readonly type: 'hash';
			readonly index: string | undefined;
			readonly files: readonly string[];
	  }
	/** Forgets what the index says of files that no caller has asked for since it was opened. */
	| { readonly type: 'tidy'; readonly index: string };

export interface RecipeAnswer {
	/** Number of files that were read; at least one. */
	readonly done: number;
	readonly found: readonly FoundRecipe[];
	/** SHA-256 of the bytes of files, hexadecimal, by their paths. */
	readonly hashes: ReadonlyMap<string, string>;
}
