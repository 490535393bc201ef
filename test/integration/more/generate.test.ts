import { generateTests } from '../generate.tests.js';

generateTests('more');
