import { insertTests } from './insert.tests.js';

insertTests('core');
