import { landingTests } from './suites/landing.js';

landingTests('core');
