import { recipesTests } from './recipes.tests.js';

recipesTests('core');
