import { networksTests } from './suites/networks.js';

networksTests('core');
