import { replaceTests } from './suites/replace.js';

replaceTests('core');
