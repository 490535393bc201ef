import { landingTests } from '../landing.tests.js';

landingTests('more');
