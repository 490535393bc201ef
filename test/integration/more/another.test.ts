import { anotherTests } from '../suites/another.js';

anotherTests('more');
