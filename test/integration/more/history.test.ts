import { historyTests } from '../history.tests.js';

historyTests('more');
