import { confirmCallsTests } from '../suites/confirmCalls.js';

confirmCallsTests('more');
