import { staleAgainTests } from '../staleAgain.tests.js';

staleAgainTests('more');
