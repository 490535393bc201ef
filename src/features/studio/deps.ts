import type { Parts } from '../../generation/parts.js';

/** What the studio needs of the rest. */
export type StudioDeps = Pick<
	Parts,
	| 'calls'
	| 'gallery'
	| 'generator'
	| 'history'
	| 'jobs'
	| 'keys'
	| 'log'
	| 'marks'
	| 'preferences'
	| 'removedImages'
	| 'storage'
	| 'styles'
>;
