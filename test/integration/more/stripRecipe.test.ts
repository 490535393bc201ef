import { stripRecipeTests } from '../stripRecipe.tests.js';

stripRecipeTests('more');
