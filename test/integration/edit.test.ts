import { editTests } from './suites/edit.js';

editTests('core');
