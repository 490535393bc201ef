import { recipesTests } from '../suites/recipes.js';

recipesTests('more');
