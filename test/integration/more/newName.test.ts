import { newNameTests } from '../newName.tests.js';

newNameTests('more');
