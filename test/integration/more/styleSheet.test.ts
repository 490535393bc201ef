import { styleSheetTests } from '../styleSheet.tests.js';

styleSheetTests('more');
