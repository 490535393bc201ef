import { styleTests } from '../style.tests.js';

styleTests('more');
