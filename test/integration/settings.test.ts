import { settingsTests } from './suites/settings.js';

settingsTests('core');
