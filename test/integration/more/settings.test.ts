import { settingsTests } from '../settings.tests.js';

settingsTests('more');
