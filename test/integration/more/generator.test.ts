import { generatorTests } from '../generator.tests.js';

generatorTests('more');
