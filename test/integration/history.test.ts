import { historyTests } from './suites/history.js';

historyTests('core');
