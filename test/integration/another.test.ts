import { anotherTests } from './another.tests.js';

anotherTests('core');
