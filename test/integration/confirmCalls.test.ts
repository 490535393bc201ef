import { confirmCallsTests } from './confirmCalls.tests.js';

confirmCallsTests('core');
