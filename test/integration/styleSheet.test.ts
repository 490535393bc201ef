import { styleSheetTests } from './suites/styleSheet.js';

styleSheetTests('core');
