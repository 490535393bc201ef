import { generateTests } from './generate.tests.js';

generateTests('core');
