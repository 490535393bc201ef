import { contactSheetTests } from './suites/contactSheet.js';

contactSheetTests('core');
