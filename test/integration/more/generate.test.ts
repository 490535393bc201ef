import { generateTests } from '../suites/generate.js';

generateTests('more');
