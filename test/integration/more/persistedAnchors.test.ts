import { persistedAnchorsTests } from '../suites/persistedAnchors.js';

persistedAnchorsTests('more');
