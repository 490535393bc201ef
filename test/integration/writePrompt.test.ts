import { writePromptTests } from './writePrompt.tests.js';

writePromptTests('core');
