import { messagesTests } from './suites/messages.js';

messagesTests('core');
