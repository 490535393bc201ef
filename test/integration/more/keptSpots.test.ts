import { keptSpotsTests } from '../keptSpots.tests.js';

keptSpotsTests('more');
