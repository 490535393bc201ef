import { anotherTests } from './suites/another.js';

anotherTests('core');
