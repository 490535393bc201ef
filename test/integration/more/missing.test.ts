import { missingTests } from '../suites/missing.js';

missingTests('more');
