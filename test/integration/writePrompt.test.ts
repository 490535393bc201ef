import { writePromptTests } from './suites/writePrompt.js';

writePromptTests('core');
