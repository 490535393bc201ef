import { replacedReferencesTests } from '../suites/replacedReferences.js';

replacedReferencesTests('more');
