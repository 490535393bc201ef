import { testSite } from './siteTests';

testSite('Eleventy');
