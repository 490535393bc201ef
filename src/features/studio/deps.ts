import type { Services } from '../../generation/services.js';

/** What the studio needs of the rest. */
export type StudioDeps = Pick<
	Services,
	| 'calls'
	| 'gallery'
	| 'generator'
	| 'history'
	| 'jobs'
	| 'keys'
	| 'marks'
	| 'preferences'
	| 'deletedImages'
	| 'storage'
	| 'styles'
>;
