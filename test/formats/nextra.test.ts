import { testSite } from './siteTests';

testSite('Nextra');
