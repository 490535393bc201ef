import { landingTests } from './landing.tests.js';

landingTests('core');
