import { keptSpotsTests } from './keptSpots.tests.js';

keptSpotsTests('core');
