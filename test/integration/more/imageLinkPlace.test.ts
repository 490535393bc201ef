import { imageLinkPlaceTests } from '../suites/imageLinkPlace.js';

imageLinkPlaceTests('more');
