import { keptSpotsTests } from '../suites/keptSpots.js';

keptSpotsTests('more');
