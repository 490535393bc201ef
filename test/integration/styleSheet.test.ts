import { styleSheetTests } from './styleSheet.tests.js';

styleSheetTests('core');
