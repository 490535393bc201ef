import { generatorTests } from '../suites/generator.js';

generatorTests('more');
