import { olderStyleTests } from '../olderStyle.tests.js';

olderStyleTests('more');
