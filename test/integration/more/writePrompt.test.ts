import { writePromptTests } from '../writePrompt.tests.js';

writePromptTests('more');
