import { testSite } from './siteTests';

testSite('Jekyll');
