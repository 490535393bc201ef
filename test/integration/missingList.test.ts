import { missingListTests } from './suites/missingList.js';

missingListTests('core');
