import { stripRecipeTests } from './suites/stripRecipe.js';

stripRecipeTests('core');
