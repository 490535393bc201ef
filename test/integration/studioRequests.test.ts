import { studioRequestsTests } from './suites/studioRequests.js';

studioRequestsTests('core');
