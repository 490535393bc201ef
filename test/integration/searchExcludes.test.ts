import { searchExcludesTests } from './searchExcludes.tests.js';

searchExcludesTests('core');
