import { writePromptTests } from '../suites/writePrompt.js';

writePromptTests('more');
