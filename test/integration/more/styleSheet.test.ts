import { styleSheetTests } from '../suites/styleSheet.js';

styleSheetTests('more');
