import { saveDocumentTests } from './saveDocument.tests.js';

saveDocumentTests('core');
