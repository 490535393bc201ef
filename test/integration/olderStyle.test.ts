import { olderStyleTests } from './suites/olderStyle.js';

olderStyleTests('core');
