import { confirmCallsTests } from './suites/confirmCalls.js';

confirmCallsTests('core');
