import { editTests } from './edit.tests.js';

editTests('core');
