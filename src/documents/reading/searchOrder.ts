import type { LinkingDocument } from '../localPath.js';
import type { Exclude } from '../missing/exclude.js';

/** Order for a search. */
export interface SearchRoot {
	/** A folder or a document, absolute. A document is read whatever excludes it. */
	readonly path: string;
	/** The workspace folder that it lies in, absolute; globs and links are relative to it. */
	readonly workspaceFolder: string | undefined;
	/** Links with a leading `/` go by it; see `LinkingDocument`. */
	readonly publicFolder?: LinkingDocument['publicFolder'];
	readonly exclude: Exclude;
}

/** One step of a search. */
export interface SearchOrder {
	readonly root: SearchRoot;
	/** Places to look at: the path of the root, or what earlier steps have left open. */
	readonly places: readonly string[];
	readonly respectGitignore: boolean;
}
