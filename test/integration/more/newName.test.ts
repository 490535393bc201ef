import { newNameTests } from '../suites/newName.js';

newNameTests('more');
