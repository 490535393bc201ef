import { testSite } from './siteTests';

testSite('Astro');
