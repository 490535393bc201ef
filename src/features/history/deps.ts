import type { Parts } from '../../generation/parts.js';

/** What the history needs of the rest. */
export type HistoryDeps = Pick<Parts, 'history' | 'jobs' | 'marks' | 'styles'>;
