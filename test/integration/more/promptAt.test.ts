import { promptAtTests } from '../suites/promptAt.js';

promptAtTests('more');
