import { insertTests } from '../suites/insert.js';

insertTests('more');
