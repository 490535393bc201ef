import { replaceTests } from '../replace.tests.js';

replaceTests('more');
