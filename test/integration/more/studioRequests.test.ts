import { studioRequestsTests } from '../studioRequests.tests.js';

studioRequestsTests('more');
