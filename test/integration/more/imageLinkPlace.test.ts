import { imageLinkPlaceTests } from '../imageLinkPlace.tests.js';

imageLinkPlaceTests('more');
