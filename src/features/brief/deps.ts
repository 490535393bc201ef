import type { Parts } from '../../generation/parts.js';

/** What handing over needs of the rest. */
export type BriefDeps = Pick<
	Parts,
	'extensionUri' | 'history' | 'jobs' | 'log' | 'marks' | 'storage'
>;
