import { staleAgainTests } from './suites/staleAgain.js';

staleAgainTests('core');
