import { messagesTests } from '../messages.tests.js';

messagesTests('more');
