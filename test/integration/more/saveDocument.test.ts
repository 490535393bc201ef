import { saveDocumentTests } from '../saveDocument.tests.js';

saveDocumentTests('more');
