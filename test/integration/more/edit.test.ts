import { editTests } from '../edit.tests.js';

editTests('more');
