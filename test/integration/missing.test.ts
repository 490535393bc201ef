import { missingTests } from './missing.tests.js';

missingTests('core');
