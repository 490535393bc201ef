import { messagesTests } from './messages.tests.js';

messagesTests('core');
