import type { Recipe } from '../recipe.js';

/** What of a recipe is worth knowing in a list of thousands. */
export type ListedRecipe = Pick<
	Recipe,
	| 'id'
	| 'createdAt'
	| 'operation'
	| 'prompt'
	| 'size'
	| 'quality'
	| 'parents'
	| 'references'
	| 'style'
	| 'round'
>;

/** An image that says how it was made. */
export interface FoundRecipe {
	/** Of the image, absolute. */
	readonly file: string;
	/** In pixels. */
	readonly width: number;
	readonly height: number;
	/** Of the file. */
	readonly bytes: number;
	readonly recipe: ListedRecipe;
}

/** What the worker is asked for. */
export type RecipeOrder =
	| {
			/** Reads the first of the files, as many as it gets through in a moment. */
			readonly type: 'read';
			/** Where the index lies, absolute; `undefined` for none. */
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
	/** How many of the files were read; at least one. */
	readonly done: number;
	readonly found: readonly FoundRecipe[];
	/** SHA-256 of the bytes of files, hexadecimal, by their paths. */
	readonly hashes: ReadonlyMap<string, string>;
}
