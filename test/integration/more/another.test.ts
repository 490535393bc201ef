import { anotherTests } from '../another.tests.js';

anotherTests('more');
