import { testSite } from './siteTests';

testSite('GitBook');
