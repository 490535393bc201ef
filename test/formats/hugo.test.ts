import { testSite } from './siteTests';

testSite('Hugo');
