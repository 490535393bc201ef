import { searchExcludesTests } from '../searchExcludes.tests.js';

searchExcludesTests('more');
