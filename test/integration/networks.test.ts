import { networksTests } from './networks.tests.js';

networksTests('core');
