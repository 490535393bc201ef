import { newNameTests } from './suites/newName.js';

newNameTests('core');
