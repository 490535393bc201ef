import { stripRecipeTests } from '../suites/stripRecipe.js';

stripRecipeTests('more');
