import { testSite } from './siteTests';

testSite('Docusaurus');
