import type { Services } from '../../generation/services.js';

/** What handing over needs of the rest. */
export type BriefDeps = Pick<Services, 'extensionUri' | 'history' | 'jobs' | 'marks' | 'storage'>;
