import { styleTests } from '../suites/style.js';

styleTests('more');
