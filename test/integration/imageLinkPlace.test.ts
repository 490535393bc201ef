import { imageLinkPlaceTests } from './suites/imageLinkPlace.js';

imageLinkPlaceTests('core');
