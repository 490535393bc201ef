import { styleTests } from './style.tests.js';

styleTests('core');
