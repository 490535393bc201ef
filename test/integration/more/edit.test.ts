import { editTests } from '../suites/edit.js';

editTests('more');
