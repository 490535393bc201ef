import type { Services } from '../../generation/services.js';

/** What the history needs of the rest. */
export type HistoryDeps = Pick<Services, 'history' | 'jobs' | 'marks' | 'styles'>;
