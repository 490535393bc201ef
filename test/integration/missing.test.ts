import { missingTests } from './suites/missing.js';

missingTests('core');
