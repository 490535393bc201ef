import { environmentKeyTests } from '../suites/environmentKey.js';

environmentKeyTests('more');
