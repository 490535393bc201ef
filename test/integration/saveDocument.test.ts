import { saveDocumentTests } from './suites/saveDocument.js';

saveDocumentTests('core');
