import { imageLinkPlaceTests } from './imageLinkPlace.tests.js';

imageLinkPlaceTests('core');
