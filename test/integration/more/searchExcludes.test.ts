import { searchExcludesTests } from '../suites/searchExcludes.js';

searchExcludesTests('more');
