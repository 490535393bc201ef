import { environmentKeyTests } from '../environmentKey.tests.js';

environmentKeyTests('more');
