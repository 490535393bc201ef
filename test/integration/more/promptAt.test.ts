import { promptAtTests } from '../promptAt.tests.js';

promptAtTests('more');
