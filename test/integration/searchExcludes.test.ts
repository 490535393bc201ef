import { searchExcludesTests } from './suites/searchExcludes.js';

searchExcludesTests('core');
