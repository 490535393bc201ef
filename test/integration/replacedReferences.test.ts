import { replacedReferencesTests } from './replacedReferences.tests.js';

replacedReferencesTests('core');
