import { missingListTests } from './missingList.tests.js';

missingListTests('core');
